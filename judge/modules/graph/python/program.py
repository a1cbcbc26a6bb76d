"""All Python modules of a workspace together, and where an expression is evaluated."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Any

from judge.modules.graph.python.imports import ModuleIndex, module_name
from judge.modules.graph.python.ir import Ir, RawCall, RawModule, RawScope

MAX_SITES = 12
"""Call sites through which a parameter is followed."""


class Context:
    """The scope an expression stands in, with the call that entered it when that is known.

    Attributes:
        module: The module.
        scope: The scope.
        frame: The call and its own context; None for every call.
        shift: How many leading parameters the call does not pass (``self``).
        depth: Calls followed so far.
        memo: What expressions were found to be, by their identity.
        folds: The constants they can be, likewise.
        origins: Where their values come from, likewise.
        inner: Contexts of calls made from here.
    """

    __slots__ = ("depth", "folds", "frame", "inner", "memo", "module", "origins", "scope", "shift")

    def __init__(
        self,
        module: RawModule,
        scope: RawScope,
        frame: tuple[RawCall, Context] | None = None,
        shift: int = 0,
        depth: int = 0,
    ) -> None:
        self.module = module
        self.scope = scope
        self.frame = frame
        self.shift = shift
        self.depth = depth
        self.memo: dict[int, tuple[Ir, Any]] = {}
        self.folds: dict[int, tuple[Ir, Any]] = {}
        self.origins: dict[int, tuple[Ir, str]] = {}
        self.inner: dict[tuple[int, int, int], Context] = {}

    def enter(self, number: int, module: RawModule, scope: RawScope, shift: int) -> Context:
        """The context of a function that call ``number``, standing here, enters."""
        key = (number, module.index, scope.index)
        found = self.inner.get(key)
        if found is None:
            found = self.inner[key] = Context(module, scope, (self.module.calls[number], self), shift, self.depth + 1)
        return found


class Site:
    """A call of a workspace function, as seen from the function."""

    __slots__ = ("call", "context", "shift")

    def __init__(self, call: RawCall, context: Context, shift: int) -> None:
        self.call = call
        self.context = context
        self.shift = shift


class Program:
    """The modules of a workspace with what is needed to look across them."""

    def __init__(self, modules: Sequence[RawModule], load_data: Callable[[str], Ir | None] = lambda _: None) -> None:
        self.modules = list(modules)
        for number, module in enumerate(self.modules):
            module.index = number
        self.index = ModuleIndex(module.path for module in self.modules)
        self.names = [module_name(module.path) for module in self.modules]
        self.load_data = load_data
        self.sites: dict[tuple[int, int], list[Site]] = {}
        self.extra_roots: list[tuple[str, ...]] = [() for _ in self.modules]
        self._contexts: dict[tuple[int, int], Context] = {}

    def context(self, module: int, scope: int) -> Context:
        """The context of a scope with no particular call in mind."""
        key = (module, scope)
        found = self._contexts.get(key)
        if found is None:
            found = self._contexts[key] = Context(self.modules[module], self.modules[module].scopes[scope])
        return found

    def forget(self) -> None:
        """Drop remembered results, because call sites have become known."""
        self._contexts.clear()

    def scope(self, module: int, scope: int) -> RawScope:
        """A scope by its numbers."""
        return self.modules[module].scopes[scope]

    def add_site(self, target: tuple[int, int], call: RawCall, context: Context, shift: int) -> None:
        """Note that a call reaches a workspace function."""
        sites = self.sites.setdefault(target, [])
        if len(sites) < MAX_SITES:
            sites.append(Site(call, context, shift))

    def resolve_import(self, module: RawModule, dotted: str, level: int) -> str | None:
        """The file or ``folder/`` that an import in a module names."""
        return self.index.resolve(dotted, module.path, level, self.extra_roots[module.index])

    def qualified(self, module: int, scope: int) -> str:
        """``module.qualname`` of a definition."""
        name, qualname = self.names[module], self.scope(module, scope).qualname
        return f"{name}.{qualname}" if qualname else name

    def package_init(self, path: str) -> list[str]:
        """The ``__init__`` files that importing a file also runs."""
        found = []
        folder = posixpath.dirname(path)
        while folder:
            init = f"{folder}/__init__.py"
            if init in self.index.files and init != path:
                found.append(init)
            folder = posixpath.dirname(folder)
        return found


def argument(context: Context, index: int) -> tuple[Ir | None, bool]:
    """What the context's call passes for a parameter: the expression, and whether the call is fully known."""
    frame = context.frame
    if frame is None:
        return None, False
    return passed(frame[0], context.scope, index, context.shift)


def passed(call: RawCall, scope: RawScope, index: int, shift: int) -> tuple[Ir | None, bool]:
    """The expression a call passes for parameter ``index``, and whether nothing was passed for certain."""
    name = scope.params[index]
    for keyword, value in call.keywords:
        if keyword == name:
            return value, True
    position = index - shift
    if scope.variadic >= 0 and index >= scope.variadic:
        if index == scope.variadic and position < len(call.args):
            return ("l", call.args[max(position, 0) :]), True
        return None, True
    if 0 <= position < len(call.args):
        return call.args[position], True
    return None, not any(keyword == "" for keyword, _ in call.keywords)
