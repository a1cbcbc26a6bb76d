"""Combining the boundary values of several parameters into few inputs that still meet each other."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

from judge.score.edge.identity import identity
from judge.score.edge.inputs import EdgeInput, assemble
from judge.score.edge.shape import CATEGORIES, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from judge.score.edge.scalars import Tagged
    from judge.score.edge.signature import Parameter

Row = tuple[int, ...]


class Choices(NamedTuple):
    """A parameter with the values it may take."""

    parameter: Parameter
    values: tuple[Tagged, ...]


def combine(
    parameters: Sequence[Choices], strategy: Literal["product", "pairwise", "sample"], most: int, seed: int
) -> list[EdgeInput]:
    """At most so many inputs, without repetitions, the same for a seed everywhere.

    ``product`` and ``pairwise`` give every combination where there is room for all. Otherwise both see to it that every
    value occurs, then that every pair of values does, as far as there is room. ``sample`` draws combinations.

    Args:
        parameters: Each with its values; an input needs one of each.
        strategy: How to combine.
        most: Inputs at most.
        seed: Of what is drawn.
    """
    sizes = [len(choices.values) for choices in parameters]
    if not all(sizes):
        return []
    rows: Iterable[Row]
    if math.prod(sizes) <= most:
        rows = product(*map(range, sizes))
    elif strategy == "sample":
        rows = _sampled(sizes, seed)
    else:
        rows = pairwise_rows(sizes, most, [_turns(choices.values) for choices in parameters])
    return _inputs(parameters, rows, most)


def _inputs(parameters: Sequence[Choices], rows: Iterable[Row], most: int) -> list[EdgeInput]:
    found: dict[bytes, EdgeInput] = {}
    for row in rows:
        if len(found) >= most:
            break
        chosen = [choices.values[index] for choices, index in zip(parameters, row, strict=True)]
        args, kwargs = assemble([choices.parameter for choices in parameters], [item.value for item in chosen])
        kinds = {item.category for item in chosen} - {"left out"} or {"ordinary"}
        known = tuple(kind for kind in CATEGORIES if kind in kinds)
        every = known + tuple(sorted(kinds.difference(known)))
        found.setdefault(identity((args, kwargs)), EdgeInput(args, kwargs, primary(kinds), "boundary", every))
    return list(found.values())


def _turns(values: Sequence[Tagged]) -> list[int]:
    """The places of the values with the kinds taking turns, so that whatever is cut off, each kind stays."""
    queues: dict[str, list[int]] = {}
    for index, item in enumerate(values):
        queues.setdefault(item.category, []).append(index)
    longest = max(map(len, queues.values()))
    return [queue[turn] for turn in range(longest) for queue in queues.values() if turn < len(queue)]


def _sampled(sizes: Sequence[int], seed: int) -> Iterator[Row]:
    """Different combinations in a random order; ends when many draws in a row bring nothing new."""
    chance = random.Random(seed)
    seen: set[Row] = set()
    failures = 0
    while failures < 1000:
        row = tuple(int(chance.random() * size) for size in sizes)
        failures = failures + 1 if row in seen else 0
        if failures == 0:
            seen.add(row)
            yield row


def pairwise_rows(sizes: Sequence[int], most: int, orders: Sequence[Sequence[int]] | None = None) -> list[Row]:
    """Rows in which first every value, then every pair of values of two places occurs, as far as there is room.

    Args:
        sizes: Values of each place.
        most: Rows at most.
        orders: The values of each place, the most wanted first; in their own order when None.
    """
    orders = [list(range(size)) for size in sizes] if orders is None else orders
    pairs = _Pairs(sizes)
    rows: list[Row] = []
    for number in range(min(max(sizes, default=0), most)):
        # Places with fewer values go on at another pace each time round, so that they meet other partners.
        row = tuple(_turn(order, number, place) for place, order in enumerate(orders))
        rows.append(row)
        pairs.cover(row)
    while len(rows) < most:
        start = pairs.first()
        if start is None:
            break
        row = pairs.grow(start)
        rows.append(row)
        pairs.cover(row)
    return rows


def _turn(order: Sequence[int], number: int, place: int) -> int:
    return order[(number + place * (number // len(order))) % len(order)]


class _Pairs:
    """Which pairs of values have not met: bit b of ``left[i][a][j]`` is set when a of place i has not met b of j."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        places = range(len(sizes))
        self._left: list[list[list[int]]] = [
            [[(1 << sizes[other]) - 1 if other != place else 0 for other in places] for _ in range(sizes[place])]
            for place in places
        ]

    def cover(self, row: Row) -> None:
        """Notes that the values of a row have met."""
        for place, value in enumerate(row):
            for other, met in enumerate(row):
                self._left[place][value][other] &= ~(1 << met)

    def first(self) -> dict[int, int] | None:
        """A pair that has not met, as place -> value; None when all have.

        Of the value that has most partners left, with the next partner behind its own number: tables keep related
        values side by side, and each value gets its turn before one has met all.
        """
        best: tuple[int, int, int] | None = None
        most = 0
        for place, values in enumerate(self._left):
            for value, others in enumerate(values):
                left = sum(bits.bit_count() for bits in others)
                if left > most:
                    other = next(other for other, bits in enumerate(others) if bits)
                    best, most = (place, value, other), left
        if best is None:
            return None
        place, value, other = best
        bits = self._left[place][value][other]
        behind = bits >> (value + 1) << (value + 1) or bits
        return {place: value, other: (behind & -behind).bit_length() - 1}

    def grow(self, fixed: dict[int, int]) -> Row:
        """A whole row round a pair, each further value the one that meets most of those that stand."""
        for place in range(len(self._sizes)):
            if place not in fixed:
                fixed[place] = max(range(self._sizes[place]), key=lambda value: self._gain(place, value, fixed))
        return tuple(fixed[place] for place in range(len(self._sizes)))

    def _gain(self, place: int, value: int, fixed: dict[int, int]) -> tuple[int, int]:
        """Pairs gained at once, then pairs that are still to be gained."""
        left = self._left[place][value]
        now = sum(left[other] >> chosen & 1 for other, chosen in fixed.items())
        return now, sum(bits.bit_count() for bits in left)
