"""The parameters of what is asked, read from text without running it."""

from __future__ import annotations

import ast
from inspect import Parameter, Signature
from typing import Any


class NoSignature(Exception):
    """A text that is no signature; the text says why."""


def from_text(text: str) -> Signature:
    """The parameters of a signature such as ``(nums: list[int], target: int = 0) -> int``.

    Raises:
        NoSignature: It cannot be parsed.
    """
    head = text.strip().removeprefix("async ").removeprefix("def ").strip().removesuffix(":")
    start = head.find("(")
    if start < 0 or (start and not head[:start].strip().isidentifier()) or len(text) > 4000:
        raise NoSignature("expects a signature such as (nums: list[int], target: int) -> int")
    try:
        tree = ast.parse(f"def f{head[start:]}: ...")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoSignature(f"is no signature: {str(error)[:80]}") from None
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef) or len(tree.body[0].body) != 1:
        raise NoSignature("expects a signature such as (nums: list[int], target: int) -> int")
    return _signature(tree.body[0].args)


def from_tree(tree: ast.Module, entry: str) -> Signature | None:
    """The parameters of a function or of a class's constructor; None where the text does not show them."""
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == entry:
            return None if node.decorator_list else _signature(node.args)
        if isinstance(node, ast.ClassDef) and node.name == entry:
            return _constructor(node)
    return None


def _constructor(node: ast.ClassDef) -> Signature | None:
    methods = _methods(node)
    if node.decorator_list or node.bases or node.keywords or "__new__" in methods:
        return None
    if "__init__" not in methods:
        return Signature()
    found = _signature(methods["__init__"].args)
    return found.replace(parameters=list(found.parameters.values())[1:])


def methods_of(tree: ast.Module, entry: str) -> dict[str, Signature | None] | None:
    """The methods of a class by name; None where it may have others, by a base, decorator or ``__getattr__``."""
    node = next((n for n in reversed(tree.body) if isinstance(n, ast.ClassDef) and n.name == entry), None)
    if node is None or node.bases or node.decorator_list or node.keywords:
        return None
    plain = all(
        isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Expr | ast.AnnAssign) for part in node.body
    )
    methods = _methods(node)
    if not plain or "__getattr__" in methods or "__getattribute__" in methods:
        return None
    return {name: _bound(method) for name, method in methods.items()}


def _bound(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature | None:
    if method.decorator_list:
        return None
    found = _signature(method.args)
    return found.replace(parameters=list(found.parameters.values())[1:])


def _methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    return {part.name: part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)}


def _signature(arguments: ast.arguments) -> Signature:
    positional: list[tuple[ast.arg, Any]] = [(a, Parameter.POSITIONAL_ONLY) for a in arguments.posonlyargs]
    positional += [(a, Parameter.POSITIONAL_OR_KEYWORD) for a in arguments.args]
    required = len(positional) - len(arguments.defaults)
    found = [
        Parameter(a.arg, kind, default=Parameter.empty if index < required else None)
        for index, (a, kind) in enumerate(positional)
    ]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        empty = Parameter.empty if default is None else None
        found.append(Parameter(argument.arg, Parameter.KEYWORD_ONLY, default=empty))
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(found)


def mismatch(signature: Signature, args: list[Any], kwargs: dict[str, Any]) -> str:
    """Why a call with these arguments does not fit; empty when it does."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    return ""
