"""Domains: Hypothesis strategies written as text, read by a list of what is allowed; nothing in them is evaluated."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from judge.near import did_you_mean
from judge.score.edge.calls import BUILDERS, CANNOT
from judge.score.edge.literals import MOST_DEPTH, Unreadable, alternatives, literal, tree_of
from judge.score.edge.spec import MOST_BOXES, Union, boxes, least

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypothesis.strategies import SearchStrategy

    from judge.score.edge.calls import Reader
    from judge.score.edge.spec import Spec

_MOST_NODES = 4_000
_MOST_PARTS = 100_000


def parse_strategy(text: str) -> SearchStrategy[Any]:
    """The strategy that a text describes, such as ``lists(integers(-5, 5), max_size=8) | none()``.

    Draws lean towards small, equal and touching values; all lie within the domain.

    Raises:
        InputError: It names anything but a strategy whose values can be carried to a worker, or its bounds contradict
            each other; the message has the column.
    """
    from judge.score.edge.strategies import strategy

    return strategy(parse_domain(text))


def parse_domain(text: str) -> Spec:
    """The set of values that a text describes.

    Raises:
        InputError: As `parse_strategy`.
    """
    stripped = text.strip()
    try:
        tree = tree_of(stripped)
        _small(tree)
        spec = _strategy(getattr(tree, "body", tree), 0)
        if least(spec) > _MOST_PARTS:
            raise Unreadable(f"its smallest value has more than {_MOST_PARTS} parts")
        if boxes(spec) > MOST_BOXES:
            raise Unreadable(f"more than {MOST_BOXES} containers stand within each other")
        return spec
    except Unreadable as fault:
        raise fault.as_error("the domain", stripped) from None


def _small(tree: ast.AST) -> None:
    for count, _ in enumerate(ast.walk(tree)):
        if count > _MOST_NODES:
            raise Unreadable("it has too many parts")


def _strategy(node: ast.AST, depth: int) -> Spec:
    if depth > MOST_DEPTH:
        raise Unreadable("it is nested too deeply", node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return Union(tuple(_strategy(part, depth + 1) for part in alternatives(node)))
    if isinstance(node, ast.Call):
        return _call(node, depth)
    if isinstance(node, ast.Name) and node.id in BUILDERS:
        raise Unreadable(f"{node.id} is not called", node, f"write {node.id}()")
    raise Unreadable("a strategy is wanted here", node, "such as integers(0, 10)")


def _call(node: ast.Call, depth: int) -> Spec:
    name = _called(node.func)
    builder = BUILDERS[name]
    values = _by_place(node, name, depth)
    if builder.rest is not None:
        if node.keywords:
            raise Unreadable(f"{name} takes no named values", node.keywords[0].value)
        return builder.build(node, values)
    named = dict(zip(builder.places, values, strict=False))
    for keyword in node.keywords:
        key = keyword.arg or "**"
        if key not in builder.readers:
            raise Unreadable(f"{name} has no parameter {key[:60]}", keyword.value, _near(key, builder.readers))
        if key in named:
            raise Unreadable(f"{key} is given twice", keyword.value)
        named[key] = _read(builder.readers[key], keyword.value, depth)
    for needed in builder.needed:
        if needed not in named:
            raise Unreadable(f"{name} needs {needed}", node)
    return builder.build(node, named)


def _by_place(node: ast.Call, name: str, depth: int) -> list[Any]:
    builder = BUILDERS[name]
    values: list[Any] = []
    for index, item in enumerate(node.args):
        if isinstance(item, ast.Starred):
            raise Unreadable("* cannot stand here", item)
        if index >= len(builder.places) and builder.rest is None:
            raise Unreadable(f"{name} takes at most {len(builder.places)} values by place", item)
        reader = builder.readers[builder.places[index]] if index < len(builder.places) else builder.rest
        values.append(_read(reader, item, depth))
    return values


def _called(function: ast.AST) -> str:
    if isinstance(function, ast.Attribute):
        raise Unreadable(
            "names with a dot are not allowed",
            function,
            f"write {function.attr}(…) by itself, and conditions under inputs.requires",
        )
    if not isinstance(function, ast.Name):
        raise Unreadable("only strategies can be called", function)
    if function.id in CANNOT:
        raise Unreadable(f"{function.id}: {CANNOT[function.id]}", function)
    if function.id not in BUILDERS:
        raise Unreadable(f"{function.id[:60]} is no known strategy", function, _near(function.id, BUILDERS))
    return function.id


def _near(name: str, known: Collection[str]) -> str:
    return did_you_mean(name[:60], known, f"known: {', '.join(sorted(known)) or 'none'}")


def _read(reader: Reader | None, node: ast.AST, depth: int) -> Any:
    if reader == "strategy":
        return _strategy(node, depth + 1)
    if reader == "alphabet":
        return _strategy(node, depth + 1) if isinstance(node, ast.Call) else literal(node)
    if reader == "mapping":
        if not isinstance(node, ast.Dict):
            raise Unreadable("a dictionary of strategies is wanted here", node)
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise Unreadable("** cannot stand here", value)
            pairs.append((literal(key), _strategy(value, depth + 1)))
        return tuple(pairs)
    return literal(node)
