"""Holds an output against what is expected, part by part, and says where they first differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from judge.score.compare.digest import digest, named_apart
from judge.score.compare.matching import pair_up
from judge.score.compare.scalars import same_scalar
from judge.score.compare.show import show, show_key
from judge.score.compare.verdict import RIGHT, Verdict
from judge.score.suite.model import Compare
from judge.score.values import Opaque, Subclassed, Value

_SEQUENCES = (list, tuple)
_SETS = (set, frozenset)
_ATOMS = (int, str, float, bool, bytes, type(None))
_SHOWN = 80
_DEEPEST_MATCH = 12
"""Sets with tolerance inside sets with tolerance: deeper ones are compared exactly."""
_ABSENT = object()


class Step(NamedTuple):
    """A path as a chain, so that a deep value costs no more than a flat one."""

    parent: Step | None
    text: str | int


class _Pair(NamedTuple):
    """Two values that must be equal."""

    path: Step | None
    output: Any
    expected: Any


class _Walk(NamedTuple):
    """What holds for one whole comparison."""

    rules: Compare
    depth: int


def equal(output: Value, expected: Value, rules: Compare) -> Verdict:
    """Whether ``output`` is what was ``expected`` under ``rules``.

    Both are plain data (see :mod:`judge.score.values`); nothing of the submission runs. Differences deep inside are
    found without recursion, and the first one in reading order is reported with its path.
    """
    return _equal(output, expected, _Walk(rules, 0), outermost=True)


def _equal(output: Value, expected: Value, walk: _Walk, *, outermost: bool) -> Verdict:
    stack: list[Iterator[_Pair]] = [iter((_Pair(None, output, expected),))]
    while stack:
        pair = next(stack[-1], None)
        if pair is None:
            stack.pop()
            continue
        found = _compare(pair, walk, unordered=outermost and pair.path is None and walk.rules.unordered)
        if isinstance(found, Verdict):
            if not found.ok:
                return _located(pair.path, found.reason)
        else:
            stack.append(found)
    return RIGHT


def _located(path: Step | None, reason: str) -> Verdict:
    texts: list[str] = []
    while path is not None:
        texts.append(f"[{path.text}]" if isinstance(path.text, int) else path.text)
        path = path.parent
    if len(texts) > 12:
        texts = [*texts[:6], f"…({len(texts) - 12} more)…", *texts[-6:]]
    where = "".join(reversed(texts)).removeprefix(".")
    if not where:
        return Verdict(False, reason)
    return Verdict(False, f"{where} {reason}" if reason.startswith("is ") else f"{where}: {reason}")


def _compare(pair: _Pair, walk: _Walk, *, unordered: bool) -> Verdict | Iterator[_Pair]:
    """The verdict on a pair, or the pairs of its parts."""
    rules = walk.rules
    output, named = _bare(pair.output)
    expected, wanted = _bare(pair.expected)
    if named != wanted and _names_count(output, named, expected, wanted, rules):
        return _unlike(pair)
    if _sequences(output, expected, rules):
        if unordered:
            return _without_order(output, expected, walk)
        return _items(pair.path, output, expected)
    if type(output) is dict and type(expected) is dict:
        return _entries(pair.path, output, expected, walk)
    if type(output) in _SETS and type(expected) in _SETS:
        if type(output) is not type(expected) and rules.list_type == "strict":
            return _unlike(pair)
        return _without_order(output, expected, walk)
    if rules.set_as_list and {type(output) in _SETS, type(expected) in _SETS} == {True, False}:
        both = type(output) in (*_SETS, *_SEQUENCES) and type(expected) in (*_SETS, *_SEQUENCES)
        return _without_order(output, expected, walk) if both else _unlike(pair)
    return _leaves(pair, output, expected, rules)


def _names_count(output: Value, named: str, expected: Value, wanted: str, rules: Compare) -> bool:
    """Whether two values of differently named types differ for that alone."""
    if rules.dict_type == "strict" and dict in (type(output), type(expected)):
        return True
    return named_apart(named, rules) or named_apart(wanted, rules)


def _leaves(pair: _Pair, output: Value, expected: Value, rules: Compare) -> Verdict:
    boxes = (*_SEQUENCES, *_SETS, dict, Subclassed)
    if type(output) in boxes or type(expected) in boxes:
        return _unlike(pair)
    if type(output) is Opaque or type(expected) is Opaque:
        same = type(output) is type(expected) and output == expected
        return RIGHT if same else _unlike(pair)
    return RIGHT if same_scalar(output, expected, rules) else _unlike(pair)


def _bare(value: Value) -> tuple[Value, str]:
    """The plain value and the name of its subclass, if it has one."""
    name = ""
    for _ in range(8):
        if type(value) is not Subclassed:
            break
        name = name or value.type_name
        value = value.value
    return value, name


def _sequences(output: Value, expected: Value, rules: Compare) -> bool:
    kinds = (type(output), type(expected))
    if not all(kind in _SEQUENCES for kind in kinds):
        return False
    return rules.list_type == "sequence" or kinds[0] is kinds[1]


def _items(path: Step | None, output: Any, expected: Any) -> Iterator[_Pair] | Verdict:
    return (
        _Pair(Step(path, index), left, right)
        for index, (left, right) in enumerate(zip_longest(output, expected, fillvalue=_ABSENT))
        if not _alike(left, right)
    )


def _alike(left: Any, right: Any) -> bool:
    """Whether two parts are equal under all rules, seen at a glance; a zero has a sign."""
    kind = type(left)
    return kind is type(right) and kind in _ATOMS and bool(left == right) and not (kind is float and left == 0)


def _entries(path: Step | None, output: Any, expected: Any, walk: _Walk) -> Iterator[_Pair] | Verdict:
    """Keys are compared exactly (tolerances are for values), by their digest."""
    given = {_mark(key, walk.rules): key for key in output}
    wanted = {_mark(key, walk.rules): key for key in expected}
    if len(given) < len(output) or len(wanted) < len(expected):
        # Keys that Python tells apart and the rules do not, such as two NaN: as pairs without order.
        return _without_order(list(output.items()), list(expected.items()), walk)
    return _by_key(path, output, expected, given, wanted, walk.rules)


def _mark(key: Value, rules: Compare) -> str | bytes:
    return key if type(key) is str else digest(key, rules)


def _by_key(
    path: Step | None, output: Any, expected: Any, given: dict[Any, Any], wanted: dict[Any, Any], rules: Compare
) -> Iterator[_Pair]:
    for mark, key in wanted.items():
        found = output[given[mark]] if mark in given else _ABSENT
        yield _Pair(Step(path, show_key(key)), found, expected[key])
    for mark, key in given.items():
        if mark not in wanted:
            yield _Pair(Step(path, show_key(key)), output[key], _ABSENT)
    if rules.dict_order == "strict" and list(given) != list(wanted):
        yield _Pair(path, _KeyOrder(list(output)), _KeyOrder(list(expected)))


class _KeyOrder(NamedTuple):
    """Stands for the keys of a dictionary that are right but for their order."""

    keys: list[Value]


def _without_order(output: Any, expected: Any, walk: _Walk) -> Verdict:
    rules = walk.rules
    left, right = list(output), list(expected)
    inexact = bool(rules.rel_tol or rules.abs_tol) and walk.depth < _DEEPEST_MATCH
    inner = _Walk(rules, walk.depth + 1)
    spare, missing = pair_up(left, right, rules, inexact, lambda a, b: _equal(a, b, inner, outermost=False).ok)
    if not spare and not missing:
        return RIGHT
    parts = [f"{show(missing[0], _SHOWN)} is missing"] if missing else []
    if spare:
        parts.append(f"{show(spare[0], _SHOWN)} is too much")
    more = max(len(missing), len(spare)) - 1
    return Verdict(False, " and ".join(parts) + (f" (and {more} more)" if more > 0 else ""))


def _unlike(pair: _Pair) -> Verdict:
    output, expected = pair.output, pair.expected
    if output is _ABSENT:
        return Verdict(False, f"is missing: {show(expected, _SHOWN)}")
    if expected is _ABSENT:
        return Verdict(False, f"is too much: {show(output, _SHOWN)}")
    if type(output) is _KeyOrder and type(expected) is _KeyOrder:
        return Verdict(
            False, f"the keys stand in the order {show(output.keys, _SHOWN)}, not {show(expected.keys, _SHOWN)}"
        )
    left, right = show(output, _SHOWN), show(expected, _SHOWN)
    if _kind(output) == _kind(expected):
        if left == right:
            return Verdict(False, f"{left} differs from what is expected{_first_difference(output, expected)}")
        return Verdict(False, f"{left} is not {right}{_first_difference(output, expected)}")
    return Verdict(False, f"{left} ({_kind(output)}) is not {right} ({_kind(expected)})")


def _first_difference(output: Value, expected: Value) -> str:
    if type(output) is not type(expected) or type(output) not in (str, bytes) or max(len(output), len(expected)) < 20:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(output, expected, strict=False)) if a != b), None)
    at = min(len(output), len(expected)) if at is None else at
    return f", from character {at}: {show(output[at : at + 20], 40)}, not {show(expected[at : at + 20], 40)}"


def _kind(value: Value) -> str:
    if type(value) in (Subclassed, Opaque):
        return str(value.type_name)[:100]
    return "None" if value is None else type(value).__name__
