"""Small questions about a Python syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard


def dotted(node: ast.expr) -> str:
    """A call's name; ``get_ipython().system`` is ``get_ipython.system``."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        else:
            return ".".join(reversed(parts))


def bindings(tree: ast.Module) -> dict[str, str]:
    """Names that are bound exactly once in the code, to a literal text."""
    bound: dict[str, str | None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] = None if node.id in bound else bound.setdefault(node.id, "")
    texts: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            if isinstance(value, ast.Call) and dotted(value.func) in {"Path", "pathlib.Path"} and len(value.args) == 1:
                value = value.args[0]
            if bound.get(name) is not None and isinstance(value, ast.Constant) and isinstance(value.value, str):
                texts[name] = value.value
    return texts


def imported_names(tree: ast.Module) -> set[str]:
    """Every name that imports mention: modules, and what is taken from them, which may be modules too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            mentioned = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom) and node.module:
                mentioned.append(node.module)
            names |= {part for dotted_name in mentioned for part in dotted_name.split(".")}
    return names


def handles(tree: ast.Module) -> dict[ast.Call, str]:
    """Calls whose result gets a name: ``with open(…) as f`` and ``f = open(…)``."""
    named: dict[ast.Call, str] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.withitem)
            and isinstance(node.context_expr, ast.Call)
            and isinstance(node.optional_vars, ast.Name)
        ):
            named[node.context_expr] = node.optional_vars.id
        elif (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name)
        ):
            named[node.value] = node.targets[0].id
    return named


_BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.While,
    ast.ExceptHandler,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ClassDef,
)


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, bool]]:
    """All calls with whether they surely happen when the code runs through."""
    stack: list[tuple[ast.AST, bool]] = [(tree, True)]
    while stack:
        node, certain = stack.pop()
        if isinstance(node, ast.Call):
            yield node, certain
        inner = certain and not (isinstance(node, _BRANCHES) and not _is_main(node))
        stack.extend((child, inner) for child in reversed(list(ast.iter_child_nodes(node))))


def _is_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


def is_path(func: ast.expr) -> bool:
    """Whether a method belongs to something that may be a path."""
    value = func.value if isinstance(func, ast.Attribute) else func
    return isinstance(value, ast.BinOp | ast.Name) or (
        isinstance(value, ast.Call) and dotted(value.func).endswith("Path")
    )


def exec_target(call: ast.Call) -> str | None:
    """The script in ``exec(open("x.py").read())``."""
    found = re.search(r"open',.*?Constant\(value='([^']+)'", ast.dump(call.args[0])) if call.args else None
    return found[1] if found else None


def is_name(node: ast.expr, name: str | None) -> TypeGuard[ast.Name]:
    """Whether an expression is just that name."""
    return name is not None and isinstance(node, ast.Name) and node.id == name


def is_literal(nodes: list[ast.expr]) -> bool:
    """Whether values are written out in the code: constants and containers of constants."""
    try:
        for node in nodes:
            ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return bool(nodes)
