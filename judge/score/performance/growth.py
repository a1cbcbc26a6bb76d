"""How cost grows with size: the difference of two log-log slopes, with its interval; pure arithmetic."""

from __future__ import annotations

import random
from math import exp, log
from typing import TYPE_CHECKING

from judge.results.score import GrowthResult

if TYPE_CHECKING:
    from collections.abc import Sequence

LAST = 4
"""The slope is taken over this many of the largest sizes: at small ones fixed costs hide it."""

CONFIDENCE = 0.99
_RESAMPLES = 2000


def ladder(smallest: int, largest: int, points: int) -> tuple[int, ...]:
    """Sizes in equal ratios from the smallest to the largest, such as 250, 500, ..., 8000; rising, without repeats.

    Args:
        smallest: First size.
        largest: Last size.
        points: How many; at least two.
    """
    step = log(largest / smallest) / (points - 1)
    sizes = [round(smallest * exp(step * index)) for index in range(points)]
    sizes[-1] = largest
    return tuple(dict.fromkeys(sizes))


def slope(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Least squares slope of ln seconds over ln size.

    Args:
        sizes: At least two different ones.
        seconds: Of each, above 0.
    """
    xs, ys = [log(size) for size in sizes], [log(value) for value in seconds]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread


def growth_result(
    sizes: Sequence[int],
    reference: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    max_excess: float,
    seed: int,
) -> GrowthResult:
    """Compares the growth of two programs.

    Args:
        sizes: Rising, at least two; the slope is taken over the last four.
        reference: For each repetition the CPU seconds at each size.
        candidate: The same of the candidate, same shape; a call that was stopped counts with the time it had used, so
            a size at which calls are stopped must be the last one.
        max_excess: What the lower end of the difference must exceed to be "faster growth".
        seed: Of the resampling.
    """
    count = len(reference)
    draw = random.Random(seed)
    excess = _excess(sizes, reference, candidate, range(count))
    drawn = sorted(
        _excess(sizes, reference, candidate, [draw.randrange(count) for _ in range(count)]) for _ in range(_RESAMPLES)
    )
    tail = round((1 - CONFIDENCE) / 2 * _RESAMPLES)
    low, high = drawn[tail], drawn[-1 - tail]
    return GrowthResult(
        sizes=tuple(sizes),
        reference_s=tuple(min(row[index] for row in reference) for index in range(len(sizes))),
        candidate_s=tuple(min(row[index] for row in candidate) for index in range(len(sizes))),
        excess=excess,
        low=min(low, excess),
        high=max(high, excess),
        faster=min(low, excess) > max_excess,
    )


def _excess(
    sizes: Sequence[int],
    reference: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    rows: Sequence[int],
) -> float:
    last = range(max(0, len(sizes) - LAST), len(sizes))
    chosen = [sizes[index] for index in last]
    slopes = [slope(chosen, [min(arm[row][index] for row in rows) for index in last]) for arm in (candidate, reference)]
    return slopes[0] - slopes[1]
