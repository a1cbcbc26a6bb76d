"""What ``judge score`` shows on the terminal: a row a submission, and with ``--details`` why points are missing."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any

from judge.cli.console import console, show
from judge.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.report.score.remarks import Cause
    from judge.results.score import CaseResult, ScoreReport, SubmissionReport

_SHORT = {"correctness": "correct", "edge_cases": "edge", "performance": "speed", "quality": "quality"}
_FAILED = 20
_WIDTH = 1_000
"""Characters of what is printed of one case."""
_NOTE = 60
"""Characters of one note in the table; ``--details`` prints it whole."""
_IS_NOT = re.compile(r"(.*?)(?: \(\w+\))? is not (.*?)(?: \(\w+\))?", re.S)


def show_table(report: ScoreReport, details: bool) -> None:
    """Prints the table, what was not measured, and pass@k.

    Args:
        report: What was scored.
        details: Print every failed case and every point lost, too.
    """
    from rich.table import Table

    from judge.report.score.remarks import remarks

    show(f"{one_line(report.title or report.suite)} (sandbox: {report.sandbox})")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("submission", overflow="fold")
    for name in ("total", *_SHORT.values()):
        table.add_column(name, justify="right")
    table.add_column("notes", overflow="fold")
    for item in report.submissions:
        if item.error:
            table.add_row(item.submission, "error", "", "", "", "", one_line(item.error, _NOTE))
            continue
        points = {part.name: part for part in item.dimensions}
        cells = [_points(points.get(name)) for name in _SHORT]
        notes = "; ".join(one_line(remark, _NOTE) for remark in remarks(item))
        table.add_row(item.submission, f"{item.total:.1f}", *cells, notes)
    console().print(table)
    for line in _left_out(report):
        show(line)
    for model in report.pass_at_k:
        values = ", ".join(f"pass@{k} {value:.3f}" for k, value in model.values.items())
        show(f"{one_line(model.model or 'all')}: {model.passed} of {model.samples} samples pass everything; {values}")
    if details:
        for item in report.submissions:
            _details(item)


def _points(part: Any) -> str:
    if part is None or part.value is None:
        return "-"
    return f"{part.points:.1f}/{part.weight:.0f}"


def _left_out(report: ScoreReport) -> list[str]:
    """What was not measured, each reason once."""
    reasons: dict[str, None] = {}
    for item in report.submissions:
        for part in item.dimensions:
            if part.value is None and not item.error:
                reasons[f"{part.name.replace('_', ' ')} not measured: {part.reason}"] = None
    return list(reasons)


def _details(item: SubmissionReport) -> None:
    from judge.report.score.remarks import remarks

    show(f"\n{item.submission}")
    width = console().width
    lines = [f"error: {item.error}"] if item.error else [*remarks(item), *_cases(item), *_rest(item)]
    for line in lines:
        show("\n".join(_wrapped(one_line(line, _WIDTH), width)))


def _wrapped(line: str, width: int) -> list[str]:
    """A line broken between words; a word that is longer than the line stays whole, so that it can be copied."""
    return textwrap.wrap(
        line,
        max(width, 40),
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cases(item: SubmissionReport) -> Iterator[str]:
    """The failed cases and smallest inputs; those that one reason explains are counted, the reason stands above."""
    from judge.report.score.remarks import shared_cause
    from judge.report.score.words import failed

    cause = shared_cause(item)
    explained = set(map(id, cause.cases)) if cause is not None else set()
    left = [case for case in failed(item) if id(case) not in explained]
    if cause is not None:
        yield _counted(cause)
    for case in left[:_FAILED]:
        yield f"failed {case.id}: {_told(case)}"
    if len(left) > _FAILED:
        yield f"and {len(left) - _FAILED} more failed cases"
    for example in item.counterexamples:
        if cause is None or not cause.explains(example):
            yield f"smallest {example.category}: ({example.input}) gave {example.actual}, expected {example.expected}"


def _counted(cause: Cause) -> str:
    many = f"all {cause.whole:,}" if len(cause.cases) == cause.whole else f"{len(cause.cases):,} of {cause.whole:,}"
    return f"failed {many} for this reason: {', '.join(case.id for case in cause.cases[:3])}" + (
        " …" if len(cause.cases) > 3 else ""
    )


def _told(case: CaseResult) -> str:
    """What came of a case; a reason that only repeats what came and what was expected is not said again."""
    if case.status not in ("returned", "raised"):
        return f"({case.input}) expected {case.expected}: {case.reason}" if case.expected else case.reason
    said = f"({case.input}) gave {case.actual}, expected {case.expected}"
    match = _IS_NOT.fullmatch(case.reason)
    if match and match.groups() == (case.actual, case.expected) and case.actual != case.expected:
        return said
    return f"{said}: {case.reason}"


def _rest(item: SubmissionReport) -> Iterator[str]:
    """Speed, lost points of quality, signs and notes."""
    from judge.report.score.words import speed

    for line in speed(item.performance) if item.performance is not None else ():
        yield f"speed: {line}"
    for criterion in item.quality.items if item.quality is not None else ():
        if criterion.overridden_from is not None:
            yield (
                f"{criterion.name}: set from {criterion.overridden_from:.2f} to {criterion.value:.2f} "
                f"by {criterion.author}: {criterion.override_reason}"
            )
    for reason, names in _lost(item).items():
        yield f"{', '.join(names)}: {reason}"
    for flag in item.flags:
        yield f"{'flag' if flag.certain else 'sign'} {flag.kind}: {flag.evidence}"
    for note in item.notes:
        yield f"note: {note}"


def _lost(item: SubmissionReport) -> dict[str, list[str]]:
    """The reasons of lost points of quality, each once, with the criteria that it costs points."""
    found: dict[str, list[str]] = {}
    for criterion in item.quality.items if item.quality is not None else ():
        for reason in criterion.reasons:
            found.setdefault(reason, []).append(criterion.name)
    return found
