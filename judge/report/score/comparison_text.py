"""Two scorings side by side as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from judge.report.alignment.plain import render
from judge.report.alignment.table import table
from judge.report.score.comparison import ScoreComparison, SubmissionComparison
from judge.report.score.comparison_markdown import remarks
from judge.report.score.words import ITEMS, NONE, dimension, number, signed
from judge.text import one_line

_TEXT = 60
_CASES = 20


def comparison_text(comparison: ScoreComparison) -> str:
    """A row a submission, then the cases and criteria that changed; what would steer a terminal is shown escaped.

    Args:
        comparison: What was compared.
    """
    names = list(dict.fromkeys(part.name for item in comparison.submissions for part in item.dimensions))
    columns = ["<submission", "A", "B", "change", *(one_line(dimension(name), _TEXT) for name in names), "<remarks"]
    rows = (_row(item, names) for item in comparison.submissions)
    parts = [render(table("Two scorings", "|".join(column.replace("|", "/") for column in columns), rows))]
    for item in comparison.submissions:
        lines = [*_cases(item), *_criteria(item)]
        if lines:
            parts.append("\n".join([one_line(item.submission), *lines]))
    parts += [f"note: {one_line(note)}" for note in comparison.notes]
    return "\n\n".join(parts)


def _row(item: SubmissionComparison, names: list[str]) -> tuple[str, ...]:
    changes = {part.name: part.change for part in item.dimensions}
    totals = (NONE if value is None else number(value) for value in (item.before, item.after))
    moved = (_signed(value) for value in (item.change, *(changes.get(name) for name in names)))
    return (one_line(item.submission, 120), *totals, *moved, one_line("; ".join(remarks(item))))


def _signed(value: float | None) -> str:
    return NONE if value is None else signed(value)


def _cases(item: SubmissionComparison) -> Iterator[str]:
    for case in item.cases[:_CASES]:
        texts = [one_line(text, _TEXT) for text in (f"{case.source}/{case.id}", case.input, case.before, case.after)]
        yield f"  {case.kind} {texts[0]}: ({texts[1]}) gave {texts[2] or NONE}, now {texts[3] or NONE}"
    if len(item.cases) > _CASES:
        yield f"  and {len(item.cases) - _CASES} more cases"


def _criteria(item: SubmissionComparison) -> Iterator[str]:
    for part in item.quality:
        if part.change:
            before, after = (NONE if value is None else f"{value:.2f}" for value in (part.before, part.after))
            yield f"  {one_line(ITEMS.get(part.name, part.name), _TEXT)}: {before}, now {after}"
