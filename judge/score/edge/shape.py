"""Which kinds of edge case an input is, told from its shape alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from judge.score.edge.identity import identity

if TYPE_CHECKING:
    from judge.score.values import Value

CATEGORIES = (
    "large",
    "nested",
    "extreme",
    "unicode",
    "empty",
    "duplicate",
    "order",
    "sign",
    "single",
    "ordinary",
)
"""All kinds, the most telling first: an input that is several is counted under the first of them."""
LARGE_BOX = 50
"""Elements from which a container is large."""
LARGE_TEXT = 200
"""Characters or bytes from which text is large."""
_EXTREME = 2**31
_TINY = 1e-300
_MOST_LOOKED_AT = 2000
_DEEP = 4


def primary(kinds: Iterable[str]) -> str:
    """The one kind under which an input is counted."""
    found = set(kinds)
    named = next((kind for kind in CATEGORIES if kind in found and kind != "ordinary"), "")
    return named or next(iter(sorted(found - {"ordinary"})), "ordinary")


def kinds_of_call(args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> tuple[str, ...]:
    """The kinds of a whole input, in the order of `CATEGORIES`; ``ordinary`` when it is none."""
    found: set[str] = set()
    for value in [*args, *kwargs.values()]:
        found |= kinds_of(value)
    return tuple(kind for kind in CATEGORIES if kind in found) or ("ordinary",)


def kinds_of(value: Value) -> set[str]:
    """The kinds of one argument; an argument of a million elements is judged by its first two thousand."""
    kinds: set[str] = set()
    _own(value, kinds, top=True)
    stack: list[tuple[Value, int]] = [(value, 0)]
    seen = 0
    while stack and seen < _MOST_LOOKED_AT:
        item, depth = stack.pop()
        for inner in _inside(item):
            seen += 1
            _own(inner, kinds, top=False)
            if isinstance(inner, list | tuple | set | frozenset | dict):
                if not inner or depth + 1 >= _DEEP:
                    kinds.add("nested")
                stack.append((inner, depth + 1))
    return kinds


def _inside(value: Any) -> list[Value]:
    if isinstance(value, dict):
        return [part for pair in islice(value.items(), _MOST_LOOKED_AT // 2) for part in pair]
    if isinstance(value, list | tuple | set | frozenset):
        return list(islice(value, _MOST_LOOKED_AT))
    return []


def _own(value: Value, kinds: set[str], *, top: bool) -> None:
    if isinstance(value, bool):
        return
    if value is None:
        kinds |= {"empty"} if top else set()
    elif isinstance(value, int | float | complex):
        _number(value, kinds)
    elif isinstance(value, str | bytes):
        _text(value, kinds, top)
    elif isinstance(value, list | tuple | dict | set | frozenset):
        _box(value, kinds, top)


def _number(value: complex, kinds: set[str]) -> None:
    parts = (value.real, value.imag) if isinstance(value, complex) else (value,)
    for part in parts:
        if part < 0 or (part == 0 and isinstance(part, float) and math.copysign(1.0, part) < 0):
            kinds.add("sign")
        size = abs(part)
        if size != size or size >= _EXTREME or (isinstance(part, float) and 0 < size < _TINY):
            kinds.add("extreme")


def _text(value: str | bytes, kinds: set[str], top: bool) -> None:
    if not value:
        kinds.add("empty")
    elif len(value) == 1 and top:
        kinds.add("single")
    if len(value) >= LARGE_TEXT:
        kinds.add("large")
    if isinstance(value, str) and not value.isascii():
        kinds.add("unicode")


def _box(value: Any, kinds: set[str], top: bool) -> None:
    if len(value) >= LARGE_BOX:
        kinds.add("large")
    if not top:
        return
    if len(value) == 0:
        kinds.add("empty")
    elif len(value) == 1:
        kinds.add("single")
    elif isinstance(value, list):
        _sequence(value[:_MOST_LOOKED_AT], kinds)


def _sequence(items: list[Value], kinds: set[str]) -> None:
    if len({identity(item) for item in items}) < len(items):
        kinds.add("duplicate")
    if len(items) < 3:
        return
    try:
        ups = [bool(one <= other) for one, other in pairwise(items)]
        downs = [bool(one >= other) for one, other in pairwise(items)]
    except (TypeError, RecursionError):
        return
    if all(ups) != all(downs):
        kinds.add("order")
