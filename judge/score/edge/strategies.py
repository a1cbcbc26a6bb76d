"""Hypothesis strategies that look for edges: mostly small, equal and touching values, extremes at times, seldom large.

A whole input is drawn in one profile, so that its arguments have to do with each other: a target that is the sum of two
elements, a needle that is in the haystack, two ranges that share an end.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from judge.score.edge.hints import spec_of
from judge.score.edge.membership import contains
from judge.score.edge.profiles import Profile, among, bounds, weighted
from judge.score.edge.scalars import float_values, integer_values
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
from judge.score.edge.spec import boxes as nesting
from judge.score.edge.texts import binary, chars, regex, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

    from judge.score.edge.spec import Spec
    from judge.score.edge.typehint import TypeHint

    Drawn = SearchStrategy[Any]

_MIX = (Profile.SMALL,) * 12 + (Profile.EDGY,) * 4 + (Profile.PLAIN,) * 3 + (Profile.LARGE,)
_MIX_WITH_TEXT = (Profile.FOLDED,) * 5 + _MIX[5:]
"""How often each profile is drawn."""


def from_hint(hint: TypeHint) -> Drawn:
    """Values of a type hint.

    Raises:
        InputError: No values can be made for it.
    """
    return strategy(spec_of(hint))


def strategy(spec: Spec) -> Drawn:
    """Values of a set, over all profiles."""
    return mixed(lambda profile: in_profile(spec, profile), [spec])


def mixed(make: Callable[[Profile], Drawn], specs: Sequence[Spec]) -> Drawn:
    """Draws a profile, then from the strategy that is made for it.

    Args:
        make: The strategy of a profile.
        specs: The sets that are drawn from.
    """
    mix = _MIX_WITH_TEXT if any(map(_has_text, specs)) else _MIX
    made = {profile: make(profile) for profile in dict.fromkeys(mix)}
    return weighted([made[profile] for profile in mix])


def _has_text(spec: Spec) -> bool:
    if isinstance(spec, Many):
        return _has_text(spec.element)
    if isinstance(spec, Dicts):
        return _has_text(spec.key) or _has_text(spec.value)
    if isinstance(spec, Tuples | Union):
        return any(map(_has_text, spec.parts if isinstance(spec, Tuples) else spec.options))
    if isinstance(spec, Records):
        return any(_has_text(part) for _, part in [*spec.required, *spec.optional])
    return isinstance(spec, Text) and not isinstance(spec.alphabet, str)


def in_profile(spec: Spec, profile: Profile) -> Drawn:
    """Values of a set in one profile; all lie within the set."""
    make: Callable[[Any, Profile], Drawn] = _TABLE[type(spec)]
    return make(spec, profile)


def _window(spec: Integers, half: int) -> tuple[int, int]:
    """Neighbouring numbers round zero, or at the end of the range that is nearest to it."""
    low, high = spec.low, spec.high
    first = -half if low is None else max(low, -half)
    last = half if high is None else min(high, half)
    if first <= last:
        return first, last
    if low is not None and low > half:
        return low, low + 2 * half if high is None else min(high, low + 2 * half)
    assert high is not None
    return high - 2 * half if low is None else max(low, high - 2 * half), high


def _integers(spec: Integers, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    if profile is Profile.PLAIN:
        return st.integers(spec.low, spec.high)
    small = st.integers(*_window(spec, 5 if profile is not Profile.LARGE else 1000))
    if profile is Profile.EDGY:
        return weighted([small, among([item.value for item in integer_values(spec)])])
    return small


def _floats(spec: Floats, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    plain = st.floats(
        spec.low,
        spec.high,
        allow_nan=spec.nan,
        allow_infinity=spec.infinity,
        exclude_min=spec.open_low,
        exclude_max=spec.open_high,
        allow_subnormal=None if spec.subnormal else False,
    )
    if profile is Profile.PLAIN:
        return plain
    halves = [step / 2 for step in sorted(range(-10, 11), key=abs) if contains(spec, step / 2)]
    small = among(halves) if halves else plain
    edges = [item.value for item in float_values(spec)]
    return weighted([small, among(edges)]) if profile is Profile.EDGY and edges else small


def _complexes(spec: Complexes, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    if profile is Profile.PLAIN:
        return st.complex_numbers(allow_nan=False)
    return st.builds(complex, st.integers(-3, 3), st.integers(-3, 3))


def _many(spec: Many, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    boxes = isinstance(spec.element, Many | Dicts | Tuples | Records | Union)
    # Large containers of large containers would be too large; few letters cannot fill a large set.
    inner = Profile.SMALL if profile is Profile.LARGE and boxes else profile
    if spec.unique and spec.low > 3:
        inner = Profile.PLAIN
    element = in_profile(spec.element, inner)
    low, high = bounds(spec.low, spec.high, profile)
    depth = nesting(spec)
    if depth > 2 and profile is not Profile.LARGE:
        high = min(high, max(low, 4 if depth == 3 else 2))
    if spec.unique:
        low = spec.low
    made = st.lists(element, min_size=low, max_size=high, unique=spec.unique)
    if profile is not Profile.PLAIN and spec.box in ("list", "tuple"):
        made = weighted([made, *_shaped(made, element, low, high, spec.unique)])
    box: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
    return made.map(box[spec.box]) if spec.box in box else made


def _shaped(made: Drawn, element: Drawn, low: int, high: int, unique: bool) -> list[Drawn]:
    """Rising lists, and unless elements must differ, lists of very few different elements."""
    from hypothesis import strategies as st

    if unique or not high:
        return [made.map(_rising)]

    def repeated(pool: list[Any]) -> Drawn:
        return st.lists(among(pool), min_size=max(low, min(2, high)), max_size=high)

    return [made.map(_rising), st.lists(element, min_size=1, max_size=2).flatmap(repeated)]


def _rising(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return items


def _dicts(spec: Dicts, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    low, high = bounds(spec.low, spec.high, profile)
    inner = Profile.PLAIN if spec.low > 3 or profile is Profile.LARGE else profile
    value = in_profile(spec.value, Profile.SMALL if profile is Profile.LARGE else profile)
    return st.dictionaries(in_profile(spec.key, inner), value, min_size=spec.low, max_size=max(low, high))


def _tuples(spec: Tuples, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    return st.tuples(*(in_profile(part, profile) for part in spec.parts))


def _records(spec: Records, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    required = {key: in_profile(part, profile) for key, part in spec.required}
    further = {key: in_profile(part, profile) for key, part in spec.optional if key not in required}
    made: Drawn = st.fixed_dictionaries(required, optional=further)
    return made


def _permuted(spec: Permuted, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    return st.permutations(list(spec.values)).map(copy.deepcopy)


def _union(spec: Union, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    return st.one_of([in_profile(option, profile) for option in spec.options])


def _booleans(spec: Booleans, profile: Profile) -> Drawn:
    from hypothesis import strategies as st

    return st.booleans()


_TABLE: dict[type, Callable[[Any, Profile], Any]] = {
    Integers: _integers,
    Floats: _floats,
    Complexes: _complexes,
    Booleans: _booleans,
    Chars: chars,
    Text: text,
    Regex: regex,
    Binary: binary,
    Choice: lambda spec, profile: among(spec.values),
    Many: _many,
    Dicts: _dicts,
    Tuples: _tuples,
    Records: _records,
    Permuted: _permuted,
    Union: _union,
}
