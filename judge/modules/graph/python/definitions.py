"""Definitions and imports: statements that open a scope or bind what other files define."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from judge.modules.graph.python import bodies
from judge.modules.graph.python.assignments import Assignments, annotation
from judge.modules.graph.python.ir import Binding, RawScope

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definitions(Assignments):
    """Walks functions, classes and imports."""

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Walk statements; whether control never gets past them."""
        raise NotImplementedError

    def _open_scope(self, node: Function | ast.ClassDef, kind: str) -> RawScope:
        outer = self.scope
        qualname = f"{outer.qualname}.{node.name}" if outer.qualname else node.name
        first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        scope = RawScope(
            len(self.module.scopes), kind, node.name, qualname, outer.index, first, node.end_lineno or node.lineno
        )
        scope.live = self.live
        scope.flat = outer.flat and outer.kind != "function"
        scope.docstring = docstring(node.body)
        scope.decorators = tuple(self.expr(item) for item in node.decorator_list)
        self.module.names.setdefault(node.name, node.lineno)
        self.add_scope(scope)
        outer.children.append(scope.index)
        return scope

    def _walk_scope(self, scope: RawScope, body: Sequence[ast.stmt]) -> None:
        outer, arms, live, inner = self.scope, self.arms, self.live, self.inner
        self.arms, self.live, self.inner = (), True, 0
        self.enter(scope)
        self._globals.append({})
        self.block(body)
        self._globals.pop()
        self.enter(outer)
        self.arms, self.live, self.inner = arms, live, inner

    def _function_def(self, node: Function) -> bool:
        scope = self._open_scope(node, "function")
        self._parameters(scope, node.args)
        scope.body = bodies.function_body(node, self.lines)
        self.name_target(node.name, node.lineno, ("def", scope.index))
        for number, name in enumerate(scope.params):
            self.seq += 2
            scope.bindings[name] = [Binding(self.seq, (), ("p", number), self.inner > 0)]
        self._walk_scope(scope, node.body)
        return False

    def _parameters(self, scope: RawScope, args: ast.arguments) -> None:
        positional = [*args.posonlyargs, *args.args]
        every = [*positional, *args.kwonlyargs]
        names = [item.arg for item in every]
        for item in every:
            if item.annotation is not None:
                scope.annotations[item.arg] = annotation(item.annotation)
        if positional and args.defaults:
            for item, default in zip(positional[-len(args.defaults) :], args.defaults, strict=True):
                scope.defaults[item.arg] = self.expr(default)
        for item, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if value is not None:
                scope.defaults[item.arg] = self.expr(value)
        for extra in (args.vararg, args.kwarg):
            if extra is not None:
                if extra is args.vararg:
                    scope.variadic = len(names)
                names.append(extra.arg)
        scope.params = tuple(names)

    def _class_def(self, node: ast.ClassDef) -> bool:
        scope = self._open_scope(node, "class")
        scope.bases = tuple(self._function(item) for item in node.bases)
        for item in node.keywords:
            self.expr(item.value)
        self.name_target(node.name, node.lineno, ("def", scope.index))
        self._walk_scope(scope, node.body)
        methods = [self.module.scopes[child].body for child in scope.children]
        scope.body = bodies.class_body(node, methods)
        return False

    def _import(self, node: ast.Import) -> bool:
        for item in node.names:
            first = item.name.partition(".")[0]
            alias = item.asname or first
            self._imported(item.name, "", alias, 0, node.lineno)
            self.bind(alias, ("m", item.name if item.asname else first, "", 0))
        return False

    def _import_from(self, node: ast.ImportFrom) -> bool:
        module, level = node.module or "", node.level or 0
        for item in node.names:
            alias = item.asname or item.name
            self._imported(module, item.name, alias, level, node.lineno)
            if item.name == "*":
                self.module.stars.append(self.module.imports[-1])
            else:
                self.bind(alias, ("m", module, item.name, level))
        return False

    def _global(self, node: ast.Global) -> bool:
        self._globals[-1].update(dict.fromkeys(node.names, 0))
        return False

    def _nonlocal(self, node: ast.Nonlocal) -> bool:
        outer = self.module.scopes[self.scope.parent] if self.scope.parent >= 0 else None
        if outer is not None and outer.kind == "function":
            self._globals[-1].update(dict.fromkeys(node.names, outer.index))
        return False


def docstring(body: Sequence[ast.stmt]) -> str:
    """The docstring that a body begins with, as written."""
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value
    return ""
