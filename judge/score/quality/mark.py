"""What one criterion says of one unit, and how the units make the value of the criterion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

REASONS = 40
"""Most reasons of one criterion that are shown."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of one unit.

    Attributes:
        value: 0 to 1.
        reasons: Why it is below 1, each with its line.
    """

    value: float
    reasons: tuple[str, ...] = ()


def combine(marks: Sequence[Mark]) -> tuple[float, tuple[str, ...]]:
    """Half the worst unit, half the mean of all; so one bad function among many good ones still shows.

    >>> combine([Mark(1.0), Mark(0.5, ("line 1: why",))])
    (0.625, ('line 1: why',))
    """
    values = [min(1.0, max(0.0, mark.value)) for mark in marks]
    value = (min(values) + fsum(values) / len(values)) / 2
    return value, limit([reason for mark in marks for reason in mark.reasons])


def limit(reasons: Iterable[str]) -> tuple[str, ...]:
    """The first reasons, and how many more there are."""
    every = list(dict.fromkeys(reasons))
    more = len(every) - REASONS
    return tuple(every) if more <= 0 else (*every[:REASONS], f"and {more} more")


def down(value: int, full: int, none: int) -> float:
    """1 up to ``full``, 0 from ``none``, a straight line between.

    >>> down(5, 5, 15), down(10, 5, 15), down(15, 5, 15)
    (1.0, 0.5, 0.0)
    """
    return min(1.0, max(0.0, (none - value) / (none - full)))
