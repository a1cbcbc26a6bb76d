"""All Python modules of a workspace together, and where an expression is evaluated."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Any

from judge.modules.graph.python.imports import ModuleIndex, module_name
from judge.modules.graph.python.ir import Ir, RawCall, RawModule, RawScope

MAX_SITES = 12
"""Call sites through which a parameter is followed."""


class Memory:
    """What is remembered of some contexts, by the identity of expressions.

    Attributes:
        folds: The constants they can be.
        origins: Where their values come from.
        targets: What calls call, by the identity of the call.
        inner: Contexts of calls made from here.
        asked: Parameters whose values in this frame were looked at.
    """

    __slots__ = ("asked", "folds", "inner", "origins", "targets")

    def __init__(self) -> None:
        self.asked: set[int] = set()
        self.folds: dict[int, tuple[Ir, Any]] = {}
        self.origins: dict[int, tuple[Ir, str]] = {}
        self.targets: dict[int, tuple[RawCall, str]] = {}
        self.inner: dict[tuple[int, int, int], Context] = {}


class Context:
    """The scope an expression stands in, with the call that entered it when that is known.

    Attributes:
        module: The module.
        scope: The scope.
        frame: The call and its own context; None for every call.
        shift: How many leading parameters the call does not pass (``self``).
        depth: Calls followed so far.
        memo: What expressions were found to be, by their identity, and whether call sites had a say in it.
        shaky: Those in which they had.
        more: What else is remembered.
    """

    __slots__ = ("depth", "frame", "memo", "module", "more", "scope", "shaky", "shift")

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
        self.memo: dict[int, tuple[Ir, Any, bool]] = {}
        self.shaky: list[int] | None = None
        self.more: Memory | None = None

    def forget(self) -> None:
        """Drop what depends on call sites."""
        self.more = None
        if self.shaky is not None:
            for key in self.shaky:
                self.memo.pop(key, None)
            self.shaky = None

    def doubt(self, key: int) -> None:
        """Note that call sites had a say in what an expression was found to be."""
        if self.shaky is None:
            self.shaky = [key]
        else:
            self.shaky.append(key)

    def remembered(self) -> Memory:
        """What is remembered besides what expressions are."""
        more = self.more
        if more is None:
            more = self.more = Memory()
        return more

    def enter(self, number: int, module: RawModule, scope: RawScope, shift: int) -> Context:
        """The context of a function that call ``number``, standing here, enters."""
        key = (number, module.index, scope.index)
        inner = self.remembered().inner
        found = inner.get(key)
        if found is None:
            found = inner[key] = Context(module, scope, (self.module.calls[number], self), shift, self.depth + 1)
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
        self._imports: dict[tuple[int, str, int], str | None] = {}
        self._inits: dict[str, list[str]] = {}
        self._stars: dict[int, list[int]] = {}
        self._offers: dict[int, set[str]] = {}

    def context(self, module: int, scope: int) -> Context:
        """The context of a scope with no particular call in mind."""
        key = (module, scope)
        found = self._contexts.get(key)
        if found is None:
            found = self._contexts[key] = Context(self.modules[module], self.modules[module].scopes[scope])
        return found

    def forget(self, everything: bool = False) -> None:
        """Drop remembered results, those that depend on call sites or all, because more is known."""
        if everything:
            self._contexts.clear()
            self._imports.clear()
            self._stars.clear()
            self._offers.clear()
        for context in self._contexts.values():
            context.forget()

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
        key = (module.index, dotted, level)
        found = self._imports.get(key, self)
        if found is self:
            found = self.index.resolve(dotted, module.path, level, self.extra_roots[module.index])
            self._imports[key] = found
        return found  # type: ignore[return-value]

    def star_modules(self, module: RawModule) -> list[int]:
        """The workspace modules of which a module imports everything."""
        found = self._stars.get(module.index)
        if found is None:
            paths = [self.resolve_import(module, star.module, star.level) for star in module.stars]
            found = [self.index.files[path] for path in paths if path is not None and not path.endswith("/")]
            self._stars[module.index] = found
        return found

    def offers(self, number: int, name: str) -> bool:
        """Whether a module may have something of that name."""
        found = self._offers.get(number)
        if found is None:
            found = self._offers[number] = self._all_names(number)
        return name in found

    def _all_names(self, number: int) -> set[str]:
        """Names that are bound in a module, or are modules in it, or come from what it imports everything of."""
        found: set[str] = set()
        seen, queue = {number}, [number]
        for item in queue:
            module = self.modules[item]
            found.update(module.scopes[0].bindings)
            if module.path.endswith("__init__.py"):
                found.update(self.index.inside(posixpath.dirname(module.path)))
            for star in self.star_modules(module):
                if star not in seen:
                    seen.add(star)
                    queue.append(star)
        return found

    def qualified(self, module: int, scope: int) -> str:
        """``module.qualname`` of a definition."""
        name, qualname = self.names[module], self.scope(module, scope).qualname
        return f"{name}.{qualname}" if qualname else name

    def package_init(self, path: str) -> list[str]:
        """The ``__init__`` files that importing a file also runs."""
        folder = posixpath.dirname(path)
        found = self._inits.get(folder)
        if found is None:
            found, above = [], folder
            while above:
                init = f"{above}/__init__.py"
                if init in self.index.files:
                    found.append(init)
                above = posixpath.dirname(above)
            self._inits[folder] = found
        return [init for init in found if init != path]


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
