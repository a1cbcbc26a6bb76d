"""The state of the walk over one module, and the small steps that every part of it takes."""

from __future__ import annotations

import ast

from judge.modules.graph.python.comments import Span
from judge.modules.graph.python.ir import Arms, Binding, Ir, RawCall, RawImport, RawModule, RawScope

MAX_TEXT = 200
MAX_STRINGS = 20_000


class Builder:
    """Where the walk is, and what it notes."""

    def __init__(self, module: RawModule, lines: list[str]) -> None:
        self.module = module
        self.lines = lines
        self.scope: RawScope = RawScope(0, "module", "", "", -1, 1, len(lines))
        module.scopes.append(self.scope)
        self.arms: Arms = ()
        self.live = True
        self.seq = 0
        self.arm_count = 0
        self.inner = 0
        """Depth of lambdas and comprehensions, whose bindings stay inside."""
        self.spans: list[Span] = []
        self.flags: dict[str, bool] = {}
        """Module-level names that are one constant truth value."""

    def expr(self, node: ast.expr | None) -> Ir:
        """The compact form of an expression."""
        raise NotImplementedError

    def text(self, node: ast.expr) -> str:
        """Source text of an expression, at most 200 characters."""
        line, end_line = node.lineno, node.end_lineno or node.lineno
        if line > len(self.lines):
            return ""
        first = self.lines[line - 1]
        start, stop = node.col_offset, node.end_col_offset or 0
        if end_line != line:
            return _cut(first, start, 1 << 30)[:MAX_TEXT]
        return _cut(first, start, stop)[:MAX_TEXT]

    def load(self, key: str, ir: Ir) -> None:
        """Note that a name or attribute chain is read."""
        known = self.scope.loads.get(key)
        if known is None or (self.live and not known[1]):
            self.scope.loads[key] = (ir, self.live)

    def bind(self, name: str, ir: Ir, scope: RawScope | None = None) -> None:
        """Bind a name in the current (or given) scope."""
        self.seq += 1
        target = scope or self.scope
        binding = Binding(self.seq, self.arms if target is self.scope else (), ir, self.inner > 0)
        target.bindings.setdefault(name, []).append(binding)

    def target(self, node: ast.expr, ir: Ir) -> None:
        """Bind an assignment target."""
        raise NotImplementedError

    def new_arm(self) -> int:
        """A number for one branching statement; its arms are ``number * 8 + arm``."""
        self.arm_count += 1
        return self.arm_count * 8

    def note_string(self, node: ast.expr) -> None:
        """Remember where a string literal stands, so that a ``#`` in it is no comment."""
        self.spans.append((node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0))

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
        self.module.calls.append(
            RawCall(
                func,
                args,
                keywords,
                texts,
                node.lineno,
                node.end_lineno or node.lineno,
                self.scope.index,
                self.live,
                label,
            )
        )
        return ("c", len(self.module.calls) - 1)

    def _imported(self, module: str, name: str, alias: str, level: int, line: int) -> None:
        item = RawImport(module, name, alias, level, line, self.scope.index, self.live)
        self.module.imports.append(item)


def chain(ir: Ir) -> str:
    """The text of a name or attribute chain; what is no name becomes ``?``."""
    parts = []
    while ir[0] == "a":
        parts.append(ir[2])
        ir = ir[1]
    parts.append(ir[1] if ir[0] == "n" else "?")
    return ".".join(reversed(parts))


def _cut(line: str, start: int, stop: int) -> str:
    """Part of a line between two byte columns."""
    if line.isascii():
        return line[start:stop]
    return line.encode("utf-8", "surrogatepass")[start:stop].decode("utf-8", "ignore")
