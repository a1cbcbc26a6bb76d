"""What a parameter can be: what the call at hand passes, or any caller, or its default or type."""

from __future__ import annotations

from collections.abc import Iterable

from judge.modules.graph.python.heads import MAX_HEADS, Head, Heads
from judge.modules.graph.python.ir import UNKNOWN, Ir, RawCall, RawScope
from judge.modules.graph.python.names import Names
from judge.modules.graph.python.program import Context, Program, argument, passed

MAX_CALLS = 2
"""Calls followed one into the other with their own arguments; deeper ones are seen with those of any caller."""
_FREE = frozenset("XDBIMNk")
"""Results that mean the same wherever they are looked at."""
_Result = tuple[tuple[int, ...], tuple[object, ...], Heads, bool]


class Parameters(Names):
    """Follows values into and out of workspace functions."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._results: dict[tuple[int, int, int], list[_Result]] = {}

    def _parameter(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        scope, index = ctx.scope, ir[1]
        owner = ctx.module.scopes[scope.parent] if scope.parent >= 0 else None
        if index == 0 and owner is not None and owner.kind == "class" and not scope.is_static:
            kind = "D" if scope.is_classmethod or scope.name == "__new__" else "I"
            return (((kind, ctx.module.index, owner.index), None),)
        name = scope.params[index]
        outer = self.program.context(ctx.module.index, max(scope.parent, 0))
        if ctx.frame is not None:
            ctx.remembered().asked.add(index)
            value, certain = argument(ctx, index)
            if value is not None:
                return self.expand(value, ctx.frame[1])
            default = scope.defaults.get(name)
            if default is not None:
                return self.expand(default, outer)
            if certain:
                return self._typed(name, ctx, outer)
        return self._from_sites(ctx, index, outer)

    def _from_sites(self, ctx: Context, index: int, outer: Context) -> Iterable[Head]:
        """What any caller passes, and the default where some caller passes nothing."""
        scope = ctx.scope
        name = scope.params[index]
        self.ticks += 1
        found: list[Head] = []
        sites = self.program.sites.get((ctx.module.index, scope.index), ())
        omitted = not sites
        for site in sites:
            value, certain = passed(site.call, scope, index, site.shift)
            if value is not None:
                found.extend(self.expand(value, site.context))
            else:
                omitted = omitted or certain
        default = scope.defaults.get(name)
        if default is not None and (omitted or not found):
            found.extend(self.expand(default, outer))
        useful = [head for head in found if head[0] != UNKNOWN and head[0] != ("k", None)]
        return useful or self._typed(name, ctx, outer) or found

    def _typed(self, name: str, ctx: Context, outer: Context) -> Iterable[Head]:
        declared = ctx.scope.annotations.get(name)
        return self.expand(("new", declared), outer) if declared is not None else ()

    def _instance(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        found: list[Head] = []
        for form, _ in self.expand(ir[1], ctx):
            if form[0] == "D" and self.program.scope(form[1], form[2]).kind == "class":
                found.append((("I", form[1], form[2]), None))
            elif form[0] == "X" and "." in form[1] and not form[1].startswith("typing."):
                found.append((("X", f"{form[1]}()"), None))
        return found

    def enter(self, form: Ir, call_form: Ir, ctx: Context) -> Iterable[Head]:
        """What a call of a workspace function returns."""
        scope = self.program.scope(form[1], form[2])
        if not scope.returns:
            return ()
        shift = 1 if form[0] == "B" else 0
        if ctx.depth >= MAX_CALLS or len(scope.params) <= shift:
            return self._returned(scope, self.program.context(form[1], form[2]))
        call = ctx.module.calls[call_form[1]]
        known = self._known_result(form, call, scope, shift)
        if known is not None:
            return known
        inner = ctx.enter(call_form[1], self.program.modules[form[1]], scope, shift)
        cuts, ticks = self.cuts, self.ticks
        heads = self._returned(scope, inner)
        if self.cuts == cuts and all(head[0][0] in _FREE for head in heads):
            asked = tuple(sorted(inner.remembered().asked))
            given = _given(call, scope, asked, shift)
            if given is not None:
                entry = (asked, given, tuple(heads), self.ticks != ticks)
                self._results.setdefault((form[1], form[2], shift), []).append(entry)
        return heads

    def _known_result(self, form: Ir, call: RawCall, scope: RawScope, shift: int) -> Heads | None:
        """What an earlier call gave that passed the same for every parameter that the result rests on."""
        for asked, given, heads, ticked in self._results.get((form[1], form[2], shift), ()):
            if _given(call, scope, asked, shift) == given:
                self.ticks += ticked
                return heads
        return None

    def _returned(self, scope: RawScope, inner: Context) -> list[Head]:
        heads = [head for item in scope.returns[:MAX_HEADS] for head in self.expand(item, inner)]
        return [head for head in heads if head[0] != ("k", None)] or heads

    def forget(self, everything: bool = False) -> None:
        """Drop what rests on call sites, or all, because more is known."""
        super().forget(everything)
        self._results.clear()


def _given(call: RawCall, scope: RawScope, asked: tuple[int, ...], shift: int) -> tuple[object, ...] | None:
    """What a call passes for some parameters, if that is nothing or constants."""
    values: list[object] = []
    for index in asked:
        value, certain = passed(call, scope, index, shift)
        if value is None:
            values.append(certain)
        elif value[0] == "k":
            values.append((type(value[1]), value[1]))
        else:
            return None
    return tuple(values)
