"""Resolves expressions to the dotted names that they stand for after imports."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_IMPORTERS = frozenset({"__import__", "importlib.import_module", "builtins.__import__"})
_ALIAS_ROUNDS = 3
_NAMED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
_LONGEST = 20
"""Parts of a dotted name; a longer chain of attributes is no name of a module's part."""
_BUILTINS = frozenset(
    {"open", "eval", "exec", "compile", "setattr", "delattr", "__import__", "__builtins__", "__file__"}
)


def aliases(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Every name that an import or a plain assignment binds to a module or to a part of one.

    Scopes are not told apart: a name that is imported anywhere counts everywhere, and one that is bound to something
    else anywhere, such as a local ``copy = Node()``, counts nowhere. That hides a sign at worst, and signs are no
    defence.

    Args:
        nodes: All nodes of a file.
    """
    found = _imports(nodes)
    assignments = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, _NAMED)]
    for name in _rebound(nodes, found):
        found.pop(name, None)
    for _ in range(_ALIAS_ROUNDS):
        for node in assignments:
            name = dotted(node.value, found)
            for target in node.targets if name else ():
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, name)
    return found


def _imports(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Name -> module or part of one."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for item in node.names:
                found[item.asname or item.name.partition(".")[0]] = (
                    item.name if item.asname else item.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for item in node.names:
                found[item.asname or item.name] = f"{node.module}.{item.name}"
    return found


def _rebound(nodes: Sequence[ast.AST], found: dict[str, str]) -> set[str]:
    """Imported names that stand for something else somewhere: parameters, targets of loops, results of calls."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            names.add(node.optional_vars.id)
        elif isinstance(node, ast.Assign) and not dotted(node.value, found):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names & set(found)


def dotted(node: ast.AST, names: dict[str, str]) -> str:
    """The dotted name of an expression such as ``o._exit`` with ``import os as o``.

    Empty for what hangs on a name that neither an import nor the language binds, such as a local variable.

    ``getattr(os, "_exit")``, ``__import__("os")``, ``importlib.import_module("os")``, ``sys.modules["os"]`` and
    ``vars(os)["_exit"]`` are seen through.
    """
    parts: list[str] = []
    while len(parts) < _LONGEST:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            return _join(_root(node, names), parts)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            name = _text(node.args[1]) if len(node.args) > 1 else ""
            if not name:
                return ""
            parts.append(name)
            node = node.args[0]
        elif isinstance(node, ast.Call):
            return _join(_imported(node, names), parts)
        elif isinstance(node, ast.Subscript):
            return _join(_looked_up(node, names), parts)
        else:
            return ""
    return ""


def _imported(node: ast.Call, names: dict[str, str]) -> str:
    """The module of ``__import__("os")`` and its like."""
    if not isinstance(node.func, (ast.Name, ast.Attribute)) or not node.args:
        return ""
    return _text(node.args[0]) if _plain(node.func, names) in _IMPORTERS else ""


def _looked_up(node: ast.Subscript, names: dict[str, str]) -> str:
    """The module of ``sys.modules["os"]``, the part of ``vars(os)["_exit"]`` or ``os.__dict__["_exit"]``."""
    key = _text(node.slice)
    if not key:
        return ""
    value = node.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "vars" and value.args:
        owner = _plain(value.args[0], names)
        return f"{owner}.{key}" if owner else ""
    owner = _plain(value, names)
    if owner == "sys.modules":
        return key
    if owner.endswith(".__dict__"):
        return f"{owner.removesuffix('.__dict__')}.{key}"
    return ""


def _plain(node: ast.AST, names: dict[str, str]) -> str:
    """A name with attributes only."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < _LONGEST:
        parts.append(node.attr)
        node = node.value
    return _join(_root(node, names), parts) if isinstance(node, ast.Name) else ""


def _root(node: ast.Name, names: dict[str, str]) -> str:
    return names.get(node.id, node.id if node.id in _BUILTINS else "")


def _text(node: ast.AST) -> str:
    """A string literal, or one glued together from literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    parts: list[str] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            stack += [part.right, part.left]
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            parts.append(part.value)
        else:
            return ""
    return "".join(parts)


def _join(root: str, attributes: list[str]) -> str:
    """Root first; ``attributes`` stand from the outermost to the innermost."""
    if not root:
        return ""
    name = ".".join([root, *reversed(attributes)])
    return f"os.{name.removeprefix('posix.')}" if name.startswith("posix.") else name
