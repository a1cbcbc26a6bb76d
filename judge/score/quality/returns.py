"""Returns: one family of types in all of them.

Families are read from the expression alone (a list, a string, a comparison …); what could be anything fits all. A
value in one place and a bare ``return`` in another is 0. A value and the end of the function without one is 0.5, and so
is None beside a value when the annotation does not say so. Several families are 0, or 0.5 when annotated as a union.
Generators and functions that return nothing are fine.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from judge.score.quality.ending import falls_off
from judge.score.quality.mark import Mark
from judge.score.quality.units import FUNCTION, Function, Unit, lambda_of
from judge.score.quality.walk import walk

_CALLS = {
    "list": "list", "sorted": "list", "dict": "dict", "set": "set", "frozenset": "set", "tuple": "tuple",
    "str": "str", "repr": "str", "chr": "str", "format": "str", "bytes": "bytes", "bytearray": "bytes",
    "int": "number", "float": "number", "len": "number", "ord": "number", "hash": "number", "complex": "number",
    "bool": "bool", "any": "bool", "all": "bool", "isinstance": "bool", "callable": "bool", "hasattr": "bool",
}  # fmt: skip
_NODES: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.Tuple: "tuple", ast.JoinedStr: "str", ast.Compare: "bool", ast.GeneratorExp: "generator",
    ast.Lambda: "function",
}  # fmt: skip
_CONSTANTS: tuple[tuple[type, str], ...] = (
    (bool, "bool"),  # before int: a bool is one
    (int, "number"),
    (float, "number"),
    (complex, "number"),
    (str, "str"),
    (bytes, "bytes"),
)
_ANYTHING = frozenset({"Any", "object", "Optional", "Union", "NoReturn", "Never"})


class _Return(NamedTuple):
    line: int
    family: str
    """Empty: could be anything. ``none``: an explicit None. ``bare``: no value at all."""


def judge_returns(unit: Unit) -> Mark:
    """The mark of one function: the worst of itself and the functions inside it."""
    if lambda_of(unit.node) is not None:
        return Mark(1.0)
    marks = [_of_one(node) for node in walk(unit.node) if isinstance(node, FUNCTION)]
    reasons = tuple(reason for mark in marks for reason in mark.reasons)
    return Mark(min((mark.value for mark in marks), default=1.0), reasons)


def _of_one(node: Function) -> Mark:
    returns, yields = _own_returns(node)
    name = f"'{node.name[:80]}'"
    valued = [item for item in returns if item.family not in {"bare", "none"}]
    bare = [item for item in returns if item.family == "bare"]
    if yields or not valued:
        return Mark(1.0)
    marks = []
    if bare:
        marks.append(Mark(0.0, (f"line {bare[0].line}: {name} returns nothing here and a value elsewhere",)))
    elif falls_off(node.body):
        marks.append(Mark(0.5, (f"line {node.lineno}: {name} returns a value, but can also end without one",)))
    families = sorted({item.family for item in valued if item.family})
    if len(families) > 1:
        value = 0.5 if _allows(node.returns, several=True) else 0.0
        marks.append(Mark(value, (f"line {node.lineno}: {name} returns several types: {', '.join(families)}",)))
    nothing = [item for item in returns if item.family == "none"]
    if nothing and not _allows(node.returns, several=False):
        text = f"line {nothing[0].line}: {name} returns None here, which its annotation does not say"
        marks.append(Mark(0.5, (text,)))
    return Mark(min((mark.value for mark in marks), default=1.0), tuple(one for mark in marks for one in mark.reasons))


def _own_returns(node: Function) -> tuple[list[_Return], bool]:
    """The returns of a function itself in the order of their lines, and whether it yields."""
    found: list[_Return] = []
    yields = False
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        item = waiting.pop()
        if isinstance(item, (*FUNCTION, ast.ClassDef, ast.Lambda)):
            continue
        yields = yields or isinstance(item, (ast.Yield, ast.YieldFrom))
        if isinstance(item, ast.Return):
            if item.value is None:
                found.append(_Return(item.lineno, "bare"))
            else:
                found += [_Return(item.lineno, family) for family in _families(item.value)]
        waiting += ast.iter_child_nodes(item)
    return sorted(found), yields


def _families(value: ast.expr) -> set[str]:
    """The families that an expression can have; both arms of a conditional one."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, ast.IfExp):
            waiting += [item.body, item.orelse]
        elif isinstance(item, ast.NamedExpr):
            waiting.append(item.value)
        elif isinstance(item, ast.UnaryOp) and not isinstance(item.op, ast.Not):
            waiting.append(item.operand)
        else:
            found.add(_family(item))
    return found


def _family(item: ast.expr) -> str:
    if isinstance(item, ast.Constant):
        if item.value is None:
            return "none"
        return next((family for kind, family in _CONSTANTS if isinstance(item.value, kind)), "")
    if isinstance(item, ast.UnaryOp):
        return "bool"
    if isinstance(item, ast.Call):
        return _CALLS.get(item.func.id, "") if isinstance(item.func, ast.Name) else ""
    return _NODES.get(type(item), "")


def _allows(annotation: ast.expr | None, *, several: bool) -> bool:
    """Whether an annotation speaks of several types, or of None."""
    if annotation is None:
        return False
    for node in walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return (
                "|" in node.value
                or "Union" in node.value
                or (not several and "None" in node.value)
                or ("Optional" in node.value and not several)
            )
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in _ANYTHING and not (several and name == "Optional"):
            return True
        if several and isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return True
        if not several and isinstance(node, ast.Constant) and node.value is None:
            return True
    return False
