"""Assignments: what names, attributes and items are bound to."""

from __future__ import annotations

import ast

from judge.modules.graph.python.builder import chain
from judge.modules.graph.python.expressions import Expressions
from judge.modules.graph.python.ir import UNKNOWN, Ir, RawModule, RawScope


class Assignments(Expressions):
    """Binds assignment targets."""

    def __init__(self, module: RawModule, lines: list[str]) -> None:
        super().__init__(module, lines)
        self._globals: list[dict[str, int]] = [{}]
        """Names declared global or nonlocal, scope by scope, with the scope they belong to."""

    def target(self, node: ast.expr, ir: Ir) -> None:
        """Bind an assignment target."""
        kind = type(node)
        if kind is ast.Name:
            self.name_target(node.id, node.lineno, ir)  # type: ignore[attr-defined]
        elif kind is ast.Tuple or kind is ast.List:
            items: list[ast.expr] = node.elts  # type: ignore[attr-defined]
            direct = ir[0] == "l" and len(ir[1]) == len(items)
            for number, item in enumerate(items):
                inner = item.value if isinstance(item, ast.Starred) else item
                self.target(inner, ir[1][number] if direct else ("i", ir, number))
        elif isinstance(node, ast.Attribute):
            self._attribute_target(node, ir)
        elif isinstance(node, ast.Subscript):
            base, index = self.expr(node.value), self.expr(node.slice)
            if base[0] in "na":
                self.bind_part(f"{chain(base)}[{index[1]!r}]" if index[0] == "k" else f"{chain(base)}[]", ir)
            self._stored(ir)

    def name_target(self, name: str, line: int, ir: Ir) -> None:
        """Bind a plain name, in the scope it is declared to belong to."""
        if name not in self.names:
            self.names[name] = line
        declared = self._globals[-1]
        home = declared.get(name) if declared else None
        self.bind(name, ir, self.module.scopes[home] if home is not None else None)

    def _attribute_target(self, node: ast.Attribute, ir: Ir) -> None:
        self.module.names.setdefault(node.attr, node.lineno)
        base = self.expr(node.value)
        owner = self.module.scopes[self.scope.parent] if self.scope.parent >= 0 else None
        if (
            owner is not None
            and owner.kind == "class"
            and base[0] == "n"
            and base[1] == (self.scope.params or ("",))[0]
        ):
            owner.attrs.setdefault(node.attr, []).append((self.scope.index, ir))
        elif base[0] in "na":
            self.bind_part(f"{chain(base)}.{node.attr}", ir)

    def _stored(self, ir: Ir) -> None:
        """A function that keeps one of its own arguments registers it."""
        scope: RawScope | None = self.scope
        while scope is not None and ir[0] == "n":
            if scope.kind == "function" and ir[1] in scope.params:
                self.scope.registers = scope.registers = True
            scope = self.module.scopes[scope.parent] if scope.parent >= 0 else None

    def _assign(self, node: ast.Assign) -> bool:
        first = len(self.module.calls)
        value = self.expr(node.value)
        if self.scope.kind == "module" and self.live:
            self.module.work_calls.extend(range(first, len(self.module.calls)))
        for target in node.targets:
            self.target(target, value)
        return False

    def _ann_assign(self, node: ast.AnnAssign) -> bool:
        if self.scope.kind == "class" and isinstance(node.target, ast.Name):
            self.scope.fields.append(node.target.id)
            self.scope.annotations[node.target.id] = annotation(node.annotation)
        if node.value is not None:
            self.target(node.target, self.expr(node.value))
        elif not isinstance(node.target, ast.Name):
            self.expr(node.target)
        return False

    def _aug_assign(self, node: ast.AugAssign) -> bool:
        new = self.expr(node.value)
        op = "+" if isinstance(node.op, ast.Add) else "/" if isinstance(node.op, ast.Div) else ""
        if isinstance(node.target, ast.Name):
            old = self.read(node.target.id)
            self.load(node.target.id, old)
            self.target(node.target, ("b", op, old, new) if op else ("o", (old, new)))
        else:
            self.expr(node.target)
        return False


def annotation(node: ast.expr) -> Ir:
    """An annotated type as a name or attribute chain; optional and quoted ones are unwrapped."""
    if isinstance(node, ast.Name):
        return ("n", node.id, 1 << 60, ())
    if isinstance(node, ast.Attribute):
        base = annotation(node.value)
        return ("a", base, node.attr) if base is not UNKNOWN else UNKNOWN
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        return ("n", node.value, 1 << 60, ())
    if isinstance(node, ast.BinOp):
        return annotation(node.left)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Optional":
        return annotation(node.slice)
    return UNKNOWN
