"""Comments and docstrings of Python source, with their lines."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int, int, int]
"""First line, first column, last line, column after the last character."""


def comments(lines: list[str], strings: Iterable[Span]) -> list[tuple[int, str]]:
    """All ``#`` comments, given where string literals are."""
    inside: set[int] = set()
    on_line: dict[int, list[tuple[int, int]]] = {}
    for line, column, end_line, end_column in strings:
        if line == end_line:
            on_line.setdefault(line, []).append((column, end_column))
            continue
        inside.update(range(line + 1, end_line))
        on_line.setdefault(line, []).append((column, 1 << 30))
        on_line.setdefault(end_line, []).append((0, end_column))
    found = []
    for number, text in enumerate(lines, 1):
        if "#" not in text or number in inside:
            continue
        at = _outside(text, on_line.get(number, ()))
        if at >= 0:
            found.append((number, text[at + 1 :].strip()))
    return found


def _outside(text: str, spans: Iterable[tuple[int, int]]) -> int:
    """Position of the first ``#`` that is in none of the spans (byte columns), or -1."""
    shift = [] if text.isascii() else list(spans)
    if shift:
        raw = text.encode("utf-8", "surrogatepass")
        spans = [
            (len(raw[:start].decode("utf-8", "ignore")), len(raw[:end].decode("utf-8", "ignore")))
            for start, end in shift
        ]
    at = text.find("#")
    while at >= 0:
        if not any(start <= at < end for start, end in spans):
            return at
        at = text.find("#", at + 1)
    return -1
