"""Whether the body of a definition does anything."""

from __future__ import annotations

import ast
import re

from judge.modules.graph.facts import Body

_TODO = re.compile(
    r"\b(TODO|FIXME|XXX)\b|not (yet )?implemented|placeholder|implement (this|me)|your code", re.IGNORECASE
)
_LOGGING = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log", "print", "echo"})
_SIMPLE = frozenset({ast.Pass, ast.Expr, ast.Raise, ast.Return, ast.Assign})
_MISSING = frozenset({"NotImplementedError", "NotImplemented"})


def function_body(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> Body:
    """Classify a function's body: real, stub or trivial."""
    rest = _without_docstring(node.body)
    if all(_is_stub(item) for item in rest):
        return Body.STUB
    if len(rest) > 12 or not _SIMPLE.issuperset(map(type, rest)):
        return Body.REAL
    own = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    if not all(_is_trivial(item, own) for item in rest):
        return Body.REAL
    text = "\n".join(lines[node.lineno - 1 : node.end_lineno or node.lineno])
    comments = "\n".join(part.partition("#")[2] for part in text.splitlines() if "#" in part)
    return Body.STUB if _TODO.search(comments) or _TODO.search(ast.get_docstring(node) or "") else Body.TRIVIAL


def class_body(node: ast.ClassDef, methods: list[Body]) -> Body:
    """Classify a class's body, given those of its methods."""
    rest = [item for item in _without_docstring(node.body) if not isinstance(item, _DEFS)]
    if any(not _is_stub(item) for item in rest):
        return Body.REAL
    if any(body is Body.REAL for body in methods):
        return Body.REAL
    return Body.TRIVIAL if any(body is Body.TRIVIAL for body in methods) else Body.STUB


_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def _is_stub(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise) and node.exc is not None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id in _MISSING
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id in _MISSING


def _is_trivial(node: ast.stmt, own: set[str]) -> bool:
    """Whether a statement only returns or keeps constants or arguments, or only prints; ``own`` grows with them."""
    if _is_stub(node):
        return True
    if isinstance(node, ast.Return):
        return node.value is None or _is_plain(node.value, own)
    if isinstance(node, ast.Expr):
        return _is_output(node.value)
    if not isinstance(node, ast.Assign) or not _is_plain(node.value, own):
        return False
    own.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return all(isinstance(target, ast.Name) for target in node.targets)


def _is_output(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in _LOGGING:
        return False
    return not any(isinstance(inner, ast.Call) for arg in node.args for inner in ast.walk(arg))


def _is_plain(node: ast.expr, own: set[str]) -> bool:
    """Whether an expression holds only constants, arguments and empty or plain containers."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return node.id in own
    if isinstance(node, ast.UnaryOp):
        return _is_plain(node.operand, own)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(_is_plain(item, own) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_is_plain(item, own) for item in (*node.keys, *node.values) if item is not None)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"dict", "list", "set", "tuple", "str"}
        and not node.args
        and not node.keywords
    )
