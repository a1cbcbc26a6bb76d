"""One format in the table of formats: how its files are made, and what reading them must give."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.readers import Family, State

Make = Callable[[Path], None]
"""Writes a file at the path, whose suffix is the entry's first one; takes a second or two at most."""

TROUBLED = frozenset({State.BROKEN, State.PARTIAL, State.UNREADABLE, State.MISMATCH, State.EMPTY, State.BLANK})
"""States that say that something is wrong with a file."""


def cut_in_half(make: Make) -> Make:
    """A maker of the first half of what another maker writes: a download that broke off."""

    def run(path: Path) -> None:
        make(path)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])

    return run


@dataclass(frozen=True)
class Entry:
    """One format.

    Attributes:
        name: What the format is called, unique: the first column of the table.
        suffixes: Extensions with dot that lead to its reader; the files are made with the first one.
        family: Family of the good file.
        make_good: Writes a good file with a real producer of the format.
        make_damaged: Writes a damaged one; without it the good file is cut in half.
        hostile: What is hostile about a file, in a few words, and the maker of it.
        text: What the text of the good file's document must hold.
        facts: Facts that the good file's document must have: a value, or a predicate on the value.
        image: Whether the good file's document has a picture for models that see.
        damaged: States that the damaged file may have. A good reader finds out; where the format has no means to tell,
            because half of a text is a text, ``SOUND`` is added.
        extra: The extra of the program that reading it in full needs, or an empty string.
        modules: Modules that the makers or the reader need beyond the base installation; the tests of the entry are
            skipped where one is missing.
    """

    name: str
    suffixes: tuple[str, ...]
    family: Family
    make_good: Make
    make_damaged: Make | None = None
    hostile: Mapping[str, Make] = field(default_factory=dict)
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    image: bool = False
    damaged: frozenset[State] = TROUBLED
    extra: str = ""
    modules: tuple[str, ...] = ()

    @property
    def damage(self) -> Make:
        """The maker of the damaged file."""
        return self.make_damaged or cut_in_half(self.make_good)

    @property
    def missing(self) -> tuple[str, ...]:
        """Modules that are not installed."""
        return tuple(name for name in self.modules if importlib.util.find_spec(name) is None)
