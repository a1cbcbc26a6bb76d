"""Times two programs at rising sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from judge.score.examiner import EngineFault
from judge.score.performance.growth import LAST, growth_result, ladder
from judge.score.performance.pairs import Failure, failure_of, must_work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.results.score import GrowthResult
    from judge.score.performance.arm import Arm
    from judge.score.performance.pairs import Timing
    from judge.score.suite.model import Growth
    from judge.score.values import Value

REPETITIONS = 4
_FEWEST = 3
"""Repetitions that are made even if time is short, up to twice the time."""

SAMPLE_S = 0.003
"""CPU seconds that a sample should take at each size."""

_SLOW_S = 0.3
"""When one call takes longer than this, larger sizes are left out, if enough are left."""

_MOST_LOOPS = 200


@dataclass
class Grown:
    """What the sizes gave.

    Attributes:
        result: The comparison; None when it could not be made.
        failure: A call that was answered wrongly.
        note: Why there is no result, or what it leaves out.
        signs: Signs of cheating that the worker or the sandbox saw.
    """

    result: GrowthResult | None = None
    failure: Failure | None = None
    note: str = ""
    signs: dict[str, None] = field(default_factory=dict)


@dataclass
class _Rows:
    """Seconds per call at each size, so far."""

    reference: list[float] = field(default_factory=list)
    candidate: list[float] = field(default_factory=list)
    stopped: bool = False


def measure_growth(
    timing: Timing,
    make: Callable[[int, int], list[tuple[Value, ...]]],
    growth: Growth,
    cpu_s: float,
    seconds: float,
    seed: int,
) -> Grown:
    """Times four fresh pairs at each size.

    Args:
        timing: What a pair is made of.
        make: Gives so many new inputs of a size.
        growth: Sizes and what growth is allowed.
        cpu_s: Most CPU seconds of one call.
        seconds: After this much wall time no further repetition is begun, but for the first three; after twice as
            much those neither, and there is no result.
        seed: Of the resampling.

    Raises:
        InputError: The reference failed.
        EngineFault: The machinery failed.
    """
    sizes = ladder(*growth.sizes, growth.points)
    if len(sizes) < LAST:
        return Grown(note=f"growth was not measured: only {len(sizes)} different sizes")
    grown, rows = Grown(), []
    end = monotonic() + seconds
    for number in range(REPETITIONS):
        if monotonic() > end and (number >= _FEWEST or monotonic() > end + seconds):
            break
        row = _repeat(timing, make, sizes, cpu_s, grown)
        if grown.failure is not None or row is None:
            return grown
        rows.append(row)
        sizes = sizes[: len(row.candidate)] if not number else sizes
    if len(rows) < _FEWEST:
        grown.note = "growth was not measured: there was no time for it"
        return grown
    count = min(len(row.candidate) for row in rows)
    grown.result = growth_result(
        sizes[:count],
        [row.reference[:count] for row in rows],
        [row.candidate[:count] for row in rows],
        growth.max_excess,
        seed,
    )
    return grown


def _repeat(
    timing: Timing,
    make: Callable[[int, int], list[tuple[Value, ...]]],
    sizes: Sequence[int],
    cpu_s: float,
    grown: Grown,
) -> _Rows | None:
    """One fresh pair at all sizes, up to the one at which the candidate is stopped or too slow to go on."""
    rows = _Rows()
    reference = timing.open_ruler(timing.draw.randrange(1, 2**32))
    try:
        candidate = timing.open_candidate(timing.draw.randrange(1, 2**32))
        try:
            for size in sizes:
                enough = len(rows.candidate) >= LAST
                if rows.stopped or (enough and rows.candidate[-1] > _SLOW_S):
                    break
                if not _at_size(timing, make, size, cpu_s, (reference, candidate), rows, grown):
                    return None
        finally:
            candidate.close()
    finally:
        reference.close()
    if len(rows.candidate) < LAST:
        grown.note = f"growth was not measured: calls were stopped at size {sizes[len(rows.candidate) - 1]}"
        return None
    return rows


def _at_size(
    timing: Timing,
    make: Callable[[int, int], list[tuple[Value, ...]]],
    size: int,
    cpu_s: float,
    arms: tuple[Arm, Arm],
    rows: _Rows,
    grown: Grown,
) -> bool:
    """Adds seconds per call at one size; false when an output is wrong."""
    seconds = []
    warm = make(1, size)
    first = [arm.time(warm, cpu_s) for arm in arms]
    must_work(first[0])
    loops = min(_MOST_LOOPS, max(1, ceil(SAMPLE_S / max(first[0].cpu_s, 1e-6))))
    inputs = make(loops, size)
    samples = [arms[0].time(inputs, cpu_s * loops), first[1]]
    must_work(samples[0])
    asked, answered = warm, first[0]
    if not first[1].problem and max(first[1].cpu_s, first[1].wall_s) * loops < _SLOW_S:
        samples[1] = arms[1].time(inputs, cpu_s * loops)
        asked, answered = inputs, samples[0]
    if samples[1].fault:
        raise EngineFault(f"a timed call could not be made: {samples[1].problem}")
    grown.signs.update(dict.fromkeys(samples[1].evidence))
    rows.stopped = samples[1].stopped
    if not rows.stopped:
        grown.failure = failure_of(timing, asked, samples[1], answered)
        if grown.failure is not None:
            return False
    for sample, count in ((samples[0], loops), (samples[1], len(asked))):
        seconds.append(max(sample.cpu_s, 1e-7) / count)
    rows.reference.append(seconds[0])
    rows.candidate.append(seconds[1])
    return True
