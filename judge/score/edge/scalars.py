"""Boundary values of numbers, text and bytes."""

from __future__ import annotations

import math
from typing import NamedTuple

from judge.score.edge.membership import contains, in_alphabet
from judge.score.edge.spec import Chars, Floats, Integers, Text
from judge.score.values import Value


class Tagged(NamedTuple):
    """A value with the kind of edge case it is."""

    value: Value
    category: str


_INTEGERS = (
    (0, "sign"),
    (1, "sign"),
    (-1, "sign"),
    (2, "ordinary"),
    (7, "ordinary"),
    (-8, "sign"),
    *((sign * 2**31 + near, "extreme") for sign in (1, -1) for near in (-1, 0, 1)),
    *((sign * 2**63 + near, "extreme") for sign in (1, -1) for near in (-1, 0, 1)),
    (2**53 + 1, "extreme"),
    (10**30, "extreme"),
)
_FLOATS = (
    (0.0, "sign"),
    (-0.0, "sign"),
    (1.0, "ordinary"),
    (-1.0, "sign"),
    (0.1, "ordinary"),
    (2.5, "ordinary"),
    (1e308, "extreme"),
    (1.7976931348623157e308, "extreme"),
    (-1.7976931348623157e308, "extreme"),
    (5e-324, "extreme"),
    (2.2250738585072014e-308, "extreme"),
    (9007199254740993.0, "extreme"),
    (math.inf, "extreme"),
    (-math.inf, "extreme"),
    (math.nan, "extreme"),
)
_TEXTS = (
    ("", "empty"),
    ("a", "single"),
    (" ", "single"),
    ("ab", "ordinary"),
    ("abc", "ordinary"),
    ("Hello, World", "ordinary"),
    ("0", "single"),
    ("-1", "sign"),
    ("aa", "duplicate"),
    ("aba", "duplicate"),
    ("aAbB", "order"),
    ("  a  b ", "order"),
    ("cba", "order"),
    ("\n", "unicode"),
    ("a\nb\r\nc\td", "unicode"),
    ("ß", "unicode"),
    ("ss", "duplicate"),
    ("σ", "unicode"),
    ("ς", "unicode"),
    ("İ", "unicode"),
    ("i\u0307", "unicode"),
    ("ǅ", "unicode"),
    ("e\u0301", "unicode"),
    ("é", "unicode"),
    ("日本語", "unicode"),
    ("😀👍🏽", "unicode"),
    ("a\u200bb", "unicode"),
    ("\u00a0\u2003", "unicode"),
    ("٣", "unicode"),
    ("ab" * 500, "large"),
)
_PREFERRED = "abcxyzABC019 _-.,\néßİ日😀"
_LARGE_TEXT = 1000


def integer_values(spec: Integers) -> list[Tagged]:
    """Zero, one, the powers of two that types end at, and the ends of the range with their neighbours."""
    ends = [(end + near, "extreme") for end in (spec.low, spec.high) if end is not None for near in (0, -1, 1)]
    if spec.low is not None and spec.high is not None:
        ends.append(((spec.low + spec.high) // 2, "ordinary"))
    return [Tagged(*pair) for pair in [*_INTEGERS, *ends] if contains(spec, pair[0])]


def float_values(spec: Floats) -> list[Tagged]:
    """Both zeros, the largest and smallest, infinities, NaN where it is allowed, and the ends of the range."""
    ends: list[tuple[float, str]] = []
    for end, towards in ((spec.low, math.inf), (spec.high, -math.inf)):
        if end is not None:
            ends += [(end, "extreme"), (math.nextafter(end, towards), "extreme")]
    if spec.low is not None and spec.high is not None and math.isfinite(spec.low) and math.isfinite(spec.high):
        ends.append((spec.low / 2 + spec.high / 2, "ordinary"))
    return [Tagged(*pair) for pair in [*_FLOATS, *ends] if contains(spec, pair[0])]


def complex_values() -> list[Tagged]:
    """Complex numbers on the axes, and beyond."""
    plain = [(0j, "sign"), (1 + 0j, "ordinary"), (1j, "ordinary"), (-1 - 1j, "sign"), (2 + 3j, "ordinary")]
    return [Tagged(*pair) for pair in [*plain, (complex(1e308, 1e308), "extreme"), (complex(0, math.inf), "extreme")]]


def letters(alphabet: Chars | str, count: int) -> str:
    """Some characters of an alphabet, plain ones first; fewer when it holds fewer."""
    if isinstance(alphabet, str):
        return alphabet[:count]
    found = [char for char in dict.fromkeys(_PREFERRED + alphabet.include) if in_alphabet(alphabet, char)]
    code, tries = alphabet.low, 0
    while len(found) < count and code <= alphabet.high and tries < 5000:
        char = chr(code)
        if char not in found and in_alphabet(alphabet, char):
            found.append(char)
        code, tries = code + 1, tries + 1
    return "".join(found[:count])


def text_values(spec: Text) -> list[Tagged]:
    """Text of the table that fits, and text made of the alphabet at the ends of the allowed lengths."""
    found = [Tagged(value, kind) for value, kind in _TEXTS if contains(spec, value)]
    pool = letters(spec.alphabet, 12)
    if not pool:
        return found
    lengths = {
        spec.low,
        spec.low + 1,
        spec.low + 2,
        min(spec.high, _LARGE_TEXT) if spec.high is not None else _LARGE_TEXT,
    }
    for length in sorted(lengths):
        for value, kind in ((pool[0] * length, "duplicate"), (_cycle(pool, length), "ordinary")):
            if contains(spec, value):
                found.append(Tagged(value, _by_length(length, kind)))
    return found


def _by_length(length: int, kind: str) -> str:
    return {0: "empty", 1: "single"}.get(length, "large" if length >= 200 else kind)


def _cycle(pool: str, length: int) -> str:
    return (pool * (length // len(pool) + 1))[:length]


def binary_values(low: int, high: int | None) -> list[Tagged]:
    """Bytes: none, zero, all values, no valid text, and many."""
    table = [b"", b"\x00", b"a", b"ab", b"aa", b"\xff\xfe", b"\xc3\xa9", b"\r\n", bytes(range(256)), b"ab" * 500]
    table += [b"a" * low, bytes(i % 256 for i in range(low + 1))]
    table += [b"z" * high] if high is not None and high <= _LARGE_TEXT else []
    kinds = {b"aa": "duplicate", b"\xff\xfe": "unicode", b"\xc3\xa9": "unicode"}
    fitting = [item for item in table if low <= len(item) and (high is None or len(item) <= high)]
    return [Tagged(item, kinds.get(item, _by_length(len(item), "ordinary"))) for item in fitting]


def char_values(spec: Chars) -> list[Tagged]:
    """Some characters of a set."""
    return [Tagged(char, "single" if char.isascii() else "unicode") for char in letters(spec, 20)]
