"""A report as one self-contained HTML file."""

from __future__ import annotations

from judge.report.cards import card, prose
from judge.report.exhibits import Budget, Exhibits
from judge.report.graph import draw
from judge.report.icons import definitions
from judge.report.markup import Html, element, escape, join
from judge.report.model import Report, RunReport, State, TaskReport
from judge.report.page import header, page
from judge.report.summary import about, comparison, differences, notes, overview, totals
from judge.report.words import NAMES, described, short_part
from judge.text import plural

_OPEN_CARDS = 120
_OPEN_TASKS = 30


def to_html(report: Report) -> str:
    """The whole document; it loads nothing, and can be read without JavaScript.

    Long texts are cut in the middle, and evidence and pictures are cut down until the file stays within a few MB;
    what is cut says so.
    """
    categories = _categories(report)
    budget = Budget.of(report)
    opened = report.requirements <= _OPEN_CARDS
    tools = _tools(report, categories)
    alone = len(report.runs) == 1
    runs = [
        _run(run, f"r{number}", categories, budget, opened=opened, tools=tools if alone else None)
        for number, run in enumerate(report.runs)
    ]
    main = runs if alone else [comparison(report), tools, *runs]
    body = join(
        element("a", {"class": "skip", "href": "#main"}, "Skip to the verdicts"),
        definitions(),
        _header(report),
        element("main", {"id": "main", "tabindex": -1}, *main),
        element("footer", None, f"Written by judge {report.version}. This file loads nothing from the network."),
    )
    return page(f"{report.title} · judge report", body, styles=("report.css",), scripts=("report.js",))


def _header(report: Report) -> Html:
    only = report.runs[0] if len(report.runs) == 1 else None
    tasks = sum(run.counts.tasks for run in report.runs)
    words = [
        described(only) if only is not None else plural(len(report.runs), "run"),
        plural(tasks, "task"),
        plural(report.requirements, "requirement"),
        (only.created[:16].replace("T", " ") if only is not None else ""),
    ]
    return header("judge report", escape(report.title, 300), " · ".join(word for word in words if word))


def _categories(report: Report) -> dict[str, int]:
    """Category -> its number, in the order of first use."""
    found = (one.category or "" for run in report.runs for task in run.tasks for one in task.requirements)
    return {category: number for number, category in enumerate(dict.fromkeys(found))}


def _tools(report: Report, categories: dict[str, int]) -> Html:
    """Search and filters; hidden until the script that serves them has started."""
    counted = {state: 0 for state in State}
    differs = 0
    for run in report.runs:
        for task in run.tasks:
            for item in task.requirements:
                counted[item.state] += 1
                differs += item.agrees is False
    boxes = [
        element(
            "label",
            {"class": "check"},
            element("input", {"type": "checkbox", "name": "state", "value": state.value.lower(), "checked": True}),
            f"{NAMES[state]} ",
            element("span", {"class": "dim"}, f"{number:,}"),
        )
        for state, number in counted.items()
        if number
    ]
    if differs:
        box = element("input", {"type": "checkbox", "id": "differs"})
        boxes.append(
            element("label", {"class": "check"}, box, "Differs from label ", element("span", {"class": "dim"}, differs))
        )
    search = element("input", {"type": "search", "id": "search", "placeholder": "Search text, path, task  ( / )",
                               "aria-label": "Search in all verdicts", "autocomplete": "off"})  # fmt: skip
    fields = [search]
    if len(categories) > 1:
        options = {f"{number}": category or "No category" for category, number in categories.items()}
        fields.append(_select("category", "All categories", options))
    if len(report.runs) > 1:
        fields.append(_select("run", "All runs", {f"r{number}": run.name for number, run in enumerate(report.runs)}))
    return element(
        "div",
        {"id": "tools", "role": "search", "hidden": True},
        element("div", {"class": "fields"}, *fields),
        element("fieldset", None, element("legend", {"class": "unseen"}, "Verdicts"), *boxes),
        element("p", {"id": "found", "role": "status", "aria-live": "polite"}),
        element("button", {"type": "button", "id": "reset", "class": "button", "hidden": True}, "Show all"),
    )


def _select(name: str, everything: str, options: dict[str, str]) -> Html:
    rows = [element("option", {"value": value}, escape(text, 120)) for value, text in options.items()]
    first = element("option", {"value": ""}, everything)
    return element("select", {"id": name, "aria-label": everything}, first, *rows)


def _run(
    run: RunReport, anchor: str, categories: dict[str, int], budget: Budget, *, opened: bool, tools: Html | None
) -> Html:
    """One run; a run that is alone holds the tools and has its name at the top of the page already."""
    order = sorted(range(len(run.tasks)), key=lambda number: not _differing(run.tasks[number]))
    tasks = [_task(run.tasks[number], f"{anchor}t{number}", categories, budget, opened) for number in order]
    few = len(run.tasks) <= _OPEN_TASKS
    listed = element(
        "details",
        {"class": "panel", "open": few},
        element("summary", None, element("b", None, "Tasks")),
        overview(run, anchor),
    )
    return element(
        "section",
        {"class": "run", "id": anchor, "data-run": anchor},
        element("h2", {"class": "unseen" if tools else None}, escape(run.name, 300)),
        None if tools else element("p", {"class": "meta"}, described(run)),
        totals(run),
        notes(run.notes),
        about(run),
        differences(run, anchor),
        listed if len(run.tasks) > 1 else None,
        tools,
        *tasks,
    )


def _differing(task: TaskReport) -> bool:
    return any(item.agrees is False for item in task.requirements)


def _task(task: TaskReport, anchor: str, categories: dict[str, int], budget: Budget, opened: bool) -> Html:
    exhibits = Exhibits.of(task, anchor, budget)
    ordered = sorted(task.requirements, key=lambda item: item.agrees is not False)
    cards = [card(item, exhibits, categories[item.category or ""], opened=opened) for item in ordered]
    counts = task.counts
    solved = element("span", {"class": "verdict s-satisfied"}, "Solved") if counts.solved.met else None
    asked = None
    if task.query:
        tags = element("p", {"class": "dim"}, " · ".join(task.tags)) if task.tags else None
        text = element("p", {"class": "query"}, prose(task.query))
        asked = element("details", None, element("summary", None, "What the agent was asked"), text, tags)
    return element(
        "section",
        {"class": "task", "id": anchor},
        element("h3", None, escape(task.name, 300)),
        element(
            "p",
            {"class": "meta"},
            f"{short_part(counts.independent)} met · {short_part(counts.dependent)} met with prerequisites (D) ",
            solved,
        ),
        asked,
        draw(task, anchor),
        notes(task.notes),
        *cards,
        exhibits.common(task),
    )
