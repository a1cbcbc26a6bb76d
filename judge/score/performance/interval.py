"""An exact, distribution-free interval of a median, from order statistics."""

from __future__ import annotations

from math import comb
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from judge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 6
"""With fewer values even their whole range is no 95 % interval of the median."""


class MedianInterval(NamedTuple):
    """A median and its interval, in the unit of the values.

    Attributes:
        median: Of the values that are left when the extremes are dropped.
        low: Lower end.
        high: Upper end.
        confidence: Exact probability that the interval holds the true median, whatever the distribution, 0 to 1.
    """

    median: float
    low: float
    high: float
    confidence: float


def exact_confidence(count: int, rank: int) -> float:
    """How sure it is that the median lies between the ``rank``-th smallest and the ``rank``-th largest value.

    Args:
        count: Independent values.
        rank: 1 for the whole range.

    Returns:
        0 to 1: one minus twice the chance of fewer than ``rank`` heads in ``count`` throws of a coin.
    """
    return float(1 - 2 * sum(comb(count, heads) for heads in range(rank)) / 2**count)


def order_rank(count: int, confidence: float) -> int:
    """The largest rank whose interval is at least as sure as asked, and so the narrowest interval.

    Args:
        count: Independent values.
        confidence: At least this, 0 to 1.

    Raises:
        InputError: There are fewer than six values, or too few for the confidence.
    """
    if count < FEWEST:
        raise InputError(f"{count} values give no interval of a median", hint=f"measure at least {FEWEST} iterations")
    if exact_confidence(count, 1) < confidence:
        raise InputError(
            f"{count} values give no interval of {confidence:.4g} confidence",
            hint="raise performance.iterations or lower performance.confidence",
        )
    rank = 1
    while 2 * (rank + 1) <= count and exact_confidence(count, rank + 1) >= confidence:
        rank += 1
    return rank


def median_interval(values: Sequence[float], confidence: float = 0.95, discard: int = 1) -> MedianInterval:
    """The median without the extremes, and the interval of the true median.

    Ten values at 95 % give the range of the eight that stay when the smallest and the largest are dropped; its real
    confidence is 97.9 %.

    Args:
        values: Independent values, in any order.
        confidence: At least this, 0 to 1.
        discard: How many of the smallest and of the largest are dropped before the median is taken.

    Raises:
        InputError: There are too few values.
    """
    ordered = sorted(values)
    rank = order_rank(len(ordered), confidence)
    if 2 * discard >= len(ordered):
        raise InputError(
            f"dropping {discard} at each end leaves none of {len(ordered)} values", hint="lower performance.discard"
        )
    kept = ordered[discard : len(ordered) - discard]
    return MedianInterval(median(kept), ordered[rank - 1], ordered[-rank], exact_confidence(len(ordered), rank))
