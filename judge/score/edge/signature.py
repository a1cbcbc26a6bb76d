"""Signatures as text, such as ``(nums: list[int], target: int = 0, *, strict: bool) -> list[int] | None``."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from judge.score.edge.literals import Unreadable, literal, tree_of
from judge.score.edge.typehint import ANY, TypeHint, parse_hint

if TYPE_CHECKING:
    from judge.score.values import Value

_HEAD = re.compile(r"^(?:async\s+)?(?:def\s+)?(?:[^\W\d]\w*\s*)?\(", re.UNICODE)
_OPAQUE = re.compile(r"<[^<>\n]{1,200}>")
"""How ``inspect`` prints a default that has no Python spelling: ``<object object at 0x7f…>``."""
_SHAPE = "(name: type, …) -> type"


class Kind(StrEnum):
    """How an argument is passed."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL = "positional"
    """By place or by name."""
    REST = "rest"
    """``*args``."""
    KEYWORD_ONLY = "keyword_only"
    NAMED_REST = "named_rest"
    """``**kwargs``."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        name: Its name.
        hint: Its type.
        kind: How it is passed.
        optional: Whether it has a default, so that it may be left out.
        default: The default, when it is a constant; None otherwise.
    """

    name: str
    hint: TypeHint = ANY
    kind: Kind = Kind.POSITIONAL
    optional: bool = False
    default: Value = None


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and gives.

    Attributes:
        parameters: In order.
        returns: The hint of the result.
        text: As it was written.
    """

    parameters: tuple[Parameter, ...]
    returns: TypeHint = ANY
    text: str = ""


def parse_signature(text: str) -> Signature:
    """Reads a signature; nothing in it is evaluated.

    Args:
        text: With or without ``def`` and a name.

    Raises:
        InputError: It is no signature.

    >>> [p.name for p in parse_signature("(a: int, *, b: str = 'x') -> None").parameters]
    ['a', 'b']
    """
    try:
        function = _function(text)
        return Signature(tuple(_parameters(function.args)), parse_hint(function.returns), text)
    except Unreadable as fault:
        raise Unreadable(fault.what, hint=fault.hint or f"write {_SHAPE}").as_error("the signature", text) from None


def _function(text: str) -> ast.FunctionDef:
    flat = text.strip().removesuffix("...").rstrip().removesuffix(":").rstrip()
    head = _HEAD.match(flat)
    if head is None:
        raise Unreadable("it does not begin with its parameters in parentheses")
    body = "def f(" + flat[head.end() :] + ": ..."
    try:
        tree = tree_of(body, "exec")
    except Unreadable:
        if not _OPAQUE.search(body):
            raise
        tree = tree_of(_OPAQUE.sub("...", body), "exec")
    statements = tree.body if isinstance(tree, ast.Module) else []
    if len(statements) != 1 or not isinstance(statements[0], ast.FunctionDef) or len(statements[0].body) != 1:
        raise Unreadable("it holds more than a signature")
    return statements[0]


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    places = [(item, Kind.POSITIONAL_ONLY) for item in arguments.posonlyargs]
    places += [(item, Kind.POSITIONAL) for item in arguments.args]
    missing: list[ast.expr | None] = [None] * (len(places) - len(arguments.defaults))
    found = [
        _parameter(item, kind, default)
        for (item, kind), default in zip(places, missing + list(arguments.defaults), strict=True)
    ]
    if arguments.vararg is not None:
        found.append(_parameter(arguments.vararg, Kind.REST, None))
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(item, Kind.KEYWORD_ONLY, default))
    if arguments.kwarg is not None:
        found.append(_parameter(arguments.kwarg, Kind.NAMED_REST, None))
    names = [parameter.name for parameter in found]
    if len(set(names)) != len(names):
        raise Unreadable("two parameters have the same name")
    return found


def _parameter(item: ast.arg, kind: Kind, default: ast.expr | None) -> Parameter:
    value: Value = None
    if default is not None:
        try:
            value = literal(default)
        except Unreadable:
            value = None
    return Parameter(item.arg, parse_hint(item.annotation), kind, default is not None, value)
