"""The lines that a citation quotes, in the context that the stored evidence holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.engine.reporting.evidence import numbered_lines
from judge.report.model import Line, Shown
from judge.schemas import Citation
from judge.text import split_lines

_AROUND = 3
_MOST_LINES = 40


def excerpt(citation: Citation, quote: str, evidence: Sequence[Shown]) -> tuple[Line, ...]:
    """Lines for a citation, the quoted ones marked.

    Args:
        citation: Where it stands.
        quote: The quoted text, secrets masked.
        evidence: What the judge was shown.

    Returns:
        The quoted lines with a few around them when the evidence holds the place, else the quote alone.
    """
    own = [item for item in evidence if item.text and _same_place(item, citation)]
    if citation.step is None and citation.line is not None:
        for item in own:
            lines = _numbered(numbered_lines(item.text), citation.line, citation.end_line or citation.line)
            if lines:
                return _bounded(lines)
    elif quote.strip():
        for item in own:
            lines = _unnumbered(item.text, quote)
            if lines:
                return _bounded(lines)
    return _bounded(_alone(citation, quote))


def _same_place(item: Shown, citation: Citation) -> bool:
    if citation.step is not None:
        return item.step == citation.step
    return citation.path is not None and item.path == citation.path


def _numbered(known: Mapping[int, str], first: int, last: int) -> list[Line]:
    if not all(number in known for number in (first, last)) or last < first:
        return []
    lines: list[Line] = []
    before = first - _AROUND - 1
    for number in sorted(number for number in known if first - _AROUND <= number <= last + _AROUND):
        if number != before + 1 and lines:
            lines.append(Line(text="", gap=True))
        lines.append(Line(text=known[number], number=number, quoted=first <= number <= last))
        before = number
    return lines


def _unnumbered(text: str, quote: str) -> list[Line]:
    """Lines of a text around the ones in which the quote stands, white space not counted."""
    lines = split_lines(text)
    wanted = " ".join(quote.split())
    flat, starts = "", []
    for line in lines:
        starts.append(len(flat))
        words = " ".join(line.split())
        flat += f"{words} " if words else ""
    at = flat.find(wanted)
    if at < 0:
        return []
    end = at + len(wanted)
    ends = [*starts[1:], len(flat)]
    inside = [index for index, start in enumerate(starts) if start < end and ends[index] > at and ends[index] > start]
    if not inside:
        return []
    first, last = inside[0], inside[-1]
    shown = range(max(0, first - _AROUND), min(len(lines), last + _AROUND + 1))
    return [Line(text=lines[index], quoted=first <= index <= last) for index in shown]


def _alone(citation: Citation, quote: str) -> list[Line]:
    start = citation.line if citation.step is None else None
    rows = split_lines(quote)
    fits = start is not None and len(rows) == (citation.end_line or start) - start + 1
    return [
        Line(text=row, number=start + index if fits and start is not None else None, quoted=True)
        for index, row in enumerate(rows)
    ]


def _bounded(lines: list[Line]) -> tuple[Line, ...]:
    if len(lines) <= _MOST_LINES:
        return tuple(lines)
    half = _MOST_LINES // 2
    return (*lines[:half], Line(text="", gap=True), *lines[-half:])
