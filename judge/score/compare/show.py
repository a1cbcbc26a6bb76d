"""A ``repr`` with a bounded length that never recurses and is the same in every process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from judge.score.values import Opaque, Subclassed, Value

_MOST_BITS = 8000
"""Integers beyond this are described: their decimal digits cost quadratic time and Python refuses them."""
_SORTED = 500
"""Elements of a set that are put in order; of a larger one only its size is shown."""
_CUT = "…"
_OPEN: dict[Any, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}
_EMPTY: dict[Any, str] = {list: "[]", tuple: "()", set: "set()", frozenset: "frozenset()", dict: "{}"}


def show(value: Value, limit: int = 200) -> str:
    """The value as Python would write it, cut to ``limit`` characters with an ellipsis.

    Sets are shown in a fixed order; huge integers and large sets are described.
    """
    parts: list[str] = []
    length = 0
    for piece in _pieces(value, limit):
        parts.append(piece)
        length += len(piece)
        if length > limit:
            return "".join(parts)[: max(limit - 1, 0)] + _CUT
    return "".join(parts)


def _pieces(value: Value, limit: int) -> Iterator[str]:
    stack: list[Iterator[Any]] = [iter((value,))]
    while stack:
        item = next(stack[-1], _END)
        if item is _END:
            stack.pop()
        elif type(item) is _Raw:
            yield item.text
        elif type(item) in _OPEN:
            if item:
                stack.append(_inside(item, limit))
            else:
                yield _EMPTY[type(item)]
        elif type(item) is Subclassed:
            stack.append(iter((_Raw(f"{item.type_name[:100]}("), item.value, _Raw(")"))))
        else:
            yield _scalar(item, limit)


class _Raw:
    """Text that is printed as it is."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


_END = _Raw("")
_COMMA = _Raw(", ")
_COLON = _Raw(": ")


def _inside(box: Any, limit: int) -> Iterator[Any]:
    """What stands between the brackets, brackets included."""
    opening, closing = _OPEN[type(box)]
    yield _Raw(opening)
    if isinstance(box, dict):
        for index, (key, value) in enumerate(box.items()):
            if index:
                yield _COMMA
            yield key
            yield _COLON
            yield value
    elif isinstance(box, set | frozenset) and len(box) > _SORTED:
        yield _Raw(f"{len(box)} elements")
    else:
        ordered = _in_order(box, limit) if isinstance(box, set | frozenset) else box
        for index, item in enumerate(ordered):
            if index:
                yield _COMMA
            yield item
        if isinstance(box, tuple) and len(box) == 1:
            yield _Raw(",")
    yield _Raw(closing)


def _in_order(box: set[Any] | frozenset[Any], limit: int) -> list[Any]:
    if all(type(item) in (int, float, bool) for item in box):
        return sorted(box)
    if all(type(item) is str for item in box):
        return sorted(box)
    return sorted(box, key=lambda item: "".join(islice(_pieces(item, min(limit, 80)), 40)))


def _scalar(item: Any, limit: int) -> str:
    kind = type(item)
    if kind is int and item.bit_length() > _MOST_BITS:
        return f"<int of {item.bit_length()} bits>"
    if kind is str or kind is bytes:
        return repr(item[: limit + 1]) if len(item) > limit else repr(item)
    if kind is Opaque:
        return f"<{item.type_name[:100]} {item.text[:limit]}>"
    if kind in (type(None), bool, int, float, complex):
        return repr(item)
    return f"<{kind.__name__}>"


def show_key(key: Value) -> str:
    """A step of a path: ``.name`` for a key that is a plain name, else ``[key]``."""
    if type(key) is str and key.isidentifier() and key.isascii() and len(key) <= 60:
        return f".{sys.intern(key)}"
    return f"[{show(key, 60)}]"
