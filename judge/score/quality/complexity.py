"""Cyclomatic complexity by one pinned definition.

1, and 1 more for each of: ``if`` and ``elif``, a conditional expression, ``for``, ``async for``, ``while``, a handler
(``except``), a ``case`` (but for a last one that always matches), a guard of a case, each ``for`` and each ``if`` of a
comprehension, each ``and`` and ``or``, each function, lambda or method of a local class inside. ``else``, ``finally``,
``with`` and ``assert`` count nothing. All of it counts for the outermost function.

Where there are no comprehensions, boolean operators, conditional expressions, lambdas, guards, nor ``else`` of a
``try``, this is the number that ruff (C901) gives.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from judge.score.quality.walk import walk

_ONE = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
)


def complexity(nodes: Iterable[ast.AST]) -> int:
    """The complexity of the code below some nodes.

    Args:
        nodes: The statements of a function's body, of a module, or the body of a lambda.
    """
    return 1 + sum(_own(node) for root in nodes for node in walk(root))


def _own(node: ast.AST) -> int:
    if isinstance(node, _ONE):
        return 1
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.Match):
        guards = sum(case.guard is not None for case in node.cases)
        return len(node.cases) + guards - (bool(node.cases) and always(node.cases[-1]))
    return 0


def always(case: ast.match_case) -> bool:
    """Whether a case matches whatever comes: ``case _`` or ``case name`` without a guard."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None
