"""Arms of the widest choice: one ``if`` chain, one ``match``, or the handlers of one ``try``.

``else`` is an arm; a chain of conditional expressions counts like the ``if`` chain that it stands for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from judge.score.quality.walk import walk


class Choice(NamedTuple):
    """The widest choice of a piece of code; 0 arms when there is none."""

    arms: int
    line: int
    kind: str


def widest(nodes: Iterable[ast.AST]) -> Choice:
    """The widest choice below some nodes; the first of several as wide."""
    best = Choice(0, 0, "")
    inner: set[int] = set()
    for root in nodes:
        for node in walk(root):
            choice = _choice(node, inner)
            if choice.arms > best.arms:
                best = choice
    return best


def _choice(node: ast.AST, inner: set[int]) -> Choice:
    """One choice; ``inner`` remembers the links of chains, which are no choices of their own."""
    if isinstance(node, ast.Match):
        return Choice(len(node.cases), node.lineno, "match")
    if isinstance(node, (ast.Try, ast.TryStar)):
        return Choice(len(node.handlers), node.lineno, "except chain")
    if isinstance(node, ast.If) and id(node) not in inner:
        return Choice(_if_arms(node, inner), node.lineno, "if chain")
    if isinstance(node, ast.IfExp) and id(node) not in inner:
        return Choice(_expression_arms(node, inner), node.lineno, "conditional expression")
    return Choice(0, 0, "")


def _if_arms(node: ast.If, inner: set[int]) -> int:
    arms = 1
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        inner.add(id(node))
        arms += 1
    return arms + bool(node.orelse)


def _expression_arms(node: ast.IfExp, inner: set[int]) -> int:
    arms = 2
    while isinstance(node.orelse, ast.IfExp):
        node = node.orelse
        inner.add(id(node))
        arms += 1
    return arms
