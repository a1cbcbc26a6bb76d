"""Boundary values of containers, made from those of their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.score.edge.identity import identity
from judge.score.edge.scalars import Tagged
from judge.score.edge.shape import LARGE_BOX
from judge.score.edge.spec import Integers, Many, least
from judge.score.edge.spec import boxes as nesting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.edge.spec import Dicts, Spec
    from judge.score.values import Value

_LARGE = 1000
_LARGE_OF_BOXES = 60
_MOST_PARTS = 3_000
_MOST_ROWS = 300
_MAKE = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def many_values(spec: Many, parts: Sequence[Tagged]) -> list[Tagged]:
    """Empty, one, all equal, ascending, descending, out of order, extreme parts, nested empties, and large ones."""
    sizes = _sizes(spec)
    rows: list[tuple[list[Value], str]] = [([], "empty")]
    rows += [([item.value], "single") for item in _one_of_each(parts)]
    for size in sizes:
        rows += _of_size(spec, parts, size)
    rows += _touching(spec, parts)
    rows += _mixed(spec, parts)
    make: Any = _MAKE[spec.box]
    return [Tagged(make(row), kind) for row, kind in rows if _fits(spec, row) and light(row, spec)]


def light(value: Value, spec: Spec) -> bool:
    """Whether a value has at most some thousand parts more than it must; nested containers would grow without end."""
    if nesting(spec) < 2:
        return True
    most = _MOST_PARTS + 3 * least(spec)
    stack, count = [value], 0
    while stack:
        item = stack.pop()
        inside = [*item, *item.values()] if isinstance(item, dict) else item
        if isinstance(inside, list | tuple | set | frozenset):
            count += len(inside)
            if count > most:
                return False
            stack.extend(inside)
    return True


def _fits(spec: Many, row: list[Value]) -> bool:
    if not spec.low <= len(row) or (spec.high is not None and len(row) > spec.high):
        return False
    if not spec.unique and spec.box in ("list", "tuple"):
        return True
    return len({identity(item) for item in row}) == len(row) == len(set(row))


def _sizes(spec: Many) -> list[int]:
    """Sizes worth asking: small ones, the ends of what is allowed, and a large one."""
    top = _large(spec)
    wanted = {
        2,
        3,
        5,
        spec.low,
        spec.low + 1,
        spec.low + 2,
        top,
        *([] if spec.high is None else [spec.high - 1, spec.high]),
    }
    return sorted(size for size in wanted if 2 <= size <= top and size >= spec.low)


def _large(spec: Many) -> int:
    most = max(_LARGE_OF_BOXES if nesting(spec) > 1 else _LARGE, spec.low)
    return most if spec.high is None else min(most, spec.high)


def _one_of_each(parts: Sequence[Tagged]) -> list[Tagged]:
    kept: dict[str, Tagged] = {}
    for item in parts:
        if not (isinstance(item.value, list | tuple | dict | set | frozenset | str) and len(item.value) >= LARGE_BOX):
            kept.setdefault(item.category, item)
    return list(kept.values())[:5] or list(parts[:1])


def ladder(spec: object, parts: Sequence[Tagged], size: int) -> list[Value]:
    """So many different elements in rising order where the set allows, else what there is, over and over."""
    if isinstance(spec, Integers):
        low = (
            spec.low
            if spec.low is not None
            else (0 if spec.high is None or spec.high >= size else spec.high - size + 1)
        )
        low = 0 if low < 0 and (spec.high is None or spec.high >= size - 1) else low
        if spec.high is None or low + size - 1 <= spec.high:
            return list(range(low, low + size))
    pool = [item.value for item in parts if item.category not in ("large", "extreme")] or [item.value for item in parts]
    pool = _rising(pool)
    return [pool[index % len(pool)] for index in range(size)] if pool else []


def _rising(pool: list[Value]) -> list[Value]:
    try:
        return sorted(pool)
    except TypeError:
        return pool


def _of_size(spec: Many, parts: Sequence[Tagged], size: int) -> list[tuple[list[Value], str]]:
    row = ladder(spec.element, parts, size)
    if not row:
        return []
    large = size >= LARGE_BOX
    middle = row[len(row) // 2]
    rising = _rising(row)
    rows = [([middle] * size, "large" if large else "duplicate")]
    if large:
        return [*rows, (_stirred(row), "large")]
    rows += [(rising, "order"), (rising[::-1], "order")]
    if size > 2:
        rows += [(_stirred(row), "ordinary"), ([row[0], *row[1:-1], row[0]], "duplicate")]
    return rows


def _stirred(row: list[Value]) -> list[Value]:
    """The same elements in neither rising nor falling order, always in the same one."""
    step = next(step for step in (7, 5, 3, 2, 1) if len(row) % step or step == 1)
    return [row[(index * step + 1) % len(row)] for index in range(len(row))]


def _touching(spec: Many, parts: Sequence[Tagged]) -> list[tuple[list[Value], str]]:
    """Lists of pairs that share an end, overlap, or lie within each other: intervals, edges, ranges."""
    rows = [item.value for item in parts if isinstance(item.value, list | tuple) and len(item.value) == 2]
    numbers = [row for row in rows if all(type(part) in (int, float) for part in row)]
    if not numbers or spec.unique:
        return []
    kind = type(numbers[0][0])
    pair: Any = type(numbers[0])
    chains = [
        [(0, 1), (1, 2)],
        [(0, 2), (1, 3)],
        [(0, 9), (2, 3)],
        [(3, 4), (0, 1)],
        [(0, 0), (0, 0)],
        [(0, 1), (2, 3)],
    ]
    return [([pair((kind(a), kind(b))) for a, b in chain], "order") for chain in chains]


def _mixed(spec: Many, parts: Sequence[Tagged]) -> list[tuple[list[Value], str]]:
    """All parts of one kind together, so that an extreme or a non-ASCII part is seen among its fellows."""
    groups: dict[str, list[Value]] = {}
    for item in parts:
        groups.setdefault(item.category, []).append(item.value)
    most = 8 if spec.high is None else min(8, spec.high)
    wanted = ("sign", "extreme", "unicode", "nested", "empty")
    rows = [(groups[kind][:most], "nested" if kind == "empty" else kind) for kind in wanted if groups.get(kind)]
    firsts = [group[0] for group in groups.values()][:most]
    return [*rows, (firsts, "ordinary")]


def tuple_values(places: Sequence[Sequence[Tagged]]) -> list[Tagged]:
    """Each value of each place, the others at their first plain value; and all places alike."""
    if not places:
        return [Tagged((), "empty")]
    if not all(places):
        return []
    plain = [next((item for item in place if item.category == "ordinary"), place[0]) for place in places]
    rows = [Tagged(tuple(item.value for item in plain), "ordinary")]
    for number in range(min(map(len, places))):
        rows.append(Tagged(tuple(place[number].value for place in places), places[0][number].category))
    singles = [(place, number) for number in range(max(map(len, places))) for place in range(len(places))]
    for place, number in singles[:_MOST_ROWS]:
        if number < len(places[place]):
            row = [*plain[:place], places[place][number], *plain[place + 1 :]]
            rows.append(Tagged(tuple(part.value for part in row), places[place][number].category))
    return rows


def dict_values(spec: Dicts, keys: Sequence[Tagged], items: Sequence[Tagged]) -> list[Tagged]:
    """Empty, one entry, all values equal, each kind of key and value, and large."""
    if not keys or not items:
        return [Tagged({}, "empty")]
    rows = [Tagged({}, "empty")]
    rows += [Tagged({key.value: items[0].value}, "single") for key in _one_of_each(keys)]
    rows += [Tagged({keys[0].value: item.value}, item.category) for item in _one_of_each(items)]
    for size in sorted({2, 3, 5, spec.low, spec.low + 1, *([] if spec.high is None else [min(spec.high, _LARGE)])}):
        names = ladder(spec.key, keys, size)
        rising = ladder(spec.value, items, size)
        rows.append(Tagged(dict.fromkeys(names, items[0].value), "duplicate"))
        rows.append(Tagged(dict(zip(names, rising, strict=True)), "order"))
        rows.append(Tagged(dict(zip(names, rising[::-1], strict=True)), "order"))
    names = ladder(spec.key, keys, _LARGE)
    if isinstance(spec.key, Integers):
        rows.append(Tagged(dict(zip(names, ladder(spec.value, items, _LARGE), strict=True)), "large"))
    for kind in ("unicode", "extreme"):
        chosen = [item.value for item in keys if item.category == kind][:6]
        rows.append(Tagged(dict(zip(chosen, ladder(spec.value, items, len(chosen)), strict=True)), kind))
    return rows


def record_values(
    required: Sequence[tuple[Value, Sequence[Tagged]]], optional: Sequence[tuple[Value, Sequence[Tagged]]]
) -> list[Tagged]:
    """Each value of each key at least once; with and without the keys that may be missing."""
    keys = [key for key, _ in required]
    further = [key for key, _ in optional]
    rows = []
    for row in tuple_values([part for _, part in required]):
        rows.append(Tagged(dict(zip(keys, row.value, strict=True)), row.category))
    if further:
        for row in tuple_values([part for _, part in [*required, *optional]]):
            rows.append(Tagged(dict(zip([*keys, *further], row.value, strict=True)), row.category))
    return rows
