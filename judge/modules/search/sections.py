"""Texts in the parts their authors gave them: sections under headings, cells, paragraphs; never so many lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.{1,200}?)\s*#*$")
_UNDERLINE = re.compile(r"^([=\-~^\"'`#*+:.])\1{2,}\s*$")
_CELL = re.compile(r"^# cell \d+ \[\w+\]$")
_PART_CHARS = 1_200
_SECTION_CHARS = 3_000


class Section(NamedTuple):
    """Part of a text: its heading, its first and last line (1-based), and its lines."""

    title: str
    line: int
    end_line: int
    text: str


def headed(lines: Sequence[str]) -> Iterator[Section]:
    """Sections of Markdown or reStructuredText; a heading inside a code block is none."""
    starts: list[tuple[int, str]] = []
    in_code = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            match = _HEADING.match(line)
            if match:
                starts.append((number, match[1]))
            elif number and _UNDERLINE.match(line) and _is_title(lines, number, starts):
                starts.append((number - 1, lines[number - 1].strip()))
    yield from _between(lines, starts)


def cells(lines: Sequence[str]) -> Iterator[Section]:
    """Cells of a notebook, as the reader marks them."""
    starts = [(number, line.strip("# ")) for number, line in enumerate(lines) if _CELL.match(line)]
    yield from _between(lines, starts)


def paragraphs(lines: Sequence[str], first: int = 1, title: str = "") -> Iterator[Section]:
    """Blocks between empty lines, small ones joined; what is one long block is cut where a line begins without space.

    Args:
        lines: The text.
        first: Number of its first line.
        title: Heading of all of it.
    """
    start, size = 0, 0
    for number, line in enumerate(lines):
        opens = bool(line.strip()) and not line[:1].isspace()
        after_gap = number > 0 and not lines[number - 1].strip()
        if (
            number > start
            and opens
            and (size > _PART_CHARS or (after_gap and size + _next(lines, number) > _PART_CHARS))
        ):
            yield _section(lines, start, number, first, title)
            start, size = number, 0
        size += len(line) + 1
    if start < len(lines):
        yield _section(lines, start, len(lines), first, title)


def _next(lines: Sequence[str], start: int) -> int:
    """Characters up to the next empty line, counted no further than they matter."""
    size = 0
    for line in lines[start:]:
        if not line.strip() or size > _PART_CHARS:
            break
        size += len(line) + 1
    return size


def _is_title(lines: Sequence[str], number: int, starts: Sequence[tuple[int, str]]) -> bool:
    title = lines[number - 1].strip()
    known = bool(starts) and starts[-1][0] >= number - 1
    return bool(title) and not known and len(lines[number].strip()) >= min(len(title), 3) and "|" not in title


def _between(lines: Sequence[str], starts: Sequence[tuple[int, str]]) -> Iterator[Section]:
    if not starts:
        yield from paragraphs(lines)
        return
    if starts[0][0] > 0:
        yield from _split(lines[: starts[0][0]], 1, "")
    ends = [number for number, _ in starts[1:]] + [len(lines)]
    for (number, title), end in zip(starts, ends, strict=True):
        yield from _split(lines[number:end], number + 1, title)


def _split(lines: Sequence[str], first: int, title: str) -> Iterable[Section]:
    section = _section(lines, 0, len(lines), first, title)
    return [section] if len(section.text) <= _SECTION_CHARS else paragraphs(lines, first, title)


def _section(lines: Sequence[str], start: int, end: int, first: int, title: str) -> Section:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return Section(title, first + start, first + end - 1, "\n".join(lines[start:end]))
