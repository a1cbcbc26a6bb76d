"""Values as bounded text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.score.compare import show
from judge.score.values import Opaque, Subclassed

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.integers(), inner),
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_PLAIN)
def test_it_is_repr_for_plain_values(value: Any) -> None:
    assert show(value, 10**6) == repr(value)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(_PLAIN, st.integers(1, 50))
def test_it_is_cut(value: Any, limit: int) -> None:
    text = show(value, limit)
    assert len(text) <= limit
    assert text == repr(value) or text.endswith("…")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({3, 1, 2}, "{1, 2, 3}"),
        ({"b", "a"}, "{'a', 'b'}"),
        (frozenset({2, 1}), "frozenset({1, 2})"),
        ({(2,), (1,)}, "{(1,), (2,)}"),
        (set(), "set()"),
        (set(range(10_000)), "{10000 elements}"),
        (Subclassed("m.Point", (1, 2)), "m.Point((1, 2))"),
        (Opaque("m.T", "T()"), "<m.T T()>"),
        ("\x1b[31m", "'\\x1b[31m'"),
    ],
)
def test_special_values(value: Any, text: str) -> None:
    assert show(value) == text


def test_deep_and_wide_values_are_bounded() -> None:
    deep: Any = 0
    for _ in range(200_000):
        deep = [deep]
    assert show(1 << 100_000) == "<int of 100001 bits>"
    assert show(deep, 10) == "[[[[[[[[[…"
    assert len(show([0] * 10**6, 100)) == 100
    assert len(show("x" * 10**7, 100)) == 100
