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


def table(title: str, columns: str, rows: Iterable[tuple[str, ...]], *, note: str = "", long: bool = False) -> Table:
    """A table whose heads are given in one text, separated by ``|``; cells become single lines."""
    cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)
    return Table(title, tuple(head.strip() for head in columns.split("|")), cells, note, long)
