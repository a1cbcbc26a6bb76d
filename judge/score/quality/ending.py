"""Whether a function can reach its end without a ``return`` or ``raise``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from judge.score.quality.complexity import always

_LEAVING = frozenset({"exit", "_exit", "quit", "abort", "assert_never"})


def falls_off(body: Sequence[ast.stmt]) -> bool:
    """Whether the end of a block can be reached, as far as that can be seen; when in doubt it cannot.

    Blocks are nested at most a hundred deep in Python, and the links of an ``if`` chain are followed in a loop.
    """
    return not any(_leaves(item) for item in body)


def _leaves(item: ast.stmt) -> bool:
    """Whether nothing after a statement is reached."""
    if isinstance(item, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return True
    if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
        made = item.value.func
        return (made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", "")) in _LEAVING
    if isinstance(item, ast.Assert):
        return isinstance(item.test, ast.Constant) and not item.test.value
    if isinstance(item, ast.If):
        return _if_leaves(item)
    if isinstance(item, (ast.With, ast.AsyncWith)):
        return not falls_off(item.body)
    if isinstance(item, ast.Match):
        closed = bool(item.cases) and always(item.cases[-1])
        return closed and not any(falls_off(case.body) for case in item.cases)
    if isinstance(item, (ast.Try, ast.TryStar)):
        return _try_leaves(item)
    if isinstance(item, ast.While):
        endless = isinstance(item.test, ast.Constant) and bool(item.test.value)
        return endless and not _has_break(item.body)
    if isinstance(item, (ast.For, ast.AsyncFor)):
        return bool(item.orelse) and not falls_off(item.orelse) and not _has_break(item.body)
    return False


def _if_leaves(item: ast.If) -> bool:
    while True:
        if falls_off(item.body):
            return False
        if len(item.orelse) == 1 and isinstance(item.orelse[0], ast.If):
            item = item.orelse[0]
            continue
        return bool(item.orelse) and not falls_off(item.orelse)


def _try_leaves(item: ast.Try | ast.TryStar) -> bool:
    if item.finalbody and not falls_off(item.finalbody):
        return True
    if any(falls_off(handler.body) for handler in item.handlers):
        return False
    return not falls_off([*item.body, *item.orelse])


def _has_break(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop with this body can be left by its own ``break``."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        item = waiting.pop()
        if isinstance(item, ast.Break):
            return True
        if isinstance(item, (ast.For, ast.AsyncFor, ast.While)):
            waiting += item.orelse
        elif not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            waiting += ast.iter_child_nodes(item)
    return False
