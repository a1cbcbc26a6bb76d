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
        rule = self._rules.get(op)
        if rule is None:
            return NOTHING
        memo = ctx.memo
        known = memo.get(id(ir))
        if known is not None:
            found: Heads = known[1]
            return found or NOTHING
        if self._steps > MAX_STEPS:
            return NOTHING
        memo[id(ir)] = (ir, ())
        self._steps += 1
        try:
            result = distinct(rule(ir, ctx))
        finally:
            self._steps -= 1
        memo[id(ir)] = (ir, result)
        return result or NOTHING

    def _attribute(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        if ir[1][0] == "n":
            bound = ctx.scope.bindings.get(f"{ir[1][1]}.{ir[2]}")
            if bound:
                return [head for item in reaching(bound, ir[1][2], ir[1][3]) for head in self.expand(item.ir, ctx)]
        found: list[Head] = []
        for form, home in self.expand(ir[1], ctx):
            found.extend(self.attribute_of(form, home or ctx, ir))
        return found

    def attribute_of(self, form: Ir, home: Context, ir: Ir) -> Iterable[Head]:
        """An attribute of one thing an expression can be."""
        attr, op = ir[2], form[0]
        if op in _TEXTUAL or op in "boP":
            return self._literal_attribute(form, home, attr)
        if op == "X":
            return ((("X", f"{form[1]}.{attr}"), None),)
        if op == "M":
            return self.module_attribute(form[1], attr)
        if op == "N":
            child = self.program.index.child(form[1], attr)
            return (self.path_head(child),) if child else ()
        if op in "DIS":
            return self.member(form, attr)
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
