"""The state of the walk over one module, and the small steps that every part of it takes."""

from __future__ import annotations

import ast

from judge.modules.graph.python.ir import Arms, Binding, Ir, RawCall, RawImport, RawModule, RawScope
from judge.modules.graph.python.liveness import Flags

MAX_TEXT = 200
MAX_STRINGS = 20_000
_binding = tuple.__new__
"""Makes a :class:`Binding` without the detour through its Python-level constructor."""


class Builder:
    """Where the walk is, and what it notes."""

    def __init__(self, module: RawModule, lines: list[str]) -> None:
        self.module = module
        self.lines = lines
        self.ascii = module.source.isascii()
        """Whether byte columns are character columns."""
        self.arms: Arms = ()
        self.live = True
        self.seq = 0
        self.arm_count = 0
        self.inner = 0
        """Depth of lambdas and comprehensions, whose bindings stay inside."""
        self.flags = Flags(ast.Module(body=[], type_ignores=[]))
        """Module-level names that are one constant truth value."""
        self._recent: list[dict[str, Ir]] = []
        """Names as they were last read, scope by scope, while nothing was bound to them since: one object serves all
        reads that mean the same, which spares memory and lets the evaluator remember more."""
        self.names = module.names
        scope = RawScope(0, "module", "", "", -1, 1, len(lines))
        module.scopes.append(scope)
        self._recent.append({})
        self.enter(scope)

    def enter(self, scope: RawScope) -> None:
        """Make a scope the current one."""
        self.scope = scope
        self.recent = self._recent[scope.index]
        self.loads = scope.loads

    def add_scope(self, scope: RawScope) -> None:
        """File a new scope."""
        self.module.scopes.append(scope)
        self._recent.append({})

    def expr(self, node: ast.expr | None) -> Ir:
        """The compact form of an expression."""
        raise NotImplementedError

    def text(self, node: ast.expr) -> str:
        """Source text of an expression's first line, at most 200 characters."""
        line = node.lineno
        if line > len(self.lines):
            return ""
        first = self.lines[line - 1]
        start = node.col_offset
        stop = (node.end_col_offset or 0) if node.end_lineno == line else len(first) * 4
        if self.ascii:
            return first[start : min(stop, start + MAX_TEXT)]
        return _cut(first, start, stop)[:MAX_TEXT]

    def read(self, name: str) -> Ir:
        """The form of a name that is read here."""
        ir = self.recent.get(name)
        if ir is None or ir[3] is not self.arms:
            ir = self.recent[name] = ("n", name, self.seq, self.arms)
        return ir

    def load(self, key: str, ir: Ir) -> None:
        """Note that a name or attribute chain is read."""
        known = self.loads.get(key)
        if known is None or (self.live and not known[1]):
            self.loads[key] = (ir, self.live)

    def bind(self, name: str, ir: Ir, scope: RawScope | None = None) -> None:
        """Bind a name in the current (or given) scope."""
        self.seq += 1
        if scope is None or scope is self.scope:
            target, arms = self.scope, self.arms
            self.recent.pop(name, None)
        else:
            target, arms = scope, ()
            self._recent[scope.index].pop(name, None)
        binding = _binding(Binding, (self.seq, arms, ir, self.inner > 0))
        known = target.bindings.get(name)
        if known is None:
            target.bindings[name] = [binding]
        else:
            known.append(binding)

    def bind_part(self, name: str, ir: Ir) -> None:
        """Bind an attribute or item of something, under its text."""
        self.scope.dotted = True
        self.recent.pop(name.partition("[")[0].partition(".")[0], None)
        self.bind(name, ir)

    def target(self, node: ast.expr, ir: Ir) -> None:
        """Bind an assignment target."""
        raise NotImplementedError

    def new_arm(self) -> int:
        """A number for one branching statement; its arms are ``number * 8 + arm``."""
        self.arm_count += 1
        return self.arm_count * 8

    def note_string(self, node: ast.expr) -> None:
        """Remember where a string literal stands, so that a ``#`` in it is no comment."""
        self.module.spans.append(
            (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        )

    def add_call(
        self,
        node: ast.expr,
        func: Ir,
        args: tuple[Ir, ...],
        keywords: tuple[tuple[str, Ir], ...],
        texts: tuple[str, ...],
    ) -> Ir:
        """Record a call and return its compact form."""
        label = func[2] if func[0] == "a" else func[1] if func[0] == "n" else ""
        calls = self.module.calls
        end = node.end_lineno or node.lineno
        calls.append(RawCall(func, args, keywords, texts, node.lineno, end, self.scope.index, self.live, label))
        return ("c", len(calls) - 1)

    def _imported(self, module: str, name: str, alias: str, level: int, line: int) -> None:
        item = RawImport(module, name, alias, level, line, self.scope.index, self.live)
        self.module.imports.append(item)


def chain(ir: Ir) -> str:
    """The text of a name or attribute chain; what is no name becomes ``?``."""
    if ir[0] == "a":
        base = ir[1]
        if base[0] == "n":
            return f"{base[1]}.{ir[2]}"
        parts = [ir[2]]
        while base[0] == "a":
            parts.append(base[2])
            base = base[1]
        parts.append(base[1] if base[0] == "n" else "?")
        return ".".join(reversed(parts))
    return ir[1] if ir[0] == "n" else "?"


def _cut(line: str, start: int, stop: int) -> str:
    """Part of a line between two byte columns."""
    if line.isascii():
        return line[start:stop]
    return line.encode("utf-8", "surrogatepass")[start:stop].decode("utf-8", "ignore")
