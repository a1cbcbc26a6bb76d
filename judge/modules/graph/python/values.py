"""What is known of arguments, strings and assigned values; worked out for the files somebody asks about."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from judge.modules.graph.facts import Call, StringLiteral, Value
from judge.modules.graph.python.comments import comments
from judge.modules.graph.python.files import FileEvaluator
from judge.modules.graph.python.folding import ROOT
from judge.modules.graph.python.ir import Ir, RawCall, RawModule
from judge.modules.graph.python.program import Context

_NO_KEYWORDS: MappingProxyType[str, Value] = MappingProxyType({})
Reached = set[tuple[int, int]]


class Values:
    """Evaluates expressions of linked modules into facts."""

    def __init__(self, evaluator: FileEvaluator) -> None:
        self.ev = evaluator
        self.program = evaluator.program

    def calls(
        self, module: RawModule, reached: Reached, resolved: Callable[[RawCall, Context], str]
    ) -> tuple[Call, ...]:
        """All calls of a module with what is known of their arguments."""
        found = []
        for raw in module.calls:
            ctx = self.program.context(module.index, raw.scope)
            target = self.ev.call_target(raw, ctx)
            texts = iter(raw.texts)
            args = tuple([self.value(item, ctx, next(texts, "")) for item in raw.args])
            keywords = {name or "**": self.value(item, ctx, next(texts, "")) for name, item in raw.keywords}
            name = target.rpartition(".")[2] if target != "?" else raw.label
            reachable = raw.live and (module.index, raw.scope) in reached
            scope = ctx.scope.qualname
            own = resolved(raw, ctx)
            found.append(
                Call(target, name, raw.line, raw.end_line, scope, args, keywords or _NO_KEYWORDS, reachable, own)
            )
        return tuple(found)

    def strings(self, module: RawModule, reached: Reached) -> tuple[StringLiteral, ...]:
        """All string constants of a module."""
        return tuple(
            [
                StringLiteral(text, line, module.scopes[scope].qualname, live and (module.index, scope) in reached)
                for text, line, scope, live in module.strings
            ]
        )

    def comments(self, module: RawModule) -> tuple[tuple[int, str], ...]:
        """Comments and docstrings of a module with their lines."""
        found = comments(module.source.split("\n"), module.spans)
        docs = [(scope.line, scope.docstring) for scope in module.scopes if scope.docstring]
        return tuple(sorted([*module.remarks, *found, *docs]))

    def value(self, ir: Ir, ctx: Context, text: str) -> Value:
        """What is known of an expression."""
        if ir[0] == "k":
            return Value(text, _shown(ir[1]), True)
        if ir[0] == "u":
            return Value(text)
        folds = self.ev.fold(ir, ctx)
        first = folds[0]
        return Value(text, _shown(first.value), first.known and len(folds) == 1, self.ev.origin(ir, ctx))

    def assigned(self, module: RawModule) -> dict[str, Value]:
        """Module-level and class-level names with a known value."""
        found: dict[str, Value] = {}
        for scope in module.scopes:
            if scope.kind == "function":
                continue
            ctx = self.program.context(module.index, scope.index)
            for name, bindings in scope.bindings.items():
                last = bindings[-1].ir
                if last[0] in {"m", "def", "u", "it"} or not name.isidentifier():
                    continue
                value = self.value(last, ctx, "")
                if value.constant is not None or value.origin:
                    found[f"{scope.qualname}.{name}" if scope.qualname else name] = value
        return found


def _shown(value: str | int | float | bool | None) -> str | int | float | bool | None:
    """A constant without the internal mark of paths from the root."""
    if isinstance(value, str) and "\0" in value:
        return value.replace(ROOT, "").replace("\0", "")
    return value
