"""What a call evaluates to, and which workspace definitions it reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from judge.modules.graph.python.evaluate import Evaluator
from judge.modules.graph.python.heads import Head
from judge.modules.graph.python.ir import UNKNOWN, Ir, RawCall
from judge.modules.graph.python.program import Context, Program

_WRAPPERS = frozenset(
    {"list", "tuple", "sorted", "reversed", "set", "iter", "copy.copy", "copy.deepcopy", "types.MappingProxyType"}
)
_PARSERS = frozenset(
    """json.load json.loads yaml.safe_load yaml.load yaml.full_load toml.load toml.loads tomllib.load tomllib.loads
    tomli.load omegaconf.OmegaConf.load""".split()
)
_OPTIONS = frozenset({"typer.Option", "typer.Argument", "fastapi.Query", "dataclasses.field", "pydantic.Field"})
_DICT_METHODS = frozenset({"get", "items", "values", "keys", "copy", "pop", "setdefault"})


class CallEvaluator(Evaluator):
    """Evaluates calls: workspace functions by their returns, a few library calls by their meaning."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._library: dict[str, Callable[[Ir, RawCall, Context], Iterable[Head] | None]] = {
            "functools.partial": self._first_argument,
            "super": self._super,
            "dict": self._dict,
            "globals": lambda *_: None,
            "os.getenv": self._second_argument,
            "os.environ.get": self._second_argument,
            "vars": self._first_argument,
            "type": lambda *_: None,
            "getattr": self._getattr,
            "next": self._next,
            "max": self._next,
            "min": self._next,
            "random.choice": self._next,
        }
        self._library.update(dict.fromkeys(_WRAPPERS, self._first_argument))
        self._library.update(dict.fromkeys(_PARSERS, self._parsed_file))
        self._library.update(dict.fromkeys(_OPTIONS, self._option))

    def _call(self, ir: Ir, ctx: Context) -> Iterable[Head]:
        call = ctx.module.calls[ir[1]]
        from_dict = self._dict_method(call, ctx)
        if from_dict is not None:
            return from_dict
        found: list[Head] = []
        for form, home in self.expand(call.func, ctx):
            found.extend(self._called(form, home, ir, call, ctx))
        return found or ((ir, ctx),)

    def _called(self, form: Ir, home: Context | None, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head]:
        """The result of calling one thing."""
        op = form[0]
        if op == "X":
            rule = self._library.get(form[1])
            result = rule(ir, call, ctx) if rule is not None else None
            return result if result is not None else ((ir, ctx),)
        if op == "D" and self.program.scope(form[1], form[2]).kind == "class":
            return ((("I", form[1], form[2]), None),)
        if op in "DB":
            return self.enter(form, ir, ctx)
        if op == "f" and home is not None:
            return self.expand(form[1], home)
        if ctx.frame is not None and op == "k" and form[1] is None:
            return ((UNKNOWN, None),)  # the call at hand passes nothing to call, so it does not get here
        return ((ir, ctx),)

    def _dict_method(self, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        """``d.get(key)``, ``d.items()`` … of a literal dictionary."""
        func = call.func
        if func[0] != "a" or func[2] not in _DICT_METHODS:
            return None
        found: list[Head] = []
        for form, home in self.expand(func[1], ctx):
            if form[0] != "d" or home is None:
                return None
            found.extend(self._dict_result(func[2], form, home, call, ctx))
        return found

    def _dict_result(self, name: str, form: Ir, home: Context, call: RawCall, ctx: Context) -> Iterable[Head]:
        pairs = [pair for pair in form[1] if pair[0] != ("**",)][:64]
        if name == "items":
            return ((("l", tuple(("l", pair) for pair in pairs)), home),)
        if name == "values":
            return ((("l", tuple(value for _, value in pairs)), home),)
        if name == "keys":
            return ((("l", tuple(key for key, _ in pairs)), home),)
        if name == "copy":
            return ((form, home),)
        if not call.args:
            return ()
        key = self.constant(call.args[0], ctx)
        chosen = list(self.select(form, home, key))
        if not chosen and len(call.args) > 1:
            return self.expand(call.args[1], ctx)
        return chosen

    def _first_argument(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        if not call.args:
            return None
        heads = self.expand(call.args[0], ctx)
        return None if heads[0][0] == UNKNOWN else heads

    def _getattr(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        """An attribute whose name is a value that is known, from a configuration file for example."""
        name = self.constant(call.args[1], ctx) if len(call.args) > 1 else None
        return self.expand(("a", call.args[0], name), ctx) if isinstance(name, str) else None

    def _next(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        if len(call.args) != 1 and self.call_target(call, ctx) in {"max", "min"}:
            return None
        heads = self.expand(("it", call.args[0]), ctx) if call.args else ()
        return heads if heads and heads[0][0] != UNKNOWN and heads[0][0][0] not in "kcX" else None

    def _second_argument(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        return self.expand(call.args[1], ctx) if len(call.args) > 1 else None

    def _option(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        for name, value in call.keywords:
            if name in {"default", "default_factory"}:
                return self.expand(value, ctx)
        return self.expand(call.args[0], ctx) if call.args and call.args[0] != ("k", None) else None

    def _super(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        scope = ctx.scope
        while scope.parent >= 0:
            outer = ctx.module.scopes[scope.parent]
            if outer.kind == "class":
                return ((("S", ctx.module.index, outer.index), None),)
            scope = outer
        return None

    def _dict(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        if call.args:
            return self._first_argument(ir, call, ctx)
        pairs = tuple((("k", name), value) for name, value in call.keywords if name)
        return ((("d", pairs), ctx),)

    def _parsed_file(self, ir: Ir, call: RawCall, ctx: Context) -> Iterable[Head] | None:
        """The content of a configuration file of the workspace."""
        if not call.args:
            return None
        for path in self.file_names(call.args[0], ctx):
            data = self.program.load_data(path)
            if data is not None:
                return self.expand(data, ctx)
        return None

    def file_names(self, ir: Ir, ctx: Context) -> list[str]:
        """Workspace paths that a file handle, path or text read from a file may stand for."""
        raise NotImplementedError

    def callees(self, call: RawCall, ctx: Context) -> Sequence[tuple[Ir, int]]:
        """Workspace definitions a call reaches, each with how many leading parameters it does not pass."""
        heads = self.expand(call.func, ctx)
        if len(heads) == 1 and heads[0][0][0] == "X":
            return ()
        found: list[tuple[Ir, int]] = []
        for form, _ in heads:
            op = form[0]
            if op == "D":
                found.append((form, 0))
            elif op == "B":
                found.append((form, 1))
            elif op == "I":
                method = self.call_method(form[1], form[2])
                if method is not None:
                    found.append((("B", *method), 1))
        return found
