"""Constants written in text, read from its syntax tree with bounds; nothing is ever evaluated."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.quiet import warned

if TYPE_CHECKING:
    from judge.score.values import Value

MOST_TEXT = 20_000
"""Characters of a signature or a domain."""
MOST_DEPTH = 24
"""Levels of nesting of a hint or a domain."""
_MOST_BITS = 4096
_MOST_ITEMS = 10_000
_NAMES: dict[str, Value] = {"inf": math.inf, "nan": math.nan}


class Unreadable(Exception):
    """Part of a text cannot be read.

    Attributes:
        what: The fault, one clause.
        node: Where it stands.
        hint: What to write instead; empty when nothing helps.
    """

    def __init__(self, what: str, node: ast.AST | None = None, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.node, self.hint = what, node, hint

    def as_error(self, name: str, text: str, shift: int = 0) -> InputError:
        """The fault as one line with its place.

        Args:
            name: What is being read, such as ``the domain``.
            text: It.
            shift: Characters that were put before the text.
        """
        column = getattr(self.node, "col_offset", None)
        place = f" at column {max(column - shift, 0) + 1}" if isinstance(column, int) else ""
        return InputError(f"{name} cannot be read{place}: {self.what}", where=shorten(text), hint=self.hint)


def shorten(text: str, limit: int = 80) -> str:
    """Text on one line, cut, with what cannot be printed escaped."""
    flat = " ".join(text.split())
    flat = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in flat)
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def tree_of(text: str, mode: str = "eval") -> ast.AST:
    """The syntax tree of a text.

    Raises:
        Unreadable: It is too long, too deep, or no Python.
    """
    if len(text) > MOST_TEXT:
        raise Unreadable(f"it is longer than {MOST_TEXT} characters")
    try:
        with warned():
            return ast.parse(text, mode=mode)
    except SyntaxError as error:
        place = ast.Constant(None)
        place.col_offset = max((error.offset or 1) - 1, 0)
        raise Unreadable(error.msg or "it is no Python", place) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise Unreadable(str(error) or "it is nested too deeply") from None


def literal(node: ast.AST, depth: int = 0) -> Value:
    """The value of a constant expression: numbers with bounded arithmetic, text, lists, tuples, sets, dictionaries.

    Raises:
        Unreadable: It is no such constant, or too large.
    """
    if depth > MOST_DEPTH:
        raise Unreadable("it is nested too deeply", node)
    if isinstance(node, ast.Constant) and node.value is not ...:
        return node.value
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.UnaryOp):
        return _signed(node, depth)
    if isinstance(node, ast.BinOp):
        return _computed(node, depth)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        items = [literal(item, depth + 1) for item in node.elts]
        if isinstance(node, ast.Set):
            return _hashed(items, node)
        return items if isinstance(node, ast.List) else tuple(items)
    if isinstance(node, ast.Dict):
        return _mapping(node, depth)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and not node.keywords:
        return _range([literal(item, depth + 1) for item in node.args], node)
    raise Unreadable("only constants may stand here", node)


def _signed(node: ast.UnaryOp, depth: int) -> Value:
    value = literal(node.operand, depth + 1)
    if isinstance(value, int | float | complex) and not isinstance(value, bool):
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return value
    raise Unreadable("only constants may stand here", node)


def _computed(node: ast.BinOp, depth: int) -> Value:
    left, right = literal(node.left, depth + 1), literal(node.right, depth + 1)
    if isinstance(node.op, ast.Mult) and isinstance(left, str) and type(right) is int:
        if len(left) * right > _MOST_ITEMS:
            raise Unreadable("the text is too long", node)
        return left * right
    if isinstance(node.op, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, complex) or isinstance(right, complex):
        if isinstance(node.op, ast.Add | ast.Sub):
            return left + right if isinstance(node.op, ast.Add) else left - right
    elif _number(left) and _number(right):
        return _arithmetic(node, left, right)
    raise Unreadable("only constants may stand here", node)


def _number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _arithmetic(node: ast.BinOp, left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length() * right if isinstance(node.op, ast.Pow) else left.bit_length() + right.bit_length()
        if bits > _MOST_BITS or right.bit_length() > _MOST_BITS:
            raise Unreadable("the number is too large", node)
    try:
        result = _operate(node.op, left, right)
    except (ArithmeticError, ValueError):
        raise Unreadable("the number cannot be computed", node) from None
    if result is None or isinstance(result, complex):
        raise Unreadable("only + - * // / ** may stand between numbers", node)
    return result


def _operate(operator: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.FloorDiv):
        return left // right
    if isinstance(operator, ast.Div):
        return left / right
    return left**right if isinstance(operator, ast.Pow) else None


def _hashed(items: list[Value], node: ast.AST) -> set[Value]:
    try:
        return set(items)
    except TypeError:
        raise Unreadable("a list or dictionary cannot be in a set", node) from None


def _mapping(node: ast.Dict, depth: int) -> dict[Value, Value]:
    found: dict[Value, Value] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        if key is None:
            raise Unreadable("only constants may stand here", node)
        try:
            found[literal(key, depth + 1)] = literal(item, depth + 1)
        except TypeError:
            raise Unreadable("a list or dictionary cannot be a key", key) from None
    return found


def _range(bounds: list[Value], node: ast.AST) -> list[int]:
    if not 1 <= len(bounds) <= 3 or not all(type(item) is int for item in bounds) or 0 in bounds[2:]:
        raise Unreadable("range takes one to three whole numbers", node)
    found = range(*bounds)
    try:
        size = len(found)
    except OverflowError:
        size = _MOST_ITEMS + 1
    if size > _MOST_ITEMS:
        raise Unreadable(f"it has more than {_MOST_ITEMS} values", node)
    return list(found)


def alternatives(node: ast.AST) -> list[ast.expr]:
    """The parts of ``a | b | c`` in order; such a chain leans to the left and may be long."""
    found: list[ast.expr] = []
    stack: list[ast.AST] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.BitOr):
            stack += [item.right, item.left]
        elif isinstance(item, ast.expr):
            found.append(item)
    return found
