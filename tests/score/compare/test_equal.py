"""Outputs held against expected values under every rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.score.compare import equal
from judge.score.suite.model import Compare
from judge.score.values import Opaque, Subclassed

NAN = float("nan")


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("output", "expected", "rules", "ok"),
    [
        (1, True, {}, False),
        (1, True, {"bool_as_int": True}, True),
        ([False], [0], {"bool_as_int": True}, True),
        (1, 1.0, {}, False),
        (1, 1.0, {"int_float": "equal"}, True),
        (True, 1.0, {"int_float": "equal"}, False),
        (True, 1.0, {"int_float": "equal", "bool_as_int": True}, True),
        (2**53 + 1, float(2**53), {"int_float": "equal"}, False),
        (10**400, 1e308, {"int_float": "equal", "rel_tol": 0.1}, False),
        (10**400, math.inf, {"int_float": "equal", "rel_tol": 0.1}, False),
        (10**308, 1.0000001e308, {"int_float": "equal", "rel_tol": 1e-3}, True),
        (10**400, 10**400 + 1, {"rel_tol": 0.5}, False),
        (1.0, 1.0 + 1e-9, {}, False),
        (1.0, 1.0 + 1e-9, {"rel_tol": 1e-6}, True),
        ([{"a": (1.0,)}], [{"a": (1.0 + 1e-9,)}], {"abs_tol": 1e-6}, True),
        ({1.0 + 1e-9}, {1.0}, {"abs_tol": 1e-6}, True),
        ({1.0, 5.0}, {1.0, 6.0}, {"abs_tol": 1e-6}, False),
        ({(1.0 + 1e-9, "a"), (2.0, "b")}, {(2.0, "b"), (1.0, "a")}, {"abs_tol": 1e-6}, True),
        (math.inf, 1e308, {"rel_tol": 0.9}, False),
        (math.inf, math.inf, {"rel_tol": 0.9}, True),
        (-math.inf, math.inf, {"abs_tol": 1e9}, False),
        (NAN, NAN, {}, True),
        (NAN, NAN, {"nan_equal": False}, False),
        (NAN, 1.0, {"abs_tol": 1e9}, False),
        ({NAN}, {float("nan")}, {}, True),
        ({NAN}, {float("nan")}, {"nan_equal": False}, False),
        ({NAN: 1}, {float("nan"): 1}, {}, True),
        (-0.0, 0.0, {}, True),
        (-0.0, 0.0, {"signed_zero": "strict"}, False),
        (-0.0, 0.0, {"signed_zero": "strict", "abs_tol": 1.0}, False),
        ({-0.0}, {0.0}, {"signed_zero": "strict"}, False),
        (-0.0, 0, {"signed_zero": "strict", "int_float": "equal"}, False),
        (complex(1, -0.0), complex(1, 0.0), {}, True),
        (complex(1, -0.0), complex(1, 0.0), {"signed_zero": "strict"}, False),
        (complex(NAN, 1), complex(NAN, 1), {}, True),
        (1 + 2j, 1 + 2.0000001j, {"rel_tol": 1e-5}, True),
        (1 + 2j, 1 + 3j, {"rel_tol": 1e-5}, False),
        ((1,), [1], {}, False),
        ((1,), [1], {"list_type": "sequence"}, True),
        ({"a": (1,)}, {"a": [1]}, {"list_type": "sequence"}, True),
        ({(1,)}, {(1,)}, {"list_type": "sequence"}, True),
        ({1}, [1], {"list_type": "sequence"}, False),
        ({1, 2}, [2, 1], {"set_as_list": True}, True),
        ([2, 1], {1, 2}, {"set_as_list": True}, True),
        ([1, 1], {1}, {"set_as_list": True}, False),
        ({1}, {1: 1}, {"set_as_list": True}, False),
        ({1}, 1, {"set_as_list": True}, False),
        ({1}, frozenset({1}), {}, False),
        ({1}, frozenset({1}), {"list_type": "sequence"}, True),
        ({1}, {True}, {}, False),
        ({1: 2}, {True: 2}, {}, False),
        ({1: 2}, {1.0: 2}, {"int_float": "equal"}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"dict_order": "strict"}, False),
        ([3, 1, 2], [1, 2, 3], {}, False),
        ([3, 1, 2], [1, 2, 3], {"unordered": True}, True),
        ([1, 1, 2], [1, 2, 2], {"unordered": True}, False),
        ([[2, 1]], [[1, 2]], {"unordered": True}, False),
        ({"a": [2, 1]}, {"a": [1, 2]}, {"unordered": True}, False),
        ([True, 0], [0, 1], {"unordered": True}, False),
        ([1.05, 1.0], [1.0, 1.1], {"unordered": True, "abs_tol": 0.06}, True),
        ([["x", 1.05], ["x", 1.0]], [["x", 1.0], ["x", 1.1]], {"unordered": True, "abs_tol": 0.06}, True),
        ([["x", 1.05], ["x", 1.5]], [["x", 1.0], ["x", 1.1]], {"unordered": True, "abs_tol": 0.06}, False),
        ([1, 1.01], [1.0, 1], {"unordered": True, "abs_tol": 0.06}, True),
        ([1.0], [1.0, 1.0], {"unordered": True, "abs_tol": 0.06}, False),
        (Subclassed("collections.OrderedDict", {"a": 1}), {"a": 1}, {}, True),
        (Subclassed("collections.OrderedDict", {"a": 1}), {"a": 1}, {"dict_type": "strict"}, False),
        ({"a": 1}, Subclassed("collections.Counter", {"a": 1}), {"dict_type": "strict"}, False),
        (Subclassed("x.D", {"a": 1}), Subclassed("x.D", {"a": 1}), {"dict_type": "strict"}, True),
        (Subclassed("x.D", {"a": 1}), {"a": 2}, {}, False),
        (Subclassed("collections.deque", [1]), [1], {}, False),
        (Subclassed("collections.deque", [1]), [1], {"list_type": "sequence"}, True),
        (Subclassed("collections.deque", [1]), Subclassed("collections.deque", [1]), {}, True),
        (Subclassed("bytearray", b"a"), b"a", {}, False),
        ({"a": Subclassed("collections.deque", [1])}, {"a": [1]}, {"unordered": True}, False),
        ([Subclassed("collections.deque", [1])], [[1]], {"unordered": True}, False),
        (Subclassed("m.Point", (1, 2)), (1, 2), {}, True),
        ({Subclassed("m.Colour", 1): 2}, {1: 2}, {}, True),
        (Subclassed("m.Colour", 1), True, {}, False),
        ({Subclassed("m.Colour", 1): 2, 1: 5}, {1: 5}, {}, False),
        ({Subclassed("m.Colour", 1): 2, 1: 5}, {1: 5, Subclassed("m.Shade", 1): 2}, {}, True),
        ({NAN: 1, -NAN: 2, float("nan"): 3}, {float("nan"): 3, NAN: 1, -NAN: 2}, {}, True),
        ({NAN: 1, float("nan"): 3}, {float("nan"): 3, NAN: 2}, {}, False),
        (Opaque("m.T", "T(1)"), Opaque("m.T", "T(1)"), {}, True),
        (Opaque("m.T", "T(1)"), Opaque("m.U", "T(1)"), {}, False),
        (Opaque("m.T", "1"), 1, {}, False),
        ("a", b"a", {}, False),
        ("\ud800", "\ud800", {}, True),
        ({"\ud800"}, {"\ud801"}, {}, False),
        (None, 0, {}, False),
        (None, False, {"bool_as_int": True}, False),
        ("\u00e9", "e\u0301", {}, False),
        ([], {}, {}, False),
        ([], None, {}, False),
    ],
)
def test_rules(output: Any, expected: Any, rules: dict[str, Any], ok: bool) -> None:
    verdict = equal(output, expected, Compare(**rules))
    assert verdict.ok is ok, verdict.reason
    assert bool(verdict.reason) is not ok


@pytest.mark.parametrize(
    ("output", "expected", "reason"),
    [
        ([1, 2, 3, {"x": 4}], [1, 2, 3, {"x": 5}], "[3].x: 4 is not 5"),
        (4, 5, "4 is not 5"),
        ([1], [1, 2], "[1] is missing: 2"),
        ([1, 2], [1], "[1] is too much: 2"),
        ({"a b": {3: "x"}}, {"a b": {3: "y"}}, "['a b'][3]: 'x' is not 'y'"),
        ({}, {"name": None}, "name is missing: None"),
        ("4", 4, "'4' (str) is not 4 (int)"),
        ({1}, {1, 2}, "2 is missing"),
        ([[1, 5], [9]], [[1, 2], [3]], "[0][1]: 5 is not 2"),
    ],
)
def test_the_first_difference_is_named(output: Any, expected: Any, reason: str) -> None:
    assert equal(output, expected, Compare()).reason == reason


def test_a_reason_is_short_however_large_the_values() -> None:
    verdict = equal(["x" * 10**6] * 3, ["x" * 10**6 + "y"] * 3, Compare())
    assert not verdict.ok
    assert len(verdict.reason) < 500
    assert "from character 1000000" in verdict.reason


def test_deep_values_are_compared_without_recursion() -> None:
    depth = 100_000
    assert equal(_nested(1, depth), _nested(1, depth), Compare()).ok
    found = equal(_nested(1, depth), _nested(2, depth), Compare())
    assert found.reason.endswith("1 is not 2") and len(found.reason) < 200
    inside: Any = ()
    other: Any = (1,)
    for _ in range(5000):
        inside, other = (inside,), (other,)
    unordered = Compare(unordered=True)
    assert equal([inside, 1], [1, inside], unordered).ok
    assert not equal([inside, 1], [1, other], unordered).ok


def test_sets_within_sets_with_tolerance_end() -> None:
    left: frozenset[Any] = frozenset({1.0})
    right: frozenset[Any] = frozenset({1.0 + 1e-9})
    for _ in range(8):
        left, right = frozenset({left}), frozenset({right})
    assert equal(left, right, Compare(abs_tol=1e-6)).ok


def test_a_tolerance_of_one_case_does_not_leak_into_the_next() -> None:
    loose, strict = Compare(rel_tol=0.1), Compare()
    assert equal(1.0, 1.01, loose).ok
    assert not equal(1.0, 1.01, strict).ok
    assert equal({1.0}, {1.01}, loose).ok
    assert not equal({1.0}, {1.01}, strict).ok


def test_large_unordered_lists_take_linear_time() -> None:
    items = [[i, str(i)] for i in range(50_000)]
    assert equal(items[::-1], items, Compare(unordered=True)).ok
    floats = [i + 1e-9 for i in range(50_000)]
    assert equal(floats[::-1], [float(i) for i in range(50_000)], Compare(unordered=True, abs_tol=1e-6)).ok


def test_a_large_unordered_list_of_records_is_matched_with_tolerance() -> None:
    items = [{"id": i, "value": i / 7} for i in range(2000)]
    close = [{"id": i, "value": i / 7 + 1e-12} for i in reversed(range(2000))]
    assert equal(close, items, Compare(unordered=True, abs_tol=1e-9)).ok
    close[5]["value"] = 99.0
    assert not equal(close, items, Compare(unordered=True, abs_tol=1e-9)).ok


def test_elements_that_differ_only_at_their_end_cost_a_bounded_time() -> None:
    def rows(last: float) -> list[list[float]]:
        return [[1.0] * 300 + [number + last] for number in range(300)]

    rules = Compare(unordered=True, abs_tol=1e-6)
    assert equal(rows(1e-9)[::-1], rows(0.0), rules).ok
    assert not equal(rows(0.5), rows(0.0), rules).ok


# An independent and simple statement of the rules, for small values.


def _same(a: Any, b: Any, rules: Compare, top: bool = True) -> bool:
    if isinstance(a, bool) and rules.bool_as_int:
        a = int(a)
    if isinstance(b, bool) and rules.bool_as_int:
        b = int(b)
    if type(a) in (set, frozenset) and type(b) in (set, frozenset):
        return (type(a) is type(b) or rules.list_type == "sequence") and _matched(list(a), list(b), rules)
    flat = (set, frozenset, list, tuple)
    if rules.set_as_list and type(a) in flat and type(b) in flat and {type(a), type(b)} & {set, frozenset}:
        return _matched(list(a), list(b), rules)
    if type(a) in (list, tuple) and type(b) in (list, tuple):
        if type(a) is not type(b) and rules.list_type == "strict":
            return False
        if top and rules.unordered:
            return _matched(list(a), list(b), rules)
        return len(a) == len(b) and all(_same(x, y, rules, False) for x, y in zip(a, b, strict=True))
    if type(a) is dict and type(b) is dict:
        exact = rules.model_copy(update={"rel_tol": 0.0, "abs_tol": 0.0})
        if rules.dict_order == "strict":
            pairs = list(zip(a, b, strict=False))
            return len(a) == len(b) and all(
                _same(x, y, exact, False) and _same(a[x], b[y], rules, False) for x, y in pairs
            )
        return len(a) == len(b) and all(
            any(_same(x, y, exact, False) and _same(a[x], b[y], rules, False) for x in a) for y in b
        )
    if (type(a) is float and type(b) is float) or (rules.int_float == "equal" and {type(a), type(b)} == {int, float}):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b) and rules.nan_equal
        if a == b == 0 and rules.signed_zero == "strict":
            return math.copysign(1, a) == math.copysign(1, b)
        return a == b or math.isclose(a, b, rel_tol=rules.rel_tol, abs_tol=rules.abs_tol)
    return type(a) is type(b) and bool(a == b)


def _matched(a: list[Any], b: list[Any], rules: Compare) -> bool:
    if len(a) != len(b):
        return False
    if not a:
        return True
    return any(_same(a[0], b[i], rules, False) and _matched(a[1:], b[:i] + b[i + 1 :], rules) for i in range(len(b)))


_LEAVES = st.sampled_from([0, 1, 2, True, False, None, 0.0, -0.0, 1.0, 1.05, 1.1, NAN, math.inf, "", "a", b"a"])
_KEYS = st.recursive(_LEAVES, lambda inner: st.tuples(inner) | st.frozensets(inner, max_size=2), max_leaves=2)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(_KEYS, inner, max_size=2)
        | st.sets(_KEYS, max_size=3)
        | st.frozensets(_KEYS, max_size=2)
    ),
    max_leaves=5,
)
_RULES = st.builds(
    Compare,
    list_type=st.sampled_from(["strict", "sequence"]),
    dict_order=st.sampled_from(["ignore", "strict"]),
    set_as_list=st.booleans(),
    bool_as_int=st.booleans(),
    int_float=st.sampled_from(["strict", "equal"]),
    abs_tol=st.sampled_from([0.0, 0.06]),
    rel_tol=st.sampled_from([0.0, 0.04]),
    nan_equal=st.booleans(),
    signed_zero=st.sampled_from(["ignore", "strict"]),
    unordered=st.booleans(),
)


def _changed(value: Any) -> Iterator[Any]:
    """The value with a part exchanged: most random pairs differ at once."""
    yield value
    if isinstance(value, list | tuple) and value:
        for other in (0, 1, True, 1.0, 1.05, 1.1, NAN):
            yield type(value)([other, *value[1:]])
        yield type(value)(reversed(value))
        yield list(value)
        yield tuple(value)
    if isinstance(value, dict):
        yield dict(reversed(value.items()))
    if isinstance(value, set | frozenset):
        yield list(value)
        yield frozenset(value)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(left=_VALUES, right=_VALUES, rules=_RULES)
def test_the_rules_are_those_of_a_simple_statement(left: Any, right: Any, rules: Compare) -> None:
    for other in (right, *_changed(left)):
        assert equal(left, other, rules).ok is _same(left, other, rules), (left, other)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(value=_VALUES, rules=_RULES)
def test_a_value_equals_itself_unless_nan_does_not(value: Any, rules: Compare) -> None:
    assert equal(value, value, rules.model_copy(update={"nan_equal": True})).ok
