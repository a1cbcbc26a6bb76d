"""The boundary values of a type or a domain, each with the kind of edge case it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from judge.score.edge.boxes import dict_values, light, many_values, record_values, tuple_values
from judge.score.edge.hints import spec_of
from judge.score.edge.identity import identity
from judge.score.edge.membership import contains
from judge.score.edge.scalars import (
    Tagged,
    binary_values,
    char_values,
    complex_values,
    float_values,
    integer_values,
    text_values,
)
from judge.score.edge.shape import kinds_of, primary
from judge.score.edge.spec import (
    Binary,
    Booleans,
    Chars,
    Choice,
    Complexes,
    Dicts,
    Floats,
    Integers,
    Many,
    Permuted,
    Records,
    Regex,
    Text,
    Tuples,
    Union,
)
from judge.score.edge.typehint import TypeHint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from judge.score.edge.spec import Spec
    from judge.score.values import Value

_MOST_CHOICES = 32
_MOST_VALUES = 64
_DRAWN = 6
_Item = TypeVar("_Item")


def values(wanted: TypeHint | Spec) -> tuple[Tagged, ...]:
    """The boundary values of a hint or of a set of values, without repetitions, in a fixed order.

    Raises:
        InputError: No values can be made for the hint.
    """
    return _values(spec_of(wanted) if isinstance(wanted, TypeHint) else wanted)


def extended(found: Iterable[Tagged], further: Iterable[Value], spec: Spec | None) -> tuple[Tagged, ...]:
    """Boundary values with a suite's own in front, all that the domain excludes left out.

    Args:
        found: Those of the type or domain.
        further: The suite's own values.
        spec: The domain; None when there is none.
    """
    own = [Tagged(value, primary(kinds_of(value))) for value in further]
    kept = [item for item in [*own, *found] if spec is None or contains(spec, item.value) is not False]
    return _without_repetitions(kept)


def _without_repetitions(found: Iterable[Tagged]) -> tuple[Tagged, ...]:
    kept: dict[bytes, Tagged] = {}
    for item in found:
        kept.setdefault(identity(item.value), item)
    return tuple(kept.values())


def _values(spec: Spec) -> tuple[Tagged, ...]:
    found = _TABLE[type(spec)](spec)
    fitting = [item for item in found if light(item.value, spec) and contains(spec, item.value) is not False]
    return tuple(by_turns(_without_repetitions(fitting), _MOST_VALUES))


def by_turns(found: Sequence[Tagged], most: int) -> list[Tagged]:
    """At most so many values, the kinds taking turns when some must go; in their old order."""
    if len(found) <= most:
        return list(found)
    queues: dict[str, list[int]] = {}
    for index, item in enumerate(found):
        queues.setdefault(item.category, []).append(index)
    kept: list[int] = []
    turn = 0
    while len(kept) < most:
        kept += [queue[turn] for queue in queues.values() if turn < len(queue)]
        turn += 1
    return [found[index] for index in sorted(kept[:most])]


def _choice(spec: Choice) -> list[Tagged]:
    return [Tagged(value, primary(kinds_of(value))) for value in _spread(spec.values, _MOST_CHOICES)]


def _spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """At most so many items, evenly over the whole, both ends among them."""
    if len(items) <= most:
        return list(items)
    return [items[index * (len(items) - 1) // (most - 1)] for index in range(most)]


def _permuted(spec: Permuted) -> list[Tagged]:
    items = list(spec.values)
    turned = items[1:] + items[:1]
    swapped = [*items[1::-1], *items[2:]]
    return [Tagged(items, "ordinary")] + [Tagged(order, "order") for order in (items[::-1], turned, swapped)]


def _union(spec: Union) -> list[Tagged]:
    return [item for option in spec.options for item in _values(option)]


def _regex(spec: Regex) -> list[Tagged]:
    """No table fits a pattern, so its smallest texts are drawn; always the same ones."""
    from judge.score.edge.draws import draw

    drawn = draw(spec, _DRAWN, seed=0)
    return [Tagged(value, primary(kinds_of(value))) for value in drawn]


_TABLE: dict[type, Callable[[Any], list[Tagged]]] = {
    Integers: integer_values,
    Floats: float_values,
    Complexes: lambda spec: complex_values(),
    Booleans: lambda spec: [Tagged(False, "ordinary"), Tagged(True, "ordinary")],
    Chars: char_values,
    Text: text_values,
    Regex: _regex,
    Binary: lambda spec: binary_values(spec.low, spec.high),
    Choice: _choice,
    Permuted: _permuted,
    Union: _union,
    Many: lambda spec: many_values(spec, _values(spec.element)),
    Tuples: lambda spec: tuple_values([_values(part) for part in spec.parts]),
    Dicts: lambda spec: dict_values(spec, _values(spec.key), _values(spec.value)),
    Records: lambda spec: record_values(
        [(key, _values(part)) for key, part in spec.required], [(key, _values(part)) for key, part in spec.optional]
    ),
}
