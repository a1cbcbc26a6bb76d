"""Named properties of outputs, and relations of two answers."""

from __future__ import annotations

from typing import Any

import pytest

from judge.score.compare import PROPERTIES, relation
from judge.score.suite.model import Compare


@pytest.mark.parametrize(
    ("name", "args", "output", "ok"),
    [
        ("sorted", (), [1, 1, 2], True),
        ("sorted", (), [2, 1], False),
        ("sorted", (), [1, "a"], False),
        ("sorted", (), None, False),
        ("sorted", (), {1, 2}, False),
        ("sorted", (), [float("nan"), 1.0], False),
        ("sorted_descending", (), [2, 1, 1], True),
        ("strictly_sorted", (), [1, 1], False),
        ("permutation_of_input", ([2, 1],), [1, 2], True),
        ("permutation_of_input", (5, [2, 1]), (1, 2), True),
        ("permutation_of_input", ([1, 1, 2],), [1, 2, 2], False),
        ("permutation_of_input", ([1],), [True], False),
        ("permutation_of_input", (1,), [1], False),
        ("subset_of_input", ([1, 2, 2],), [2, 2], True),
        ("subset_of_input", ([1, 2],), [2, 2], False),
        ("same_length", ("abc",), [1, 2, 3], True),
        ("same_length", ("abc",), None, False),
        ("distinct", (), [1, True, 1.0], True),
        ("distinct", (), [[1], [1]], False),
        ("not_none", (), None, False),
        ("not_none", (), 0, True),
    ],
)
def test_properties(name: str, args: tuple[Any, ...], output: Any, ok: bool) -> None:
    assert PROPERTIES[name](args, {}, output) is ok


def test_an_input_given_by_name_counts() -> None:
    assert PROPERTIES["permutation_of_input"]((), {"items": [2, 1]}, [1, 2])


def test_idempotent_asks_with_the_output() -> None:
    found = relation("idempotent")
    assert found is not None
    assert found.follow_up(([2, 1], 3), {"k": 1}, [1, 2]) == (([1, 2], 3), {"k": 1}, "")
    assert found.follow_up((), {"items": [2, 1], "k": 1}, [1, 2]) == ((), {"items": [1, 2], "k": 1}, "")
    assert found.holds(([2, 1],), [1, 2], [1, 2], Compare()).ok
    assert "[0]: 2 is not 1" in found.holds(([2, 1],), [1, 2], [2, 1], Compare()).reason


def test_commutative_swaps_the_first_two() -> None:
    found = relation("commutative")
    assert found is not None
    assert found.follow_up((1, 2, 3), {}, 0) == ((2, 1, 3), {}, "")
    assert found.follow_up((1,), {}, 0) is None


def test_monotone_asks_for_the_next_number() -> None:
    found = relation("monotone")
    assert found is not None
    assert found.follow_up((1,), {}, 0) == ((2,), {}, "")
    assert found.follow_up((True,), {}, 0) is None
    assert found.follow_up((1e300,), {}, 0) is None
    assert found.holds((1,), 5, 5, Compare()).ok
    assert not found.holds((1,), 5, 4, Compare()).ok
    assert not found.holds((1,), 5, None, Compare()).ok


def test_roundtrip_asks_the_inverse() -> None:
    found = relation("roundtrip:decode")
    assert found is not None
    assert found.follow_up(("ab",), {}, "xy") == (("xy",), {}, "decode")
    assert found.holds(("ab",), "xy", "ab", Compare()).ok
    assert not found.holds(("ab",), "xy", "a", Compare()).ok


@pytest.mark.parametrize("name", ["roundtrip", "roundtrip:", "roundtrip:a b", "nothing", ""])
def test_unknown_relations(name: str) -> None:
    assert relation(name) is None
