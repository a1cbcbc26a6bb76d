"""JSON lines, fast where they are clean and tolerant where they are not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import orjson

from judge.trajectories.source import Source

MAX_DEPTH = 100
_LOOKED = 60
_BLANK = b" \t\r\n\0\xef\xbb\xbf"


def looks_like_lines(head: str) -> bool:
    """Whether a text's head shows one JSON value a line, some of them perhaps broken, or mixed with other output."""
    text = head.lstrip("\ufeff")
    lines = [line for line in text.split("\n")[: _LOOKED * 2] if line.strip(" \t\r\0")]
    if len(lines) < 2:
        return False
    if not text.endswith("\n"):
        lines = lines[:-1] if len(lines) > 2 else lines
    good = sum(_is_value(line) for line in lines[:_LOOKED])
    return (good >= 2 and good * 2 >= min(len(lines), _LOOKED)) or (good == 1 and _is_value(lines[0]))


def _is_value(line: str) -> bool:
    text = line.strip(" \t\r\0")
    if not text.startswith(("{", "[")) or not text.endswith(("}", "]")):
        return False
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) or (isinstance(value, list) and bool(value))


def too_deep(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether containers are nested deeper than any trajectory needs, which later steps could not write out."""
    layer = [value]
    for _ in range(limit):
        inner: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                inner += [v for v in item.values() if isinstance(v, dict | list)]
            elif isinstance(item, list):
                inner += [v for v in item if isinstance(v, dict | list)]
        if not inner:
            return False
        layer = inner
    return True


class LineReader:
    """The values of JSON lines with their line numbers; broken lines are noted in the source's problems.

    Attributes:
        broken: Lines that gave no value.
        last_cut: Whether the last line is one of them, as when the agent was killed while it wrote.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._nan = False
        self.broken = 0
        self.last_cut = False

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        """Yields (line number, value); never raises for content."""
        failed: tuple[int, str] | None = None
        for number, line in self._source.lines():
            if failed is not None:
                self._broken(*failed)
                failed = None
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                found, why = self._tolerant(line)
                yield from ((number, value) for value in found)
                failed = (number, why) if why else None
                continue
            if (line.count(b"{") + line.count(b"[")) > MAX_DEPTH and too_deep(value):
                failed = (number, "is nested too deep")
                continue
            yield number, value
        if failed is not None:
            self.last_cut = True
            self._broken(failed[0], f"{failed[1]}; it is the last one and looks cut off")

    def _broken(self, number: int, why: str) -> None:
        self.broken += 1
        if self.broken <= 20:
            self._source.problems.append(f"line {number}: {why}")
        elif self.broken == 21:
            self._source.problems.append("more lines are broken")

    def _tolerant(self, line: bytes) -> tuple[list[Any], str]:
        """The values of a line that is no strict JSON: NaN, half characters, wrong bytes, NULs, two values in a row."""
        text = line.decode("utf-8", "replace")
        if "\ufffd" in text and b"\xef\xbf\xbd" not in line:
            self._source.note_damaged()
        text = text.replace("\0", "").strip("\ufeff \t\r\x1e")
        decoder = json.JSONDecoder(parse_constant=self._constant, strict=False)
        found: list[Any] = []
        at = 0
        while at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                return found, "is no JSON and is skipped" if not found else "has a rest that is no JSON"
            if too_deep(value):
                return found, "is nested too deep"
            found.append(value)
            while at < len(text) and text[at] in " \t,\r":
                at += 1
        return found, ""

    def _constant(self, name: str) -> None:
        if not self._nan:
            self._nan = True
            self._source.problems.append(f"holds {name}, which is no JSON; read as unknown")
