"""The words that every format shares: how much slower, and the one reason of many failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judge.report.score.remarks import remarks, shared_cause, slower
from judge.results.score import CaseResult, GrowthResult, Interval, PerformanceResult, SubmissionReport


def speed(median: float, **more: Any) -> PerformanceResult:
    value = Interval(median=median, low=median * 0.9, high=median * 1.1, confidence=0.98)
    return PerformanceResult(**{"cpu": value, "wall": value, "penalised": True, "by": "cpu", **more})


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (speed(19.0), ["19.0 times slower (17.1 to 20.9)"]),
        (speed(1.9), ["1.90 times slower (1.71 to 2.09)"]),
        (speed(3.0, by="wall"), ["3.0 times slower by wall time (2.7 to 3.3)"]),
        (speed(3.0, baseline="stored", baseline_cpu=1.5), ["2.0 times slower than the baseline (1.8 to 2.2)"]),
        (speed(3.0, penalised=False, by=""), []),
    ],
    ids=["much", "little", "wall", "stored", "noise"],
)
def test_how_much_slower(result: PerformanceResult, words: list[str]) -> None:
    assert slower(result) == words


def test_growth_is_said_beside_the_ratio() -> None:
    grown = GrowthResult(
        sizes=(1, 2), reference_s=(1, 2), candidate_s=(1, 4), excess=0.95, low=0.9, high=1.0, faster=True
    )
    found = slower(speed(1.0, penalised=False, by="", growth=grown))
    assert found == ["cost grows faster with size (exponent +0.95)"]


def case(number: int, status: str, reason: str, actual: str = "") -> CaseResult:
    return CaseResult(
        id=str(number), source="written", passed=False, status=status, reason=reason, actual=actual, expected="4"
    )


def test_nearly_all_failures_of_one_reason_are_counted(submission: Callable[..., SubmissionReport]) -> None:
    late = [
        case(n, "timeout", "more than 1 s of CPU time" if n < 3 else "not asked: 3 time-outs before") for n in range(9)
    ]
    wrong = [case(n, "returned", "3 is not 4", "3") for n in range(9, 12)]
    right = case(12, "returned", "").model_copy(update={"passed": True})
    item = submission().model_copy(update={"cases": (*late, wrong[0])})
    cause = shared_cause(item)
    assert cause is not None and len(cause.cases) == 9
    assert "time-outs: more than 1 s of CPU time" in remarks(item)
    assert "10 of 10 cases failed, 9 of them so" in remarks(item)
    assert shared_cause(item.model_copy(update={"cases": (*late, *wrong)})) is None
    assert shared_cause(item.model_copy(update={"cases": tuple(wrong)})) is None, "answers share no reason"
    assert shared_cause(item.model_copy(update={"cases": (late[0], right)})) is None, "one of many shares nothing"
