"""Follows an expression to what it denotes: definitions, modules, external objects, literals, calls of external things.

A result (head) is a pair of a form and its context. Besides the literal forms of :mod:`ir` there are:
``("X", dotted)`` an external object, ``("M", module)`` and ``("N", folder)`` a workspace module or folder,
``("D", module, scope)`` a definition, ``("B", module, scope)`` a bound method, ``("I", module, scope)`` an instance of
a class, ``("S", module, scope)`` the superclass view of one, ``("P", attr, base)`` a part of a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from judge.modules.graph.python.containers import Containers
from judge.modules.graph.python.heads import NOTHING, Head, Heads, distinct, extend, reaching
from judge.modules.graph.python.ir import Ir
from judge.modules.graph.python.lookup import PATH_PARTS
from judge.modules.graph.python.names import MAX_STEPS
from judge.modules.graph.python.program import Context, Program

_SAME = frozenset({"b", "k", "l", "d", "j", "lc", "dc", "f", "o", "X", "M", "N", "D", "B", "I", "S", "P"})
_TEXTUAL = {"k": "str", "j": "str", "l": "list", "lc": "list", "d": "dict", "dc": "dict"}


class Evaluator(Containers):
    """Expands expressions within one program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._rules: dict[str, Callable[[Ir, Context], Iterable[Head]]] = {
            "n": self._name,
            "a": self._attribute,
            "s": self._subscript,
            "c": self._call,
            "?": self._choice,
            "it": self._element,
            "i": self._item,
            "p": self._parameter,
            "new": self._instance,
            "m": self._import,
            "def": lambda ir, ctx: (self.definition(ctx.module.index, ir[1]),),
        }

    def expand(self, ir: Ir, ctx: Context) -> Heads:
        """What an expression can be, most likely first; never empty, at most six results."""
        op = ir[0]
        if op in _SAME:
            return ((ir, ctx),)
        if op == "n" or op == "a":
            at_once = self._at_once(op, ir, ctx)
            if at_once is not None:
                return at_once
        memo = ctx.memo
        key = id(ir)
        known = memo.get(key)
        if known is not None:
            if known[2]:
                self.ticks += 1
                if known[1] is NOTHING:
                    self.cuts += 1  # perhaps only because it rests on itself
            found: Heads = known[1]
            return found
        rule = self._rules.get(op)
        if rule is None:
            return NOTHING
        if self._steps > MAX_STEPS:
            self.ticks += 1
            self.cuts += 1
            return NOTHING
        memo[key] = (ir, NOTHING, True)
        self._steps += 1
        before = self.ticks
        try:
            result = distinct(rule(ir, ctx)) or NOTHING
        finally:
            self._steps -= 1
        tainted = self.ticks != before
        memo[key] = (ir, result, tainted)
        if tainted:
            ctx.doubt(key)
        return result

    def _at_once(self, op: str, ir: Ir, ctx: Context) -> Heads | None:
        """What a name or attribute is where that takes no longer to find than to remember, else None."""
        scope = ctx.scope
        if op == "n":
            bindings = scope.bindings.get(ir[1])
            if bindings is None:
                return self.global_heads(ctx.module.index, ir[1]) if scope.flat else None
            if len(bindings) == 1:
                only = bindings[0]
                if not only[1] and not only[3] and only[2][0] != "n":
                    return self.expand(only[2], ctx)
            return None
        base = ir[1]
        if base[0] == "n":
            own = base[1] in scope.bindings or not scope.flat
            heads = None if own else self.global_heads(ctx.module.index, base[1])
        else:
            heads = self._at_once("a", base, ctx) if base[0] == "a" else None
        if heads is not None and len(heads) == 1 and heads[0][0][0] == "X":
            return self.external(heads[0][0][1], ir[2])
        return None

    def _attribute(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        if ir[1][0] == "n" and ctx.scope.dotted:
            bound = ctx.scope.bindings.get(f"{ir[1][1]}.{ir[2]}")
            if bound:
                return [head for item in reaching(bound, ir[1][2], ir[1][3]) for head in self.expand(item.ir, ctx)]
        heads = self.expand(ir[1], ctx)
        if len(heads) == 1:
            form, home = heads[0]
            return self.attribute_of(form, home or ctx, ir)
        found: list[Head] = []
        for form, home in heads:
            found.extend(self.attribute_of(form, home or ctx, ir))
        return found

    def attribute_of(self, form: Ir, home: Context, ir: Ir) -> Iterable[Head]:
        """An attribute of one thing an expression can be."""
        attr, op = ir[2], form[0]
        if op == "X":
            return self.external(form[1], attr)
        if op in _TEXTUAL or op in "boP":
            return self._literal_attribute(form, home, attr)
        if op == "M":
            return self.module_attribute(form[1], attr)
        if op == "N":
            child = self.program.index.child(form[1], attr)
            return (self.path_head(child),) if child else ()
        if op in "DIS":
            return self.remember(self._members, (form, attr), self.member)
        return self._result_attribute(form, home, attr) if op == "c" else ()

    def _literal_attribute(self, form: Ir, home: Context, attr: str) -> Iterable[Head]:
        """An attribute of a literal, a text, a path or a computed value."""
        op = form[0]
        if op == "d":
            found = [pair[1] for pair in form[1] if pair[0] == ("k", attr)]
            if found:
                return self.expand(found[-1], home)
        if op == "P" or (op == "b" and form[1] == "/"):
            return self._path_attribute(form, home, attr)
        if op in "bo":
            return self._arithmetic_attribute(form, home, attr)
        if op == "k" and not isinstance(form[1], str):
            return ()
        return ((("X", f"{_TEXTUAL[op]}.{attr}"), None),)

    def _arithmetic_attribute(self, form: Ir, home: Context, attr: str) -> Iterable[Head]:
        """A method of a computed value: that of the first operand whose kind is known."""
        for part in form[1] if form[0] == "o" else form[2:]:
            for operand, inner in self.expand(part, home):
                if operand[0] == "c" and not self.target(operand, inner or home).startswith("?"):
                    return ((("X", extend(self.target(operand, inner or home), attr)), None),)
                if operand[0] == "X" and "()" in operand[1]:
                    return ((("X", extend(operand[1], attr)), None),)
        return ()

    def _path_attribute(self, form: Ir, home: Context, attr: str) -> Iterable[Head]:
        if attr in PATH_PARTS:
            return ((("P", attr, form), home),)
        return ((("X", f"pathlib.Path().{attr}"), None),)

    def _result_attribute(self, form: Ir, home: Context, attr: str) -> Iterable[Head]:
        target = self.target(form, home)
        if attr in PATH_PARTS and target.startswith("pathlib."):
            return ((("P", attr, form), home),)
        if target.endswith(("parse_args", "parse_known_args")):
            default = home.module.arguments.get(attr)
            if default is not None:
                return self.expand(default, self.program.context(home.module.index, 0))
        return ((("X", extend(target, attr)), None),)

    def _call(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        """What a call gives."""
        raise NotImplementedError

    def _choice(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        heads = [head for item in ir[1] for head in self.expand(item, ctx)]
        useful = [head for head in heads if head[0] != ("k", None)]
        return useful or heads
