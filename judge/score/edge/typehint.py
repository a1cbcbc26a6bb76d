"""Type hints as trees, read from syntax; names are compared, never looked up."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.score.edge.literals import MOST_DEPTH, Unreadable, alternatives, literal, shorten, tree_of

if TYPE_CHECKING:
    from judge.score.values import Value

_SCALARS = {
    "int": "int",
    "float": "float",
    "complex": "complex",
    "str": "str",
    "Text": "str",
    "LiteralString": "str",
    "bytes": "bytes",
    "ByteString": "bytes",
    "bool": "bool",
    "None": "none",
    "NoneType": "none",
}
_BOXES = {
    **dict.fromkeys(("list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Reversible"), "list"),
    **dict.fromkeys(("set", "Set", "MutableSet", "AbstractSet"), "set"),
    **dict.fromkeys(("frozenset", "FrozenSet"), "frozenset"),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping"), "dict"),
    **dict.fromkeys(("tuple", "Tuple"), "tuple"),
}
_NUMBERS = {"Real": ("int", "float"), "Integral": ("int",), "Rational": ("int",), "Number": ("int", "float")}
_WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired", "ReadOnly"})
_PREFIXES = frozenset({"typing", "typing_extensions", "collections", "collections.abc", "numbers", "builtins", "types"})
_SHORT = frozenset({"t", "abc"})
"""Usual short names of typing and collections.abc."""


@dataclass(frozen=True, slots=True)
class TypeHint:
    """A hint.

    Attributes:
        kind: ``int``, ``float``, ``complex``, ``str``, ``bytes``, ``bool``, ``none``, ``list``, ``set``,
            ``frozenset``, ``dict``, ``tuple`` (one hint a place), ``variadic`` (a tuple of any length), ``union``,
            ``literal`` or ``unknown``.
        arguments: What is inside; none for a bare container.
        values: The values of a literal.
        text: As it was written, cut.
    """

    kind: str
    arguments: tuple[TypeHint, ...] = ()
    values: tuple[Value, ...] = ()
    text: str = ""


ANY = TypeHint("unknown")
"""No hint at all."""


def parse_hint(node: ast.AST | None, depth: int = 0) -> TypeHint:
    """The hint in a syntax tree; what cannot be understood becomes ``unknown`` with its text.

    Raises:
        Unreadable: It is nested too deeply.
    """
    if node is None:
        return ANY
    if depth > MOST_DEPTH:
        raise Unreadable("the hint is nested too deeply", node)
    text = _written(node) if depth == 0 else ""
    found = _hint(node, depth)
    return TypeHint(found.kind, found.arguments, found.values, found.text or text)


def _hint(node: ast.AST, depth: int) -> TypeHint:
    if isinstance(node, ast.Constant):
        return _constant(node, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(alternatives(node), depth)
    if isinstance(node, ast.Name | ast.Attribute):
        return _named(_name(node), node)
    if isinstance(node, ast.Subscript):
        return _subscript(node, depth)
    return _unknown(node)


def _constant(node: ast.Constant, depth: int) -> TypeHint:
    if node.value is None:
        return TypeHint("none")
    if not isinstance(node.value, str):
        return _unknown(node)
    try:
        inner = tree_of(node.value.strip())
    except Unreadable:
        return _unknown(node)
    return parse_hint(getattr(inner, "body", None), depth + 1)


def _name(node: ast.AST) -> str:
    """The last name of a dotted one, when the prefix is one that holds types; else the whole."""
    if isinstance(node, ast.Name):
        return node.id
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    prefix = ".".join([node.id, *reversed(parts[1:])])
    return parts[0] if prefix in _PREFIXES or prefix in _SHORT else f"{prefix}.{parts[0]}"


def _named(name: str, node: ast.AST) -> TypeHint:
    if name in _SCALARS:
        return TypeHint(_SCALARS[name])
    if name in _NUMBERS:
        parts = tuple(TypeHint(kind) for kind in _NUMBERS[name])
        return parts[0] if len(parts) == 1 else TypeHint("union", parts)
    if name in _BOXES:
        kind = _BOXES[name]
        return TypeHint("variadic" if kind == "tuple" else kind, text=name)
    return _unknown(node)


def _subscript(node: ast.Subscript, depth: int) -> TypeHint:
    name = _name(node.value)
    inside = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional" and len(inside) == 1:
        return _union([*inside, ast.Constant(None)], depth)
    if name == "Union":
        return _union(inside, depth)
    if name == "Literal":
        return _literal(inside, node)
    if name in _WRAPPERS and inside:
        return parse_hint(inside[0], depth + 1)
    kind = _BOXES.get(name)
    if kind == "tuple":
        return _tuple(node, inside, depth)
    wanted = {"dict": 2, "list": 1, "set": 1, "frozenset": 1}.get(kind or "")
    if kind is None or wanted != len(inside):
        return _unknown(node)
    return TypeHint(kind, tuple(parse_hint(item, depth + 1) for item in inside))


def _tuple(node: ast.Subscript, inside: list[ast.expr], depth: int) -> TypeHint:
    if isinstance(node.slice, ast.Tuple) and not inside:
        return TypeHint("tuple")
    if len(inside) == 2 and isinstance(inside[1], ast.Constant) and inside[1].value is ...:
        return TypeHint("variadic", (parse_hint(inside[0], depth + 1),))
    return TypeHint("tuple", tuple(parse_hint(item, depth + 1) for item in inside))


def _literal(inside: list[ast.expr], node: ast.AST) -> TypeHint:
    try:
        values = tuple(literal(item) for item in inside)
    except Unreadable:
        return _unknown(node)
    plain = all(value is None or isinstance(value, bool | int | str | bytes) for value in values)
    return TypeHint("literal", values=values) if plain and values else _unknown(node)


def _union(parts: list[ast.expr], depth: int) -> TypeHint:
    hints: list[TypeHint] = []
    for part in parts:
        hint = parse_hint(part, depth + 1)
        for one in hint.arguments if hint.kind == "union" else (hint,):
            if one not in hints:
                hints.append(one)
    return hints[0] if len(hints) == 1 else TypeHint("union", tuple(hints))


def _unknown(node: ast.AST) -> TypeHint:
    return TypeHint("unknown", text=_written(node))


def _written(node: ast.AST) -> str:
    try:
        return shorten(ast.unparse(node))
    except RecursionError:
        return "a very long hint"
