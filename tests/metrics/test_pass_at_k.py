"""pass@k against counting by hand, and the interval of the median against its definition."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from judge.metrics.pass_at_k import model_pass_at_k, pass_at_k, summarize


@pytest.mark.parametrize(("n", "c", "k"), [(1, 0, 1), (1, 1, 1), (5, 2, 3), (6, 1, 6), (7, 3, 2), (7, 0, 7), (8, 8, 1)])
def test_pass_at_k_is_the_share_of_draws_with_a_good_sample(n: int, c: int, k: int) -> None:
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(any(draw) for draw in draws) / len(draws))


def test_many_samples_do_not_overflow() -> None:
    assert pass_at_k(5000, 1, 100) == pytest.approx(0.02)


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4)])
def test_what_is_not_defined_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="not defined"):
        pass_at_k(n, c, k)


def test_only_the_k_that_the_samples_allow() -> None:
    found = model_pass_at_k("m", [True, False, False, False, False, True])
    assert (found.samples, found.passed, list(found.values)) == (6, 2, ["1", "5"])
    assert found.values["1"] == pytest.approx(1 / 3)
    assert model_pass_at_k("m", []).values == {}


def test_summary_by_hand() -> None:
    found = summarize("m", [40, 10, 30, 20])
    assert (found.samples, found.mean, found.median, found.low, found.high) == (4, 25, 25, 10, 40)
    alone = summarize("m", [7.5])
    assert (alone.mean, alone.median, alone.low, alone.high) == (7.5, 7.5, 7.5, 7.5)
    with pytest.raises(ValueError, match="at least one"):
        summarize("m", [])


@pytest.mark.parametrize("n", [6, 8, 9, 10, 20, 101])
def test_the_interval_is_the_shortest_that_holds_the_median_with_95_percent(n: int) -> None:
    found = summarize("m", [float(number) for number in range(n)])
    cut = int(found.low)
    assert found.high == n - 1 - cut

    def outside(left: int) -> float:
        return 2 * sum(comb(n, number) for number in range(left + 1)) / float(1 << n)

    assert outside(cut) <= 0.05 < outside(cut + 1)
