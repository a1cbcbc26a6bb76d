"""Linked modules to the facts that the graph is made of; the details follow when they are asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from judge.modules.graph.deferred import DeferredCode, Link, defer
from judge.modules.graph.facts import Access, Definition, DefKind, FileAccess, Import, Value
from judge.modules.graph.python.builder import chain
from judge.modules.graph.python.files import content_argument
from judge.modules.graph.python.heads import Heads
from judge.modules.graph.python.ir import Ir, RawCall, RawModule, RawScope
from judge.modules.graph.python.link import Linked
from judge.modules.graph.python.program import Context
from judge.modules.graph.python.values import Values

MAX_USES = 300


class Emitter:
    """Turns one linked module after another into a file of facts."""

    def __init__(self, linked: Linked, ids: dict[tuple[int, int], str]) -> None:
        self.linked = linked
        self.ev = linked.evaluator
        self.program = linked.evaluator.program
        self.ids = ids
        self.importers: dict[str, set[str]] = {}
        self._values = Values(linked.evaluator)
        self._lock = threading.RLock()
        self._global_uses: dict[tuple[int, str], dict[str, None]] = {}

    def file(self, module: RawModule) -> DeferredCode:
        """The facts of one module; ``imported_by`` is filled in afterwards."""
        kind = self.linked.entries.get(module.index)
        line = module.guard or (module.work[0] if module.work else 1) if kind is not None else 0
        imports = tuple(self._imports(module))
        links, accesses, runs = self._calls(module, imports)
        known: dict[str, Any] = {
            "path": module.path,
            "language": "python",
            "module": self.program.names[module.index],
            "source": module.source,
            "definitions": tuple([self._definition(module, scope) for scope in module.scopes[1:]]),
            "imports": imports,
            "accesses": tuple(accesses),
            "entry": kind is not None,
            "entry_line": line,
            "imported_by": (),
            "names": module.names,
            "error": module.error,
        }
        return defer(known, lambda name: self._detail(module, name), tuple(links), runs=runs)

    def _detail(self, module: RawModule, name: str) -> Any:
        """A fact that was put off; several threads may ask."""
        with self._lock:
            if name == "calls":
                return self._values.calls(module, self.linked.reach.reached, self.resolved)
            if name == "strings":
                return self._values.strings(module, self.linked.reach.reached)
            return self._values.assigned(module) if name == "assigned" else self._values.comments(module)

    def _calls(self, module: RawModule, imports: tuple[Import, ...]) -> tuple[list[Link], list[FileAccess], bool]:
        """The calls that the graph shows, the file accesses, and whether any call is reached."""
        reached = self.linked.reach.reached
        packages = {package_name(item.module) for item in imports if not item.local and item.module}
        links: list[Link] = []
        accesses: list[FileAccess] = []
        runs = False
        expand, wanted, index = self.ev.expand, self.ev.wanted, module.index
        ctx, reached_scope = self.program.context(index, 0), (index, 0) in reached
        for raw in module.calls:
            if raw.scope != ctx.scope.index:
                ctx, reached_scope = self.program.context(index, raw.scope), (index, raw.scope) in reached
            reachable = raw.live and reached_scope
            runs = runs or reachable
            target = raw.external
            if not target:
                resolved = self._callee(expand(raw.func, ctx))
                if resolved:
                    links.append(Link(ctx.scope.qualname, raw.line, resolved, "", reachable))
                    continue
                target = self.ev.call_target(raw, ctx)
            name = target.rpartition(".")[2]
            if name in wanted:
                accesses.extend(self._accesses(raw, target, reachable, ctx))
            if target[0] != "?" and package_name(target) in packages:
                links.append(Link(ctx.scope.qualname, raw.line, "", target, reachable))
        return links, accesses, runs

    def _callee(self, heads: Heads) -> str:
        """Node id of the first workspace definition among what is called."""
        for form, _ in heads:
            op = form[0]
            if op == "D" or op == "B":
                return self.ids.get((form[1], form[2]), "")
            if op == "I":
                method = self.ev.call_method(form[1], form[2])
                if method is not None:
                    return self.ids.get(method, "")
        return ""

    def resolved(self, raw: RawCall, ctx: Context) -> str:
        """Node id of the workspace definition that a call reaches, or an empty string."""
        return self._callee(self.ev.expand(raw.func, ctx))

    def _accesses(self, raw: RawCall, target: str, reachable: bool, ctx: Context) -> Iterable[FileAccess]:
        for touch in self.ev.touches(raw, target, ctx):
            ir, text = content_argument(touch.content, raw)
            content: Value | None = self._values.value(ir, ctx, text) if ir is not None else None
            yield FileAccess(
                access=Access(touch.access),
                pattern=touch.pattern,
                call=target,
                line=raw.line,
                scope=ctx.scope.qualname,
                reachable=reachable,
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
            bases=tuple([self._dotted(item, ctx) for item in scope.bases]),
            decorators=tuple([self._dotted(self._undecorated(item, module), ctx) for item in scope.decorators]),
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
        bindings = scope.bindings if scope.flat else None
        for ir, _ in scope.loads.values():
            if bindings is not None and ir[0] == "n" and ir[1] not in bindings:
                found.update(self._use_of_global(module.index, ir[1]))
                continue
            for form, home in self.ev.expand(ir, ctx)[:2]:
                op = form[0]
                if op == "X":
                    found[form[1]] = None
                elif op == "D" or op == "B" or op == "M":
                    found[self.ev.head_name((form, home), ctx)] = None
            if len(found) >= MAX_USES:
                break
        return tuple(found)

    def _use_of_global(self, number: int, name: str) -> dict[str, None]:
        """What a name that no function binds stands for, as a use."""
        known = self._global_uses.get((number, name))
        if known is None:
            known = {}
            for form, home in self.ev.global_heads(number, name)[:2]:
                if form[0] in {"X", "D", "B", "M"}:
                    known[self.ev.head_name((form, home), self.program.context(number, 0))] = None
            self._global_uses[number, name] = known
        return known

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


def package_name(dotted: str) -> str:
    """The package at the front of a dotted name."""
    return dotted.partition(".")[0].partition("(")[0]
