"""From a type hint to the set of values it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from judge.errors import InputError
from judge.score.edge.spec import (
    MOST_BOXES,
    Binary,
    Booleans,
    Choice,
    Complexes,
    Dicts,
    Floats,
    Integers,
    Many,
    Text,
    Tuples,
    Union,
)

if TYPE_CHECKING:
    from judge.score.edge.spec import Box, Spec
    from judge.score.edge.typehint import TypeHint

_HASHABLE = frozenset({"int", "float", "complex", "str", "bytes", "bool", "none", "literal", "frozenset"})


def spec_of(hint: TypeHint) -> Spec:
    """The values of a hint.

    Inside containers NaN is left out: sorting, sets and equality of lists that hold it follow no contract.

    Raises:
        InputError: The hint names a type whose values cannot be made, or does not say what is inside a container.
    """
    reason = obstacle(hint)
    if reason:
        raise InputError(reason, hint="give the parameter a domain under inputs.domain")
    return _spec(hint, inside=False)


def obstacle(hint: TypeHint, depth: int = 0) -> str:
    """Why no values can be made for a hint, one clause; empty when they can."""
    if depth > MOST_BOXES:
        return f"more than {MOST_BOXES} types stand within each other"
    if hint.kind == "unknown":
        return f"no values can be made for the type {hint.text}" if hint.text else "there is no type hint"
    if hint.kind in ("list", "set", "frozenset", "dict", "variadic") and not hint.arguments:
        return f"{hint.text or hint.kind} does not say what is inside"
    if hint.kind in ("set", "frozenset", "dict") and not hashable(hint.arguments[0]):
        what = "a key" if hint.kind == "dict" else f"in a {hint.kind}"
        return f"{hint.arguments[0].kind} cannot be {what}"
    for inner in hint.arguments:
        reason = obstacle(inner, depth + 1)
        if reason:
            return reason
    return ""


def hashable(hint: TypeHint) -> bool:
    """Whether values of the hint can be keys."""
    if hint.kind in ("tuple", "variadic", "union"):
        return all(hashable(inner) for inner in hint.arguments)
    return hint.kind in _HASHABLE or hint.kind == "unknown"


def _spec(hint: TypeHint, *, inside: bool) -> Spec:
    kind = hint.kind
    if kind in ("list", "set", "frozenset", "variadic"):
        box = cast("Box", "tuple" if kind == "variadic" else kind)
        return Many(box, _spec(hint.arguments[0], inside=True))
    if kind == "dict":
        return Dicts(_spec(hint.arguments[0], inside=True), _spec(hint.arguments[1], inside=True))
    if kind == "tuple":
        return Tuples(tuple(_spec(inner, inside=True) for inner in hint.arguments))
    if kind == "union":
        return Union(tuple(_spec(inner, inside=inside) for inner in hint.arguments))
    if kind == "literal":
        return Choice(hint.values)
    return _scalar(kind, inside=inside)


def _scalar(kind: str, *, inside: bool) -> Spec:
    if kind == "float":
        return Floats(nan=not inside)
    plain: dict[str, Spec] = {
        "int": Integers(),
        "complex": Complexes(),
        "str": Text(),
        "bytes": Binary(),
        "bool": Booleans(),
        "none": Choice((None,)),
    }
    return plain[kind]
