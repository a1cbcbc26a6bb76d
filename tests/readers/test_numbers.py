"""Measures of numbers and of columns."""

from __future__ import annotations

import math
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.readers.columns import Columns, unique
from judge.readers.document import ReaderProblem
from judge.readers.numbers import measure, remarks, values_of
from judge.readers.protobuf import fields


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=60))
def test_measures_never_fail_and_stay_within(values: list[float]) -> None:
    facts = measure(values)
    finite = [value for value in values if math.isfinite(value)]
    assert facts["sampled"] == len(values)
    assert facts.get("nan", 0) == sum(math.isnan(value) for value in values)
    assert facts.get("inf", 0) == sum(math.isinf(value) for value in values)
    if finite:
        assert facts["min"] == min(finite) and facts["max"] == max(finite)
        assert facts["all_zero"] == all(value == 0 for value in values)


@pytest.mark.parametrize(
    ("kind", "code", "values"),
    [("f4", "<3f", (1.5, -2.0, 0.0)), ("f8", "<3d", (1.5, -2.0, 0.0)), ("i2", "<3h", (1, -2, 3)),
     ("u1", "<3B", (1, 2, 3)),
     ("f2", "<3e", (1.5, -2.0, 0.0))],
)  # fmt: skip
def test_values_of_raw_bytes(kind: str, code: str, values: tuple[float, ...]) -> None:
    assert list(values_of(struct.pack(code, *values), kind) or ()) == list(values)
    swapped = struct.pack(code.replace("<", ">"), *values)
    assert list(values_of(swapped, kind, ">") or ()) == list(values)


def test_bfloat16_is_the_upper_half_of_a_float() -> None:
    data = struct.pack("<f", -1.5)[2:] + struct.pack("<f", 0.25)[2:]
    assert list(values_of(data, "bf2") or ()) == [-1.5, 0.25]
    assert values_of(b"1234", "V4") is None


def test_what_is_said_of_odd_values() -> None:
    assert remarks(measure([0.0] * 9)) == ["all values that were looked at are zero"]
    assert remarks(measure([3.0] * 9)) == ["all values that were looked at are the same"]
    assert remarks(measure([math.nan] * 3)) == ["no value that was looked at is finite"]
    assert remarks(measure([0.0])) == []
    assert remarks(measure([1.0, 2.0])) == []


def test_random_draws_are_told_from_data() -> None:
    source = random.Random(7)
    assert "normal" in measure([source.gauss(0, 1) for _ in range(2000)])["like"]
    assert "uniform" in measure([source.random() for _ in range(2000)])["like"]
    assert "like" not in measure([math.sin(i / 20) for i in range(2000)])
    assert "like" not in measure([source.gauss(5, 1) for _ in range(2000)])
    assert "like" not in measure([i / 2000 for i in range(2000)])  # in order: no draws
    assert "like" not in measure([source.gauss(0, 0.05) for _ in range(2000)])  # weights after a usual start


def test_few_whole_numbers_are_counted() -> None:
    assert measure([0, 1, 1, 2] * 10)["value_counts"] == {"0": 10, "1": 20, "2": 10}
    assert "value_counts" not in measure(list(range(100)))


@given(st.lists(st.lists(st.text(max_size=8), max_size=5), max_size=20), st.integers(0, 6))
def test_columns_take_any_cells(rows: list[list[str]], width: int) -> None:
    columns = Columns(width)
    for row in rows:
        columns.add(row)
    facts = columns.facts([f"c{i}" for i in range(width)])
    assert set(facts["types"]) == {f"c{i}" for i in range(width)}


def test_types_gaps_and_infinities() -> None:
    columns = Columns(6)
    for row in (["1", "1.5", "2024-01-02", "true", "x", ""], ["2", "inf", "2024-01-03", "false", "y", "nan"]):
        columns.add(row)
    facts = columns.facts(list("abcdef"))
    kinds = {"a": "integer", "b": "number", "c": "date", "d": "boolean", "e": "text", "f": "empty"}
    assert facts["types"] == kinds
    assert (facts["infinite"], facts["empty_columns"], facts["missing"]) == ({"b": 1}, ["f"], {"f": 2})
    assert facts["numeric_columns"] == ["a", "b"]


def test_names_become_unique() -> None:
    assert unique(["a", "b", "a", 3]) == ["a", "b", "a (column 3)", "3"]


@given(st.binary(max_size=200))
def test_any_message_is_read_or_refused(data: bytes) -> None:
    try:
        for number, value in fields(memoryview(data)):
            assert number > 0
            assert isinstance(value, int) or len(value) <= len(data)
    except ReaderProblem:
        pass
