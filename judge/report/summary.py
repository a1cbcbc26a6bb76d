"""The top of the HTML report: the totals of each run, and where the verdicts differ from the labels."""

from __future__ import annotations

from judge.report.cards import facts, prose
from judge.report.icons import icon, name
from judge.report.markup import Child, Html, Value, element, escape, join, shorten
from judge.report.model import Counts, Report, RequirementReport, RunReport, State, TaskReport
from judge.report.words import (
    NAMES,
    all_tokens,
    compared,
    cost,
    described,
    duration,
    label,
    part,
    percent,
    short_part,
    tokens,
    undecided,
)
from judge.text import plural

_BAR = 400


def comparison(report: Report) -> Html:
    """A table with one row a run; nothing for a single run."""
    if len(report.runs) < 2:
        return Html("")
    head = ["Run", "(I) met", "(D) met", "(D+) met", "(T) solved", "Errors"] + (["Agreement"] if report.labels else [])
    rows = []
    for number, run in enumerate(report.runs):
        counts = run.counts
        shares = (counts.independent, counts.dependent, counts.transitive, counts.solved)
        cells: list[Child] = [(percent(share.rate), element("small", None, part(share))) for share in shares]
        cells.append(str(counts.errors) if counts.errors else "–")
        if report.labels:
            cells.append((percent(run.agreement.rate), element("small", None, _differ(run))) if run.agreement else "–")
        name_cell = element("th", {"scope": "row"}, element("a", {"href": f"#r{number}"}, run.name))
        rows.append(element("tr", None, name_cell, *(element("td", None, cell) for cell in cells)))
    table = element(
        "table",
        None,
        element("thead", None, element("tr", None, *(element("th", {"scope": "col"}, cell) for cell in head))),
        element("tbody", None, *rows),
    )
    inside = element("div", {"class": "scroll", "tabindex": 0, "role": "region", "aria-label": "Runs"}, table)
    return element(
        "section", {"class": "panel", "aria-labelledby": "runs"}, element("h2", {"id": "runs"}, "Runs"), inside
    )


def totals(run: RunReport) -> Html:
    """The numbers of one run."""
    counts = run.counts
    tiles = [
        _tile("Requirements met", "(I)", percent(counts.independent.rate), part(counts.independent)),
        _tile("Met with direct prerequisites", "(D)", percent(counts.dependent.rate), part(counts.dependent)),
        _tile("Met with all prerequisites", "(D+)", percent(counts.transitive.rate), part(counts.transitive)),
        _tile("Tasks solved", "(T)", percent(counts.solved.rate), part(counts.solved)),
    ]
    if run.agreement is not None:
        tiles.append(_tile("Agreement with labels", "", percent(run.agreement.rate), _differ(run)))
    if run.usage is not None and run.usage.calls:
        size = f"{plural(run.usage.calls, 'call')}, {all_tokens(run.usage):,} tokens"
        tiles.append(_tile("Cost", "", cost(run.usage), size))
    elif run.usage is not None:
        tiles.append(_tile("Cost", "", "$0", "no model was asked"))
    rest = undecided(counts)
    warning = element("p", {"class": "warn"}, f"Not judged: {rest}.") if rest else None
    return join(element("div", {"class": "tiles"}, *tiles), _bar(counts), warning)


def _differ(run: RunReport) -> str:
    value = run.agreement
    return f"{value.agree} of {value.compared}" if value is not None else ""


def _tile(title: str, sign: str, value: str, below: str) -> Html:
    mark = element("abbr", None, sign) if sign else None
    return element(
        "div",
        {"class": "tile"},
        element("strong", None, value),
        element("span", {"class": "title"}, title, " ", mark),
        element("span", {"class": "dim"}, below),
    )


def _bar(counts: Counts) -> Html:
    """All verdicts as one bar, with its key in words."""
    numbers = {
        State.SATISFIED: counts.satisfied,
        State.UNSATISFIED: counts.unsatisfied,
        State.ERROR: counts.errors,
        State.PENDING: counts.pending,
    }
    whole = sum(numbers.values())
    if not whole:
        return Html("")
    pieces, at = [], 0.0
    for state, number in numbers.items():
        wide = _BAR * number / whole
        if number:
            box: dict[str, Value] = {"x": f"{at:.2f}", "y": 0, "width": f"{max(1.0, wide - 1):.2f}", "height": 10}
            pieces.append(element("rect", {"class": f"seg {name(state)}", **box}))
        at += wide
    drawing = element(
        "svg",
        {"class": "bar", "viewBox": f"0 0 {_BAR} 10", "preserveAspectRatio": "none", "aria-hidden": "true"},
        *pieces,
    )
    key = [
        element("li", None, icon(state), f"{number:,} {NAMES[state].lower()}")
        for state, number in numbers.items()
        if number
    ]
    return element("div", {"class": "spread"}, drawing, element("ul", None, *key))


def about(run: RunReport) -> Html:
    """What decides what the verdicts mean, closed."""
    rows: list[tuple[str, Child]] = [("Source", element("code", None, run.source))]
    if run.created:
        rows.append(("Started", run.created))
    if described(run):
        rows.append(("Judge", described(run)))
    if run.version:
        rows.append(("Program", f"judge {run.version}"))
    if run.modules:
        rows.append(("Modules", ", ".join(run.modules)))
    if run.usage is not None and run.usage.calls:
        rows.append(("Tokens", tokens(run.usage)))
        rows.append(("Model time", f"{duration(run.usage.seconds)}, calls added up"))
    if run.agreement is not None:
        rows.append(("Labels", compared(run.agreement)))
    if run.options:
        rows.append(("Options", ", ".join(f"{key} {_value(value)}" for key, value in sorted(run.options.items()))))
    if run.prompts:
        rows.append(("Prompts", ", ".join(f"{key} {value}" for key, value in sorted(run.prompts.items()))))
    return element("details", {"class": "about"}, element("summary", None, "About this run"), facts(rows))


def _value(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, (list, tuple)) else str(value)


def notes(lines: tuple[str, ...]) -> Html:
    """What a reader should know."""
    if not lines:
        return Html("")
    rows = [element("li", None, escape(line, 1_000)) for line in lines]
    head = element("summary", None, plural(len(rows), "note"))
    return element("details", {"class": "notes", "open": len(rows) <= 3}, head, element("ul", None, *rows))


def differences(run: RunReport, anchor: str) -> Html:
    """Where verdict and label differ, first of all."""
    rows = [
        _difference(task, item, f"{anchor}t{number}-{item.requirement_id}")
        for number, task in enumerate(run.tasks)
        for item in task.requirements
        if item.agrees is False
    ]
    if run.agreement is None or not run.agreement.compared:
        return Html("")
    if not rows:
        return element("p", {"class": "facts"}, "Every verdict that has a label agrees with it.")
    head = element("summary", None, element("b", None, f"{plural(len(rows), 'verdict')} differ from the labels"))
    return element("details", {"class": "panel differences", "open": len(rows) <= 40}, head, element("ol", None, *rows))


def _difference(task: TaskReport, item: RequirementReport, target: str) -> Html:
    people = State.SATISFIED if item.label else State.UNSATISFIED
    return element(
        "li",
        None,
        element("a", {"href": f"#{target}"}, f"R{item.requirement_id}"),
        element("span", {"class": "what"}, prose(shorten(item.criteria, 300)), element("small", None, task.name)),
        element("span", {"class": "who"}, icon(item.state), f"judge: {NAMES[item.state].lower()}"),
        element("span", {"class": "who"}, icon(people), f"label: {label(item.label)}"),
    )


def overview(run: RunReport, anchor: str) -> Html:
    """One row a task, with a sign for every requirement."""
    rows = []
    for number, task in enumerate(run.tasks):
        signs = [
            element(
                "a",
                {
                    "href": f"#{anchor}t{number}-{item.requirement_id}",
                    "aria-label": _words(item),
                    "title": _words(item),
                },
                icon(item.state),
            )
            for item in task.requirements
        ]
        solved = task.counts.solved
        rows.append(
            element(
                "li",
                None,
                element("a", {"class": "name", "href": f"#{anchor}t{number}"}, escape(task.name, 300)),
                element("span", {"class": "signs"}, *signs),
                element("span", {"class": "count"}, short_part(task.counts.independent), element("small", None, "met")),
                element("span", {"class": "count"}, short_part(task.counts.dependent), element("small", None, "(D)")),
                element("span", {"class": "count solved"}, "solved" if solved.met else ""),
            )
        )
    return element("ol", {"class": "overview", "aria-label": "Tasks"}, *rows)


def _words(item: RequirementReport) -> str:
    return f"Requirement {item.requirement_id}: {NAMES[item.state]}"
