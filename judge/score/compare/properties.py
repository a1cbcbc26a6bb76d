"""Properties of an output that a suite can name instead of an expected value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from judge.score.compare.digest import digest
from judge.score.suite.model import Compare
from judge.score.values import Subclassed, Value

Arguments = tuple[Value, ...]
Property = Callable[[Arguments, Mapping[str, Value], Value], bool]

_EXACT = Compare(list_type="sequence")


def _bare(value: Value) -> Value:
    return value.value if type(value) is Subclassed else value


def _collection(value: Value) -> Any:
    """The value if it has elements, else None; a dictionary counts as its keys."""
    value = _bare(value)
    return value if type(value) in (list, tuple, set, frozenset, str, bytes, dict) else None


def _subject(args: Arguments, kwargs: Mapping[str, Value]) -> Any:
    """The first argument that has elements."""
    for value in (*args, *kwargs.values()):
        found = _collection(value)
        if found is not None:
            return found
    return None


def _in_order(output: Value, *, falling: bool, strict: bool) -> bool:
    items = _collection(output)
    if items is None or type(items) in (set, frozenset, dict):
        return False
    try:
        for left, right in pairwise(items):
            low, high = (right, left) if falling else (left, right)
            if not (low < high if strict else low <= high):
                return False
    except (TypeError, RecursionError):
        return False
    return True


def _sorted(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    return _in_order(output, falling=False, strict=False)


def _sorted_descending(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    return _in_order(output, falling=True, strict=False)


def _strictly_sorted(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    return _in_order(output, falling=False, strict=True)


def _count(items: Any) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for item in items:
        mark = digest(item, _EXACT)
        found[mark] = found.get(mark, 0) + 1
    return found


def _permutation_of_input(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    items, subject = _collection(output), _subject(args, kwargs)
    return items is not None and subject is not None and _count(items) == _count(subject)


def _subset_of_input(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    items, subject = _collection(output), _subject(args, kwargs)
    if items is None or subject is None:
        return False
    have = _count(subject)
    return all(have.get(mark, 0) >= number for mark, number in _count(items).items())


def _same_length(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    items, subject = _collection(output), _subject(args, kwargs)
    return items is not None and subject is not None and len(items) == len(subject)


def _distinct(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    items = _collection(output)
    return items is not None and len(_count(items)) == len(items)


def _not_none(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> bool:
    return output is not None


PROPERTIES: Mapping[str, Property] = {
    "sorted": _sorted,
    "sorted_descending": _sorted_descending,
    "strictly_sorted": _strictly_sorted,
    "permutation_of_input": _permutation_of_input,
    "subset_of_input": _subset_of_input,
    "same_length": _same_length,
    "distinct": _distinct,
    "not_none": _not_none,
}
"""Name -> whether (args, kwargs, output) has it. "Input" is the first argument that has elements."""
