"""Complexity, length and branching of functions, and of the module's own code where it does something."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from judge.score.quality.branching import widest
from judge.score.quality.complexity import complexity
from judge.score.quality.mark import Mark, down
from judge.score.quality.source import is_text
from judge.score.quality.units import FUNCTION, Unit, Units, lambda_of
from judge.score.quality.walk import walk


def bodies(units: Units) -> list[tuple[Unit, list[ast.AST]]]:
    """Each function with the code that counts for it; the module with its loose statements when it has some."""
    found = [(unit, _body(unit)) for unit in units.functions]
    if units.loose or not found:
        found.append((units.module, list(units.loose)))
    return found


def _body(unit: Unit) -> list[ast.AST]:
    value = lambda_of(unit.node)
    if value is not None:
        return [value.body]
    return list(unit.node.body) if isinstance(unit.node, FUNCTION) else []


def judge_complexity(unit: Unit, body: Sequence[ast.AST], most: int) -> Mark:
    """1 up to half of ``most``, 0 from one and a half times ``most``: with 10 that is 5 and 15."""
    number = complexity(body)
    value = down(number, most // 2, most // 2 + max(1, most))
    text = f"line {unit.line}: {_shown(unit)} has a complexity of {number}; full marks up to {most // 2}"
    return Mark(value, (text,) if value < 1 else ())


def judge_length(unit: Unit, body: Sequence[ast.AST], code: frozenset[int], most: int) -> Mark:
    """Full below ``most`` lines of code, 0 from twice as many; statements count where several share a line."""
    number = _length(unit, body, code)
    value = down(number, most - 1, 2 * most)
    text = f"line {unit.line}: {_shown(unit)} has {number} lines of code; full marks below {most}"
    return Mark(value, (text,) if value < 1 else ())


def _length(unit: Unit, body: Sequence[ast.AST], code: frozenset[int]) -> int:
    spans = [unit.node] if isinstance(unit.node, ast.stmt) else list(body)
    lines: set[int] = set()
    for item in spans:
        first, last = getattr(item, "lineno", 1), getattr(item, "end_lineno", 1) or 1
        lines.update(range(first, last + 1))
    statements = sum(isinstance(node, ast.stmt) and not is_text(node) for item in spans for node in walk(item))
    return max(len(lines & code), statements)


def judge_branching(unit: Unit, body: Sequence[ast.AST], most: int) -> Mark:
    """Full below ``most`` arms of one choice, 0 from twice as many."""
    choice = widest(body)
    value = down(choice.arms, most - 1, 2 * most)
    text = f"line {choice.line}: {_shown(unit)} has {choice.arms} arms in one {choice.kind}; full marks below {most}"
    return Mark(value, (text,) if value < 1 else ())


def _shown(unit: Unit) -> str:
    return "the module's own code" if isinstance(unit.node, ast.Module) else f"'{unit.name}'"
