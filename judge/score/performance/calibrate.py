"""How many inputs a sample needs, and how much of the procedure a slow submission leaves time for."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from judge.score.performance.pairs import Plan, must_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.score.performance.arm import Arm
    from judge.score.suite.model import Performance
    from judge.score.values import Value

LEAST_S = 0.005
"""A sample takes at least this much CPU on the reference; shorter ones are lost in the noise of the clock."""

MOST_LOOPS = 2000
_MARGIN = 1.2
_ROUNDS = 8


class Speed(NamedTuple):
    """How fast a program is.

    Attributes:
        loops: Inputs of a sample that takes long enough.
        call_s: CPU seconds of one call.
    """

    loops: int
    call_s: float


def calibrate(
    arm: Arm, make: Callable[[int], list[tuple[Value, ...]]], cpu_s: float, least_s: float = LEAST_S
) -> Speed:
    """Finds how many inputs of a sample make the reference work long enough.

    Args:
        arm: Of the reference.
        make: Gives so many new inputs.
        cpu_s: Most CPU seconds of one sample.
        least_s: CPU seconds that a sample should take.

    Raises:
        InputError: The reference failed.
        EngineFault: The machinery failed.
    """
    must_work(arm.time(make(1), cpu_s))  # warm-up
    loops, used = 1, 0.0
    for _ in range(_ROUNDS):
        sample = arm.time(make(loops), cpu_s)
        must_work(sample)
        used = max(sample.cpu_s, 1e-7)
        if used >= least_s or loops >= MOST_LOOPS:
            break
        loops = min(MOST_LOOPS, max(2 * loops, ceil(_MARGIN * loops * least_s / used)))
    return Speed(loops, used / loops)


def plan_pairs(
    performance: Performance, loops: int, ruler_s: float, call_s: float, cpu_limit_s: float, budget_s: float
) -> Plan:
    """How pairs are timed so that all of them fit the budget.

    The number of pairs is never cut, since it carries the confidence. A submission that is much slower than the
    reference gets fewer rounds, then smaller samples: its ratio is far from every margin, so noise matters less.

    Args:
        performance: What the suite asks for.
        loops: Inputs of a sample.
        ruler_s: CPU seconds of the ruler for one input.
        call_s: Seconds of the candidate for one input, CPU or wall, whichever is more.
        cpu_limit_s: Limit of one call.
        budget_s: Seconds for all pairs.
    """
    warmup, rounds = performance.warmup, performance.rounds

    def cost() -> float:
        return performance.iterations * (warmup + rounds) * loops * (ruler_s + call_s)

    while cost() > budget_s and rounds > 1:
        rounds -= 1
    if cost() > budget_s:
        warmup = min(warmup, 1)
    while cost() > budget_s and loops > 1:
        loops = max(1, loops // 2)
    if cost() > budget_s:
        warmup = 0
    return Plan(loops, warmup, rounds, max(cpu_limit_s, 5 * loops * call_s))
