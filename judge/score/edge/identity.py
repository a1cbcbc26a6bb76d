"""When two inputs are one and the same: exact types, exact values, so that 1, True and 1.0 differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.score.compare.digest import digest
from judge.score.suite.model import Compare

if TYPE_CHECKING:
    from judge.score.values import Value

_EXACT = Compare(dict_order="strict", signed_zero="strict", dict_type="strict")
_SCALARS = (int, str, bytes, bool, type(None))


def identity(value: Value) -> bytes:
    """A short key, equal for equal values only; its cost grows with the size of the value, its length does not."""
    return digest(value, _EXACT)


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same in type and content; NaN is itself, and 0.0 is not -0.0."""
    if type(one) is not type(other):
        return False
    if type(one) in _SCALARS:
        return bool(one == other)
    return identity(one) == identity(other)
