"""Pairs, calibration and plans, with arms whose times are made up."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any

import pytest

from judge.errors import InputError
from judge.score.examiner import EngineFault
from judge.score.performance.arm import Sample
from judge.score.performance.calibrate import LEAST_S, calibrate, plan_pairs
from judge.score.performance.pairs import Plan, Record, Timing, time_pair
from judge.score.performance.signs import signs_of, works_outside
from judge.score.suite.model import Performance


@dataclass
class FakeArm:
    """Takes ``call_s`` a call; the n-th sample takes ``noise[n]`` times as long."""

    call_s: float
    noise: Sequence[float] = ()
    answer: Any = 42
    problem: str = ""
    fault: bool = False
    idle_s: float = 0.0
    asked: list[Sequence[tuple[Any, ...]]] = field(default_factory=list)
    closed: bool = False

    def time(self, inputs: Sequence[tuple[Any, ...]], cpu_s: float) -> Sample:
        number = len(self.asked)
        self.asked.append(inputs)
        used = self.call_s * len(inputs) * (self.noise[number] if number < len(self.noise) else 1.0)
        if self.problem:
            return Sample(used, used, problem=self.problem, fault=self.fault)
        return Sample(used, 2 * used, self.idle_s, (self.answer,) * len(inputs))

    def ask(self, args: tuple[Any, ...]) -> Sample:
        return Sample(0.0, 0.0, values=(self.answer,))

    def close(self) -> None:
        self.closed = True


def timing(ruler: FakeArm, candidate: FakeArm, right: str = "") -> Timing:
    seeds: list[int] = []

    def make(count: int) -> list[tuple[Any, ...]]:
        seeds.extend(range(len(seeds), len(seeds) + count))
        return [(seed,) for seed in seeds[-count:]]

    return Timing(
        open_ruler=lambda _: ruler,
        open_candidate=lambda _: candidate,
        make=make,
        ruler_inputs=lambda inputs: inputs,
        right=lambda args, value, wanted: right if value != wanted else "",
        draw=random.Random(1),
    )


PLAN = Plan(loops=5, warmup=1, rounds=3, cpu_s=10)


def test_the_fastest_round_counts_and_the_warm_up_does_not() -> None:
    ruler, candidate = FakeArm(0.001, noise=(0.1, 3, 1, 2)), FakeArm(0.002, noise=(0.01, 5, 4, 1))
    record = Record()
    time_pair(timing(ruler, candidate), PLAN, record)
    assert exp(record.pairs[0].cpu) == pytest.approx(2.0)
    assert record.ruler_s == [pytest.approx(0.005)]
    assert ruler.closed
    assert candidate.closed


def test_each_timed_call_has_a_new_input_and_both_sides_the_same() -> None:
    ruler, candidate = FakeArm(0.001), FakeArm(0.001)
    time_pair(timing(ruler, candidate), PLAN, Record())
    assert ruler.asked == candidate.asked
    inputs = [args for batch in candidate.asked for args in batch]
    assert len(inputs) == len(set(inputs)) == 20


def test_a_clock_that_stands_still_gives_a_number() -> None:
    record = Record()
    time_pair(timing(FakeArm(0.001), FakeArm(0.0)), PLAN, record)
    assert record.pairs[0].cpu < -10


def test_a_wrong_output_ends_it_with_the_input() -> None:
    candidate, record = FakeArm(0.001, answer=41), Record()
    time_pair(timing(FakeArm(0.001), candidate, right="41 is not 42"), PLAN, record)
    assert record.failure is not None
    assert "41 is not 42" in record.failure.text
    assert record.failure.args == (0,)
    assert len(candidate.asked) == 1
    assert candidate.closed


def test_a_failing_submission_is_a_failure_a_failing_reference_the_suite_s_fault_and_a_failing_machine_ours() -> None:
    record = Record()
    time_pair(timing(FakeArm(0.001), FakeArm(0.001, problem="crashed")), PLAN, record)
    assert record.failure is not None
    assert "crashed" in record.failure.text
    ruler = FakeArm(0.001, problem="crashed")
    with pytest.raises(InputError, match="reference"):
        time_pair(timing(ruler, FakeArm(0.001)), PLAN, Record())
    assert ruler.closed
    with pytest.raises(EngineFault):
        time_pair(timing(FakeArm(0.001), FakeArm(0.001, problem="no sandbox", fault=True)), PLAN, Record())


@pytest.mark.parametrize("call_s", [1e-6, 3e-5, 1e-3, 0.004, 0.2])
def test_a_sample_takes_long_enough_on_the_reference(call_s: float) -> None:
    speed = calibrate(FakeArm(call_s), lambda count: [(0,)] * count, 10.0)
    assert speed.loops * call_s >= LEAST_S or speed.loops == 2000
    assert speed.loops * call_s <= max(2 * LEAST_S, call_s)
    assert speed.call_s == pytest.approx(call_s)


def test_a_fast_submission_gets_the_whole_procedure() -> None:
    plan = plan_pairs(Performance(), 20, 0.0003, 0.0004, 5.0, 10.0)
    assert plan == Plan(20, 1, 3, 5.0)


@pytest.mark.parametrize("call_s", [0.02, 0.2, 1.0, 4.0, 100.0])
def test_a_slow_submission_fits_the_budget_as_far_as_one_call_allows(call_s: float) -> None:
    plan = plan_pairs(Performance(), 20, 0.0003, call_s, 5.0, 10.0)
    used = 10 * (plan.warmup + plan.rounds) * plan.loops * call_s
    assert used <= 10.5 or (plan.loops, plan.rounds, plan.warmup) == (1, 1, 0)
    assert plan.rounds >= 1
    assert plan.cpu_s >= plan.loops * call_s


def test_work_outside_of_the_calls_is_a_sign() -> None:
    record = Record()
    time_pair(timing(FakeArm(0.001), FakeArm(0.001, idle_s=0.04)), PLAN, record)
    (sign,) = signs_of(record, timed_wrong=False)
    assert sign.startswith("background: ")
    assert "40 ms" in sign


def test_the_same_overhead_on_both_sides_or_one_hiccup_is_none() -> None:
    assert works_outside([0.02] * 8, [0.015] * 8) == 0.0
    assert works_outside([0.0, 0.0, 3.0, 0.0], [0.0] * 4) == 0.0
    assert works_outside([], []) == 0.0
