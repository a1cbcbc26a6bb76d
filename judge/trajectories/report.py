"""What became of every record of a file: the result of a conversion, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from judge.schemas import StepUsage, Trajectory

_MAX_PROBLEMS = 50
_MAX_KINDS = 200
UNKNOWN = StepUsage()
"""Usage of which nothing is recorded."""


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

    def first(self, lines: Iterable[str]) -> None:
        """Puts lines before the others, each once."""
        self._lines = list(dict.fromkeys((*lines, *self._lines)))

    def change(self, function: Callable[[str], str]) -> None:
        """Applies a function to every line."""
        self._lines = [function(line) for line in self._lines]

    def lines(self) -> tuple[str, ...]:
        """The lines, with the number of those that were left out."""
        return (*self._lines, f"and {self._more} more problems") if self._more else tuple(self._lines)


@dataclass(slots=True)
class Report:
    """What was used of a file and what was not.

    Attributes:
        used: Records by type that went into steps.
        skipped: Records by type that did not, known and unknown types alike.
        problems: Repairs and warnings, one line each.
        stated: What the file itself states for the whole run; None where it says nothing.
        images: Pictures and other binary content that were replaced by a marker.
        masked: Secrets by kind that were masked.
        notes: Facts about the run as a whole, such as its version, exit status or number of sessions.
    """

    used: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: Problems = field(default_factory=Problems)
    stated: StepUsage = UNKNOWN
    images: int = 0
    masked: Counter[str] = field(default_factory=Counter)
    notes: dict[str, Any] = field(default_factory=dict)
    valid_empty: bool = False
    """Whether a run without any step is what the file really records, such as one that timed out at once."""

    def count(self, table: Counter[str], kind: object, number: int = 1) -> None:
        """Counts a record under a readable type, whatever the file has in its place; types stay few."""
        if number <= 0:
            return
        name = kind if isinstance(kind, str) and kind else "(no type)" if kind in (None, "") else f"({kind!r})"[:40]
        name = name[:60]
        table[name if name in table or len(table) < _MAX_KINDS else "(further types)"] += number

    def merge(self, inner: Report) -> None:
        """Adds the report of a sub-agent."""
        self.used.update(inner.used)
        self.skipped.update(inner.skipped)
        self.masked.update(inner.masked)
        self.images += inner.images
        for line in inner.problems.lines():
            self.problems.add(line)

    def as_json(self) -> dict[str, Any]:
        """The report in JSON types."""
        stated = {key: value for key, value in self.stated.model_dump().items() if value is not None}
        return {
            "used": dict(sorted(self.used.items())),
            "skipped": dict(sorted(self.skipped.items())),
            "stated": stated,
            "images": self.images,
            "masked": dict(sorted(self.masked.items())),
            "notes": self.notes,
            "problems": list(self.problems.lines()),
        }


@dataclass(slots=True)
class Converted:
    """One trajectory of a file.

    Attributes:
        trajectory: Its steps; ``problems`` repeats the report's.
        report: What was used and what was not.
        name: What the file calls it (an instance, a sample, a session); empty when it holds only one.
    """

    trajectory: Trajectory
    report: Report
    name: str = ""
