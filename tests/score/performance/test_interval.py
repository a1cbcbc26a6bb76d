"""The interval of a median: exact confidence, and how often it really holds the median."""

import random
from statistics import NormalDist

import pytest

from judge.errors import InputError
from judge.score.performance.interval import exact_confidence, median_interval, order_rank


@pytest.mark.parametrize(
    ("count", "rank", "percent"),
    [(6, 1, 96.9), (8, 1, 99.2), (9, 2, 96.1), (10, 2, 97.9), (11, 2, 98.8), (20, 6, 95.9), (100, 40, 96.5)],
)
def test_rank_and_confidence_match_the_tables(count: int, rank: int, percent: float) -> None:
    assert order_rank(count, 0.95) == rank
    assert round(100 * exact_confidence(count, rank), 1) == percent


@pytest.mark.parametrize("count", range(6))
def test_too_few_values_are_refused(count: int) -> None:
    with pytest.raises(InputError, match="no interval"):
        median_interval([1.0] * count)


def test_a_confidence_that_the_count_cannot_give_is_refused() -> None:
    assert order_rank(10, 0.998) == 1
    with pytest.raises(InputError, match="confidence"):
        order_rank(10, 0.9999)


def test_ten_values_give_the_range_of_the_middle_eight() -> None:
    values = [7.0, 1.0, 4.0, 100.0, 3.0, 5.0, 6.0, 2.0, 8.0, -50.0]
    interval = median_interval(values)
    assert (interval.low, interval.median, interval.high) == (1.0, 4.5, 8.0)


def test_dropping_everything_is_refused() -> None:
    with pytest.raises(InputError, match="drop"):
        median_interval([1.0] * 10, discard=5)


@pytest.mark.parametrize("count", [6, 10, 13, 20])
def test_the_interval_covers_a_skewed_median_as_often_as_it_says(count: int) -> None:
    draw = random.Random(count)
    trials, covered = 4000, 0
    for _ in range(trials):
        values = [draw.lognormvariate(0.0, 1.5) for _ in range(count)]  # median 1
        interval = median_interval(values)
        covered += interval.low <= 1.0 <= interval.high
    expected = exact_confidence(count, order_rank(count, 0.95))
    spread = (expected * (1 - expected) / trials) ** 0.5
    assert abs(covered / trials - expected) < NormalDist().inv_cdf(0.9999) * spread
