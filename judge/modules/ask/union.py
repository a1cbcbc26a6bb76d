"""Several excerpts of one file as one: the lines that any of them shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ?(.*)$")
_GAP = re.compile(r"^… (\d{1,9}) lines left out …$")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The shown part of a file, taken apart.

    Attributes:
        head: Lines of our own above the content.
        lines: Shown lines by their number.
        total: Lines of the whole file, as far as it is known.
    """

    head: tuple[str, ...]
    lines: Mapping[int, str]
    total: int

    def covers(self, other: Excerpt) -> bool:
        """Whether every line of the other one is shown here, as long as there."""
        return all(len(self.lines.get(number, "")) >= len(line) for number, line in other.lines.items())

    def text(self) -> str:
        """The text as it is shown, with marks for gaps."""
        rows = list(self.head)
        before = 0
        for number in sorted(self.lines):
            if number != before + 1:
                rows.append(f"… {number - before - 1} lines left out …")
            rows.append(f"{number}| {self.lines[number]}")
            before = number
        if before < self.total:
            rows.append(f"… {self.total - before} lines left out …")
        return "\n".join(rows)


def take_apart(text: str) -> Excerpt | None:
    """The excerpt that a text is; None when it holds more than a head, numbered lines and marks of gaps."""
    rows = text.split("\n")
    start = next((index for index, row in enumerate(rows) if _NUMBERED.match(row)), len(rows))
    if start == len(rows):
        return None
    while start and _GAP.match(rows[start - 1]):
        start -= 1
    lines: dict[int, str] = {}
    total = 0
    for row in rows[start:]:
        match, gap = _NUMBERED.match(row), _GAP.match(row)
        if match is not None and int(match.group(1)) > total:
            total = int(match.group(1))
            lines[total] = match.group(2)
        elif gap is not None:
            total += int(gap.group(1))
        else:
            return None
    return Excerpt(tuple(rows[:start]), lines, total)


def united(texts: Sequence[str]) -> str | None:
    r"""All lines that any of the texts shows, under the longest head; None when they cannot be united.

    Args:
        texts: Excerpts of one file, at least one.

    >>> united(["1| a\n… 2 lines left out …", "… 2 lines left out …\n3| c"])
    '1| a\n… 1 lines left out …\n3| c'
    """
    if len(set(texts)) == 1:
        return texts[0]
    found = [take_apart(text) for text in texts]
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    lines: dict[int, str] = {}
    for part in parts:
        for number, line in part.lines.items():
            lines[number] = max(lines.get(number, ""), line, key=len)
    head = max((part.head for part in parts), key=lambda rows: sum(map(len, rows)))
    return Excerpt(head, lines, max(part.total for part in parts)).text()


def covered(text: str, by: str) -> bool:
    """Whether a text shows nothing that the other one does not show.

    Args:
        text: An excerpt of a file.
        by: Another one of the same file.
    """
    if text == by:
        return True
    one, other = take_apart(text), take_apart(by)
    return one is not None and other is not None and other.covers(one)
