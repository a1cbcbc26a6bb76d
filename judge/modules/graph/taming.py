"""Keeps sources from making a parser slow: absurd nesting is blanked, parsing is bounded."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

MAX_DEPTH = 300
"""Brackets inside brackets; deeper text is no program a person wants judged, and some grammars need memory that
grows with the square of it."""
MAX_LINE = 20_000
"""Bytes of a line; lexers that count columns need time that grows with the square of it."""
MAX_PAGE_LINE = 200_000
"""The same for pages, which hold pictures and data in their lines."""
ATTEMPTS = (2.5, 0.6, 0.3)
"""Processor seconds of a parse and of those of what came before the place where it became slow."""
MAX_TREE = 800
"""Depth of the tree below which no pattern begins: a query of a much deeper tree takes time that grows with the square
of its depth."""
_CHUNK = 65_536
_BRACKETS = re.compile(rb"[(\[{<>)\]};\n]|[-+!~*&^%@#$'\"`?|]{400,}|(?:\xef\xbf\xbd){100,}")
_OPEN, _CLOSE, _ENDS = frozenset(b"([{"), frozenset(b")]}"), frozenset(b"{};")


def tame(data: bytes, longest: int = MAX_LINE) -> tuple[bytes, bool]:
    """The source with absurdly nested or long lines blanked, same length; and whether anything was.

    Args:
        data: The source.
        longest: Bytes of a line that are still parsed.
    """
    lines = data.split(b"\n")
    short = b"\n".join(line if len(line) <= longest else b" " * len(line) for line in lines)
    result, nested = _unnested(short)
    return result, nested or short != data


def _unnested(data: bytes) -> tuple[bytes, bool]:
    found = _deep_line(data, 0)
    if found is None:
        return data, False
    result = bytearray(data)
    position = 0
    for _ in range(50):
        if found is None:
            return bytes(result), True
        start, end = found
        result[start:end] = re.sub(rb"[^\n]", b" ", bytes(result[start:end]))
        position = end
        found = _deep_line(bytes(result), position)
    result[position:] = re.sub(rb"[^\n]", b" ", bytes(result[position:]))
    return bytes(result), True


def _deep_line(data: bytes, start: int) -> tuple[int, int] | None:
    """The lines from where the nesting began to where it passes the bound."""
    depth = angle = 0
    line = began = pointed = start
    for match in _BRACKETS.finditer(data, start):
        text = match.group()
        byte = text[0]
        if byte == 10:
            line = match.end()
            began = line if depth == 0 else began
            pointed = line if angle == 0 else pointed
        elif len(text) > 1:
            return line, _line_end(data, match.end())
        elif byte == 60:
            angle += 1
        elif byte == 62:
            angle = max(0, angle - 1)
        else:
            depth = depth + 1 if byte in _OPEN else max(0, depth - 1) if byte in _CLOSE else depth
            angle = 0 if byte in _ENDS else angle
        if depth > MAX_DEPTH:
            return (line if match.start() - line > 2 * MAX_DEPTH else began), _line_end(data, match.end())
        if angle > MAX_DEPTH:
            return min(line, pointed), _line_end(data, match.end())
    return None


def _line_end(data: bytes, position: int) -> int:
    found = data.find(b"\n", position)
    return len(data) if found < 0 else found


def parse_bounded(parser: Parser, data: bytes) -> tuple[Tree, bool]:
    """The tree of a source, and whether only its beginning could be parsed in the time there is."""
    size = len(data)
    for seconds in ATTEMPTS:
        tree, good = _attempt(parser, data[:size], seconds)
        if tree is not None:
            return tree, size < len(data)
        parser.reset()
        size = data.rfind(b"\n", 0, min(good, size // 2)) + 1
    return parser.parse(b""), True


def _attempt(parser: Parser, data: bytes, seconds: float) -> tuple[Any, int]:
    """The tree, or None with the place up to which no error was seen."""
    deadline = time.thread_time() + seconds
    good = 0

    def late(offset: int, error: bool) -> bool:
        nonlocal good
        if not error:
            good = offset
        return time.thread_time() > deadline

    try:
        tree = parser.parse(lambda offset, _: data[offset : offset + _CHUNK], progress_callback=late)
    except ValueError:
        return None, good
    return tree, len(data)


def cursor(query: Any) -> Any:
    """A cursor for a query that leaves out what lies absurdly deep."""
    from tree_sitter import QueryCursor

    found = QueryCursor(query)
    found.set_max_start_depth(MAX_TREE)
    return found
