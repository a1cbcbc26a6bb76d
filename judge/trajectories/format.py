"""What a trajectory format is: a name, a test of the content, and a reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from judge.schemas import Trajectory
from judge.trajectories.source import Source

_MAX_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes:
        name: As in ``--format``.
        sniff: Whether the content is of this format, whatever the file is called.
        read: Reads it, keeping what can be read and listing the rest as problems; the loader fills in the name.
    """

    name: str
    sniff: Callable[[Source], bool]
    read: Callable[[Source], Trajectory]


class Problems:
    """A list of lines that stays short when every step of a long file has one."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._more = 0

    def add(self, line: str) -> None:
        """Adds a line, or counts it when there are many already."""
        if len(self._lines) < _MAX_PROBLEMS:
            self._lines.append(line)
        else:
            self._more += 1

    def lines(self) -> tuple[str, ...]:
        """The lines, with the number of those that were left out."""
        return (*self._lines, f"and {self._more} more problems") if self._more else tuple(self._lines)
