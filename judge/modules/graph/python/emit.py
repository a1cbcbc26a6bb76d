"""Linked modules to the facts that other rooms read."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from judge.modules.graph.facts import (
    Access,
    Call,
    CodeFile,
    Definition,
    DefKind,
    FileAccess,
    Import,
    StringLiteral,
    Value,
)
from judge.modules.graph.python.builder import chain
from judge.modules.graph.python.files import content_argument
from judge.modules.graph.python.folding import ROOT
from judge.modules.graph.python.ir import Ir, RawCall, RawModule, RawScope
from judge.modules.graph.python.link import Linked
from judge.modules.graph.python.program import Context

MAX_USES = 300
_NO_KEYWORDS: MappingProxyType[str, Value] = MappingProxyType({})


class Emitter:
    """Turns one linked module after another into a :class:`CodeFile`."""

    def __init__(self, linked: Linked, ids: dict[tuple[int, int], str]) -> None:
        self.linked = linked
        self.ev = linked.evaluator
        self.program = linked.evaluator.program
        self.ids = ids
        self.importers: dict[str, set[str]] = {}
        self._edges: dict[int, tuple[tuple[Call, tuple[str, ...]], ...]] = {}

    def file(self, module: RawModule) -> CodeFile:
        """The facts of one module; ``imported_by`` is filled in afterwards."""
        reached = self.linked.reach.reached
        calls: list[Call] = []
        accesses: list[FileAccess] = []
        for raw in module.calls:
            ctx = self.program.context(module.index, raw.scope)
            call = self._call(raw, ctx, raw.live and (module.index, raw.scope) in reached)
            calls.append(call)
            accesses.extend(self._accesses(raw, call, ctx))
        kind = self.linked.entries.get(module.index)
        line = module.guard or (module.work[0] if module.work else 1) if kind is not None else 0
        return CodeFile(
            path=module.path,
            language="python",
            module=self.program.names[module.index],
            source=module.source,
            definitions=tuple(self._definition(module, scope) for scope in module.scopes[1:]),
            calls=tuple(calls),
            imports=tuple(self._imports(module)),
            strings=tuple(
                StringLiteral(text, line, module.scopes[scope].qualname, live and (module.index, scope) in reached)
                for text, line, scope, live in module.strings
            ),
            accesses=tuple(accesses),
            entry=kind is not None,
            entry_line=line,
            names=module.names,
            comments=tuple(module.comments),
            assigned=self._assigned(module),
            error=module.error,
        )

    def _call(self, raw: RawCall, ctx: Context, reachable: bool) -> Call:
        target = self.ev.call_target(raw, ctx)
        callees = self.ev.callees(raw, ctx)
        resolved = self.ids.get((callees[0][0][1], callees[0][0][2]), "") if callees else ""
        texts = iter(raw.texts)
        args = tuple(self.value(item, ctx, next(texts, "")) for item in raw.args)
        keywords = {name or "**": self.value(item, ctx, next(texts, "")) for name, item in raw.keywords}
        name = target.rsplit(".", 1)[-1] if target != "?" else raw.label
        scope = ctx.scope.qualname
        return Call(target, name, raw.line, raw.end_line, scope, args, keywords or _NO_KEYWORDS, reachable, resolved)

    def value(self, ir: Ir, ctx: Context, text: str) -> Value:
        """What is known of an expression."""
        if ir[0] == "k":
            return Value(text, _shown(ir[1]), True)
        if ir[0] == "u":
            return Value(text)
        folds = self.ev.fold(ir, ctx)
        first = folds[0]
        return Value(text, _shown(first.value), first.known and len(folds) == 1, self.ev.origin(ir, ctx))

    def _accesses(self, raw: RawCall, call: Call, ctx: Context) -> Iterable[FileAccess]:
        if call.resolved:
            return
        for touch in self.ev.touches(raw, call.target, ctx):
            ir, text = content_argument(touch.content, raw)
            content = self.value(ir, ctx, text) if ir is not None else None
            yield FileAccess(
                access=Access(touch.access),
                pattern=touch.pattern,
                call=call.target,
                line=call.line,
                scope=call.scope,
                reachable=call.reachable,
                content=content,
                anchored=touch.anchored,
                folder=touch.folder,
            )

    def _definition(self, module: RawModule, scope: RawScope) -> Definition:
        ctx = self.program.context(module.index, max(scope.parent, 0))
        key = (module.index, scope.index)
        reach = self.linked.reach
        parent = module.scopes[scope.parent]
        if scope.kind == "class":
            kind = DefKind.CLASS
        else:
            kind = DefKind.METHOD if parent.kind == "class" else DefKind.FUNCTION
        return Definition(
            name=scope.name,
            qualname=scope.qualname,
            kind=kind,
            line=scope.line,
            end_line=scope.end_line,
            body=scope.body,
            bases=tuple(self._dotted(item, ctx) for item in scope.bases),
            decorators=tuple(self._dotted(self._undecorated(item, module), ctx) for item in scope.decorators),
            parameters=scope.params,
            docstring=scope.docstring,
            reachable=key in (reach.used if scope.kind == "class" else reach.reached),
            uses=self._uses(module, scope),
        )

    def _undecorated(self, ir: Ir, module: RawModule) -> Ir:
        return module.calls[ir[1]].func if ir[0] == "c" else ir

    def _dotted(self, ir: Ir, ctx: Context) -> str:
        for head in self.ev.expand(ir, ctx):
            name = self.ev.head_name(head, ctx)
            if name:
                return name
        return chain(ir) if ir[0] in "na" else "?"

    def _uses(self, module: RawModule, scope: RawScope) -> tuple[str, ...]:
        """Dotted names of imported and workspace things that are read in a definition."""
        found: dict[str, None] = {}
        ctx = self.program.context(module.index, scope.index)
        for ir, _ in scope.loads.values():
            if len(found) >= MAX_USES:
                break
            for form, home in self.ev.expand(ir, ctx)[:2]:
                if form[0] in {"X", "D", "B", "M"}:
                    found[self.ev.head_name((form, home), ctx)] = None
        return tuple(found)

    def _imports(self, module: RawModule) -> Iterable[Import]:
        for item in module.imports:
            path = self.program.resolve_import(module, item.module, item.level)
            local = ""
            if path is not None:
                local = self._local(path, item.name)
                if local:
                    self.importers.setdefault(local, set()).add(module.path)
            dotted = item.module
            if local and item.level:
                package = local if local.endswith("__init__.py") or not item.name else path or local
                number = self.program.index.files.get(package)
                dotted = self.program.names[number] if number is not None else item.module
            used = item.name == "*" or not item.alias or item.alias in module.names
            yield Import(dotted, item.name, item.alias, item.line, used, local)

    def _local(self, path: str, name: str) -> str:
        """The workspace file an import reads: a submodule, if the name is one."""
        if not path.endswith("/") and not path.endswith("__init__.py"):
            return path
        folder = path.removesuffix("__init__.py")
        child = self.program.index.child(folder, name) if name and name != "*" else None
        submodule = child is not None and not child.endswith("/")
        if child is not None and submodule and (path.endswith("/") or not self._defines(path, name)):
            return child
        return "" if path.endswith("/") else path

    def _defines(self, path: str, name: str) -> bool:
        bindings = self.program.modules[self.program.index.files[path]].scopes[0].bindings.get(name, ())
        return any(item.ir[0] != "m" for item in bindings)

    def _assigned(self, module: RawModule) -> dict[str, Value]:
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
