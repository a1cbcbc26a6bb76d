"""Scores as Markdown for a comment on a pull request: within its size, and safe to post under one's own name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.report.markdown import LIMIT, text
from judge.report.score.remarks import remarks
from judge.report.score.words import (
    ITEMS,
    NONE,
    SANDBOXES,
    dimension,
    failed,
    headline,
    names_of,
    number,
    part_of,
    passed,
    points,
    ranked,
    ratio,
    speed,
)
from judge.results.score import QualityItem, ScoreReport, SubmissionReport
from judge.text import plural

_ROOM = 600
_ROWS = 100
_NOTES, _MODELS = 6_000, 12_000
_CASES, _REASONS, _EXAMPLES, _FLAGS = 20, 30, 12, 20
_BRIEF = 3
_CELL = 200
_BAR = 10


def score_markdown(report: ScoreReport, limit: int = LIMIT - 200) -> str:
    """The report within ``limit`` bytes; the default leaves a comment room for a mark of its own.

    The table of all submissions comes first, then each of them folded, those with flags and failures first. When it
    does not all fit, the last ones become shorter, then are left to the table, and what is left out is counted.
    """
    head = _head(report, limit // 2)
    room = limit - _bytes(head) - _ROOM
    ordered = sorted(ranked(report), key=lambda item: not (item.error or any(flag.certain for flag in item.flags)))
    blocks: list[str] = []
    for item in ordered:
        block = _short(item)
        if _bytes(block) + 1 > room:
            break
        blocks.append(block)
        room -= _bytes(block) + 1
    full = 0
    for index, item in enumerate(ordered[: len(blocks)]):
        longer = _submission(item)
        grown = _bytes(longer) - _bytes(blocks[index])
        if grown > room:
            break
        room -= grown
        blocks[index] = longer
        full += 1
    return "\n".join([head, *blocks, _tail(report, len(blocks) - full, len(ordered) - len(blocks))])


def _bytes(value: str) -> int:
    return len(value.encode("utf-8"))


def row(cells: Iterable[str]) -> str:
    """A row of a table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """A table whose first ``left`` columns, and those that hold sentences, are aligned to the left."""
    rules = ["---" if place < left or head in {"Remarks", "Why"} else "---:" for place, head in enumerate(heads)]
    return [row(heads), row(rules), *(row(cells) for cells in rows)]


def bar(value: float) -> str:
    """A share as ten blocks; only all is shown as all.

    >>> bar(0.5), bar(0.99), bar(0.001)
    ('█████░░░░░', '█████████░', '█░░░░░░░░░')
    """
    filled = round(value * _BAR)
    filled = min(filled, _BAR - 1) if value < 1 else filled
    filled = max(filled, 1) if value > 0 else filled
    return "█" * filled + "░" * (_BAR - filled)


def _head(report: ScoreReport, room: int) -> str:
    lines = [f"### judge score: {text(report.title or report.suite, 200)}: {headline(report)}", ""]
    names = names_of(report)
    rows: list[list[str]] = []
    for item in ranked(report)[:_ROWS]:
        cells = [*_summary(item, names)]
        room -= _bytes(row(cells)) + 1
        if room < 0:
            break
        rows.append(cells)
    if rows:
        lines += table(["Submission", "Total", *(text(dimension(name)) for name in names), "Remarks"], rows)
    if len(report.submissions) > len(rows):
        lines += ["", f"… and {plural(len(report.submissions) - len(rows), 'more submission')}."]
    lines += ["", *_within(_models(report), _MODELS)]
    if report.sandbox == "none":
        lines.append("- **The code ran without a sandbox.**")
    lines += _within([f"- {text(note, 400)}" for note in report.notes[:_FLAGS]], _NOTES)
    return "\n".join([*lines, ""])


def _within(lines: list[str], room: int) -> list[str]:
    """The first lines that fit."""
    kept = []
    for line in lines:
        room -= _bytes(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def _summary(item: SubmissionReport, names: list[str]) -> Iterable[str]:
    yield text(item.submission, 120)
    if item.error:
        yield from ["not scored", *[NONE] * len(names), text(item.error, _CELL)]
        return
    yield f"**{number(item.total)}**"
    for name in names:
        yield points(part_of(item, name))
    yield text("; ".join(remarks(item)), 300)


def _models(report: ScoreReport) -> list[str]:
    lines: list[str] = []
    if report.models:
        rows = (
            [text(one.model, 120) or "all", str(one.samples), number(one.mean), number(one.median),
             f"{number(one.low)} to {number(one.high)}"]
            for one in report.models[:_ROWS]
        )  # fmt: skip
        lines += [*table(["Model", "Samples", "Mean", "Median", "Interval"], rows), ""]
    if report.pass_at_k:
        ks = sorted({k for one in report.pass_at_k for k in one.values}, key=lambda k: (len(k), k))[:10]
        made = (
            [text(one.model, 120) or "all", f"{one.passed} of {one.samples}"]
            + [f"{one.values[k]:.3f}" if k in one.values else NONE for k in ks]
            for one in report.pass_at_k[:_ROWS]
        )
        lines += [*table(["Model", "Pass everything", *(f"pass&#64;{text(k, 10)}" for k in ks)], made), ""]
    return lines


def _folded(item: SubmissionReport, inside: list[str]) -> str:
    state = "not scored" if item.error else f"{number(item.total)} of 100"
    head = f"<details><summary><b>{text(item.submission, 120)}</b>: {state}</summary>"
    return "\n".join([head, "", *inside, "", "</details>", ""])


def _short(item: SubmissionReport) -> str:
    wrong = [f"- {text(case.id, 80)}: {text(case.reason, 120)}" for case in failed(item)[:_BRIEF]]
    more = len(failed(item)) - len(wrong)
    wrong += [f"- … and {plural(more, 'more failed case')}"] if more > 0 else []
    return _folded(item, [*_flags(item)[:_BRIEF], *wrong] or [text(passed(item))])


def _submission(item: SubmissionReport) -> str:
    if item.error:
        return _folded(item, [text(item.error)])
    rows = (
        [text(dimension(part.name)), points(part), f"{bar(part.value)} {100 * part.value:.0f}%"
         if part.value is not None else "not measured", text(part.reason, 300)]
        for part in item.dimensions
    )  # fmt: skip
    lines = [*table(["Dimension", "Points", "Share", "Why"], rows), ""]
    for title, found in (("Flags", _flags(item)), ("Speed", _speed(item)), ("Notes", _notes(item))):
        if found:
            lines += [f"**{title}**", "", *found, ""]
    lines += _cases(item)
    lines += _examples(item)
    lines += _quality(item)
    return _folded(item, lines)


def _flags(item: SubmissionReport) -> list[str]:
    found = [
        f"- {'**' + text(flag.kind, 60) + '**' if flag.certain else text(flag.kind, 60) + ' (a sign, no effect)'}: "
        f"{text(flag.evidence, 400)}"
        for flag in sorted(item.flags, key=lambda flag: not flag.certain)[:_FLAGS]
    ]
    more = len(item.flags) - len(found)
    return [*found, f"- … and {more} more"] if more > 0 else found


def _speed(item: SubmissionReport) -> list[str]:
    if item.performance is None:
        return []
    lines = [f"- {text(line)}" for line in speed(item.performance)]
    samples = item.performance.ratios[:30]
    if samples:
        lines.append(f"- CPU ratio of each pair: {', '.join(ratio(value) for value in samples)}")
    return lines + [f"- {text(note, 300)}" for note in item.performance.notes[:_FLAGS]]


def _notes(item: SubmissionReport) -> list[str]:
    return [f"- {text(note, 300)}" for note in item.notes[:_FLAGS]]


def _cases(item: SubmissionReport) -> list[str]:
    wrong = failed(item)
    if not wrong:
        return [f"{passed(item)}.", ""] if item.cases else []
    rows = (
        [code(case.id, 60), code(case.input), code(case.expected), code(case.actual), text(case.reason, _CELL)]
        for case in wrong[:_CASES]
    )
    heads = ["Case", "Input", "Expected", "Actual", "Why"]
    more = [f"… and {plural(len(wrong) - _CASES, 'more failed case')}."] if len(wrong) > _CASES else []
    title = f"<details><summary>Failed cases: {len(wrong):,} of {len(item.cases):,}</summary>"
    return [title, "", *table(heads, rows, left=5), "", *more, "", "</details>", ""]


def code(value: str, limit: int = _CELL) -> str:
    """User text as code in a cell; the back-tick form would end at its first back-tick."""
    return f"<code>{text(value, limit)}</code>" if value.strip() else ""


def _examples(item: SubmissionReport) -> list[str]:
    if not item.counterexamples:
        return []
    rows = (
        [text(f"{one.source}: {one.category}", 100), code(one.input), code(one.expected), code(one.actual),
         text(one.reason, _CELL)]
        for one in item.counterexamples[:_EXAMPLES]
    )  # fmt: skip
    more = len(item.counterexamples) - _EXAMPLES
    title = f"<details><summary>Smallest counterexamples: {len(item.counterexamples)}</summary>"
    lines = [title, "", *table(["Category", "Input", "Expected", "Actual", "Why"], rows, left=5), ""]
    return [*lines, *([f"… and {more} more.", ""] if more > 0 else []), "</details>", ""]


def _quality(item: SubmissionReport) -> list[str]:
    if item.quality is None:
        return []
    rows = (
        [text(ITEMS.get(one.name, one.name), 60), f"{100 * one.weight:.0f}%", _value(one)] for one in item.quality.items
    )
    lines = [*table(["Criterion", "Weight", "Value"], rows), ""]
    reasons = [
        f"- {text(ITEMS.get(one.name, one.name), 60)}: {text(reason, 300)}"
        for one in item.quality.items
        for reason in one.reasons
    ]
    more = len(reasons) - _REASONS
    lines += [*reasons[:_REASONS], *([f"- … and {more} more"] if more > 0 else [])]
    return ["<details><summary>Code quality</summary>", "", *lines, "", "</details>", ""]


def _value(one: QualityItem) -> str:
    if one.overridden_from is None:
        return f"{one.value:.2f}"
    who = text(f"set by {one.author}: {one.override_reason}", 300)
    return f"**{one.value:.2f}** instead of {one.overridden_from:.2f}, {who}"


def _tail(report: ScoreReport, short: int, left_out: int) -> str:
    parts = [f"sandbox: {text(SANDBOXES.get(report.sandbox, report.sandbox), 100)}"]
    parts += [f"seed {report.seed}"] + ([f"judge {text(report.version, 40)}"] if report.version else [])
    lines = [f"<sub>{', '.join(parts)}</sub>", ""]
    missing = [f"{short} shortened"] if short else []
    missing += [f"{left_out} only in the table"] if left_out else []
    if missing:
        lines = [f"To stay short: {', '.join(missing)}; everything is in the HTML report.", "", *lines]
    return "\n".join(lines)
