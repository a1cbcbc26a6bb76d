"""Whether pairs of times are penalised."""

import random
from math import exp, log

import pytest

from judge.score.performance.decide import Pair, decide, margin_of
from judge.score.suite.model import Performance

RULES = Performance()


def pairs(
    ratio: float, spread: float, seed: int = 0, wall: float | None = None, wall_spread: float | None = None
) -> list[Pair]:
    draw = random.Random(seed)
    return [
        Pair(
            log(ratio) + draw.gauss(0, spread),
            log(ratio if wall is None else wall) + draw.gauss(0, spread if wall_spread is None else wall_spread),
        )
        for _ in range(10)
    ]


def test_the_reference_against_itself_is_never_penalised_by_the_noise_of_one_machine() -> None:
    margin = margin_of(RULES)
    assert not any(decide(pairs(1.0, 0.03, seed, wall_spread=0.2), RULES, margin).by for seed in range(300))


def test_twice_the_work_is_always_penalised() -> None:
    margin = margin_of(RULES)
    assert all(decide(pairs(2.0, 0.1, seed, wall_spread=0.4), RULES, margin).by == "cpu" for seed in range(300))


def test_slower_within_the_tolerance_is_free() -> None:
    decision = decide(pairs(1.09, 0.001), RULES, margin_of(RULES))
    assert not decision.by
    assert decision.cpu.low > 1.0


def test_the_margin_must_lie_strictly_below_the_interval() -> None:
    edge = [Pair(log(1.1), 0.0)] * 10
    assert not decide(edge, RULES, margin_of(RULES)).by
    above = [Pair(log(1.1) + 1e-9, 0.0)] * 10
    assert decide(above, RULES, margin_of(RULES)).by == "cpu"


def test_sleeping_shows_in_wall_time_only() -> None:
    decision = decide(pairs(1.0, 0.02, wall=30.0), RULES, margin_of(RULES))
    assert decision.by == "wall"
    assert decision.wall.low > 20


def test_one_wild_pair_at_each_end_changes_nothing() -> None:
    calm = pairs(1.0, 0.01)
    wild = [Pair(log(50), log(50)), Pair(log(0.02), log(0.02)), *calm[2:]]
    decision = decide(wild, RULES, margin_of(RULES))
    assert not decision.by
    assert not decision.inconclusive


def test_noise_over_the_margin_is_inconclusive() -> None:
    decision = decide(pairs(1.3, 0.8, seed=3), RULES, margin_of(RULES))
    assert decision.inconclusive
    assert not decision.by


def test_wild_times_far_above_the_margin_do_not_escape() -> None:
    decision = decide(pairs(30.0, 0.8, seed=3), RULES, margin_of(RULES))
    assert decision.by == "cpu"
    assert decision.cpu.high / decision.cpu.low > 2


def test_noisy_wall_time_of_a_fast_submission_is_no_question() -> None:
    decision = decide(pairs(0.5, 0.02, wall=0.9, wall_spread=0.5), RULES, margin_of(RULES))
    assert not decision.inconclusive


@pytest.mark.parametrize(("ratio", "by"), [(2.0, ""), (2.15, ""), (2.4, "cpu")])
def test_a_stored_baseline_moves_the_margin(ratio: float, by: str) -> None:
    decision = decide(pairs(ratio, 0.001, wall=1.0), RULES, margin_of(RULES, 2.0, 2.0))
    assert decision.by == by


def test_a_weak_ruler_has_a_wide_tolerance() -> None:
    assert exp(margin_of(RULES, weak=True).cpu) == pytest.approx(1.5)
    assert exp(margin_of(Performance(tolerance=0.8), weak=True).cpu) == pytest.approx(1.8)


def test_code_that_mostly_waits_is_scored_by_its_waiting() -> None:
    pairs = [Pair(log(3.0), log(17.0))] * 10
    assert decide(pairs, Performance(), margin_of(Performance())).by == "wall"
    pairs = [Pair(log(3.0), log(3.1))] * 10
    assert decide(pairs, Performance(), margin_of(Performance())).by == "cpu"
