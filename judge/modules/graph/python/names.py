"""What names mean: local, of an enclosing function, of the module, imported, builtin."""

from __future__ import annotations

import builtins
import posixpath
from collections.abc import Iterable

from judge.modules.graph.python.heads import Head, reaching
from judge.modules.graph.python.ir import Ir, RawModule
from judge.modules.graph.python.lookup import Lookup
from judge.modules.graph.python.program import Context, Program

MAX_STEPS = 60
_BUILTINS = frozenset(dir(builtins))


class Names(Lookup):
    """Resolves names and imports."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._steps = 0

    def _name(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        name, module, scope = ir[1], ctx.module, ctx.scope
        bindings = scope.bindings.get(name)
        if bindings:
            chosen = reaching(bindings, ir[2], ir[3])
            return [head for item in chosen for head in self.expand(item.ir, ctx)]
        parent = scope.parent
        while parent >= 0:
            outer = module.scopes[parent]
            parent = outer.parent
            if outer.kind == "class":
                continue
            bindings = outer.bindings.get(name)
            if bindings:
                home = self.program.context(module.index, outer.index)
                chosen = reaching(bindings, 1 << 60, ())
                return [head for item in chosen for head in self.expand(item.ir, home)]
        if name == "__file__":
            return ((("k", f"\0/{module.path}"), ctx),)
        return self._global_name(name, module)

    def _global_name(self, name: str, module: RawModule) -> Iterable[Head]:
        """A name bound by a star import, or a builtin."""
        for star in module.stars:
            path = self.program.resolve_import(module, star.module, star.level)
            if path is not None and not path.endswith("/"):
                found = self.module_attribute(self.program.index.files[path], name)
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

    def module_attribute(self, number: int, name: str) -> list[Head]:
        """What a name means in a workspace module, seen from outside."""
        module = self.program.modules[number]
        bindings = module.scopes[0].bindings.get(name)
        if bindings:
            home = self.program.context(number, 0)
            return [head for item in reaching(bindings, 1 << 60, ()) for head in self.expand(item.ir, home)]
        if module.path.endswith("__init__.py"):
            child = self.program.index.child(posixpath.dirname(module.path), name)
            if child is not None and child != module.path:
                return [self.path_head(child)]
        if module.stars and self._steps < MAX_STEPS:
            self._steps += 8
            try:
                found = [head for head in self._global_name(name, module) if head[0][0] != "X"]
            finally:
                self._steps -= 8
            return found
        return []
