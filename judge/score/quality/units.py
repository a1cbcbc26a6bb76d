"""What is graded: each outermost function or method, each class, and the code of the module itself.

A function inside another is part of the outer one, and so are lambdas and comprehensions: hiding code in a closure
changes nothing. A lambda that is given a name outside of functions is a function.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_FLOW = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match)
_NAME_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that is graded.

    Attributes:
        node: The function, class, module, or the statement that names a lambda.
        name: As it is shown, with its classes, cut.
        line: Where it starts.
        method: Whether it stands in a class.
        public: Whether others call it: no leading underscore on it or its classes, or the entry itself.
        entry: Whether the suite dictates its name.
    """

    node: ast.AST
    name: str
    line: int
    method: bool = False
    public: bool = True
    entry: bool = False

    @property
    def short(self) -> str:
        """Its own name."""
        return str(getattr(self.node, "name", self.name))


@dataclass(frozen=True, slots=True)
class Units:
    """All units of a file.

    Attributes:
        functions: Outermost functions and methods, named lambdas too.
        classes: Classes outside of functions.
        module: The module's own code; always there.
        loose: Statements of the module that belong to no function or class and do something.
    """

    functions: tuple[Unit, ...]
    classes: tuple[Unit, ...]
    module: Unit
    loose: tuple[ast.stmt, ...]


def find_units(tree: ast.Module, entry: str) -> Units:
    """The units of a file in the order of their lines.

    Args:
        tree: The file.
        entry: Name of the function or class that the suite calls; empty for a program.
    """
    functions: list[Unit] = []
    classes: list[Unit] = []
    waiting: list[tuple[ast.stmt, str, bool, bool]] = [(item, "", False, True) for item in tree.body]
    while waiting:
        item, prefix, method, public = waiting.pop()
        name = _named(item)
        full = f"{prefix}{name}"
        unit = Unit(
            node=item,
            name=full if len(full) <= _NAME_SHOWN else f"{full[:_NAME_SHOWN]}…",
            line=getattr(item, "lineno", 1),
            method=method,
            public=(public and not name.startswith("_")) or (bool(entry) and full == entry),
            entry=bool(entry) and full == entry,
        )
        if isinstance(item, ast.ClassDef):
            classes.append(unit)
            waiting += [(child, f"{full}.", True, unit.public) for child in item.body]
        elif name:
            if not _is_overload(item):
                functions.append(unit)
        else:
            waiting += [(child, prefix, method, public) for child in statements_within(item)]
    functions.sort(key=lambda unit: unit.line)
    classes.sort(key=lambda unit: unit.line)
    return Units(tuple(functions), tuple(classes), Unit(tree, "the module", 1), _loose(tree))


def statements_within(item: ast.AST) -> list[ast.stmt]:
    """The statements directly inside a compound statement, in all of its branches."""
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(item):
        if isinstance(child, ast.stmt):
            found.append(child)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            found += child.body
    return found


def lambda_of(item: ast.AST) -> ast.Lambda | None:
    """The lambda that a statement gives a name, if it is one."""
    if isinstance(item, ast.Assign) and len(item.targets) == 1 and isinstance(item.targets[0], ast.Name):
        return item.value if isinstance(item.value, ast.Lambda) else None
    if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
        return item.value if isinstance(item.value, ast.Lambda) else None
    return None


def _named(item: ast.stmt) -> str:
    """The name of a function, class or named lambda; empty for other statements."""
    if isinstance(item, (*FUNCTION, ast.ClassDef)):
        return item.name
    if lambda_of(item) is None:
        return ""
    target = item.targets[0] if isinstance(item, ast.Assign) else item.target if isinstance(item, ast.AnnAssign) else 0
    return target.id if isinstance(target, ast.Name) else ""


def _is_overload(item: ast.stmt) -> bool:
    return isinstance(item, FUNCTION) and any(decorator_name(one) == "overload" for one in item.decorator_list)


def decorator_name(node: ast.expr) -> str:
    """The last name of a decorator: ``setter`` of ``@value.setter``, ``cache`` of ``@functools.cache()``."""
    target = node.func if isinstance(node, ast.Call) else node
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _loose(tree: ast.Module) -> tuple[ast.stmt, ...]:
    """Control flow and calls outside of functions; imports, constants and definitions alone do nothing."""
    return tuple(
        item
        for item in tree.body
        if isinstance(item, _FLOW) or (isinstance(item, ast.Expr) and not isinstance(item.value, ast.Constant))
    )
