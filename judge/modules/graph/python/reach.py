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
        self._heirs: dict[Key, list[Key]] = {}
        """Instantiated classes by each class they are of."""
        self._owners: dict[str, list[Key]] = {}
        """Classes by the names of what is defined in them."""
        self._loaded: set[int] = set()
        self._names: set[str] = set()
        self._virtual: set[tuple[Key, str]] = set()
        self._queue: deque[Key] = deque()
        self._calls: dict[int, dict[int, list[RawCall]]] = {}
        self._imports: dict[int, dict[int, list[RawImport]]] = {}
        for module in self.program.modules:
            for scope in module.scopes:
                if scope.kind == "class":
                    for child in scope.children:
                        self._owners.setdefault(module.scopes[child].name, []).append((module.index, scope.index))
        self._hooks = hooks()

    def module(self, number: int) -> None:
        """A module is run or imported."""
        if number in self._loaded:
            return
        self._loaded.add(number)
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
        if module not in self._calls:
            self._sort(module)
        for call in self._calls[module].get(number, ()):
            if call.live:
                self._call(call, ctx)
        for ir, live in ctx.scope.loads.values():
            if live:
                self._touch(ir, ctx)
        for item in self._imports[module].get(number, ()):
            if item.live:
                self._import(item, ctx)
        self._define(ctx)

    def _define(self, ctx: Context) -> None:
        """Class bodies run where they stand, and functions that a decorator hands over will be called."""
        for child in ctx.scope.children:
            scope = ctx.module.scopes[child]
            if scope.live and (scope.kind == "class" or self._is_registered(scope, ctx)):
                self.scope((ctx.module.index, child))

    def _sort(self, number: int) -> None:
        """Group the calls and imports of a module by the scope they stand in."""
        calls = self._calls[number] = {}
        for call in self.program.modules[number].calls:
            calls.setdefault(call.scope, []).append(call)
        imports = self._imports[number] = {}
        for item in self.program.modules[number].imports:
            imports.setdefault(item.scope, []).append(item)

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
        if not call.external:
            for form, _ in self.ev.callees(call, ctx):
                self.definition((form[1], form[2]))
        if call.func[0] == "a" and not call.apart:
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
                    self._any_method(name)
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
        for made in tuple(self._heirs.get(key, ())):
            self._method(made, name)

    def _any_method(self, name: str) -> None:
        """Every instantiated class may be meant that has or inherits a method of that name."""
        for owner in self._owners.get(name, ()):
            for made in tuple(self._heirs.get(owner, ())):
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
        family = self.ev.ancestry(*key)
        for owner in family:
            self._heirs.setdefault(owner, []).append(key)
        for owner in family:
            self.used.add(owner)
            module = self.program.modules[owner[0]]
            self.scope(owner)
            for child in module.scopes[owner[1]].children:
                scope = module.scopes[child]
                if scope.kind == "function" and scope.live and self._called_anyway(scope, external, family):
                    self.scope((owner[0], child))

    def _called_anyway(self, scope: RawScope, external: list[str], family: list[Key]) -> bool:
        name = scope.name
        if name in self._names or (name.startswith("__") and name.endswith("__")):
            return True
        if any((owner, name) in self._virtual for owner in family):
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
