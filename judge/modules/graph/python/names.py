"""What names mean: local, of an enclosing function, of the module, imported, builtin."""

from __future__ import annotations

import builtins
import posixpath
from collections.abc import Iterable
from typing import Any

from judge.modules.graph.python.heads import NOTHING, Head, Heads, distinct, reaching
from judge.modules.graph.python.ir import Arms, Binding, Ir, RawModule
from judge.modules.graph.python.lookup import Lookup
from judge.modules.graph.python.program import Context, Program

MAX_STEPS = 60
_BUILTINS = frozenset(dir(builtins))


class Names(Lookup):
    """Resolves names and imports."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._globals: dict[Any, tuple[Heads, bool]] = {}

    def _name(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        name, module, scope = ir[1], ctx.module, ctx.scope
        bindings = scope.bindings.get(name)
        if bindings:
            return self._held(bindings, ir[2], ir[3], ctx)
        parent = scope.parent
        while parent > 0:
            outer = module.scopes[parent]
            parent = outer.parent
            if outer.kind == "class":
                continue
            bindings = outer.bindings.get(name)
            if bindings:
                return self._held(bindings, 1 << 60, (), self.program.context(module.index, outer.index))
        return self.global_heads(module.index, name)

    def global_heads(self, number: int, name: str) -> Heads:
        """What a name means in a module where no function binds it."""
        known = self._globals.get((number, name))
        if known is not None:
            if known[1]:
                self.ticks += 1
            return known[0]
        before = self.ticks
        self._globals[number, name] = (NOTHING, True)
        found = distinct(self._module_name(number, name)) or NOTHING
        self._globals[number, name] = (found, self.ticks != before)
        return found

    def _held(self, bindings: list[Binding], seq: int, arms: Arms, home: Context) -> Iterable[Head]:
        """What the assignments that can hold at a position give."""
        chosen = reaching(bindings, seq, arms)
        if len(chosen) == 1:
            return self.expand(chosen[0].ir, home)
        return [head for item in chosen for head in self.expand(item.ir, home)]

    def _module_name(self, number: int, name: str) -> Iterable[Head]:
        """What a name means that no function binds: of the module, the file's own place, imported or builtin."""
        module = self.program.modules[number]
        bindings = module.scopes[0].bindings.get(name)
        home = self.program.context(number, 0)
        if bindings:
            return self._held(bindings, 1 << 60, (), home)
        if name == "__file__":
            return ((("k", f"\0/{module.path}"), home),)
        return self._global_name(name, module)

    def _global_name(self, name: str, module: RawModule) -> Iterable[Head]:
        """A name bound by a star import, or a builtin."""
        for number in self.program.star_modules(module):
            if self.program.offers(number, name):
                found = self.module_attribute(number, name)
                if found:
                    return found
        if name not in _BUILTINS:
            for star in module.stars:
                if self.program.resolve_import(module, star.module, star.level) is None and not star.level:
                    return ((("X", f"{star.module}.{name}"), None),)
        return ((("X", name), None),)

    def _import(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        _, dotted, name, level = ir
        path = self.program.resolve_import(ctx.module, dotted, level)
        if path is None:
            full = f"{dotted}.{name}" if name and dotted else dotted or name
            return ((("X", full), None),)
        if path.endswith("/"):
            child = self.program.index.child(path, name) if name else path
            if child is None:
                return ((("X", f"{dotted}.{name}" if dotted else name), None),)
            return (self.path_head(child),)
        number = self.program.index.files[path]
        if not name:
            return ((("M", number), None),)
        found = self.module_attribute(number, name)
        return found or ((("X", f"{self.program.names[number]}.{name}"), None),)

    def path_head(self, path: str) -> Head:
        """The head of a workspace module file or folder."""
        if path.endswith("/"):
            return (("N", path), None)
        return (("M", self.program.index.files[path]), None)

    def forget(self, everything: bool = False) -> None:
        """Drop what rests on call sites, or all, because more is known."""
        super().forget(everything)
        for key in [key for key, known in self._globals.items() if known[1] or everything]:
            del self._globals[key]

    def module_attribute(self, number: int, name: str) -> Heads:
        """What a name means in a workspace module, seen from outside."""
        return self.remember(self._attributes, (number, name), self._module_attribute)

    def _module_attribute(self, number: int, name: str) -> Iterable[Head]:
        module = self.program.modules[number]
        bindings = module.scopes[0].bindings.get(name)
        if bindings:
            return self._held(bindings, 1 << 60, (), self.program.context(number, 0))
        if module.path.endswith("__init__.py"):
            child = self.program.index.child(posixpath.dirname(module.path), name)
            if child is not None and child != module.path:
                return [self.path_head(child)]
        if module.stars and self._steps >= MAX_STEPS:
            self.ticks += 1
            self.cuts += 1
        elif module.stars:
            self._steps += 8
            try:
                found = [head for head in self._global_name(name, module) if head[0][0] != "X"]
            finally:
                self._steps -= 8
            return found
        return []
