"""Numbered lines of a text within a token budget: whole when it fits, else an outline and the parts that matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from judge.modules.words import words
from judge.text import split_lines
from judge.tokens import count

if TYPE_CHECKING:
    from judge.modules.graph.facts import CodeFile, Definition

_LINE_CHARS = 600
_AROUND = 3
_OUTLINE_SHARE = 0.3
_OPENING = 12
_DEFINITIONS = 2_000
"""Definitions of one file that are looked at for its outline."""


def numbered(lines: Iterable[tuple[int, str]]) -> str:
    """Lines with their numbers; over-long ones are cut in the middle.

    >>> numbered([(3, "x = 1")])
    '3| x = 1'
    """
    return "\n".join(f"{number}| {_short(line)}" for number, line in lines)


def excerpt(text: str, tokens: int, query: str, code: CodeFile | None) -> tuple[str, int, int]:
    """The part of a text that is shown.

    Args:
        text: All lines of the file.
        tokens: Budget.
        query: The criterion; lines that share words with it are shown first.
        code: Facts of a source file, for its outline and for cutting at definitions.

    Returns:
        The numbered lines, with the first and last line number that is in them.
    """
    lines = split_lines(text)
    if not lines:
        return "", 1, 1
    # A token is hardly ever longer than a word of eight letters: far too long a text need not be counted.
    if len(text) <= tokens * 16:
        whole = numbered(enumerate(lines, start=1))
        if count(whole) <= tokens:
            return whole, 1, len(lines)
    outline = _outline(code, int(tokens * _OUTLINE_SHARE), query) if code is not None else ""
    chosen = _choose(lines, tokens - count(outline) - 20, query, code)
    body = _with_gaps(lines, chosen)
    head = f"(long file of {len(lines)} lines; shown are an outline and the parts nearest to the criterion)"
    parts = [head, outline, body] if outline else [head.replace("an outline and ", ""), body]
    return "\n".join(parts), min(chosen, default=1), max(chosen, default=1)


def _outline(code: CodeFile, tokens: int, query: str) -> str:
    """Signatures with their lines; when not all fit, those that share words with the query, then the largest."""
    from judge.modules.graph.outline import marks, signature

    lines = code.source.split("\n")
    wanted = set(words(query))
    rows: dict[int, str] = {}
    ranks: list[tuple[int, int, int]] = []
    for number, item in enumerate(code.definitions[:_DEFINITIONS]):
        notes = f"  [{', '.join(marks(item))}]" if marks(item) else ""
        owner, dot, _ = item.qualname.rpartition(".")
        rows[number] = f"{item.line}-{item.end_line}: {owner}{dot and ': '}{signature(item, lines)}{notes}"
        shared = len(wanted & set(words(f"{item.name} {item.docstring[:200]}")))
        ranks.append((-shared, item.line - item.end_line, number))
    kept, left = set(), tokens
    for _, _, number in sorted(ranks):
        left -= count(rows[number]) + 1
        if left < 0:
            break
        kept.add(number)
    shown = [rows[number] for number in sorted(kept)]
    missing = len(code.definitions) - len(shown)
    return "\n".join([*shown, f"… {missing} more definitions"] if missing and shown else shown)


def _choose(lines: Sequence[str], tokens: int, query: str, code: CodeFile | None) -> set[int]:
    """Line numbers to show: the opening, then blocks by how well they fit, as long as the budget lasts."""
    chosen: set[int] = set()
    left = tokens
    opening = range(1, min(_OPENING, len(lines)) + 1)
    for block in [list(opening), *_blocks(lines, query, code)]:
        new = [number for number in block if number not in chosen]
        for number in new:
            cost = count(_short(lines[number - 1])) + 4
            if cost > left:
                return chosen
            chosen.add(number)
            left -= cost
    return chosen


def _blocks(lines: Sequence[str], query: str, code: CodeFile | None) -> list[list[int]]:
    wanted = set(words(query))
    scores = {}
    for number, line in enumerate(lines, start=1):
        shared = wanted & set(words(line[:_LINE_CHARS]))
        if shared:
            scores[number] = len(shared)
    found: dict[tuple[int, int], float] = {}
    for number, score in scores.items():
        span = _span(number, len(lines), code.definitions if code is not None else ())
        found[span] = found.get(span, 0.0) + score**1.5
    ranked = sorted(found, key=lambda span: (-found[span] / (20 + span[1] - span[0]) ** 0.5, span))
    tail = list(range(max(1, len(lines) - _OPENING), len(lines) + 1))
    return [*(list(range(first, last + 1)) for first, last in ranked), tail, list(range(1, len(lines) + 1))]


def _span(number: int, total: int, definitions: Sequence[Definition]) -> tuple[int, int]:
    """The smallest definition of moderate size around a line, else some lines before and after it."""
    around = [item for item in definitions if item.line <= number <= item.end_line and item.end_line - item.line <= 80]
    if around:
        inner = min(around, key=lambda item: item.end_line - item.line)
        return inner.line, inner.end_line
    first = (number - 1) // (2 * _AROUND + 1) * (2 * _AROUND + 1) + 1
    return max(1, first), min(total, first + 2 * _AROUND)


def _with_gaps(lines: Sequence[str], chosen: set[int]) -> str:
    rows: list[str] = []
    before = 0
    for number in sorted(chosen):
        if number != before + 1:
            rows.append(f"… {number - before - 1} lines left out …")
        rows.append(f"{number}| {_short(lines[number - 1])}")
        before = number
    if before < len(lines):
        rows.append(f"… {len(lines) - before} lines left out …")
    return "\n".join(rows)


def _short(line: str) -> str:
    if len(line) <= _LINE_CHARS:
        return line
    half = _LINE_CHARS // 2
    return f"{line[:half]} …({len(line) - 2 * half} characters)… {line[-half:]}"
