"""Classes and their members, and the dotted name of what a call calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from judge.modules.graph.python.ir import Ir, RawCall, RawScope
from judge.modules.graph.python.program import Context, Program

if TYPE_CHECKING:
    from judge.modules.graph.python.heads import Head, Heads

PATH_PARTS = frozenset({"parent", "name", "stem", "suffix", "parents"})
_PLAIN_BASES = frozenset(
    {"object", "Exception", "ValueError", "RuntimeError", "typing.Protocol", "typing.Generic", "abc.ABC"}
)

MAX_DEPTH = 40
"""Calls on the result of a call whose names are followed."""


class Lookup:
    """What members of classes are; extended by the evaluator."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ticks = 0
        """Grows when a result rests on call sites or was cut short, so that it is not kept when more is known."""
        self.cuts = 0
        """Grows when a result was cut short, so that it holds only where it was found."""
        self._steps = 0
        self._depth = 0
        self._members: dict[Any, tuple[Heads, bool]] = {}
        self._attributes: dict[Any, tuple[Heads, bool]] = {}
        self._external: dict[tuple[str, str], Heads] = {}
        self._bases: dict[tuple[int, int], tuple[list[tuple[int, int]], list[str]]] = {}
        self._orders: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._by_class: dict[tuple[int, int, str], tuple[int, int] | None] = {}
        self._children: dict[tuple[int, int], dict[str, int]] = {}

    def forget(self, everything: bool = False) -> None:
        """Drop what rests on call sites, or all, because more is known."""
        self.program.forget(everything)
        self._bases.clear()
        self._orders.clear()
        self._by_class.clear()
        for table in (self._members, self._attributes):
            for key in [key for key, known in table.items() if known[1] or everything]:
                del table[key]

    def remember(
        self, table: dict[Any, tuple[Heads, bool]], key: Any, rule: Callable[[Any, str], Iterable[Head]]
    ) -> Heads:
        """What a rule finds for a pair, from the table or put there."""
        known = table.get(key)
        if known is not None:
            if known[1]:
                self.ticks += 1
            return known[0]
        before = self.ticks
        table[key] = ((), True)  # a definition that rests on itself
        found = tuple(rule(*key))
        table[key] = (found, self.ticks != before)
        return found

    def external(self, owner: str, attr: str) -> Heads:
        """An attribute of an external object."""
        known = self._external.get((owner, attr))
        if known is None:
            known = self._external[owner, attr] = ((("X", f"{owner}.{attr}"), None),)
        return known

    def expand(self, ir: Ir, ctx: Context) -> Heads:
        """What an expression can be."""
        raise NotImplementedError

    def constant(self, ir: Ir, ctx: Context) -> object:
        """The one literal an expression is, or None."""
        if ir[0] == "k":
            return ir[1]
        values = [form[1] if form[0] == "k" else None for form, _ in self.expand(ir, ctx)]
        return values[0] if len(values) == 1 else None

    def bases(self, module: int, scope: int) -> tuple[list[tuple[int, int]], list[str]]:
        """Direct base classes: those of the workspace, and dotted names of the others."""
        key = (module, scope)
        if key not in self._bases:
            self._bases[key] = ([], [])
            local: list[tuple[int, int]] = []
            external: list[str] = []
            raw = self.program.scope(module, scope)
            home = self.program.context(module, max(raw.parent, 0))
            for base in raw.bases:
                for form, _ in self.expand(base, home)[:1]:
                    if form[0] == "D" and form[1:] != key:
                        local.append((form[1], form[2]))
                    elif form[0] == "X":
                        external.append(form[1])
            self._bases[key] = (local, external)
        return self._bases[key]

    def ancestry(self, module: int, scope: int) -> list[tuple[int, int]]:
        """A class and its workspace base classes, nearest first."""
        key = (module, scope)
        found = self._orders.get(key)
        if found is None:
            found = [key]
            for item in found:
                found.extend(base for base in self.bases(*item)[0] if base not in found)
                if len(found) > 64:
                    break
            self._orders[key] = found
        return found

    def external_bases(self, module: int, scope: int) -> list[str]:
        """Dotted names of all external base classes, direct or inherited."""
        return [
            name for item in self.ancestry(module, scope) for name in self.bases(*item)[1] if name not in _PLAIN_BASES
        ]

    def method(self, module: int, scope: int, name: str) -> tuple[int, int] | None:
        """The method ``name`` of a class, looked up along its bases."""
        key = (module, scope, name)
        known = self._by_class.get(key, self)
        if known is not self:
            return known  # type: ignore[return-value]
        found = None
        for number, index in self.ancestry(module, scope):
            child = self._named_children(number, index).get(name)
            if child is not None:
                found = number, child
                break
        self._by_class[key] = found
        return found

    def _named_children(self, module: int, scope: int) -> dict[str, int]:
        """Definitions inside a class or module by name; a later one of the same name wins."""
        found = self._children.get((module, scope))
        if found is None:
            scopes = self.program.modules[module].scopes
            found = self._children[module, scope] = {scopes[child].name: child for child in scopes[scope].children}
        return found

    def definition(self, module: int, scope: int) -> Head:
        """The head of a definition; a property stays a definition until it is read from an instance."""
        return (("D", module, scope), None)

    def member(self, form: Ir, attr: str) -> Iterable[Head]:
        """An attribute of a class, an instance or a superclass view."""
        op, module, scope = form
        chain = self.ancestry(module, scope)[1:] if op == "S" else self.ancestry(module, scope)
        for number, index in chain:
            found = self._own_member(op, number, index, attr)
            if found:
                return found
        if op == "I":
            heads = self._field_values(module, scope, attr)
            if heads:
                return heads
        external = self.external_bases(module, scope)
        if external:
            owner = external[0] if op == "D" else f"{external[0]}()"
            return ((("X", f"{owner}.{attr}"), None),)
        return ()

    def _own_member(self, op: str, number: int, index: int, attr: str) -> list[Head]:
        raw = self.program.modules[number]
        scope = raw.scopes[index]
        found: list[Head] = []
        for item in scope.bindings.get(attr, ())[-1:]:
            if item.ir[0] == "def":
                found.extend(self._bound(op, number, raw.scopes[item.ir[1]]))
            else:
                found.extend(self.expand(item.ir, self.program.context(number, index)))
        if op == "I" or not found:
            for method, value in scope.attrs.get(attr, ())[:8]:
                found.extend(self.expand(value, self.program.context(number, method)))
        useful = [head for head in found if head[0] not in (("k", None), ("u",))]
        return useful or found

    def _bound(self, op: str, number: int, scope: RawScope) -> Iterable[Head]:
        if scope.kind == "class":
            return ((("D", number, scope.index), None),)
        if is_property(scope) and op != "D":
            home = self.program.context(number, scope.index)
            heads = [head for item in scope.returns[:4] for head in self.expand(item, home)]
            return heads or [(("B", number, scope.index), None)]
        if op == "D" and not scope.is_classmethod:
            return ((("D", number, scope.index), None),)
        return ((("D" if scope.is_static else "B", number, scope.index), None),)

    def _field_values(self, module: int, scope: int, attr: str) -> list[Head]:
        """A dataclass field: what constructors pass for it."""
        raw = self.program.scope(module, scope)
        if attr not in raw.fields:
            return []
        position = raw.fields.index(attr)
        found: list[Head] = []
        self.ticks += 1
        for site in self.program.sites.get((module, scope), ()):
            value = dict(site.call.keywords).get(attr)
            if value is None and position < len(site.call.args):
                value = site.call.args[position]
            if value is not None:
                found.extend(self.expand(value, site.context))
        declared = raw.annotations.get(attr)
        if not found and declared is not None:
            found.extend(self.expand(("new", declared), self.program.context(module, max(raw.parent, 0))))
        return [head for head in found if head[0] != ("u",)]

    def target(self, form: Ir, ctx: Context) -> str:
        """Dotted name of what a call form calls, as far as it is known."""
        call = ctx.module.calls[form[1]]
        return self.call_target(call, ctx)

    def call_target(self, call: RawCall, ctx: Context) -> str:
        """Dotted name of what a call calls."""
        targets = ctx.remembered().targets
        known = targets.get(id(call))
        if known is not None:
            return known[1]
        func = call.func
        unknown = f"?.{func[2]}" if func[0] == "a" else "?"
        if self._depth > MAX_DEPTH:
            return unknown
        targets[id(call)] = (call, unknown)
        self._depth += 1
        name = ""
        try:
            for head in self.expand(func, ctx):
                name = self.head_name(head, ctx, called=True)
                if name:
                    break
        finally:
            self._depth -= 1
        targets[id(call)] = (call, name or unknown)
        return name or unknown

    def head_name(self, head: Head, ctx: Context, called: bool = False) -> str:
        """Dotted name of one head; with ``called``, of what calling it calls."""
        form, home = head
        op = form[0]
        if op == "X":
            return str(form[1])
        if op in "DB":
            return self.program.qualified(form[1], form[2])
        if op == "M":
            return self.program.names[form[1]]
        if op == "I":
            return self._instance_name(form, called)
        if op == "S":
            return ""
        if op == "c":
            inner = self.target(form, home or ctx)
            return f"{inner}().__call__" if called else inner
        return ""

    def _instance_name(self, form: Ir, called: bool) -> str:
        own = self.program.qualified(form[1], form[2])
        if not called:
            return own
        method = self.call_method(form[1], form[2])
        if method is not None:
            return self.program.qualified(*method)
        external = self.external_bases(form[1], form[2])
        return f"{external[0] if external else own}().__call__"

    def call_method(self, module: int, scope: int) -> tuple[int, int] | None:
        """What runs when an instance is called."""
        for name in ("__call__", "forward", "call"):
            found = self.method(module, scope, name)
            if found is not None and (name == "__call__" or self.external_bases(module, scope)):
                return found
        return None


def is_property(scope: RawScope) -> bool:
    """Whether a method is read like an attribute."""
    names = {item[1] if item[0] == "n" else item[2] for item in scope.decorators if item[0] in "na"}
    return bool(names & {"property", "cached_property"})
