"""Facts as JSON and back, by the types that their dataclasses declare.

Only plain data is read: numbers, texts, lists and dictionaries become instances of the very classes that were asked
for, so that a stored value can be wrong but never run anything.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

Decoder = Callable[[Any], Any]


class CodecError(Exception):
    """Something that cannot be stored, or what is stored does not have the form it should have."""


def encode(value: object) -> bytes:
    """A value of dataclasses and plain data as JSON.

    Raises:
        CodecError: It holds something that JSON does not.
    """
    import orjson

    try:
        return orjson.dumps(value, default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)
    except (TypeError, ValueError, RecursionError) as error:
        raise CodecError(str(error)) from None


def decode(kind: Any, data: bytes) -> Any:
    """What :func:`encode` made of a value of that type.

    Raises:
        CodecError: It is something else.
    """
    import orjson

    try:
        plain = orjson.loads(data)
    except ValueError as error:
        raise CodecError(str(error)) from None
    return revive(kind, plain)


def revive(kind: Any, plain: object) -> Any:
    """The value of that type that plain data stands for; the data may be taken apart.

    Raises:
        CodecError: It stands for something else.
    """
    try:
        return decoder(kind)(plain)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise CodecError(f"{type(error).__name__}: {error}") from None


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return _getter(type(value))(value)
    if isinstance(value, tuple):
        return tuple(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot store a {type(value).__name__}")


@cache
def _getter(kind: type) -> Callable[[Any], Any]:
    names = [item.name for item in fields(kind)]
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names)


@cache
def decoder(kind: Any) -> Decoder:
    """What turns plain data into a value of that type.

    Raises:
        TypeError: Nothing is known of the type.
    """
    if _is_plain(kind):
        return frozen
    if kind is object:  # left as it is, to be decoded later
        return lambda value: value
    origin, given = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        rest = [item for item in given if item is not type(None)]
        if len(rest) != 1:
            raise TypeError("more than one kind of record")
        inner = decoder(rest[0])
        return lambda value: None if value is None else inner(value)
    if origin in (list, Sequence):
        inner = decoder(given[0])
        return lambda value: [inner(item) for item in _of(list, value)]
    if origin is tuple and len(given) == 2 and given[1] is Ellipsis:
        inner = decoder(given[0])
        return lambda value: tuple([inner(item) for item in _of(list, value)])
    if origin in (dict, Mapping) and given[0] is str:
        inner = decoder(given[1])
        return lambda value: {name: inner(item) for name, item in _of(dict, value).items()}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _record(kind)
    raise TypeError(f"nothing is known of {kind}")


def _is_plain(kind: Any) -> bool:
    """Whether values of a type are numbers, texts, nothing, or tuples of such."""
    if kind in _PLAIN:
        return True
    origin, given = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return all(item in _PLAIN for item in given)
    return origin is tuple and all(item is Ellipsis or _is_plain(item) for item in given)


def frozen(value: Any) -> Any:
    """Plain data with tuples instead of lists."""
    if type(value) is list:
        return tuple([frozen(item) if type(item) is list else item for item in value])
    return value


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value


def _record(kind: Any) -> Decoder:
    """Makes an instance of a class from its values in the order of its fields."""
    hints = typing.get_type_hints(kind)
    names = [item.name for item in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    parts: list[tuple[int, Decoder]] = []
    scalars = sum(hints[name] in _SCALARS for name in names)

    def build(value: Any) -> Any:
        if len(_of(list, value)) != len(names):
            raise ValueError(f"{kind.__name__} with {len(value)} fields")
        if not parts and scalars < len(names):  # only now, because records may hold records of their own kind
            parts.extend((number, decoder(hints[name])) for number, name in enumerate(names))
            parts[:] = [(number, part) for number, part in parts if hints[names[number]] not in _SCALARS]
        for number, part in parts:
            value[number] = part(value[number])
        return kind(*value)

    return build


_SCALARS = (str, int, float, bool, type(None))
_PLAIN = (*_SCALARS, Any)
