"""Pairs the elements of two collections whose order does not count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from judge.score.compare.digest import digest
from judge.score.suite.model import Compare
from judge.score.values import Subclassed, Value

_MOST_SQUARE = 300
"""Elements up to which the best assignment is searched (each against each)."""
_MOST_WORK = 3_000_000
"""Parts that such a search may look at in the worst case."""

_ORDERED = 5000
"""Parts of an element that tell its place in order."""


def pair_up(
    output: list[Value], expected: list[Value], rules: Compare, inexact: bool, same: Callable[[Value, Value], bool]
) -> tuple[list[Value], list[Value]]:
    """What of ``output`` is too much and what of ``expected`` is missing; both empty when they hold the same.

    Without tolerances by digest, in linear time. With them by the best assignment of each to each (so that a close
    pair never takes the partner of another); floats alone, and more than 300 or large elements, are paired in order
    of size.
    """
    spare, missing = _by_digest(output, expected, rules)
    if not inexact or not spare or not missing:
        return spare, missing
    if all(type(item) is float for item in (*output, *expected)):
        return _in_order(output, expected, same)
    if max(len(output), len(expected)) <= _MOST_SQUARE and len(output) * _parts(expected) <= _MOST_WORK:
        return _assign(output, expected, same)
    return _in_order(spare, missing, same)


def _parts(value: Value) -> int:
    """How many values it holds, itself included; counting ends where there are too many."""
    count = 0
    stack = [value]
    while stack and count <= _MOST_WORK:
        item = stack.pop()
        item = item.value if isinstance(item, Subclassed) else item
        count += 1
        if isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list | tuple | set | frozenset):
            stack.extend(item)
    return count


def _by_digest(output: list[Value], expected: list[Value], rules: Compare) -> tuple[list[Value], list[Value]]:
    waiting: dict[bytes, list[Value]] = defaultdict(list)
    for item in expected:
        waiting[digest(item, rules)].append(item)
    spare = []
    for item in output:
        partners = waiting.get(digest(item, rules))
        if partners:
            partners.pop()
        else:
            spare.append(item)
    return spare, [item for partners in waiting.values() for item in partners]


def _in_order(
    output: list[Value], expected: list[Value], same: Callable[[Value, Value], bool]
) -> tuple[list[Value], list[Value]]:
    left, right = sorted(output, key=_size), sorted(expected, key=_size)
    unlike = [(a, b) for a, b in zip(left, right, strict=False) if not same(a, b)]
    short = min(len(left), len(right))
    return [a for a, _ in unlike] + left[short:], [b for _, b in unlike] + right[short:]


def _size(value: Value) -> tuple[Any, ...]:
    """Orders values by their numbers, rounded so that close ones are equal, and texts, in reading order."""
    parts: list[tuple[int, Any]] = []
    stack = [value]
    while stack and len(parts) < _ORDERED:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(part for pair in reversed(item.items()) for part in reversed(pair))
        elif isinstance(item, list | tuple):
            stack.extend(reversed(item[:_ORDERED]))
        elif isinstance(item, int | float):
            parts.append((1, float(f"{item:.6g}") if isinstance(item, float) else item) if item == item else (0, 0))
        elif isinstance(item, str):
            parts.append((2, item))
        else:
            parts.append((3, type(item).__name__))
    return tuple(parts)


def _assign(
    output: list[Value], expected: list[Value], same: Callable[[Value, Value], bool]
) -> tuple[list[Value], list[Value]]:
    """A largest matching by augmenting paths."""
    close = [[j for j, b in enumerate(expected) if same(a, b)] for a in output]
    owner: dict[int, int] = {}
    for start in range(len(output)):
        _augment(start, close, owner)
    taken = set(owner.values())
    return (
        [item for i, item in enumerate(output) if i not in taken],
        [item for j, item in enumerate(expected) if j not in owner],
    )


def _augment(start: int, close: list[list[int]], owner: dict[int, int]) -> None:
    """Gives ``start`` a partner, moving the partners of others where that frees one (breadth first)."""
    came_from: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in close[i]:
            if j in came_from:
                continue
            came_from[j] = i
            if j in owner:
                queue.append(owner[j])
                continue
            _flip(j, start, came_from, owner)
            return


def _flip(free: int, start: int, came_from: dict[int, int], owner: dict[int, int]) -> None:
    previous = {i: j for j, i in owner.items()}
    j: int | None = free
    while j is not None:
        i = came_from[j]
        following = None if i == start else previous[i]
        owner[j] = i
        j = following
