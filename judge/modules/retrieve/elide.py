"""Leaves out of a step what the prompt shows elsewhere: lines of a file as it is now, or of an earlier step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.text import split_lines

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ?(.*)$")
_LISTINGS = (re.compile(r"^ {0,6}\d{1,6}(?:\||\t|:|\u2192)"), re.compile(r"^ {0,6}\d{1,6}(?:\||\t|:|\u2192) "))
_LEAST_CHARS = 40
_LONG = 12
_CANDIDATES = 16
_MAX_LINES = 5_000
_SHORT = 3


@dataclass(slots=True)
class Shown:
    """Lines that a prompt shows, by where they stand: ``(place, number) -> text``; numbers within a place are in a row.

    Attributes:
        sizes: How many lines each place has, when all of them are shown.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    _lines: dict[tuple[str, int], str] = field(default_factory=dict)
    _where: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def add_file(self, path: str, text: str) -> None:
        """Takes the numbered lines of a file as they are shown; all others in the text are ours."""
        rows = [(int(match.group(1)), match.group(2)) for match in map(_NUMBERED.match, text.split("\n")) if match]
        for number, line in rows:
            self._add(path, number, line)
        if rows and [number for number, _ in rows] == list(range(1, len(rows) + 1)) and "lines left out" not in text:
            self.sizes[path] = len(rows)

    def add_step(self, number: int, text: str) -> None:
        """Takes the text of a step as it is shown."""
        for index, line in enumerate(split_lines(text), start=1):
            self._add(f"step {number}", index, line)

    def _add(self, place: str, number: int, line: str) -> None:
        key = _key(line)
        self._lines[place, number] = key
        if len(key) >= _SHORT and len(self._lines) < _MAX_LINES:  # a bracket alone begins no run
            self._where.setdefault(key, []).append((place, number))

    def whole(self, path: str) -> bool:
        """Whether all lines of a file are shown."""
        return path in self.sizes

    def has(self, path: str) -> bool:
        """Whether any line of a file is shown."""
        return (path, 1) in self._lines or path in self.sizes

    def run(self, lines: Sequence[str], start: int) -> tuple[str, int, int]:
        """The longest run of lines from ``start`` that is shown: place, its first number there, and its length."""
        best = ("", 0, 0)
        for place, number in self._where.get(lines[start], ())[:_CANDIDATES]:
            length = 0
            while start + length < len(lines) and self._lines.get((place, number + length)) == lines[start + length]:
                length += 1
            while length and not lines[start + length - 1]:
                length -= 1
            if length > best[2]:
                best = (place, number, length)
        return best


def elide(text: str, shown: Shown, least: int) -> str:
    """The text with every longer run of lines that is shown elsewhere replaced by a mark that says where.

    Args:
        text: Part of a step.
        shown: What the prompt shows already.
        least: Lines that a run must have to be left out.
    """
    raw = split_lines(text)
    if len(raw) < least or len(raw) > _MAX_LINES:
        return text
    plain = [_key(line) for line in raw]
    # Editors and ``cat -n`` put numbers before lines, with or without a space after them.
    forms = [plain, *([_key(form.sub("", line)) for line in raw] for form in _LISTINGS)]
    kept: list[str] = []
    index = 0
    while index < len(raw):
        runs = (shown.run(lines, index) for lines in forms if len(lines[index]) >= _SHORT)
        place, number, length = max(runs, key=lambda found: found[2], default=("", 0, 0))
        if length >= least and sum(map(len, plain[index : index + length])) >= _LEAST_CHARS:
            kept.append(_mark(shown, place, number, length))
            index += length
        else:
            kept.append(raw[index])
            index += 1
    return "\n".join(kept)


def _mark(shown: Shown, place: str, number: int, length: int) -> str:
    if place.startswith("step "):
        return f"[… {length} lines as in {place} …]"
    if shown.sizes.get(place) == length:
        return f"[… {place} as it is now, all {length} lines …]"
    return f"[… as in {place}, lines {number}-{number + length - 1} …]"


def _key(line: str) -> str:
    return line.rstrip()


def shown_files(items: Iterable[tuple[str, str]]) -> Shown:
    """What is shown of files.

    Args:
        items: Path and shown text of every file.
    """
    shown = Shown()
    for path, text in items:
        shown.add_file(path, text)
    return shown


def condense(text: str, content: str, path: str, names: Sequence[str]) -> str:
    """The text with long content of a file that is not in question cut down to the lines that name what is.

    Args:
        text: An action that holds the content.
        content: What it writes.
        path: The file it writes.
        names: Paths and words in question.
    """
    lines = split_lines(content)
    body = content.strip("\n")
    if len(lines) < _LONG or body not in text:
        return text
    keep = {
        near
        for index, line in enumerate(lines)
        if any(name in line for name in names)
        for near in range(index - 1, index + 2)
        if 0 <= near < len(lines)
    }
    rows: list[str] = []
    before = -1
    for index in sorted(keep):
        if index > before + 1:
            rows.append(f"[… {index - before - 1} lines of {path} …]")
        rows.append(lines[index])
        before = index
    if before < len(lines) - 1:
        rows.append(f"[… {len(lines) - 1 - before} lines of {path} …]")
    return text.replace(body, "\n".join(rows), 1)
