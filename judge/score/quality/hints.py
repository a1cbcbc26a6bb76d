"""Type hints: the share of parameters and returns that have one."""

from __future__ import annotations

import ast

from judge.score.quality.mark import Mark
from judge.score.quality.units import FUNCTION, Function, Unit, decorator_name, lambda_of
from judge.score.quality.walk import walk

_HINT = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)
_LONGEST = 500


def judge_hints(unit: Unit) -> Mark | None:
    """The mark of one function; functions inside it count as part of it. None when it needs no hint."""
    value = lambda_of(unit.node)
    if value is not None:
        hinted = isinstance(unit.node, ast.AnnAssign) and is_hint(unit.node.annotation)
        return Mark(1.0) if hinted else Mark(0.0, (f"line {unit.line}: '{unit.name}' is a lambda without type hints",))
    wanted = 0
    missing: list[str] = []
    for node in walk(unit.node):
        if not isinstance(node, FUNCTION):
            continue
        method = unit.method if node is unit.node else False
        parameters = of_callers(node, method=method)
        wanted += len(parameters)
        missing += [
            f"line {one.lineno}: parameter '{one.arg[:80]}' of '{node.name[:80]}' has no type hint"
            for one in parameters
            if not is_hint(one.annotation)
        ]
        if node.name not in {"__init__", "__post_init__"} or not method:
            wanted += 1
            if not is_hint(node.returns):
                missing.append(f"line {node.lineno}: '{node.name[:80]}' does not say what it returns")
    return Mark(1 - len(missing) / wanted, tuple(missing)) if wanted else None


def of_callers(node: Function, *, method: bool) -> list[ast.arg]:
    """The parameters that a caller fills: all but the first of a method that is not static."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if method and positional and "staticmethod" not in {decorator_name(item) for item in node.decorator_list}:
        positional = positional[1:]
    elif positional and positional[0].arg == "self":
        positional = positional[1:]  # a method of a class inside a function
    extra = [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
    return [*positional, *arguments.kwonlyargs, *extra]


def is_hint(node: ast.expr | None) -> bool:
    """Whether an annotation can be a type: a name, an index, a union, None, or a string that holds one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parsed(node.value)
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.Starred):
        node = node.value
    return isinstance(node, _HINT) and (not isinstance(node, ast.BinOp) or isinstance(node.op, ast.BitOr))


def _parsed(text: str) -> ast.expr | None:
    if len(text) > _LONGEST or not text.isprintable() or "\\" in text:
        return None
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError, SyntaxWarning):
        return None
