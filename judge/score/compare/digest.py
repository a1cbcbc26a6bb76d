"""One hash for all values that are equal under a suite's rules without tolerances.

It stands in for dictionary keys, elements of sets and lists without order, however deep they are: Python's own
``hash`` and ``==`` recurse, and take True for 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count
from typing import Any

from judge.score.suite.model import Compare
from judge.score.values import Opaque, Subclassed, Value

_BOXES = (list, tuple, dict, set, frozenset)
_unequal = count()
"""Gives every NaN that equals no other a number of its own."""


def digest(value: Value, rules: Compare) -> bytes:
    """The hash; equal exactly when the values are (up to a collision of 128 bits)."""
    results: list[list[bytes]] = [[]]
    stack: list[tuple[Value, Iterator[Value]]] = []
    pending: Any = value
    while True:
        pending = _plain(pending, rules)
        if type(pending) in _BOXES:
            stack.append((pending, _children(pending)))
            results.append([])
        else:
            results[-1].append(_leaf(pending, rules))
        while stack:
            box, children = stack[-1]
            following = next(children, _END)
            if following is not _END:
                pending = following
                break
            stack.pop()
            parts = results.pop()
            results[-1].append(_join(box, parts, rules))
        else:
            return results[0][0]


def named_apart(type_name: str, rules: Compare) -> bool:
    """Whether a stand-in is of a type that merely looks like a list or bytes, and that counts."""
    return rules.list_type == "strict" and type_name in (
        "collections.deque",
        "deque",
        "bytearray",
        "builtins.bytearray",
    )


_END = object()


def _plain(value: Value, rules: Compare) -> Value:
    """Without the name of a subclass where it does not count."""
    depth = 0
    while type(value) is Subclassed and depth < 8:
        if named_apart(value.type_name, rules) or (rules.dict_type == "strict" and type(value.value) is dict):
            if type(value.value) is not dict:
                return (Opaque("subclass", value.type_name), value.value)
            return (Opaque("subclass", value.type_name), list(value.value.items()))
        value = value.value
        depth += 1
    return value


def _children(box: Any) -> Iterator[Value]:
    if isinstance(box, dict):
        for key, item in box.items():
            yield key
            yield item
    else:
        yield from box


def _join(box: Any, parts: list[bytes], rules: Compare) -> bytes:
    kind = type(box)
    if kind is dict:
        pairs = [parts[i] + parts[i + 1] for i in range(0, len(parts), 2)]
        return _hash(b"d", pairs if rules.dict_order == "strict" else sorted(pairs))
    if kind in (set, frozenset):
        mark = b"s" if kind is set or rules.list_type == "sequence" else b"z"
        return _hash(mark, sorted(parts))
    mark = b"l" if kind is list or rules.list_type == "sequence" else b"t"
    return _hash(mark, parts)


def _leaf(value: Any, rules: Compare) -> bytes:
    kind = type(value)
    if kind is bool and rules.bool_as_int:
        value, kind = int(value), int
    if kind is float:
        return _float(value, rules)
    if kind is int:
        return _hash(b"i", (value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True),))
    if kind is complex:
        parts = (_float(part, rules) for part in (value.real, value.imag))
        return _hash(b"c", parts)
    if kind is str:
        return _hash(b"u", (value.encode("utf-8", "surrogatepass"),))
    if kind is bytes:
        return _hash(b"b", (value,))
    if kind is Opaque:
        return _hash(b"o", (repr((value.type_name, value.text)).encode("utf-8", "surrogatepass"),))
    return _hash(b"x", (repr(value).encode(),))


def _float(value: float, rules: Compare) -> bytes:
    if math.isnan(value):
        return _hash(b"n", () if rules.nan_equal else (str(next(_unequal)).encode(),))
    if value == 0 and rules.signed_zero == "strict" and math.copysign(1.0, value) < 0:
        return _hash(b"-", ())
    if rules.int_float == "equal" and value.is_integer():
        return _leaf(int(value), rules)
    return _hash(b"f", ((value + 0.0).hex().encode(),))


def _hash(mark: bytes, parts: Iterable[bytes]) -> bytes:
    running = blake2b(mark, digest_size=16)
    for part in parts:
        running.update(len(part).to_bytes(8, "little"))
        running.update(part)
    return running.digest()
