"""Items of containers: literal ones, computed ones, and what a scope puts into an empty one."""

from __future__ import annotations

from collections.abc import Iterable

from judge.modules.graph.python.builder import chain
from judge.modules.graph.python.heads import MAX_HEADS, Head, reaching
from judge.modules.graph.python.ir import UNKNOWN, Ir
from judge.modules.graph.python.parameters import Parameters
from judge.modules.graph.python.program import Context


class Containers(Parameters):
    """Selects items and elements."""

    def _subscript(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        _, base, index = ir
        key = self.constant(index, ctx)
        if base[0] == "n" and key is not None:
            bound = ctx.scope.bindings.get(f"{base[1]}[{key!r}]")
            if bound:
                return [head for item in reaching(bound, base[2], base[3]) for head in self.expand(item.ir, ctx)]
        found: list[Head] = []
        for form, home in self.expand(base, ctx):
            found.extend(self.select(form, home, key))
        return found or self._stored_items(base, ctx)

    def _stored_items(self, base: Ir, ctx: Context) -> list[Head]:
        """What the scope puts into a container that starts empty: ``x.append(item)``, ``x[key] = item``."""
        if base[0] == "c":
            call = ctx.module.calls[base[1]]
            if call.func[0] != "a" or call.func[2] not in {"items", "values"}:
                return []
            heads = self._stored_items(call.func[1], ctx)
            if call.func[2] == "values":
                return heads
            return [(("l", (UNKNOWN, form)), home) for form, home in heads if home is not None]
        if base[0] not in "na":
            return []
        bound = ctx.scope.bindings.get(f"{chain(base)}[]", ())
        return [head for item in bound[-MAX_HEADS:] for head in self.expand(item.ir, ctx)]

    def select(self, form: Ir, home: Context | None, key: object, seen: dict[int, Ir] | None = None) -> Iterable[Head]:
        """An item of a container; every item when the key is unknown; ``seen`` holds what was looked into already."""
        op = form[0]
        if home is None:
            return ((form, None),) if op == "X" else ()
        if op == "d":
            pairs = form[1]
            chosen = [value for name, value in pairs if key is None or name == ("k", key)]
            spread = [value for name, value in pairs if name == ("**",)] if not chosen else []
            heads = [head for value in chosen[:MAX_HEADS] for head in self.expand(value, home)]
            return [*heads, *self._select_spread(spread, home, key, {id(form): form} if seen is None else seen)]
        if op == "l":
            items = form[1]
            if isinstance(key, int) and -len(items) <= key < len(items):
                return self.expand(items[key], home)
            return [head for item in items[:MAX_HEADS] for head in self.expand(item, home)] if key is None else ()
        if op in {"lc", "dc"}:
            return self.expand(form[1], home)
        if op == "P" and form[1] == "parents" and isinstance(key, int):
            return ((("P", f"parents[{key}]", form[2]), home),)
        return ((form, home),) if op in {"c", "o"} else ()

    def _select_spread(self, spread: list[Ir], home: Context, key: object, seen: dict[int, Ir]) -> list[Head]:
        """An item of what is unpacked into a dictionary, which may be an older state of itself."""
        found: list[Head] = []
        for item in spread:
            for form, inner in self.expand(item, home):
                if id(form) not in seen:
                    seen[id(form)] = form
                    found.extend(self.select(form, inner, key, seen))
        return found

    def _element(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        found: list[Head] = []
        for form, home in self.expand(ir[1], ctx):
            if form[0] == "d" and home is not None:
                found.extend(head for pair in form[1][:MAX_HEADS] for head in self.expand(pair[0], home))
            elif form[0] == "c" and home is not None:
                found.extend(self._iterated_call(form, home))
            else:
                found.extend(self.select(form, home, None))
        return found or self._stored_items(ir[1], ctx)

    def _item(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        return [got for form, home in self.expand(ir[1], ctx) for got in self.select(form, home, ir[2])]

    def _iterated_call(self, form: Ir, home: Context) -> Iterable[Head]:
        """Elements of ``enumerate(x)``, ``zip(a, b)``, ``d.items()`` and the like."""
        call = home.module.calls[form[1]]
        target = self.target(form, home)
        if target == "enumerate" and call.args:
            return ((("l", (UNKNOWN, ("it", call.args[0]))), home),)
        if target in {"max", "min"} and call.args:
            return self.select(*self.expand(("it", call.args[0]), home)[0], None)
        if target == "zip":
            return ((("l", tuple(("it", arg) for arg in call.args)), home),)
        if target.endswith("tqdm") and call.args:
            return self.expand(("it", call.args[0]), home)
        return ((form, home),)
