"""Points of a measurement."""

import pytest

from judge.results.score import GrowthResult, Interval, PerformanceResult
from judge.score.performance import points_share
from judge.score.performance.points import share_of_ratio
from judge.score.suite.model import Performance

RULES = Performance()


def interval(low: float) -> Interval:
    return Interval(median=low * 1.2, low=low, high=low * 1.5, confidence=0.979)


def measured(cpu: float = 1.0, wall: float = 1.0, by: str = "", **more: object) -> PerformanceResult:
    return PerformanceResult(cpu=interval(cpu), wall=interval(wall), penalised=bool(by), by=by, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ratio", "points"), [(0.1, 20), (1.0, 20), (1.1, 20), (2, 14.6), (5, 6.3), (10, 0), (1e6, 0)])
def test_points_fall_with_the_logarithm_of_the_ratio(ratio: float, points: float) -> None:
    assert round(20 * share_of_ratio(ratio, 0.10, 10.0), 1) == points


def test_no_ratio_can_leave_the_range() -> None:
    assert share_of_ratio(1.5, 0.5, 1.2) == 1.0
    assert share_of_ratio(1.6, 0.5, 1.2) == 0.0


def test_what_is_not_penalised_costs_nothing_however_wide_its_interval() -> None:
    assert points_share(measured(cpu=1.05, inconclusive=True), RULES) == 1.0


def test_the_lower_end_is_scored() -> None:
    assert points_share(measured(cpu=2.0, by="cpu"), RULES) == pytest.approx(0.7292, abs=1e-4)


def test_wall_time_is_scored_where_only_it_fires() -> None:
    assert points_share(measured(cpu=1.0, wall=10.0, by="wall"), RULES) == 0.0


def test_a_stored_baseline_is_the_unit() -> None:
    slow = measured(cpu=4.0, by="cpu", baseline="stored", baseline_cpu=2.0)
    assert points_share(slow, RULES) == points_share(measured(cpu=2.0, by="cpu"), RULES)


def test_faster_growth_caps_at_half() -> None:
    growth = GrowthResult(
        sizes=(1, 2, 4, 8), reference_s=(1,) * 4, candidate_s=(1,) * 4, excess=1, low=0.9, high=1.1, faster=True
    )
    assert points_share(measured(growth=growth), RULES) == 0.5
    assert points_share(measured(growth=growth, cpu=9.0, by="cpu"), RULES) < 0.1


def test_a_wrong_timed_output_is_worth_nothing() -> None:
    assert points_share(PerformanceResult(wrong="[3]: 4 is not 5"), RULES) == 0.0
    assert points_share(measured(wrong="[3]: 4 is not 5"), RULES) == 0.0


def test_unmeasured_is_not_zero() -> None:
    assert points_share(PerformanceResult(notes=("no inputs",)), RULES) is None
