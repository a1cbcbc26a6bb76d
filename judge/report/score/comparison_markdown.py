"""Two scorings side by side as Markdown."""

from __future__ import annotations

from judge.report.markdown import LIMIT, text
from judge.report.score.comparison import Change, ScoreComparison, SubmissionComparison
from judge.report.score.markdown import code, table
from judge.report.score.words import ITEMS, NONE, dimension, number, signed
from judge.text import plural

_ROWS = 200
_CASES = 20


def comparison_markdown(comparison: ScoreComparison, limit: int = LIMIT) -> str:
    """The comparison within ``limit`` bytes; submissions that changed come first, the rest is counted.

    Args:
        comparison: What was compared.
        limit: Most bytes.
    """
    a, b = comparison.a, comparison.b
    titles = list(dict.fromkeys(text(side.title or side.suite, 200) for side in (a, b)))
    lines = [f"### judge score: {' and '.join(titles)}, compared", ""]
    ordered = sorted(comparison.submissions, key=lambda item: -_weight(item))
    names = list(dict.fromkeys(part.name for item in ordered for part in item.dimensions))
    rows = [
        [text(item.submission, 120), _points(item.before), _points(item.after), _signed(item.change)]
        + [_signed(_of(item, name)) for name in names]
        + [text("; ".join(remarks(item)), 300)]
        for item in ordered[:_ROWS]
    ]
    heads = ["Submission", "A", "B", "Change", *(text(dimension(name)) for name in names), "Remarks"]
    lines += [*table(heads, rows), ""]
    if len(ordered) > _ROWS:
        lines += [f"… and {plural(len(ordered) - _ROWS, 'more submission')}.", ""]
    lines += [f"- {text(note, 300)}" for note in comparison.notes]
    room = limit - len("\n".join(lines).encode()) - 200
    left_out = 0
    for item in ordered:
        block = "\n".join(_details(item))
        size = len(block.encode()) + 1
        if not block:
            continue
        if size > room or left_out:
            left_out += 1
            continue
        room -= size
        lines.append(block)
    lines += [f"Details of {plural(left_out, 'submission')} are left out; --json has all.", ""] if left_out else []
    return "\n".join(lines)


def _weight(item: SubmissionComparison) -> float:
    return abs(item.change) if item.change is not None else 1000.0


def _points(value: float | None) -> str:
    return NONE if value is None else number(value)


def _signed(value: float | None) -> str:
    return NONE if value is None else signed(value)


def _of(item: SubmissionComparison, name: str) -> float | None:
    return next((part.change for part in item.dimensions if part.name == name), None)


def remarks(item: SubmissionComparison) -> list[str]:
    """What a reader should see at once, as plain text."""
    kinds = [case.kind for case in item.cases]
    found = [f"{plural(kinds.count(kind), 'case')} {kind}" for kind in ("broken", "fixed") if kind in kinds]
    found += [f"new flag: {kind}" for kind in item.flags_added]
    found += [f"no longer flagged: {kind}" for kind in item.flags_removed]
    return [*found, *item.notes]


def _details(item: SubmissionComparison) -> list[str]:
    shown = [case for case in item.cases if case.kind != "removed"] or list(item.cases)
    moved = [part for part in item.quality if part.change]
    if not shown and not moved:
        return []
    lines = ["", f"<details><summary>{text(item.submission, 120)}</summary>", ""]
    if shown:
        rows = (
            [text(case.kind), code(f"{case.source}/{case.id}", 80), code(case.input), code(case.expected),
             code(case.before), code(case.after)]
            for case in shown[:_CASES]
        )  # fmt: skip
        lines += [*table(["Case is", "Id", "Input", "Expected", "A gave", "B gave"], rows, left=6), ""]
        more = len(item.cases) - min(len(shown), _CASES)
        lines += [f"… and {plural(more, 'more case')} that changed.", ""] if more else []
    if moved:
        lines += [f"- {text(ITEMS.get(part.name, part.name))}: {_value(part)}" for part in moved]
    return [*lines, "", "</details>", ""]


def _value(part: Change) -> str:
    before, after = ("–" if value is None else f"{value:.2f}" for value in (part.before, part.after))
    return f"{before} to {after}"
