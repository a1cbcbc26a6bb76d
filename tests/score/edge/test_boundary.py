"""Boundary values by type, and their kinds."""

from __future__ import annotations

import math

import pytest

from judge.errors import InputError
from judge.score.edge import (
    CATEGORIES,
    contains,
    from_hint,
    kinds_of_call,
    parse_domain,
    parse_signature,
    spec_of,
    values,
)
from judge.score.edge.boundary import extended
from judge.score.edge.draws import collect
from judge.score.edge.identity import identity, same
from judge.score.edge.typehint import TypeHint


def hint_of(text: str) -> TypeHint:
    return parse_signature(f"(x: {text})").parameters[0].hint


def holds(found: object, value: object) -> bool:
    return any(same(item.value, value) for item in found)  # type: ignore[attr-defined]


HINTS = [
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "bool",
    "None",
    "Literal['a', 'b', 3]",
    "int | None",
    "list[int]",
    "list[float]",
    "list[str]",
    "list[bool]",
    "list[list[int]]",
    "list[tuple[int, int]]",
    "list[dict[str, int]]",
    "tuple[int, str]",
    "tuple[int, ...]",
    "set[int]",
    "frozenset[str]",
    "dict[str, int]",
    "dict[int, list[str]]",
    "dict[str, dict[str, float | None]]",
    "list[list[list[list[list[int]]]]]",
    "tuple[tuple[tuple[int, str], list[int]], float]",
]


@pytest.mark.parametrize("text", HINTS)
def test_each_type_has_different_values_of_itself_with_known_kinds(text: str) -> None:
    found = values(hint_of(text))
    assert 1 <= len(found) <= 64
    assert len({identity(item.value) for item in found}) == len(found)
    spec = spec_of(hint_of(text))
    assert all(contains(spec, item.value) is True for item in found)
    assert {item.category for item in found} <= set(CATEGORIES)
    assert [identity(item.value) for item in values(hint_of(text))] == [identity(item.value) for item in found]


@pytest.mark.parametrize("text", HINTS)
def test_draws_are_of_the_type(text: str) -> None:
    spec = spec_of(hint_of(text))
    drawn = collect(from_hint(hint_of(text)), 80, 5)
    assert all(contains(spec, value) is True for value in drawn)


def test_numbers_meet_the_ends_of_machine_types() -> None:
    found = values(hint_of("int"))
    for value in (0, 1, -1, *(sign * 2**bits + near for sign in (1, -1) for bits in (31, 63) for near in (-1, 0, 1))):
        assert holds(found, value)
    floats = values(hint_of("float"))
    for value in (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308):
        assert holds(floats, value)


def test_text_meets_blank_folding_combining_and_astral_characters() -> None:
    found = values(hint_of("str"))
    for value in ("", " ", "ß", "İ", "e\u0301", "a\u200bb", "\n"):
        assert holds(found, value)
    assert any(any(ord(char) > 0xFFFF for char in item.value) for item in found)


def test_lists_meet_every_shape() -> None:
    found = values(hint_of("list[int]"))
    kinds = {item.category for item in found}
    assert {"empty", "single", "duplicate", "order", "extreme", "sign", "large"} <= kinds
    rising = [item.value for item in found if item.category == "order"]
    assert any(row == sorted(row) for row in rising)
    assert any(row == sorted(row, reverse=True) for row in rising)
    assert any(row not in (sorted(row), sorted(row, reverse=True)) for row in (item.value for item in found))
    assert any(len(item.value) >= 1000 for item in found)


def test_no_nan_inside_containers() -> None:
    assert not any(any(math.isnan(part) for part in item.value) for item in values(hint_of("list[float]")))


def test_pairs_of_numbers_touch_overlap_and_nest() -> None:
    rows = [item.value for item in values(hint_of("list[tuple[int, int]]"))]
    assert [(0, 1), (1, 2)] in rows
    assert [(0, 9), (2, 3)] in rows


def test_a_literal_has_each_of_its_values() -> None:
    assert [item.value for item in values(hint_of("Literal['a', 1, True, None]"))] == ["a", 1, True, None]


def test_ends_of_a_domain_are_boundary_values() -> None:
    found = [item.value for item in values(parse_domain("integers(-37, 59)"))]
    assert {-37, -36, 58, 59} <= set(found)
    assert all(-37 <= value <= 59 for value in found)
    sizes = {len(item.value) for item in values(parse_domain("lists(integers(0, 9), min_size=4, max_size=9)"))}
    assert {4, 9} <= sizes
    assert all(4 <= size <= 9 for size in sizes)


def test_what_the_domain_excludes_is_not_asked_even_when_the_suite_lists_it() -> None:
    spec = parse_domain("integers(0, 5)")
    kept = extended(values(spec), [3, 99, "3"], spec)
    assert kept[0].value == 3
    assert not holds(kept, 99)
    assert not holds(kept, "3")
    assert holds(extended(values(spec), [99], None), 99)


@pytest.mark.parametrize(
    ("args", "first"),
    [
        (([],), "empty"),
        ((None,), "empty"),
        (("",), "empty"),
        (([4],), "single"),
        (([4, 4],), "duplicate"),
        (([1, 2, 3],), "order"),
        (([3, 2, 1],), "order"),
        (([3, 1, 2],), "ordinary"),
        (([2, True, 1.0, 1, 3],), "ordinary"),
        ((-1,), "sign"),
        ((-0.0,), "sign"),
        ((2**31,), "extreme"),
        ((math.nan,), "extreme"),
        (("é",), "unicode"),
        (([1] * 60,), "large"),
        (("a" * 300,), "large"),
        (([[]],), "nested"),
        (([[1], [2]],), "ordinary"),
        (([[[[[1]]]]],), "nested"),
        ((True, 5, "abc"), "ordinary"),
        (({"a": -1},), "sign"),
    ],
)
def test_kinds_come_from_the_shape(args: tuple[object, ...], first: str) -> None:
    kinds = kinds_of_call(args, {})
    assert first in kinds
    assert (kinds == ("ordinary",)) == (first == "ordinary")


def test_a_type_without_values_is_one_clear_line() -> None:
    with pytest.raises(InputError, match="Movie"):
        values(hint_of("list[Movie]"))
    with pytest.raises(InputError, match="no type hint"):
        from_hint(parse_signature("(x)").parameters[0].hint)


def test_deep_and_wide_hints_stay_small() -> None:
    deep = values(hint_of("list[" * 8 + "int" + "]" * 8))
    wide = values(hint_of("tuple[" + ", ".join(["str"] * 300) + "]"))
    assert deep
    assert len(wide) <= 64
    with pytest.raises(InputError, match="within each other"):
        values(hint_of("list[" * 9 + "int" + "]" * 9))
    with pytest.raises(InputError, match="within each other"):
        parse_domain("lists(" * 9 + "none()" + ")" * 9)
