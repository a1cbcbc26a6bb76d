"""Points: computed by hand from the weights."""

from __future__ import annotations

import pytest

from judge.results.score import CaseResult, Flag
from judge.score.suite.model import Integrity, Shares, Weights
from judge.score.total import count_categories, edge_value, share, to_points, total

ALL = {"correctness": 1.0, "edge_cases": 0.5, "performance": 0.25, "quality": 0.8}
CHEAT = Flag(kind="hardcoded", evidence="16 of 16", certain=True)
SIGN = Flag(kind="clock", evidence="import time", certain=False)


def case(passed: bool, weight: float = 1.0, source: str = "written", category: str = "") -> CaseResult:
    return CaseResult(id="x", source=source, category=category, weight=weight, passed=passed, status="returned")


def test_the_default_weights() -> None:
    parts = {part.name: part.points for part in to_points(ALL, Weights(), {})}
    assert parts == pytest.approx({"correctness": 40, "edge_cases": 12.5, "performance": 5, "quality": 12})


def test_what_was_not_measured_is_left_out_and_the_rest_renormalised() -> None:
    parts = {part.name: part for part in to_points({**ALL, "performance": None}, Weights(), {"performance": "why"})}
    assert parts["performance"].weight == 0 and parts["performance"].reason == "why"
    assert parts["correctness"].points == pytest.approx(50)
    assert parts["edge_cases"].points == pytest.approx(25 / 80 * 100 * 0.5)
    assert sum(part.weight for part in parts.values()) == pytest.approx(100)


def test_nothing_measured_is_no_point() -> None:
    dimensions = to_points({}, Weights(), {})
    assert total(dimensions, (), Integrity()) == (0, 0)


def test_any_weights_are_normalised() -> None:
    weights = Weights(correctness=2, edge_cases=1, performance=1, quality=0)
    dimensions = to_points(ALL, weights, {})
    assert total(dimensions, (), Integrity())[0] == pytest.approx(50 + 12.5 + 6.25)


@pytest.mark.parametrize(
    ("rule", "flags", "points"),
    [
        ("cap", [CHEAT], 15),
        ("zero", [CHEAT], 0),
        ("report", [CHEAT], 69.5),
        ("cap", [SIGN], 69.5),
        ("zero", [], 69.5),
    ],
)
def test_cheating(rule: str, flags: list[Flag], points: float) -> None:
    found = total(to_points(ALL, Weights(), {}), flags, Integrity.model_validate({"on_cheating": rule}))
    assert found == pytest.approx((points, 69.5))


def test_a_cap_never_lifts() -> None:
    low = to_points({**ALL, "correctness": 0.0, "edge_cases": 0.0, "quality": 0.0}, Weights(), {})
    assert total(low, [CHEAT], Integrity()) == pytest.approx((5, 5))


def test_shares_are_weighted() -> None:
    assert share([case(True, 3), case(False, 1)]) == pytest.approx(0.75)
    assert share([]) is None


def test_a_category_is_one_voice_and_a_missing_source_is_left_out() -> None:
    shares = {("written", "empty"): 1.0, ("written", "order"): 0.0, ("random", "single"): 0.9}
    assert edge_value(shares, Shares()) == pytest.approx((0.5 * 0.5 + 0.25 * 0.9) / 0.75)
    assert edge_value({}, Shares()) is None
    assert edge_value({("random", "x"): 1.0}, Shares(written=1, boundary=0, random=0)) is None


def test_categories_are_counted() -> None:
    cases = [
        case(True, category="empty"),
        case(False, category="empty"),
        case(True, source="boundary", category="empty"),
    ]
    found = {(item.source, item.category): (item.asked, item.passed) for item in count_categories(cases)}
    assert found == {("written", "empty"): (2, 1), ("boundary", "empty"): (1, 1)}
