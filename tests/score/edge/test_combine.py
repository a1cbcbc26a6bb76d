"""Combining boundary values."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.errors import InputError
from judge.score.edge import (
    Choices,
    Kind,
    Parameter,
    Tagged,
    boundary_inputs,
    combine,
    no_inputs_because,
    parse_signature,
)
from judge.score.edge.combine import pairwise_rows
from judge.score.edge.identity import identity
from judge.score.edge.inputs import LEFT_OUT, assemble
from judge.score.suite.model import LoadedSuite, Suite


def suite_of(**parts: Any) -> LoadedSuite:
    suite = Suite.model_validate({"schema": 1, "problem": "p", "target": {"entry": "f"}, **parts})
    return LoadedSuite(suite=suite, path=Path("p.yaml"), files={}, digest="")


def choices(*rows: list[Any]) -> list[Choices]:
    return [
        Choices(Parameter(f"p{number}"), tuple(Tagged(value, "ordinary") for value in row))
        for number, row in enumerate(rows)
    ]


def pairs_of(rows: list[tuple[int, ...]]) -> set[tuple[int, int, int, int]]:
    return {(i, row[i], j, row[j]) for row in rows for i, j in combinations(range(len(row)), 2)}


@settings(deadline=None)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_every_pair_of_values_meets_when_there_is_room(sizes: list[int]) -> None:
    rows = pairwise_rows(sizes, 10_000)
    wanted = {
        (i, a, j, b) for i, j in combinations(range(len(sizes)), 2) for a in range(sizes[i]) for b in range(sizes[j])
    }
    assert pairs_of(rows) == wanted
    assert {(place, row[place]) for row in rows for place in range(len(sizes))} == {
        (place, value) for place, size in enumerate(sizes) for value in range(size)
    }
    assert len(set(rows)) == len(rows)


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 40))
def test_with_little_room_every_value_still_occurs_first(sizes: list[int], most: int) -> None:
    rows = pairwise_rows(sizes, most)
    assert len(rows) <= most
    for place, size in enumerate(sizes):
        assert len({row[place] for row in rows}) >= min(size, most)


def test_pairwise_needs_far_fewer_than_the_product() -> None:
    rows = pairwise_rows([6, 6, 6, 6], 10_000)
    assert 36 <= len(rows) < 80


@pytest.mark.parametrize("strategy", ["product", "pairwise", "sample"])
def test_all_combinations_where_there_is_room(strategy: Any) -> None:
    found = combine(choices([1, 2], ["a", "b", "c"]), strategy, 6, 0)
    assert {item.args for item in found} == set(product([1, 2], ["a", "b", "c"]))


@pytest.mark.parametrize("strategy", ["product", "pairwise", "sample"])
def test_never_more_than_allowed_never_twice_and_always_the_same(strategy: Any) -> None:
    rows = choices(list(range(30)), list(range(30)), list(range(3)))
    found = combine(rows, strategy, 50, 7)
    assert len(found) == 50
    assert len({identity((item.args, item.kwargs)) for item in found}) == 50
    assert found == combine(rows, strategy, 50, 7)


def test_a_sample_depends_on_the_seed() -> None:
    rows = choices(list(range(30)), list(range(30)))
    assert combine(rows, "sample", 20, 1) != combine(rows, "sample", 20, 2)


def test_equal_values_of_other_types_are_other_inputs() -> None:
    found = combine(choices([1, True, 1.0, 1, 0.0, -0.0]), "product", 64, 0)
    assert [repr(item.args[0]) for item in found] == ["1", "True", "1.0", "0.0", "-0.0"]


def test_the_most_telling_kind_counts_and_all_are_kept() -> None:
    rows = [
        Choices(Parameter("a"), (Tagged([], "empty"),)),
        Choices(Parameter("b"), (Tagged(2**63, "extreme"),)),
        Choices(Parameter("c"), (Tagged(1, "roman"),)),
    ]
    (found,) = combine(rows, "pairwise", 64, 0)
    assert found.category == "extreme"
    assert found.categories == ("extreme", "empty", "roman")


def test_every_kind_stays_when_much_is_cut() -> None:
    found = boundary_inputs(
        suite_of(edge_cases={"boundary": {"max": 12}}), parse_signature("(a: list[int], b: str, c: int)")
    )
    assert len(found) == 12
    assert {"empty", "single", "duplicate", "order", "extreme", "large", "unicode"} <= {
        kind for item in found for kind in item.categories
    }


def parameters() -> list[Parameter]:
    kinds = [Kind.POSITIONAL_ONLY, Kind.POSITIONAL, Kind.POSITIONAL, Kind.REST, Kind.KEYWORD_ONLY, Kind.NAMED_REST]
    return [Parameter(name, kind=kind) for name, kind in zip(["a", "b", "c", "rest", "k", "more"], kinds, strict=True)]


@pytest.mark.parametrize(
    ("chosen", "args", "kwargs"),
    [
        ([1, 2, 3, (4, 5), 6, {"x": 7}], (1, 2, 3, 4, 5), {"k": 6, "x": 7}),
        ([1, LEFT_OUT, 3, (4,), 6, {}], (1,), {"c": 3, "k": 6}),
        ([LEFT_OUT, 2, 3, (4,), LEFT_OUT, {}], (), {"b": 2, "c": 3}),
        ([1, 2, 3, (), LEFT_OUT, {"k": 1, "rest": 2}], (1, 2, 3), {"k_": 1, "rest_": 2}),
    ],
)
def test_arguments_are_passed_as_their_kind_allows(chosen: list[Any], args: Any, kwargs: Any) -> None:
    assert assemble(parameters(), chosen) == (args, kwargs)


def test_inputs_can_be_bound_to_the_signature() -> None:
    def target(a: int, /, b: str = "x", *rest: float, k: bool, d: list[int] | None = None, **more: int) -> None:
        """Takes everything."""

    import inspect

    text = "(a: int, /, b: str = 'x', *rest: float, k: bool, d: list[int] | None = None, **more: int)"
    found = boundary_inputs(suite_of(), parse_signature(text))
    assert len(found) == 64
    for item in found:
        inspect.signature(target).bind(*item.args, **item.kwargs)
    assert any("d" not in item.kwargs for item in found)
    assert any("extra" in item.kwargs for item in found)


def test_domains_and_own_values_of_the_suite_count() -> None:
    suite = suite_of(
        inputs={"domain": {"a": "integers(0, 3)", "b": "lists(integers(0, 1), max_size=2)"}},
        edge_cases={"boundary": {"values": {"a": [2, 17]}}},
    )
    found = boundary_inputs(suite, parse_signature("(a, b)"))
    assert {item.args[0] for item in found} == {0, 1, 2, 3}
    assert all(len(item.args[1]) <= 2 for item in found)


def test_own_values_are_enough_without_a_hint() -> None:
    suite = suite_of(edge_cases={"boundary": {"values": {"a": ["IV", "MCM"]}}})
    assert [item.args for item in boundary_inputs(suite, parse_signature("(a)"))] == [("IV",), ("MCM",)]


def test_why_nothing_can_be_generated() -> None:
    suite = suite_of()
    signature = parse_signature("(a: int, b: Movie, c: Movie = None)")
    assert boundary_inputs(suite, signature) == []
    assert "b" in no_inputs_because(suite, signature)
    assert no_inputs_because(suite, parse_signature("(a: int, c: Movie = None)")) == ""
    assert [item.args for item in boundary_inputs(suite, parse_signature("()"))] == [()]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"inputs": {"domain": {"numz": "none()"}}}, "did you mean nums?"),
        ({"inputs": {"domain": {"nums": "nope()"}}}, "inputs.domain.nums"),
        ({"edge_cases": {"boundary": {"values": {"other": [1]}}}}, "no parameter 'other'"),
    ],
)
def test_mistakes_of_a_suite_are_one_line(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        boundary_inputs(suite_of(**parts), parse_signature("(nums: list[int])"))
    assert said in str(caught.value)
