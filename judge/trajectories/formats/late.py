"""Items one behind: what is wrong with the end of a file is known before its last item is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def late(items: Iterable[_T]) -> Iterator[_T]:
    """Each item as soon as the one behind it was read, or the end was met and its problems were noted."""
    held: list[_T] = []
    for item in items:
        held.append(item)
        if len(held) > 1:
            yield held.pop(0)
    yield from held
