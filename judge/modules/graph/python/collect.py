"""The walk over the statements of one module: control flow, dead branches, work at module level."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from judge.modules.graph.python import liveness
from judge.modules.graph.python.builder import chain
from judge.modules.graph.python.definitions import Definitions, docstring
from judge.modules.graph.python.ir import UNKNOWN, Ir, RawModule


class Collector(Definitions):
    """Walks statements; ``run`` fills the module."""

    def __init__(self, module: RawModule, lines: list[str]) -> None:
        super().__init__(module, lines)
        self._statements: dict[type[ast.stmt], Callable[[Any], bool]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._ann_assign,
            ast.AugAssign: self._aug_assign,
            ast.Expr: self._expression,
            ast.FunctionDef: self._function_def,
            ast.AsyncFunctionDef: self._function_def,
            ast.ClassDef: self._class_def,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.Match: self._match,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Break: lambda _: True,
            ast.Continue: lambda _: True,
            ast.Assert: self._assert,
            ast.Pass: lambda _: False,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
        }

    def run(self, tree: ast.Module) -> None:
        """Collect a whole module."""
        self.flags = liveness.Flags(tree)
        self.scope.docstring = docstring(tree.body)
        self.block(tree.body)
        # The tables hold methods of this very object: without them it goes at once, and the syntax tree with it.
        self._statements = {}
        self._handlers = {}

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Walk statements; whether control never gets past them."""
        live, ended = self.live, False
        scope, arms, inner, depth = self.scope, self.arms, self.inner, len(self._globals)
        handlers = self._statements
        for statement in statements:
            if ended:
                self.live = False
            try:
                handler = handlers.get(type(statement))
                if handler is None:
                    self._other(statement)
                elif handler(statement):
                    ended = True
            except RecursionError:
                self.arms, self.inner, self.live = arms, inner, live and not ended
                self.enter(scope)
                del self._globals[depth:]
                self._salvage(statement)
        self.live = live
        return ended

    def _other(self, node: ast.stmt) -> None:
        """A statement that only evaluates what is in it."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expr(child)

    def _salvage(self, node: ast.stmt) -> None:
        """Note the names and calls of a statement that is nested too deeply to be followed."""
        self.module.error = self.module.error or f"line {node.lineno}: nested too deeply to be followed"
        for item in ast.walk(node):
            if isinstance(item, ast.Name):
                self.module.names.setdefault(item.id, item.lineno)
            elif isinstance(item, ast.Call):
                name = item.func.attr if isinstance(item.func, ast.Attribute) else getattr(item.func, "id", "")
                func: Ir = ("n", name, self.seq, ()) if isinstance(item.func, ast.Name) else ("a", UNKNOWN, name)
                self.add_call(item, func, (), (), ())

    def _expression(self, node: ast.Expr) -> bool:
        if isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                self.note_string(node.value)
                self.module.remarks.append((node.lineno, node.value.value))
            return False
        value = self.expr(node.value)
        if self.scope.kind == "module" and self.live and not liveness.is_setup(node.value):
            self.module.work.append(node.lineno)
        if value[0] == "c":
            call = self.module.calls[value[1]]
            if call.label in {"append", "add", "register", "setdefault", "update", "insert"}:
                for arg in call.args:
                    self._stored(arg)
                if call.label in {"append", "add"} and call.args and call.func[0] == "a" and call.func[1][0] in "na":
                    self.bind_part(f"{chain(call.func[1])}[]", call.args[0])
        return liveness.ends_program(node.value)

    def _arm(self, body: Sequence[ast.stmt], arm: int, live: bool = True) -> bool:
        arms, before = self.arms, self.live
        self.arms, self.live = (*arms, arm), before and live
        ended = self.block(body)
        self.arms, self.live = arms, before
        return ended

    def _if(self, node: ast.If) -> bool:
        self.expr(node.test)
        verdict = liveness.truth(node.test, self.flags)
        if self.scope.kind == "module" and self.live and liveness.is_main_guard(node.test):
            self.module.guard = self.module.guard or node.lineno
            work = len(self.module.work)
            ended = self._arm(node.body, self.new_arm())
            del self.module.work[work:]
            return ended and False
        number = self.new_arm()
        first = self._arm(node.body, number, live=verdict is not False)
        second = self._arm(node.orelse, number + 1, live=verdict is not True)
        if verdict is not None:
            return first if verdict else second
        return first and second and bool(node.orelse)

    def _for(self, node: ast.For | ast.AsyncFor) -> bool:
        iterable = self.expr(node.iter)
        self.target(node.target, ("it", iterable))
        self.block(node.body)
        self.block(node.orelse)
        return False

    def _while(self, node: ast.While) -> bool:
        self.expr(node.test)
        verdict = liveness.truth(node.test, self.flags)
        self._arm(node.body, self.new_arm(), live=verdict is not False)
        self.block(node.orelse)
        return verdict is True and not liveness.has_break(node.body)

    def _with(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            value = self.expr(item.context_expr)
            if item.optional_vars is not None:
                self.target(item.optional_vars, value)
        return self.block(node.body) and not liveness.may_suppress(node)

    def _try(self, node: ast.Try | ast.TryStar) -> bool:
        ended = self.block(node.body)
        handled = True
        for handler in node.handlers:
            number = self.new_arm()
            if handler.type is not None:
                self.expr(handler.type)
            if handler.name:
                self.bind(handler.name, UNKNOWN)
            handled = self._arm(handler.body, number) and handled
        if node.orelse:
            ended = self._arm(node.orelse, self.new_arm(), live=not ended) or ended
        final = self.block(node.finalbody)
        return final or (ended and handled)

    def _match(self, node: ast.Match) -> bool:
        subject = self.expr(node.subject)
        number = self.new_arm()
        for position, case in enumerate(node.cases):
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.bind(name, subject)
                if isinstance(pattern, ast.MatchValue):
                    self.expr(pattern.value)
            if case.guard is not None:
                self.expr(case.guard)
            self._arm(case.body, number + min(position, 7))
        return False

    def _return(self, node: ast.Return) -> bool:
        value = self.expr(node.value)
        if node.value is not None and self.live:
            self.scope.returns.append(value)
        return True

    def _assert(self, node: ast.Assert) -> bool:
        self.expr(node.test)
        if node.msg is not None:
            self.expr(node.msg)
        return False

    def _raise(self, node: ast.Raise) -> bool:
        for part in (node.exc, node.cause):
            if part is not None:
                self.expr(part)
        return True
