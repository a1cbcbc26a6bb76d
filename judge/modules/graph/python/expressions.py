"""Syntax tree expressions to their compact form, noting calls, names and strings on the way."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from judge.modules.graph.python import liveness
from judge.modules.graph.python.builder import MAX_STRINGS, Builder, chain
from judge.modules.graph.python.ir import NONE, UNKNOWN, Ir, RawCall, RawModule

MAX_ITEMS = 64
"""Items of a literal container that are kept."""
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Div: "/", ast.Mod: "%"}
_NAME, _ATTRIBUTE = ast.Name, ast.Attribute
_INFINITY = float("inf")
_PLAIN = frozenset({int, float, bool, type(None)})
_SPECIAL = frozenset({"getattr", "import_module", "__import__"})


class Expressions(Builder):
    """Builds expressions inside the current scope; the statement walk extends it."""

    def __init__(self, module: RawModule, lines: list[str]) -> None:
        super().__init__(module, lines)
        self._handlers: dict[type[ast.expr], Callable[[Any], Ir]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.JoinedStr: self._joined,
            ast.BinOp: self._binary,
            ast.List: self._items,
            ast.Tuple: self._items,
            ast.Set: self._items,
            ast.Dict: self._dict,
            ast.Subscript: self._subscript,
            ast.IfExp: self._choice,
            ast.BoolOp: self._either,
            ast.UnaryOp: self._unary,
            ast.Lambda: self._lambda,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Await: lambda node: self.expr(node.value),
            ast.Starred: lambda node: self.expr(node.value),
            ast.NamedExpr: self._named,
            ast.Compare: self._compare,
            ast.Slice: self._slice,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
        }

    def expr(self, node: ast.expr | None) -> Ir:
        """The compact form of an expression."""
        kind = type(node)
        if kind is _NAME:
            return self._name(node)  # type: ignore[arg-type]
        handler = self._handlers.get(kind)  # type: ignore[arg-type]
        if handler is not None:
            return handler(node)
        if node is None:
            return NONE
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expr(child)
        return UNKNOWN

    def _constant(self, node: ast.Constant) -> Ir:
        value: Any = node.value
        kind = type(value)
        if kind is str:
            strings = self.module.strings
            if len(strings) < MAX_STRINGS:
                strings.append((value, node.lineno, self.scope.index, self.live))
            if "#" in value or node.end_lineno != node.lineno:
                self.note_string(node)
            return ("k", value)
        if kind is float and not -_INFINITY < value < _INFINITY:
            return UNKNOWN
        return ("k", value) if kind in _PLAIN else UNKNOWN

    def _name(self, node: ast.Name) -> Ir:
        name = node.id
        if name not in self.names:
            self.names[name] = node.lineno
        ir = self.recent.get(name)
        if ir is None or ir[3] is not self.arms:
            ir = self.recent[name] = ("n", name, self.seq, self.arms)
        known = self.loads.get(name)
        if known is None or (self.live and not known[1]):
            self.loads[name] = (ir, self.live)
        return ir

    def _attribute(self, node: ast.Attribute, called: bool = False) -> Ir:
        attr = node.attr
        if attr not in self.names:
            self.names[attr] = node.lineno
        inner = node.value
        kind = type(inner)
        if kind is _NAME:
            base = self._called_name(inner)  # type: ignore[arg-type]
        elif kind is _ATTRIBUTE:
            base = self._attribute(inner, called=True)  # type: ignore[arg-type]
        else:
            base = self.expr(inner)
        ir: Ir = ("a", base, attr)
        if not called:
            key = chain(ir)
            known = self.loads.get(key)
            if known is None or (self.live and not known[1]):
                self.loads[key] = (ir, self.live)
        return ir

    def _called_name(self, node: ast.Name) -> Ir:
        """A name that is called or looked into: it is no plain read."""
        name = node.id
        if name not in self.names:
            self.names[name] = node.lineno
        ir = self.recent.get(name)
        if ir is None or ir[3] is not self.arms:
            ir = self.recent[name] = ("n", name, self.seq, self.arms)
        return ir

    def _call(self, node: ast.Call) -> Ir:
        func = self._function(node.func)
        args, texts = [], []
        for arg in node.args:
            args.append(self.expr(arg))
            texts.append(arg.id if type(arg) is ast.Name else self.text(arg))
        keywords = []
        for item in node.keywords:
            value = item.value
            keywords.append((item.arg or "", self.expr(value)))
            texts.append(value.id if type(value) is ast.Name else self.text(value))
        given = tuple(args)
        label = func[2] if func[0] == "a" else func[1] if func[0] == "n" else ""
        if label in _SPECIAL:
            special = self._special(node, given)
            if special is not None:
                return special
        calls = self.module.calls
        line = node.lineno
        calls.append(
            RawCall(
                func,
                given,
                tuple(keywords),
                tuple(texts),
                line,
                node.end_lineno or line,
                self.scope.index,
                self.live,
                label,
            )
        )
        return ("c", len(calls) - 1)

    def _function(self, node: ast.expr) -> Ir:
        """What is called; it is no plain read, but what it is an attribute of is one."""
        kind = type(node)
        if kind is _NAME:
            return self._called_name(node)  # type: ignore[arg-type]
        if kind is _ATTRIBUTE:
            attr: str = node.attr  # type: ignore[attr-defined]
            if attr not in self.names:
                self.names[attr] = node.lineno
            return ("a", self.expr(node.value), attr)  # type: ignore[attr-defined]
        return self.expr(node)

    def _special(self, node: ast.Call, args: tuple[Ir, ...]) -> Ir | None:
        """Calls that stand for another expression: getattr with a literal, dynamic imports."""
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        literal = args[0][1] if args and args[0][0] == "k" and isinstance(args[0][1], str) else None
        if name == "getattr" and len(args) >= 2 and args[1][0] == "k" and isinstance(args[1][1], str):
            ir: Ir = ("a", args[0], args[1][1])
            self.module.names.setdefault(args[1][1], node.lineno)
            self.load(chain(ir), ir)
            return ir
        if name in {"import_module", "__import__"} and literal:
            level = len(literal) - len(literal.lstrip("."))
            self._imported(literal.lstrip("."), "", "", level, node.lineno)
            return ("m", literal.lstrip("."), "", level)
        return None

    def _joined(self, node: ast.JoinedStr) -> Ir:
        self.note_string(node)
        parts: list[Ir] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(("k", str(part.value)))
            elif isinstance(part, ast.FormattedValue):
                value = self.expr(part.value)
                if part.format_spec is not None:
                    self.expr(part.format_spec)
                plain = part.format_spec is None and part.conversion == -1
                parts.append(value if plain else ("o", (value,)))
        shown = "".join(part[1] if part[0] == "k" and isinstance(part[1], str) else "{}" for part in parts)
        if len(self.module.strings) < MAX_STRINGS:
            self.module.strings.append((shown, node.lineno, self.scope.index, self.live))
        return ("j", tuple(parts))

    def _binary(self, node: ast.BinOp) -> Ir:
        left, right = self.expr(node.left), self.expr(node.right)
        op = _OPERATORS.get(type(node.op))
        return ("b", op, left, right) if op else ("o", (left, right))

    def _items(self, node: ast.List | ast.Tuple | ast.Set) -> Ir:
        kept = tuple(
            [
                ("k", item.value) if type(item) is ast.Constant and type(item.value) is int else self.expr(item)
                for item in node.elts[:MAX_ITEMS]
            ]
        )
        for item in node.elts[MAX_ITEMS:]:
            if type(item) is ast.Constant and not isinstance(item.value, str):
                continue
            self.expr(item)
        return ("l", kept)

    def _dict(self, node: ast.Dict) -> Ir:
        pairs: list[tuple[Ir, Ir]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            pair = (self.expr(key) if key is not None else ("**",), self.expr(value))
            if len(pairs) < 4 * MAX_ITEMS:
                pairs.append(pair)
        return ("d", tuple(pairs))

    def _subscript(self, node: ast.Subscript) -> Ir:
        base, index = self.expr(node.value), self.expr(node.slice)
        if base[0] == "c" and index[0] == "k" and self.module.calls[base[1]].label in {"globals", "locals", "vars"}:
            ir = self.read(str(index[1]))
            self.load(ir[1], ir)
            return ir
        return ("s", base, index)

    def _choice(self, node: ast.IfExp) -> Ir:
        self.expr(node.test)
        verdict = liveness.truth(node.test, self.flags)
        body = self._maybe(node.body, verdict is not False)
        other = self._maybe(node.orelse, verdict is not True)
        return ("?", (body, other)) if verdict is None else body if verdict else other

    def _maybe(self, node: ast.expr, runs: bool) -> Ir:
        """An operand that may never be evaluated."""
        live = self.live
        self.live = live and runs
        ir = self.expr(node)
        self.live = live
        return ir

    def _either(self, node: ast.BoolOp) -> Ir:
        ends = isinstance(node.op, ast.Or)
        runs, parts = True, []
        for value in node.values:
            parts.append(self._maybe(value, runs))
            runs = runs and liveness.truth(value, self.flags) is not ends
        return ("?", tuple(parts[:MAX_ITEMS]))

    def _unary(self, node: ast.UnaryOp) -> Ir:
        inner = self.expr(node.operand)
        if isinstance(node.op, ast.USub) and inner[0] == "k" and isinstance(inner[1], int | float):
            return ("k", -inner[1])
        return UNKNOWN if isinstance(node.op, ast.Not) else ("o", (inner,))

    def _lambda(self, node: ast.Lambda) -> Ir:
        arms = self.arms
        self.arms, self.inner = (*arms, self.new_arm()), self.inner + 1
        for value in (*node.args.defaults, *node.args.kw_defaults):
            self.expr(value)
        for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            self.bind(arg.arg, UNKNOWN)
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None:
                self.bind(extra.arg, UNKNOWN)
        body = self.expr(node.body)
        self.arms, self.inner = arms, self.inner - 1
        return ("f", body)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Ir:
        arms = self.arms
        self.arms, self.inner = (*arms, self.new_arm()), self.inner + 1
        for generator in node.generators:
            self.target(generator.target, ("it", self.expr(generator.iter)))
            for test in generator.ifs:
                self.expr(test)
        if isinstance(node, ast.DictComp):
            element: Ir = ("l", (self.expr(node.key), self.expr(node.value)))
        else:
            element = self.expr(node.elt)
        self.arms, self.inner = arms, self.inner - 1
        return ("dc", element[1][1]) if isinstance(node, ast.DictComp) else ("lc", element)

    def _compare(self, node: ast.Compare) -> Ir:
        self.expr(node.left)
        for item in node.comparators:
            self.expr(item)
        return UNKNOWN

    def _slice(self, node: ast.Slice) -> Ir:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.expr(part)
        return UNKNOWN

    def _named(self, node: ast.NamedExpr) -> Ir:
        value = self.expr(node.value)
        self.target(node.target, value)
        return value

    def _yield(self, node: ast.Yield) -> Ir:
        value = self.expr(node.value)
        self.scope.returns.append(("l", (value,)))
        return UNKNOWN

    def _yield_from(self, node: ast.YieldFrom) -> Ir:
        self.scope.returns.append(self.expr(node.value))
        return UNKNOWN
