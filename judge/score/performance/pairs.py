"""Times fresh pairs of workers, interleaved, on the same new inputs."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, NamedTuple

from judge.errors import InputError
from judge.score.examiner import EngineFault
from judge.score.performance.decide import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.score.performance.arm import Arm, Sample
    from judge.score.values import Value

_TINY = 1e-9
"""A clock that stands still gives this, not minus infinity."""


class Plan(NamedTuple):
    """How one pair is timed.

    Attributes:
        loops: Inputs of one sample.
        warmup: Rounds that do not count.
        rounds: Rounds that count; the smallest sample of each arm is taken.
        cpu_s: Most CPU seconds of one sample.
    """

    loops: int
    warmup: int
    rounds: int
    cpu_s: float


class Failure(NamedTuple):
    """A submission that failed a timed call.

    Attributes:
        text: One sentence.
        args: The input, when it is one.
    """

    text: str
    args: tuple[Value, ...] | None = None


@dataclass(frozen=True)
class Timing:
    """What pairs are made of.

    Attributes:
        open_ruler: Starts the ruler with a hash seed.
        open_candidate: Starts the candidate with a hash seed.
        make: Gives so many new inputs.
        ruler_inputs: What the ruler is given for a sample; for a reference the same inputs.
        right: Why an output is wrong, from input, output and the ruler's output; empty when it is right.
        draw: Order and hash seeds.
    """

    open_ruler: Callable[[int], Arm]
    open_candidate: Callable[[int], Arm]
    make: Callable[[int], list[tuple[Value, ...]]]
    ruler_inputs: Callable[[list[tuple[Value, ...]]], list[tuple[Value, ...]]]
    right: Callable[[tuple[Value, ...], Value, Value | None], str]
    draw: random.Random


@dataclass
class Record:
    """What the pairs gave so far.

    Attributes:
        pairs: Of each pair the logarithms of the ratios.
        ruler_s: CPU seconds of the ruler, the smallest sample of each pair.
        candidate_s: The same of the candidate.
        idle_s: CPU seconds that the candidate used outside of the timed windows, of each sample.
        ruler_idle_s: The same of the ruler, where it was given the same inputs.
        evidence: Signs of cheating.
        failure: The first failed call; nothing is timed after it.
    """

    pairs: list[Pair] = field(default_factory=list)
    ruler_s: list[float] = field(default_factory=list)
    candidate_s: list[float] = field(default_factory=list)
    idle_s: list[float] = field(default_factory=list)
    ruler_idle_s: list[float] = field(default_factory=list)
    evidence: dict[str, None] = field(default_factory=dict)
    failure: Failure | None = None


def time_pair(timing: Timing, plan: Plan, record: Record) -> None:
    """Times one fresh pair and adds it to the record.

    Args:
        timing: What it is made of.
        plan: How it is timed.
        record: Gets the pair, or the failure.

    Raises:
        InputError: The ruler failed.
        EngineFault: The machinery failed.
    """
    draw = timing.draw
    ruler = timing.open_ruler(draw.randrange(1, 2**32))
    try:
        candidate = timing.open_candidate(draw.randrange(1, 2**32))
        try:
            _rounds(timing, plan, record, ruler, candidate)
        finally:
            candidate.close()
    finally:
        ruler.close()


def _rounds(timing: Timing, plan: Plan, record: Record, ruler: Arm, candidate: Arm) -> None:
    ours: list[Sample] = []
    theirs: list[Sample] = []
    for number in range(plan.warmup + plan.rounds):
        inputs = timing.make(plan.loops)
        ruler_inputs = timing.ruler_inputs(inputs)
        if timing.draw.random() < 0.5:
            mine, other = ruler.time(ruler_inputs, plan.cpu_s), candidate.time(inputs, plan.cpu_s)
        else:
            other, mine = candidate.time(inputs, plan.cpu_s), ruler.time(ruler_inputs, plan.cpu_s)
        must_work(mine)
        record.evidence.update(dict.fromkeys(other.evidence))
        if other.fault:
            raise EngineFault(f"a timed call could not be made: {other.problem}")
        record.failure = failure_of(timing, inputs, other, mine if ruler_inputs is inputs else None)
        if record.failure is not None:
            return
        record.idle_s.append(other.idle_cpu_s)
        if ruler_inputs is inputs:
            record.ruler_idle_s.append(mine.idle_cpu_s)
        if number >= plan.warmup:
            ours.append(mine)
            theirs.append(other)
    cpu, wall = _log_ratio(theirs, ours, "cpu_s"), _log_ratio(theirs, ours, "wall_s")
    record.pairs.append(Pair(cpu, wall))
    record.ruler_s.append(min(sample.cpu_s for sample in ours))
    record.candidate_s.append(min(sample.cpu_s for sample in theirs))


def must_work(sample: Sample) -> None:
    """Makes sure that the ruler did its work.

    Raises:
        InputError: It failed; then the suite is at fault.
        EngineFault: The machinery failed.
    """
    if sample.fault:
        raise EngineFault(f"a timed call could not be made: {sample.problem}")
    if sample.problem:
        raise InputError(
            f"the reference failed a timed call: {sample.problem}",
            hint="`judge score lint` shows what the reference cannot answer",
        )


def failure_of(
    timing: Timing, inputs: Sequence[tuple[Value, ...]], sample: Sample, reference: Sample | None
) -> Failure | None:
    """The first call of a sample that failed or was answered wrongly.

    Args:
        timing: Says what is right.
        inputs: What was asked.
        sample: What the candidate answered.
        reference: What the reference answered; None where there is none.
    """
    if sample.problem:
        return Failure(f"a timed call failed: {sample.problem}")
    for index, args in enumerate(inputs):
        wanted = reference.values[index] if reference is not None else None
        reason = timing.right(args, sample.values[index], wanted)
        if reason:
            return Failure(f"a timed call was answered wrongly: {reason}", args)
    return None


def _log_ratio(candidate: Sequence[Sample], ruler: Sequence[Sample], clock: str) -> float:
    top = max(min(getattr(sample, clock) for sample in candidate), _TINY)
    bottom = max(min(getattr(sample, clock) for sample in ruler), _TINY)
    return log(top / bottom)
