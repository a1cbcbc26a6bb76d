"""Whether a value lies in a set: yes, no, or not decidable here."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Any

from judge.score.edge.identity import same
from judge.score.edge.spec import (
    Binary,
    Booleans,
    Chars,
    Choice,
    Complexes,
    Dicts,
    Floats,
    Integers,
    Many,
    Permuted,
    Records,
    Regex,
    Text,
    Tuples,
    Union,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from judge.score.edge.spec import Spec
    from judge.score.values import Value

_BOXES: dict[str, type[Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_MOST_COMPARED = 2000


def contains(spec: Spec, value: Value) -> bool | None:
    """Whether the value lies in the set; None where that cannot be told, such as for patterns.

    Types are exact: True is no whole number, and 1 is no float.
    """
    return _TESTS[type(spec)](spec, value)


def _all(answers: Iterable[bool | None]) -> bool | None:
    """False beats unknown, unknown beats true."""
    known = True
    for answer in answers:
        if answer is False:
            return False
        known = known and answer is not None
    return True if known else None


def _sized(low: int, high: int | None, size: int) -> bool:
    return low <= size and (high is None or size <= high)


def _integers(spec: Integers, value: Value) -> bool:
    return type(value) is int and (spec.low is None or value >= spec.low) and (spec.high is None or value <= spec.high)


def _floats(spec: Floats, value: Value) -> bool:
    if type(value) is not float:
        return False
    if math.isnan(value):
        return spec.nan
    if math.isinf(value) and not spec.infinity:
        return False
    if value and abs(value) < 2.2250738585072014e-308 and not spec.subnormal:
        return False
    above = spec.low is None or value > spec.low or (value == spec.low and not spec.open_low)
    below = spec.high is None or value < spec.high or (value == spec.high and not spec.open_high)
    return above and below and _signed_zero(spec, value)


def _signed_zero(spec: Floats, value: float) -> bool:
    """Hypothesis takes an end of 0.0 as without -0.0, and an end of -0.0 as without 0.0."""
    if value != 0:
        return True
    sign = math.copysign(1.0, value)
    low_ok = spec.low is None or spec.low != 0 or sign >= math.copysign(1.0, spec.low)
    high_ok = spec.high is None or spec.high != 0 or sign <= math.copysign(1.0, spec.high)
    return low_ok and high_ok


def in_alphabet(alphabet: Chars | str, char: str) -> bool:
    """Whether a character belongs to an alphabet."""
    if isinstance(alphabet, str):
        return char in alphabet
    if char in alphabet.exclude:
        return False
    if char in alphabet.include:
        return True
    if not alphabet.low <= ord(char) <= alphabet.high:
        return False
    category = unicodedata.category(char)
    wanted = alphabet.categories is None or any(category.startswith(name) for name in alphabet.categories)
    return wanted and not any(category.startswith(name) for name in alphabet.without)


def _chars(spec: Chars, value: Value) -> bool:
    return type(value) is str and len(value) == 1 and in_alphabet(spec, value)


def _text(spec: Text, value: Value) -> bool:
    if type(value) is not str or not _sized(spec.low, spec.high, len(value)):
        return False
    return all(in_alphabet(spec.alphabet, char) for char in dict.fromkeys(value))


def _regex(spec: Regex, value: Value) -> bool | None:
    return None if type(value) is str else False


def _binary(spec: Binary, value: Value) -> bool:
    return type(value) is bytes and _sized(spec.low, spec.high, len(value))


def _choice(spec: Choice, value: Value) -> bool:
    return any(same(value, item) for item in spec.values)


def _many(spec: Many, value: Value) -> bool | None:
    if type(value) is not _BOXES[spec.box] or not _sized(spec.low, spec.high, len(value)):
        return False
    if spec.unique and spec.box in ("list", "tuple") and not _distinct(value):
        return False
    return _all(contains(spec.element, item) for item in value)


def _distinct(value: Any) -> bool:
    try:
        return len(set(value)) == len(value)
    except TypeError:
        return False


def _dicts(spec: Dicts, value: Value) -> bool | None:
    if type(value) is not dict or not _sized(spec.low, spec.high, len(value)):
        return False
    keys = (contains(spec.key, key) for key in value)
    return _all([_all(keys), _all(contains(spec.value, item) for item in value.values())])


def _tuples(spec: Tuples, value: Value) -> bool | None:
    if not isinstance(value, tuple) or len(value) != len(spec.parts):
        return False
    return _all(contains(part, item) for part, item in zip(spec.parts, value, strict=True))


def _records(spec: Records, value: Value) -> bool | None:
    if type(value) is not dict:
        return False
    required, known = dict(spec.required), {**dict(spec.optional), **dict(spec.required)}
    if any(key not in value for key in required) or any(key not in known for key in value):
        return False
    return _all(contains(known[key], item) for key, item in value.items())


def _permuted(spec: Permuted, value: Value) -> bool | None:
    if type(value) is not list or len(value) != len(spec.values):
        return False
    if len(value) > _MOST_COMPARED:
        return None
    left = list(spec.values)
    for item in value:
        place = next((index for index, other in enumerate(left) if same(item, other)), None)
        if place is None:
            return False
        left.pop(place)
    return True


def _union(spec: Union, value: Value) -> bool | None:
    answers: list[bool | None] = [contains(option, value) for option in spec.options]
    if True in answers:
        return True
    return None if None in answers else False


_TESTS: dict[type, Callable[[Any, Value], bool | None]] = {
    Integers: _integers,
    Floats: _floats,
    Complexes: lambda spec, value: type(value) is complex,
    Booleans: lambda spec, value: type(value) is bool,
    Chars: _chars,
    Text: _text,
    Regex: _regex,
    Binary: _binary,
    Choice: _choice,
    Many: _many,
    Dicts: _dicts,
    Tuples: _tuples,
    Records: _records,
    Permuted: _permuted,
    Union: _union,
}
