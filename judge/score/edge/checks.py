"""Checks of what is written within the calls of a domain; each fault knows its place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from judge.score.edge.literals import Unreadable
from judge.score.edge.spec import Booleans, Choice, Dicts, Integers, Many, Permuted, Records, Spec, Tuples, Union

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

_MOST_SIZE = 100_000
_CATEGORIES = frozenset(
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn".split()
)


def whole(node: ast.AST, named: Mapping[str, Any], key: str) -> int | None:
    """A whole number or nothing."""
    value = named.get(key)
    if value is not None and type(value) is not int:
        raise Unreadable(f"{key} is not a whole number", node)
    return value


def real(node: ast.AST, named: Mapping[str, Any], key: str) -> float | None:
    """A number as a float, or nothing."""
    value = named.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or (isinstance(value, float) and math.isnan(value)):
        raise Unreadable(f"{key} is not a number", node)
    try:
        return float(value)
    except OverflowError:
        raise Unreadable(f"{key} is too large for a float", node) from None


def flag(node: ast.AST, named: Mapping[str, Any], key: str, default: bool) -> bool:
    """True or False."""
    value = named.get(key)
    if value is None:
        return default
    if type(value) is not bool:
        raise Unreadable(f"{key} is neither True nor False", node)
    return value


def sizes(node: ast.AST, named: Mapping[str, Any]) -> tuple[int, int | None]:
    """Smallest and largest size."""
    low = whole(node, named, "min_size") or 0
    high = whole(node, named, "max_size")
    if low < 0 or (high is not None and high < low):
        raise Unreadable(f"no size is from {low} to {high}", node)
    if low > _MOST_SIZE:
        raise Unreadable(f"min_size is above {_MOST_SIZE}", node)
    return low, high


def category_names(node: ast.AST, named: Mapping[str, Any], *keys: str) -> tuple[str, ...] | None:
    """Names of Unicode categories, or nothing."""
    value = next((named[key] for key in keys if named.get(key) is not None), None)
    if value is None:
        return None
    if not isinstance(value, list | tuple | set) or not all(isinstance(item, str) for item in value):
        raise Unreadable(f"{keys[0]} is not a list of names", node)
    wrong = sorted(item for item in value if item not in _CATEGORIES and item != "Cs")
    if wrong:
        raise Unreadable(f"{wrong[0]!r} is no Unicode category", node)
    return tuple(sorted(value))


def letters(node: ast.AST, named: Mapping[str, Any], *keys: str) -> str:
    """Characters as text."""
    value = next((named[key] for key in keys if named.get(key) is not None), "")
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        value = "".join(value)
    if not isinstance(value, str):
        raise Unreadable(f"{keys[0]} is not text", node)
    return value


def hashable(spec: Spec) -> bool:
    """Whether all values can be keys."""
    if isinstance(spec, Many):
        return spec.box in ("tuple", "frozenset") and hashable(spec.element)
    if isinstance(spec, Tuples):
        return all(map(hashable, spec.parts))
    if isinstance(spec, Union):
        return all(map(hashable, spec.options))
    if isinstance(spec, Choice):
        return all(_can_hash(value) for value in spec.values)
    return not isinstance(spec, Dicts | Records | Permuted)


def _can_hash(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def count(spec: Spec) -> int | None:
    """How many different values there are at most; None for many."""
    if isinstance(spec, Integers) and spec.low is not None and spec.high is not None:
        return spec.high - spec.low + 1
    if isinstance(spec, Booleans):
        return 2
    if isinstance(spec, Choice):
        return len(spec.values)
    if isinstance(spec, Union):
        counts = [count(option) for option in spec.options]
        return None if None in counts else sum(cast("list[int]", counts))
    return None


def sequence(node: ast.AST, value: Any, name: str) -> tuple[Any, ...]:
    """Values in a fixed order."""
    if isinstance(value, set):
        raise Unreadable(f"{name} takes a list, since the order of a set is not fixed", node)
    if not isinstance(value, list | tuple | str | dict):
        raise Unreadable(f"{name} takes a list of values", node)
    return tuple(value)
