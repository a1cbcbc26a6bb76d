"""What each strategy of a domain takes, and the set of values it stands for."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from judge.score.edge.checks import category_names, count, flag, hashable, letters, real, sequence, sizes, whole
from judge.score.edge.literals import Unreadable
from judge.score.edge.patterns import check_pattern
from judge.score.edge.spec import (
    Binary,
    Booleans,
    Box,
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
    Spec,
    Text,
    Tuples,
    Union,
)

Reader: TypeAlias = Literal["literal", "strategy", "alphabet", "mapping"]
_CODECS = {"utf-8": 0x10FFFF, "utf8": 0x10FFFF, "ascii": 0x7F, "latin-1": 0xFF, "latin1": 0xFF, "iso-8859-1": 0xFF}
CANNOT = dict.fromkeys(
    "decimals fractions dates datetimes times timedeltas timezones uuids ip_addresses slices".split(),
    "its values cannot be carried to a worker; use integers, floats or text, or a generator",
) | dict.fromkeys(
    "builds composite data deferred functions recursive runner shared from_type iterables randoms register".split(),
    "it would need code or types; use a generator of the suite for such inputs",
)
"""Strategies of Hypothesis that a domain cannot use -> why."""


@dataclass(frozen=True, slots=True)
class Builder:
    """How one strategy is called.

    Attributes:
        readers: Parameter -> how its value is written.
        places: Parameters that may be given by place, in order.
        needed: Parameters that must be given.
        build: Makes the set from the values, by name, or as a list where ``rest`` is set.
        rest: For any number of values by place: how each is written.
    """

    build: Callable[[ast.AST, Any], Spec]
    readers: Mapping[str, Reader]
    places: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    rest: Reader | None = None


def _integers(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    low, high = whole(node, named, "min_value"), whole(node, named, "max_value")
    if low is not None and high is not None and low > high:
        raise Unreadable(f"no number is from {low} to {high}", node)
    return Integers(low, high)


def _floats(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    low, high = real(node, named, "min_value"), real(node, named, "max_value")
    bounded = low is not None or high is not None
    if named.get("width") not in (None, 64):
        raise Unreadable("only width=64 is known", node)
    spec = Floats(
        low,
        high,
        nan=flag(node, named, "allow_nan", not bounded),
        infinity=flag(node, named, "allow_infinity", low is None or high is None),
        open_low=flag(node, named, "exclude_min", False),
        open_high=flag(node, named, "exclude_max", False),
        subnormal=flag(node, named, "allow_subnormal", True),
    )
    if spec.infinity and low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
        raise Unreadable("allow_infinity goes with no two bounds", node, "write floats(…) | just(inf)")
    if spec.nan and bounded:
        raise Unreadable("allow_nan goes with no bounds", node, "write floats(…) | just(nan)")
    first = math.nextafter(low, math.inf) if low is not None and spec.open_low else low
    last = math.nextafter(high, -math.inf) if high is not None and spec.open_high else high
    if first is not None and last is not None and first > last:
        raise Unreadable(f"no number is from {low} to {high}", node)
    return spec


def _characters(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    low, high = whole(node, named, "min_codepoint") or 0, whole(node, named, "max_codepoint")
    codec = named.get("codec")
    if codec is not None and codec not in _CODECS:
        raise Unreadable(f"the codec is none of {', '.join(sorted(_CODECS))}", node)
    top = min(0x10FFFF if high is None else high, _CODECS[codec] if codec else 0x10FFFF)
    spec = Chars(
        low,
        top,
        category_names(node, named, "categories", "whitelist_categories"),
        (*(category_names(node, named, "exclude_categories", "blacklist_categories") or ()), "Cs"),
        letters(node, named, "include_characters", "whitelist_characters"),
        letters(node, named, "exclude_characters", "blacklist_characters"),
    )
    if low < 0 or (low > top and not spec.include):
        raise Unreadable("no character is left", node)
    if "Cs" in (spec.categories or ()):
        raise Unreadable("surrogates (Cs) cannot be asked for", node)
    return spec


def _text(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    low, high = sizes(node, named)
    alphabet = named.get("alphabet")
    if alphabet is None:
        return Text(Chars(), low, high)
    if isinstance(alphabet, Choice):
        alphabet = list(alphabet.values)
    if isinstance(alphabet, list | tuple) and all(isinstance(item, str) and len(item) == 1 for item in alphabet):
        alphabet = "".join(alphabet)
    if not isinstance(alphabet, str | Chars):
        raise Unreadable("the alphabet is neither text, a list of characters nor characters(…)", node)
    if alphabet == "" and low:
        raise Unreadable("the alphabet is empty", node)
    return Text(alphabet if isinstance(alphabet, Chars) else "".join(dict.fromkeys(alphabet)), low, high)


def _many(box: Box, always_unique: bool) -> Callable[[ast.AST, Mapping[str, Any]], Spec]:
    def build(node: ast.AST, named: Mapping[str, Any]) -> Spec:
        unique = always_unique or flag(node, named, "unique", False)
        element: Spec = named["elements"]
        if unique and not hashable(element):
            raise Unreadable("elements that are lists, sets or dictionaries cannot be unique or in a set", node)
        low, high = sizes(node, named)
        most = count(element)
        if unique and most is not None and low > most:
            raise Unreadable(f"there are only {most} different elements", node)
        return Many(box, element, low, high, unique)

    return build


def _dictionaries(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    if not hashable(named["keys"]):
        raise Unreadable("lists, sets and dictionaries cannot be keys", node)
    low, high = sizes(node, named)
    most = count(named["keys"])
    if most is not None and low > most:
        raise Unreadable(f"there are only {most} different keys", node)
    return Dicts(named["keys"], named["values"], low, high)


def _sampled(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    values = sequence(node, named["elements"], "sampled_from")
    if not values:
        raise Unreadable("there is nothing to choose from", node)
    return Choice(values)


def _permutations(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    return Permuted(sequence(node, named["values"], "permutations"))


def _one_of(node: ast.AST, values: list[Spec]) -> Spec:
    if not values:
        raise Unreadable("one_of needs at least one strategy", node)
    return Union(tuple(values))


def _regex(node: ast.AST, named: Mapping[str, Any]) -> Spec:
    pattern = named["regex"]
    if not isinstance(pattern, str):
        raise Unreadable("the pattern is not text", node)
    check_pattern(pattern, node)
    return Regex(pattern, flag(node, named, "fullmatch", False))


def _builder(
    build: Callable[[ast.AST, Any], Spec], places: str = "", named: str = "", needed: str = "", **readers: Reader
) -> Builder:
    names = [*places.split(), *named.split()]
    return Builder(
        build, {name: readers.get(name, "literal") for name in names}, tuple(places.split()), tuple(needed.split())
    )


_BOX = ("elements", "min_size max_size")
BUILDERS: dict[str, Builder] = {
    "none": _builder(lambda node, named: Choice((None,))),
    "booleans": _builder(lambda node, named: Booleans()),
    "just": _builder(lambda node, named: Choice((named["value"],)), "value", needed="value"),
    "integers": _builder(_integers, "min_value max_value"),
    "floats": _builder(
        _floats, "min_value max_value", "allow_nan allow_infinity allow_subnormal width exclude_min exclude_max"
    ),
    "complex_numbers": _builder(lambda node, named: Complexes()),
    "characters": _builder(
        _characters,
        named="codec min_codepoint max_codepoint categories exclude_categories include_characters exclude_characters "
        "whitelist_categories blacklist_categories whitelist_characters blacklist_characters",
    ),
    "text": _builder(_text, "alphabet", "min_size max_size", alphabet="alphabet"),
    "from_regex": _builder(_regex, "regex", "fullmatch", "regex"),
    "binary": _builder(lambda node, named: Binary(*sizes(node, named)), named="min_size max_size"),
    "sampled_from": _builder(_sampled, "elements", needed="elements"),
    "permutations": _builder(_permutations, "values", needed="values"),
    "lists": _builder(_many("list", False), "elements", "min_size max_size unique", "elements", elements="strategy"),
    "sets": _builder(_many("set", True), *_BOX, "elements", elements="strategy"),
    "frozensets": _builder(_many("frozenset", True), *_BOX, "elements", elements="strategy"),
    "dictionaries": _builder(
        _dictionaries, "keys values", "min_size max_size", "keys values", keys="strategy", values="strategy"
    ),
    "tuples": Builder(lambda node, values: Tuples(tuple(values)), {}, rest="strategy"),
    "one_of": Builder(_one_of, {}, rest="strategy"),
    "fixed_dictionaries": _builder(
        lambda node, named: Records(named["mapping"], named.get("optional") or ()),
        "mapping",
        "optional",
        "mapping",
        mapping="mapping",
        optional="mapping",
    ),
}
"""Name -> how it is called."""
