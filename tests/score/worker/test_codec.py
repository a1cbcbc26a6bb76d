"""What crosses the pipe comes out as it went in; what is no plain data becomes a stand-in; forged bytes are refused."""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import struct
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.score.values import Opaque, Subclassed
from judge.score.worker.codec import DecodeError, EncodeError, decode, encode
from judge.score.worker.limits import MAX_DEPTH, MAX_INT_BYTES

Point = namedtuple("Point", "x y")

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters())
    | st.binary()
)
KEYS = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5)
VALUES = st.recursive(
    SCALARS | st.sets(KEYS, max_size=4) | st.frozensets(KEYS, max_size=4),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def shape(value: Any) -> Any:
    """A value with its types written out, so that True is not 1, -0.0 not 0.0, and NaN is itself."""
    kind = type(value)
    if kind in (list, tuple):
        return (kind.__name__, [shape(item) for item in value])
    if kind in (set, frozenset):
        return (kind.__name__, sorted(repr(shape(item)) for item in value))
    if kind is dict:
        return ("dict", [(shape(key), shape(item)) for key, item in value.items()])
    if kind is float:
        return ("float", "nan" if math.isnan(value) else struct.pack(">d", value))
    if kind is complex:
        return ("complex", shape(value.real), shape(value.imag))
    return (kind.__name__, value)


@given(VALUES)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    assert shape(decode(encode(value))) == shape(value)


@pytest.mark.parametrize(
    "value",
    [
        2**63 - 1,
        2**63,
        -(2**63),
        -(2**63) - 1,
        10**5000,
        -(10**5000),
        -0.0,
        math.inf,
        math.nan,
        complex(-0.0, math.nan),
        "\ud800 lone \udfff",
        "\0",
        b"",
        [True, 1, 1.0],
        {1: 1, "1": 2, (1,): 3, None: 4},
    ],
    ids=lambda value: type(value).__name__,
)
def test_odd_values_come_back(value: Any) -> None:
    assert shape(decode(encode(value))) == shape(value)


class Lying(list[int]):
    def __iter__(self) -> Any:
        raise SystemExit("asked")

    def __eq__(self, other: object) -> bool:
        return True

    def __len__(self) -> int:
        return 10**9

    __hash__ = None  # type: ignore[assignment]


class LyingInt(int):
    def __index__(self) -> int:
        return 7

    def __pos__(self) -> int:
        return 7

    __int__ = __index__


class LyingText(str):
    def encode(self, *_: Any) -> bytes:
        return b"other"

    def __str__(self) -> str:
        return "other"


class LyingDict(dict[str, int]):
    def items(self) -> Any:
        return [("other", 1)]


class Number(enum.IntEnum):
    ONE = 1


def test_subclasses_are_read_by_the_methods_of_the_plain_type() -> None:
    for value, plain in (
        (Lying([1, 2]), [1, 2]),
        (LyingInt(5), 5),
        (LyingText("own"), "own"),
        (LyingDict(own=1), {"own": 1}),
        (Point(1, 2), (1, 2)),
        (Number.ONE, 1),
        (Counter("aab"), {"a": 2, "b": 1}),
        (defaultdict(int, a=1), {"a": 1}),
        (deque([1, 2]), [1, 2]),
        (bytearray(b"ab"), b"ab"),
    ):
        read = decode(encode(value))
        assert type(read) is Subclassed
        assert shape(read.value) == shape(plain)
        assert read.type_name.rpartition(".")[2] == type(value).__name__


def test_an_ordered_dict_keeps_its_own_order() -> None:
    moved = OrderedDict(a=1, b=2)
    moved.move_to_end("a")
    assert list(decode(encode(moved)).value) == ["b", "a"]


@dataclass
class Pair:
    left: int
    right: str


class Silent:
    def __repr__(self) -> str:
        raise SystemExit("asked")


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Pair(1, "x"), "Pair(left=1, right='x')"),
        (decimal.Decimal("1.10"), "Decimal('1.10')"),
        (Fraction(1, 3), "Fraction(1, 3)"),
        (datetime.date(2020, 1, 2), "datetime.date(2020, 1, 2)"),
        (range(3), "range(0, 3)"),
        (Colour.RED, "<Colour.RED: 1>"),
        (Silent(), "<no text: SystemExit>"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_objects_are_told_by_type_and_text(value: Any, text: str) -> None:
    read = decode(encode([value]))[0]
    assert type(read) is Opaque
    assert read.text == text


def test_addresses_are_left_out_so_that_two_runs_say_the_same() -> None:
    first, second = (decode(encode(item)) for item in (object(), (number for number in ())))
    assert first.text == "<object object at 0x…>"
    assert "0x…" in second.text and second.type_name == "generator"


def test_a_container_that_holds_itself_ends() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    assert decode(encode(ring)) == [1, Opaque("list", "<itself>")]
    table: dict[str, Any] = {}
    table["self"] = [table]
    assert decode(encode(table)) == {"self": [Opaque("dict", "<itself>")]}


def test_what_is_shared_but_no_ring_is_written_twice() -> None:
    part = [1]
    assert decode(encode([part, part])) == [[1], [1]]


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_depth_is_bounded_on_both_sides() -> None:
    depth, read = 0, decode(encode(nested(MAX_DEPTH)))
    while read:
        depth, read = depth + 1, read[0]
    assert depth == MAX_DEPTH - 1
    with pytest.raises(EncodeError, match="inside one another"):
        encode(nested(MAX_DEPTH + 2))
    with pytest.raises(DecodeError, match="inside one another"):
        decode(b"l\0\0\0\1" * (MAX_DEPTH + 10) + b"N")


def test_doubling_structures_and_giants_are_refused() -> None:
    bush: list[Any] = []
    for _ in range(60):
        bush = [bush, bush]
    with pytest.raises(EncodeError, match="parts"):
        encode(bush)
    with pytest.raises(EncodeError, match="bytes"):
        encode(["x" * 1000] * 100, max_bytes=1000)
    with pytest.raises(EncodeError, match="digits"):
        encode(1 << (MAX_INT_BYTES * 8 + 8))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"?",
        b"NN",
        b"q\0",
        b"l\xff\xff\xff\xff",
        b"l\0\0\0\2N",
        b"s\0\0\0\5ab",
        b"s\0\0\0\1\xff",
        b"S\0\0\0\1l\0\0\0\0",
        b"S\0\0\0\2NN",
        b"d\0\0\0\2NTNT",
        b"d\0\0\0\1N",
        b"UNN",
        b"ONN",
        b"U",
        b"I\xff\xff\xff\xff",
        b"S" * 50,
    ],
)
def test_damaged_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(DecodeError):
        decode(raw)


def test_more_values_than_allowed_are_refused_before_they_are_made() -> None:
    with pytest.raises(DecodeError, match="too many"):
        decode(encode([0] * 1000), max_nodes=100)
    with pytest.raises(DecodeError, match="bytes"):
        decode(bytes(100), max_bytes=10)


def test_members_that_collide_are_refused_instead_of_compared_for_hours() -> None:
    step = (1 << 61) - 1
    for tag, tail in ((b"S", b""), (b"Z", b""), (b"d", b"N")):
        members = b"".join(encode(number * step) + tail for number in range(1, 3000))
        with pytest.raises(DecodeError, match="colliding"):
            decode(tag + struct.pack(">I", 2999) + members)


def test_named_tuples_as_members_do_not_collide() -> None:
    points = {Point(number, number) for number in range(3000)}
    assert len(decode(encode(points))) == 3000


@given(st.binary(max_size=200))
@example(b"d\0\0\0\0")
def test_any_bytes_give_a_value_or_one_error(raw: bytes) -> None:
    try:
        value = decode(raw)
    except DecodeError:
        return
    assert shape(decode(encode(value))) == shape(value)


@given(VALUES, st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_changed_bytes_give_a_value_or_one_error(value: Any, data: st.DataObject) -> None:
    raw = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode(bytes(raw))
    except DecodeError:
        return


@given(st.lists(st.integers(-(2**65), 2**65) | st.booleans(), min_size=6) | st.lists(st.floats(), min_size=6))
def test_long_lists_of_numbers_come_back_with_their_exact_types(value: list[object]) -> None:
    back = decode(encode(value))
    assert [(type(item), repr(item)) for item in back] == [(type(item), repr(item)) for item in value]


def test_packed_lists_count_towards_the_bounds() -> None:
    rows = [[number] * 10 for number in range(100)]
    assert decode(encode(rows, max_nodes=1101), max_nodes=1101) == rows
    with pytest.raises(EncodeError):
        encode(rows, max_nodes=900)
    with pytest.raises(DecodeError):
        decode(encode(rows), max_nodes=900)
    with pytest.raises(DecodeError):
        decode(b"i\xff\xff\xff\xff" + b"\0" * 80)
