"""What can cross the pipe to a worker: plain data, and stand-ins for all else.

Values are ordinary Python objects of exactly these types: None, bool, int, float, complex, str, bytes, list, tuple,
dict, set, frozenset, and the two stand-ins below. Nothing here has code of the submission behind it, so ``==`` on
parts cannot lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Value = Any
"""One of the types above, nested."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object that is no plain data.

    Attributes:
        type_name: Its type, such as ``collections.deque``.
        text: Its ``repr``, cut.
    """

    type_name: str
    text: str


@dataclass(frozen=True, slots=True)
class Subclassed:
    """An instance of a subclass of a plain type (named tuple, ``defaultdict``, enum of int), with its plain value.

    Attributes:
        type_name: The subclass, such as ``collections.OrderedDict``.
        value: The same content as the plain type.
    """

    type_name: str
    value: Value

    def __hash__(self) -> int:
        """By type and value; by type only where the value has none, such as a list."""
        try:
            return hash((self.type_name, self.value))
        except TypeError:
            return hash(self.type_name)


def plain(value: Value, depth: int = 200) -> Value:
    """The value with instances of subclasses of plain types taken for what they hold; deeper parts stay as they are."""
    if type(value) is Subclassed:
        value = value.value
    if depth and type(value) in (list, tuple, set, frozenset):
        return type(value)(plain(item, depth - 1) for item in value)
    if depth and type(value) is dict:
        return {plain(key, depth - 1): plain(item, depth - 1) for key, item in value.items()}
    return value
