"""Scores as one self-contained HTML file: all submissions side by side, then each with its cases."""

from __future__ import annotations

from judge.report.markup import Child, Html, element, escape, join
from judge.report.page import header, page
from judge.report.score.budget import Budget
from judge.report.score.cases import grid
from judge.report.score.charts import SpeedRow, meter, speeds, spread, stack
from judge.report.score.remarks import remarks
from judge.report.score.submission import submission
from judge.report.score.words import (
    NONE,
    SANDBOXES,
    dimension,
    headline,
    names_of,
    number,
    part_of,
    points,
    ranked,
)
from judge.results.score import ScoreReport, SubmissionReport
from judge.text import plural

_OPEN = 3
_CHART_ROWS = 100


def score_html(report: ScoreReport) -> str:
    """The whole document; it loads nothing, and can be read without JavaScript.

    Long texts are cut and long lists shortened until the file stays within a few MB; what is left out says so.
    """
    budget = Budget.of(report)
    ordered = ranked(report)
    opened = len(ordered) <= _OPEN
    parts = [submission(item, f"s{place}", budget, opened=opened) for place, item in enumerate(ordered)]
    body = join(
        element("a", {"class": "skip", "href": "#main"}, "Skip to the scores"),
        _header(report),
        element(
            "main",
            {"id": "main", "tabindex": -1},
            _warnings(report),
            _overview(report, ordered) if len(ordered) != 1 else None,
            _models(report),
            _speed(ordered),
            element("section", {"aria-label": "Submissions"}, *parts),
            _about(report),
        ),
        element("footer", None, f"Written by judge {report.version}. This file loads nothing from the network."),
    )
    title = f"{report.title or report.suite} · judge score"
    return page(title, body, styles=("score.css",), scripts=("score.js",))


def _header(report: ScoreReport) -> Html:
    words = [headline(report), f"sandbox: {SANDBOXES.get(report.sandbox, report.sandbox)}"]
    return header("judge score", escape(report.title or report.suite, 300), escape(" · ".join(words), 500))


def _warnings(report: ScoreReport) -> Html:
    lines = ["The code ran without a sandbox."] if report.sandbox == "none" else []
    lines += list(report.notes[:40])
    return join(*(element("p", {"class": "warn"}, escape(line, 600)) for line in lines))


def _overview(report: ScoreReport, ordered: list[SubmissionReport]) -> Html:
    """All submissions side by side: the total as a bar of its dimensions, and each dimension."""
    names = names_of(report)
    heads = ["Submission", "Total", *(escape(dimension(name), 60) for name in names), "Remarks"]
    rows = [_row(item, f"s{place}", names) for place, item in enumerate(ordered)]
    if not rows:
        return element("p", {"class": "warn"}, "There is no submission.")
    key = element("p", {"class": "key"}, *(_key(name, place) for place, name in enumerate(names)))
    search = element("input", {"type": "search", "id": "search", "placeholder": "Find a submission  ( / )",
                               "aria-label": "Find a submission", "autocomplete": "off", "hidden": True})  # fmt: skip
    return element(
        "section",
        {"class": "panel", "aria-labelledby": "side"},
        element("div", {"class": "line"}, element("h2", {"id": "side"}, "Side by side"), search),
        grid(heads, rows, "Submissions side by side", "overview"),
        key,
    )


def _key(name: str, place: int) -> Html:
    box = element("rect", {"class": f"d{place % 4}", "width": 10, "height": 10, "rx": 2})
    sign = element("svg", {"width": 10, "height": 10, "aria-hidden": "true"}, box)
    return element("span", None, sign, " ", escape(dimension(name), 60))


def _row(item: SubmissionReport, anchor: str, names: list[str]) -> list[Child]:
    link = element("a", {"href": f"#{anchor}"}, escape(item.submission, 120))
    name = join(link, element("small", None, escape(item.model, 80)) if item.model else None)
    if item.error:
        return [name, "not scored", *[NONE] * len(names), escape(item.error, 200)]
    parts = [part_of(item, one) for one in names]
    total = join(element("strong", None, number(item.total)), stack([part for part in parts if part is not None]))
    cells: list[Child] = [
        join(meter(part.value), element("small", None, points(part)))
        if part is not None and part.value is not None
        else NONE
        for part in parts
    ]
    return [name, total, *cells, escape("; ".join(remarks(item)), 300)]


def _models(report: ScoreReport) -> Html:
    """The spread of scores of each model, and pass@k."""
    if not report.models and not report.pass_at_k:
        return Html("")
    totals: dict[str, list[float]] = {}
    for item in report.submissions:
        if not item.error:
            totals.setdefault(item.model, []).append(item.total)
    drawn = [(one.model, totals[one.model]) for one in report.models[:_CHART_ROWS] if totals.get(one.model)]
    medians = {one.model: (one.median, one.low, one.high) for one in report.models}
    figure = None
    if drawn:
        words = "Each dot is a sample; below it the median with its interval."
        figure = element("figure", None, element("div", {"class": "scroll"}, spread(drawn, medians)),
                         element("figcaption", None, words))  # fmt: skip
    ks = sorted({k for one in report.pass_at_k for k in one.values}, key=lambda k: (len(k), k))
    chances = {one.model: one for one in report.pass_at_k}
    summaries = {one.model: one for one in report.models}
    rows: list[list[Child]] = []
    for model in list(dict.fromkeys([*summaries, *chances]))[:500]:
        cells: list[Child] = [escape(model or "all", 120)]
        summary, chance = summaries.get(model), chances.get(model)
        cells.append(str(summary.samples if summary else chance.samples if chance else 0))
        cells += [number(summary.median), f"{number(summary.low)} to {number(summary.high)}",
                  number(summary.mean)] if summary else [NONE] * 3  # fmt: skip
        cells.append(f"{chance.passed} of {chance.samples}" if chance else NONE)
        cells += [f"{chance.values[k]:.3f}" if chance and k in chance.values else NONE for k in ks]
        rows.append(cells)
    heads = ["Model", "Samples", "Median", "Interval", "Mean", "Pass everything", *(f"pass@{k}" for k in ks)]
    return element(
        "section",
        {"class": "panel", "aria-labelledby": "models"},
        element("h2", {"id": "models"}, "Models"),
        grid(heads, rows, "Models", "models"),
        figure,
    )


def _speed(ordered: list[SubmissionReport]) -> Html:
    """The speed of all submissions in one picture, where there are several."""
    rows = [
        SpeedRow(item.submission, item.performance.cpu, slow=item.performance.penalised)
        for item in ordered
        if item.performance is not None and item.performance.cpu is not None
    ]
    drawing = speeds(rows[:_CHART_ROWS], "CPU time of all submissions as a ratio to the reference")
    if len(rows) < 2 or not drawing:
        return Html("")
    words = "CPU time as a ratio to the reference, log scale: median and interval. Left of 1 is faster."
    summary = element("summary", None, element("b", None, "Speed of all"))
    figure = element("figure", None, element("div", {"class": "scroll"}, drawing), element("figcaption", None, words))
    return element("details", {"class": "panel", "open": len(rows) <= 30}, summary, figure)


def _about(report: ScoreReport) -> Html:
    """What decides what the scores mean, closed."""
    barriers = ", ".join(f"{name} {'holds' if held else 'does not hold'}" for name, held in report.barriers.items())
    rows = (
        ("Suite", f"{report.suite}, {report.suite_hash[:16]}"),
        ("Sandbox", SANDBOXES.get(report.sandbox, report.sandbox)),
        ("Barriers", barriers),
        ("Seed", str(report.seed)),
        ("Python", report.python),
        ("Machine", report.machine),
        ("Submissions", plural(len(report.submissions), "submission")),
    )
    found = [join(element("dt", None, name), element("dd", None, escape(value, 600))) for name, value in rows if value]
    summary = element("summary", None, "About this scoring")
    return element("details", {"class": "about"}, summary, element("dl", None, *found))
