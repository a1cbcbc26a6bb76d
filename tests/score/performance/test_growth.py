"""Growth with size, from injected times."""

import random

import pytest

from judge.score.performance.growth import growth_result, ladder, slope

SIZES = (250, 500, 1000, 2000, 4000, 8000)


def rows(exponent: float, seed: int, noise: float = 0.05, fixed: float = 0.0) -> list[list[float]]:
    draw = random.Random(seed)
    return [[1e-7 * size**exponent * draw.uniform(1, 1 + noise) + fixed for size in SIZES] for _ in range(4)]


def test_sizes_double() -> None:
    assert ladder(250, 8000, 6) == SIZES


@pytest.mark.parametrize(("low", "high", "points"), [(1, 4, 6), (10, 11, 5), (5, 5, 6)])
def test_close_ends_give_fewer_sizes(low: int, high: int, points: int) -> None:
    sizes = ladder(low, high, points)
    assert sizes[-1] == high
    assert list(sizes) == sorted(set(sizes))


def test_the_slope_is_the_exponent() -> None:
    assert slope(SIZES, [size**1.7 for size in SIZES]) == pytest.approx(1.7)


@pytest.mark.parametrize("seed", range(10))
def test_quadratic_grows_faster_than_linear(seed: int) -> None:
    result = growth_result(SIZES, rows(1, seed), rows(2, seed + 100), 0.35, seed)
    assert result.faster
    assert result.low <= result.excess <= result.high
    assert result.excess == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("seed", range(10))
def test_a_slower_linear_one_does_not(seed: int) -> None:
    slow = [[7 * value for value in row] for row in rows(1.05, seed + 100)]
    assert not growth_result(SIZES, rows(1, seed), slow, 0.35, seed).faster


def test_slower_growth_is_no_fault() -> None:
    assert not growth_result(SIZES, rows(2, 1), rows(1, 2), 0.35, 1).faster


def test_small_sizes_do_not_hide_growth() -> None:
    """Fixed costs flatten the small sizes; the slope is taken over the large ones."""
    result = growth_result(SIZES, rows(1, 1, fixed=1e-5), rows(2, 2, fixed=1e-3), 0.35, 1)
    assert result.faster


def test_one_seed_gives_one_interval() -> None:
    one, two = (growth_result(SIZES, rows(1, 1, 0.5), rows(1.3, 2, 0.5), 0.35, 9) for _ in range(2))
    assert one == two
