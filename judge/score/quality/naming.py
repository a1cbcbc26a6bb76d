"""Names: the share of what a unit binds that follows PEP 8 and is longer than one letter.

Of one letter only i, j, k, n, x, y and _ are good. Functions, parameters, variables and attributes are snake_case,
classes are CapWords; the module may also hold CONSTANTS, types in CapWords and type variables of one letter. The name
that the suite calls is never judged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from judge.score.quality.mark import Mark
from judge.score.quality.units import FUNCTION, Unit, Units, lambda_of, statements_within
from judge.score.quality.walk import walk

SHORT = frozenset("ijknxy_")
_CAPS = re.compile(r"_*[^\W\d_a-z][^\W_]*\Z")
_CONSTANT = re.compile(r"_*[^\W_a-z][^\Wa-z]*\Z")


class _Binding(NamedTuple):
    name: str
    line: int
    kind: str
    """``function``, ``class``, ``variable``, ``module`` (a variable of the module) or ``type``."""


def judge_names(units: Units, tree: ast.Module) -> list[Mark]:
    """The marks of all functions and classes, and of the module where it binds names of its own."""
    found = [_mark(unit, _of_function(unit)) for unit in units.functions]
    found += [_mark(unit, _of_class(unit)) for unit in units.classes]
    found.append(_mark(units.module, _of_module(tree)))
    return [mark for mark in found if mark is not None]


def _mark(unit: Unit, bindings: Iterable[_Binding]) -> Mark | None:
    """None when nothing is bound."""
    first: dict[str, _Binding] = {}
    for item in bindings:
        known = first.get(item.name)
        if known is None or item.line < known.line:
            first[item.name] = item
    if not first:
        return None
    wrong = sorted((item.line, problem) for item in first.values() if (problem := _problem(item)))
    return Mark(1 - len(wrong) / len(first), tuple(f"line {line}: {problem}" for line, problem in wrong))


def _problem(item: _Binding) -> str:
    """Why a name is not good; empty when it is."""
    shown = f"'{item.name[:60]}'"
    bare = item.name.strip("_")
    if not bare:
        return ""
    if item.kind == "type":
        return "" if _CAPS.match(item.name) else f"{shown} is a type and not in CapWords"
    if len(bare) == 1 and bare not in SHORT:
        return f"{shown} is a name of one letter"
    if item.kind == "class":
        return "" if _CAPS.match(item.name) else f"class {shown} is not in CapWords"
    if item.name == item.name.lower():
        return ""
    if item.kind == "module" and (_CONSTANT.match(item.name) or _CAPS.match(item.name)):
        return ""
    return f"{shown} is not in snake_case"


def _of_function(unit: Unit) -> Iterator[_Binding]:
    if not unit.entry:
        yield _Binding(unit.short, unit.line, "function")
    value = lambda_of(unit.node)
    if value is not None:
        yield from _below([value], set())
    elif isinstance(unit.node, FUNCTION):
        shared = {name for node in walk(unit.node) if isinstance(node, ast.Global) for name in node.names}
        yield from _below([unit.node.args, *unit.node.body], shared)


def _of_class(unit: Unit) -> Iterator[_Binding]:
    if not unit.entry:
        yield _Binding(unit.short, unit.line, "class")
    if isinstance(unit.node, ast.ClassDef):
        yield from _loose_names(unit.node.body)


def _of_module(tree: ast.Module) -> Iterator[_Binding]:
    yield from _loose_names(tree.body)


def _loose_names(body: list[ast.stmt]) -> Iterator[_Binding]:
    """Variables bound by statements that are no functions or classes, which are units of their own."""
    waiting = list(body)
    while waiting:
        item = waiting.pop()
        if isinstance(item, (*FUNCTION, ast.ClassDef)) or lambda_of(item) is not None:
            continue
        inner = statements_within(item)
        waiting += inner
        kind = "type" if _makes_type(item) else "module"
        skip = {id(child) for child in inner}
        parts = [child for child in ast.iter_child_nodes(item) if id(child) not in skip]
        parts = [child for child in parts if not isinstance(child, (ast.ExceptHandler, ast.match_case))]
        for binding in _below(parts, set()):
            yield binding._replace(kind=kind) if binding.kind == "variable" else binding


def _makes_type(item: ast.stmt) -> bool:
    """``T = TypeVar("T")`` and the like, and ``type T = …``."""
    if type(item).__name__ == "TypeAlias":
        return True
    if not isinstance(item, ast.Assign) or not isinstance(item.value, ast.Call):
        return False
    made = item.value.func
    name = made.attr if isinstance(made, ast.Attribute) else made.id if isinstance(made, ast.Name) else ""
    return name in {"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"}


def _below(roots: Iterable[ast.AST], shared: set[str]) -> Iterator[_Binding]:
    """What is bound below some nodes; ``shared`` names belong to the module."""
    for root in roots:
        for node in walk(root):
            yield from (item for item in _bound(node) if item.name not in shared)


def _bound(node: ast.AST) -> Iterator[_Binding]:
    if isinstance(node, FUNCTION):
        yield _Binding(node.name, node.lineno, "function")
    elif isinstance(node, ast.ClassDef):
        yield _Binding(node.name, node.lineno, "class")
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (_Binding(one.asname, one.lineno, "module") for one in node.names if one.asname)
    elif name := _variable(node):
        yield _Binding(name, getattr(node, "lineno", 1), "variable")


def _variable(node: ast.AST) -> str:
    """The variable, parameter or attribute that a node binds; empty when it binds none."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else ""
    if isinstance(node, ast.Attribute):
        own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
        return node.attr if own and isinstance(node.ctx, ast.Store) else ""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return node.name or ""
    return (node.rest or "") if isinstance(node, ast.MatchMapping) else ""
