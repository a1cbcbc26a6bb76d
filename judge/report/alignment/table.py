"""A table as plain cells, drawn by each output in its own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Table:
    """Cells with a title.

    Attributes:
        title: What it shows.
        columns: Heads; one that starts with ``<`` (not part of the head) is aligned to the left.
        rows: As many cells a row as heads.
        note: One sentence below the title; may be empty.
        long: Whether it may have very many rows.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    long: bool = False

    @property
    def heads(self) -> tuple[str, ...]:
        """Heads as they are shown."""
        return tuple(head.removeprefix("<") for head in self.columns)

    @property
    def left(self) -> tuple[bool, ...]:
        """Which columns are aligned to the left."""
        return tuple(head.startswith("<") for head in self.columns)

    def first(self, limit: int) -> Table:
        """The table with only the first rows of each agent and judge, saying how many there are; 0 keeps all."""
        if not self.long or not limit:
            return self
        seen: Counter[tuple[str, ...]] = Counter()
        kept = []
        for row in self.rows:
            seen[row[:2]] += 1
            if seen[row[:2]] <= limit:
                kept.append(row)
        if len(kept) == len(self.rows):
            return self
        note = f"{self.note} The first {limit} of each, {len(kept)} of {len(self.rows)} rows.".strip()
        return replace(self, rows=tuple(kept), note=note)

    def fitting(self, width: int) -> tuple[Table, ...]:
        """The table cut by columns into ones that fit a width, each with the leading columns on the left again.

        Leading columns take at most half of the width; whoever draws them may have to break their cells.
        """
        lead = next((place for place, left in enumerate(self.left) if not left), len(self.columns))
        sizes = [2 + max(len(row[place]) for row in (self.heads, *self.rows)) for place in range(len(self.columns))]
        room = width - min(sum(sizes[:lead]), width // 2)
        parts: list[list[int]] = [[]]
        used = 0
        for place in range(lead, len(self.columns)):
            if parts[-1] and used + sizes[place] > room:
                parts.append([])
                used = 0
            parts[-1].append(place)
            used += sizes[place]
        return tuple(self._columns([*range(lead), *part], first=not number) for number, part in enumerate(parts))

    def _columns(self, places: list[int], *, first: bool) -> Table:
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        title, note = (self.title, self.note) if first else (f"{self.title}, continued", "")
        return Table(title, tuple(self.columns[place] for place in places), rows, note, self.long)


def table(title: str, columns: str, rows: Iterable[tuple[str, ...]], *, note: str = "", long: bool = False) -> Table:
    """A table whose heads are given in one text, separated by ``|``; cells become single lines."""
    cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)
    return Table(title, tuple(head.strip() for head in columns.split("|")), cells, note, long)
