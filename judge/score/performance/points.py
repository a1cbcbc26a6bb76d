"""Turns a measurement into the share of the performance points."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.results.score import PerformanceResult
    from judge.score.suite.model import Performance

GROWTH_CAP = 0.5
"""Most that a submission gets whose cost grows faster than the reference's."""


def share_of_ratio(ratio: float, tolerance: float, zero_at: float) -> float:
    """The share that a ratio is worth.

    Args:
        ratio: Lower end of the interval, over the baseline.
        tolerance: Slower by this share costs nothing.
        zero_at: From this ratio on nothing is left.

    Returns:
        1 up to ``1 + tolerance``, falling with the logarithm of the ratio to 0 at ``zero_at``.
    """
    free = 1 + tolerance
    if ratio <= free:
        return 1.0
    if zero_at <= free or ratio >= zero_at:
        return 0.0
    return 1 - log(ratio / free) / log(zero_at / free)


def points_share(result: PerformanceResult, performance: Performance) -> float | None:
    """The share of the performance points.

    The lower end of the interval is scored, so noise never costs a point; being faster brings none.

    Args:
        result: What was measured.
        performance: Tolerance and the ratio at which nothing is left.

    Returns:
        0 to 1; None when speed was not measured.
    """
    if result.wrong:
        return 0.0
    if result.cpu is None or result.wall is None:
        return None
    share = 1.0
    if result.penalised:
        wall = result.by == "wall"
        ratio = result.wall.low / result.baseline_wall if wall else result.cpu.low / result.baseline_cpu
        share = share_of_ratio(ratio, performance.tolerance, performance.zero_at)
    if result.growth is not None and result.growth.faster:
        share = min(share, GROWTH_CAP)
    return share
