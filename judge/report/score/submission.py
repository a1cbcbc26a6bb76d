"""One submission on the page: its total, its dimensions with reasons, then what they rest on."""

from __future__ import annotations

from judge.report.markup import Child, Html, element, escape, join
from judge.report.score.budget import Budget
from judge.report.score.cases import cases
from judge.report.score.charts import meter
from judge.report.score.quality import performance, quality
from judge.report.score.remarks import remarks
from judge.report.score.words import dimension, number, passed, points
from judge.results.score import SubmissionReport

_LINES = 40


def submission(item: SubmissionReport, anchor: str, budget: Budget, *, opened: bool) -> Html:
    """One submission, as a part that can be closed.

    Args:
        item: What was found out about it.
        anchor: Its id on the page.
        budget: Bounds of texts and lists.
        opened: Whether it is open at first.
    """
    state = "not scored" if item.error else number(item.total)
    words: list[str] = [item.model[:120]] if item.model else []
    words += [passed(item)] if item.cases else []
    summary = element(
        "summary",
        None,
        element("b", {"class": "total"}, state),
        element("span", {"class": "name"}, escape(item.submission, 300)),
        element("span", {"class": "dim"}, " · ".join(words)),
    )
    inside: list[Child] = (
        [_error(item)] if item.error else [_remarks(item), _dimensions(item), _flags(item), cases(item, budget)]
    )
    if item.performance is not None and not item.error:
        inside.append(performance(item.performance, item.submission[:60]))
    if item.quality is not None and not item.error:
        inside.append(quality(item.quality))
    inside += [_notes(item), _facts(item)]
    return element("details", {"class": "panel submission", "id": anchor, "open": opened}, summary, *inside)


def _error(item: SubmissionReport) -> Html:
    return element("p", {"class": "warn"}, "It could not be scored, which is no fault of its own: ", escape(item.error))


def _dimensions(item: SubmissionReport) -> Html:
    rows = []
    for place, part in enumerate(item.dimensions):
        drawn = meter(part.value) if part.value is not None else None
        rows.append(
            element(
                "li",
                {"class": f"dimension d{place % 4}"},
                element("span", None, escape(dimension(part.name), 60)),
                drawn or element("span", {"class": "dim"}, "not measured"),
                element("span", {"class": "count"}, points(part)) if part.value is not None else None,
                element("span", {"class": "dim why"}, escape(part.reason, 400)) if part.reason else None,
            )
        )
    return element("ul", {"class": "dimensions"}, *rows)


def _flags(item: SubmissionReport) -> Html:
    if not item.flags:
        return Html("")
    ordered = sorted(item.flags, key=lambda flag: not flag.certain)[:_LINES]
    rows = [
        element(
            "p",
            {"class": "flag" if flag.certain else "sign"},
            element("b", None, "Flag: " if flag.certain else "Sign, no effect: ", escape(flag.kind, 80)),
            " ",
            escape(flag.evidence, 1_000),
        )
        for flag in ordered
    ]
    left = len(item.flags) - len(rows)
    more = element("p", {"class": "dim"}, f"and {left} more") if left > 0 else None
    return join(*rows, more)


def _remarks(item: SubmissionReport) -> Html:
    found = "; ".join(remarks(item))
    style = "flag" if item.uncapped > item.total else "dim"
    return element("p", {"class": style}, escape(found, 600)) if found else Html("")


def _notes(item: SubmissionReport) -> Html:
    if not item.notes:
        return Html("")
    rows = [element("li", None, escape(note, 500)) for note in item.notes[:_LINES]]
    summary = element("summary", None, element("b", None, "Notes"), f" {len(item.notes)}")
    return element("details", None, summary, element("ul", {"class": "lines"}, *rows))


def _facts(item: SubmissionReport) -> Html:
    words = [f"{item.seconds:.1f} s"] if item.seconds else []
    words += [f"source {item.source_hash[:12]}"] if item.source_hash else []
    return element("p", {"class": "dim small"}, escape(" · ".join(words), 100)) if words else Html("")
