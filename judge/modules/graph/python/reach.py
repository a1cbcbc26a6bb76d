"""Which definitions and statements an entry point can get to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from judge.modules.graph.python.folding import Folder
from judge.modules.graph.python.hooks import hooks
from judge.modules.graph.python.ir import Ir, RawCall, RawImport, RawScope
from judge.modules.graph.python.program import Context
from judge.modules.graph.python.spawn import started_files

Key = tuple[int, int]


class Reach:
    """Spreads reachability from entry points over imports, calls, references and framework hooks.

    Attributes:
        reached: Scopes whose code runs: modules, functions, class bodies.
        used: Classes that are instantiated, passed on or looked into.
    """

    def __init__(self, evaluator: Folder) -> None:
        self.ev = evaluator
        self.program = evaluator.program
        self.reached: set[Key] = set()
        self.used: set[Key] = set()
        self._made: dict[Key, None] = {}
        self._names: set[str] = set()
        self._virtual: set[tuple[Key, str]] = set()
        self._queue: deque[Key] = deque()
        self._calls: dict[Key, list[RawCall]] = {}
        self._imports: dict[Key, list[RawImport]] = {}
        for module in self.program.modules:
            for call in module.calls:
                self._calls.setdefault((module.index, call.scope), []).append(call)
            for item in module.imports:
                self._imports.setdefault((module.index, item.scope), []).append(item)
        self._hooks = hooks()

    def module(self, number: int) -> None:
        """A module is run or imported."""
        self.scope((number, 0))
        for path in self.program.package_init(self.program.modules[number].path):
            self.scope((self.program.index.files[path], 0))

    def scope(self, key: Key) -> None:
        """The code of a scope runs."""
        if key not in self.reached:
            self.reached.add(key)
            self._queue.append(key)

    def definition(self, key: Key) -> None:
        """A definition is called or handed on."""
        scope = self.program.scope(*key)
        if scope.kind == "class":
            self.make(key)
        elif scope.live:
            self.scope(key)

    def run(self) -> None:
        """Work until nothing new is reached."""
        while self._queue:
            self._visit(self._queue.popleft())

    def _visit(self, key: Key) -> None:
        module, number = key
        ctx = self.program.context(module, number)
        for call in self._calls.get(key, ()):
            if call.live:
                self._call(call, ctx)
        for ir, live in ctx.scope.loads.values():
            if live:
                self._touch(ir, ctx)
        for item in self._imports.get(key, ()):
            if item.live:
                self._import(item, ctx)
        for child in ctx.scope.children:
            scope = ctx.module.scopes[child]
            if not scope.live:
                continue
            if scope.kind == "class" or self._is_registered(scope, ctx):
                self.scope((module, child))

    def _import(self, item: RawImport, ctx: Context) -> None:
        path = self.program.resolve_import(ctx.module, item.module, item.level)
        if path is None:
            return
        if not path.endswith("/"):
            self.module(self.program.index.files[path])
            if not path.endswith("__init__.py") or not item.name:
                return
            path = path[: -len("__init__.py")]
        child = self.program.index.child(path, item.name) if item.name else None
        if child is not None and not child.endswith("/"):
            self.module(self.program.index.files[child])

    def _call(self, call: RawCall, ctx: Context) -> None:
        for form, _ in self.ev.callees(call, ctx):
            self.definition((form[1], form[2]))
        if call.func[0] == "a":
            self._by_name(call.func, ctx)
        for path in started_files(call, ctx, self.ev):
            self.module(self.program.index.files[path])

    def _by_name(self, ir: Ir, ctx: Context) -> None:
        """An attribute read: on an unknown value it may be any method of that name, on an instance an override."""
        name = ir[2]
        for form, home in self.ev.expand(ir[1], ctx):
            op = form[0]
            if op == "u" or (op == "c" and self._opaque(form, home or ctx)):
                if name not in self._names:
                    self._names.add(name)
                    for key in list(self._made):
                        self._method(key, name)
            elif op in "ID" and self.program.scope(form[1], form[2]).kind == "class":
                self._dispatch((form[1], form[2]), name)

    def _opaque(self, form: Ir, ctx: Context) -> bool:
        """Whether the result of a call could be a workspace object: an unknown callee, or one that was given any."""
        target = self.ev.target(form, ctx)
        return target.startswith("?") or target.split("(", 1)[0] in {
            "pickle.load",
            "joblib.load",
            "next",
            "torch.load",
            "max",
            "min",
        }

    def _dispatch(self, key: Key, name: str) -> None:
        if (key, name) in self._virtual:
            return
        self._virtual.add((key, name))
        self.used.add(key)
        self._method(key, name)
        for made in list(self._made):
            if key in self.ev.ancestry(*made):
                self._method(made, name)

    def _method(self, key: Key, name: str) -> None:
        found = self.ev.method(*key, name)
        if found is not None and self.program.scope(*found).kind == "function":
            self.definition(found)

    def _touch(self, ir: Ir, ctx: Context) -> None:
        """A name or attribute is read: what it denotes may be called by whoever gets it."""
        if ir[0] == "a":
            self._by_name(ir, ctx)
            if ir[1][0] == "a":
                self._touch(ir[1], ctx)
        for form, _ in self.ev.expand(ir, ctx):
            if form[0] in "DB":
                self.definition((form[1], form[2]))

    def make(self, key: Key) -> None:
        """A class is instantiated or handed on."""
        if key in self._made:
            return
        self._made[key] = None
        self.used.add(key)
        external = self.ev.external_bases(*key)
        names = self._names | {name for owner, name in self._virtual if owner in self.ev.ancestry(*key)}
        for owner in self.ev.ancestry(*key):
            self.used.add(owner)
            module = self.program.modules[owner[0]]
            self.scope(owner)
            for child in module.scopes[owner[1]].children:
                scope = module.scopes[child]
                if scope.kind == "function" and scope.live and self._called_anyway(scope, external, names):
                    self.scope((owner[0], child))

    def _called_anyway(self, scope: RawScope, external: list[str], names: set[str]) -> bool:
        name = scope.name
        if name in names or (name.startswith("__") and name.endswith("__")):
            return True
        return bool(external) and self._hooks.called(external, name)

    def _is_registered(self, scope: RawScope, ctx: Context) -> bool:
        """Whether a decorator hands the function over to something that will call it."""
        for item in scope.decorators:
            ir = ctx.module.calls[item[1]].func if item[0] == "c" else item
            if ir[0] == "a" and ir[2] in self._hooks.neutral:
                continue
            for form, _ in self.ev.expand(ir, ctx):
                if self._registers(form, ir):
                    return True
        return False

    def _registers(self, form: Ir, ir: Ir) -> bool:
        op = form[0]
        if op == "X":
            return "()." in str(form[1]) or form[1] in self._hooks.registering
        if op in "DB":
            module = self.program.modules[form[1]]
            scope = module.scopes[form[2]]
            return scope.registers or any(module.scopes[child].registers for child in scope.children)
        return bool(op == "u" and ir[0] == "a")

    def public(self, numbers: Iterable[int]) -> None:
        """Everything a library offers: its modules with their public functions and classes."""
        for number in numbers:
            self.module(number)
            module = self.program.modules[number]
            for child in module.scopes[0].children:
                scope = module.scopes[child]
                if scope.name.startswith("_") or not scope.live:
                    continue
                self.definition((number, child))
                for inner in scope.children if scope.kind == "class" else ():
                    method = module.scopes[inner]
                    if method.live and not method.name.startswith("_"):
                        self.definition((number, inner))

    def tests(self, number: int) -> None:
        """A test file: what a test runner collects in it."""
        self.module(number)
        module = self.program.modules[number]
        for child in module.scopes[0].children:
            scope = module.scopes[child]
            if scope.kind == "function" and scope.name.startswith("test"):
                self.definition((number, child))
            elif scope.kind == "class" and (scope.name.startswith("Test") or scope.bases):
                self.make((number, child))
                for inner in scope.children:
                    if module.scopes[inner].name.startswith(("test", "setup", "setUp", "tear")):
                        self.definition((number, inner))
