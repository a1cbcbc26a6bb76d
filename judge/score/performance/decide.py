"""Decides from the samples of fresh pairs whether a submission is slower than it may be; pure arithmetic."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from judge.results.score import Interval
from judge.score.performance.interval import MedianInterval, median_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.suite.model import Performance

WIDEST = 2.0
"""An interval whose ends differ by more than this factor decides nothing in favour of either side."""

WEAK_TOLERANCE = 0.50
"""Tolerance where only the calibration kernels are a ruler: they do other work than the submission."""


class Pair(NamedTuple):
    """One fresh pair of workers: natural logarithms of candidate over ruler, each the smallest of its rounds."""

    cpu: float
    wall: float


class Margin(NamedTuple):
    """What is allowed, as natural logarithms of a ratio to the ruler.

    Attributes:
        cpu: A CPU interval that lies strictly above is penalised.
        wall: The same of wall time.
    """

    cpu: float
    wall: float


class Decision(NamedTuple):
    """What the pairs say.

    Attributes:
        cpu: The interval of the CPU ratio.
        wall: The interval of the wall ratio.
        by: ``cpu``, ``wall`` or empty when nothing is penalised.
        inconclusive: Whether noise keeps it open on which side of the margin the submission lies.
    """

    cpu: Interval
    wall: Interval
    by: str
    inconclusive: bool


def margin_of(
    performance: Performance, cpu_baseline: float = 1.0, wall_baseline: float = 1.0, *, weak: bool = False
) -> Margin:
    """What a suite allows.

    Args:
        performance: Its tolerances.
        cpu_baseline: Upper end of the baseline's CPU ratio to the ruler; 1 where the ruler is the baseline.
        wall_baseline: The same of wall time.
        weak: Whether the ruler is the calibration kernels.
    """
    cpu, wall = performance.tolerance, performance.wall_tolerance
    if weak:
        cpu, wall = max(cpu, WEAK_TOLERANCE), max(wall, WEAK_TOLERANCE)
    return Margin(log(cpu_baseline) + log(1 + cpu), log(wall_baseline) + log(1 + wall))


def decide(pairs: Sequence[Pair], performance: Performance, margin: Margin) -> Decision:
    """Holds the pairs against the margin.

    An interval that lies wholly above the margin is decided however wide it is: its lower end is what is scored, and
    noise that a submission makes itself must not help it. One that is wide and reaches over the margin is open. Wall
    time is at the mercy of other processes, so there it is open only if its median lies over the margin too.

    Args:
        pairs: At least six.
        performance: Confidence and how many extremes are dropped.
        margin: What is allowed.

    Raises:
        InputError: There are too few pairs for the confidence.
    """
    cpu = median_interval([pair.cpu for pair in pairs], performance.confidence, performance.discard)
    wall = median_interval([pair.wall for pair in pairs], performance.confidence, performance.discard)
    by = _by(cpu.low - margin.cpu, wall.low - margin.wall)
    open_cpu = _wide(cpu) and cpu.high > margin.cpu
    open_wall = _wide(wall) and wall.median > margin.wall
    return Decision(_ratio(cpu), _ratio(wall), by, not by and (open_cpu or open_wall))


def _by(cpu: float, wall: float) -> str:
    """What is scored, from how far each lower end lies above its margin: code that waits may compute more as well."""
    if max(cpu, wall) <= 0:
        return ""
    return "cpu" if cpu >= wall else "wall"


def _wide(interval: MedianInterval) -> bool:
    return interval.high - interval.low > log(WIDEST)


def _ratio(interval: MedianInterval) -> Interval:
    return Interval(
        median=exp(interval.median), low=exp(interval.low), high=exp(interval.high), confidence=interval.confidence
    )
