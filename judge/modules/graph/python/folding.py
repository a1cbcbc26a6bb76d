"""Constants, texts and paths that an expression can amount to."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from judge.modules.graph.python.calls import CallEvaluator
from judge.modules.graph.python.ir import Ir, RawCall
from judge.modules.graph.python.program import Context, Program

Constant = str | int | float | bool | None
HOLE = "{}"
ROOT = "\0/"
"""Marks a path that is known from the workspace root, because it was derived from ``__file__``."""
MAX_FOLDS = 8
_PERCENT = re.compile(r"%[-+ #0-9.]*[a-zA-Z]")
_FIELD = re.compile(r"\{[^{}]*\}")


class Folded(NamedTuple):
    """One possible value; ``known`` says whether all of it is known."""

    value: Constant
    known: bool


_OPEN = (Folded(None, False),)


class Folder(CallEvaluator):
    """Folds expressions into constants; unknown parts of texts become ``{}``."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._texts: dict[str, Callable[[RawCall, Context], Iterable[Folded]]] = {
            "os.path.join": self._join_args,
            "posixpath.join": self._join_args,
            "os.getcwd": lambda *_: (Folded(".", True),),
            "pathlib.Path.cwd": lambda *_: (Folded(".", True),),
            "pathlib.Path.home": lambda *_: (Folded("~", True),),
            "os.path.dirname": lambda call, ctx: self._mapped(call, ctx, posixpath.dirname),
            "os.path.basename": lambda call, ctx: self._mapped(call, ctx, posixpath.basename),
        }
        for name in ("Path", "PurePath", "PosixPath", "PurePosixPath"):
            self._texts[f"pathlib.{name}"] = self._join_args
        for name in (
            "str",
            "os.fspath",
            "os.path.abspath",
            "os.path.realpath",
            "os.path.normpath",
            "os.path.expanduser",
        ):
            self._texts[name] = lambda call, ctx: self._mapped(call, ctx, lambda text: text)
        self._methods: dict[str, Callable[[RawCall, Context], Iterable[Folded]]] = {
            "format": self._format,
            "joinpath": self._joinpath,
            "with_suffix": lambda call, ctx: self._renamed(call, ctx, _with_suffix),
            "with_name": lambda call, ctx: self._renamed(call, ctx, _with_name),
            "lower": lambda call, ctx: self._received(call, ctx, str.lower),
            "upper": lambda call, ctx: self._received(call, ctx, str.upper),
            "strip": lambda call, ctx: self._received(call, ctx, str.strip),
            "replace": self._replace,
            "join": lambda *_: _OPEN,
        }
        for name in ("resolve", "absolute", "as_posix", "expanduser", "__str__"):
            self._methods[name] = lambda call, ctx: self._received(call, ctx, lambda text: text)

    def fold(self, ir: Ir, ctx: Context) -> list[Folded]:
        """The values an expression can have, most likely first; never empty, at most eight."""
        if ir[0] == "k":
            return [Folded(ir[1], True)]
        memory = ctx.remembered().folds
        known = memory.get(id(ir))
        if known is not None:
            folds: list[Folded] = known[1]
            return folds
        if self._steps > 40:
            return list(_OPEN)
        memory[id(ir)] = (ir, list(_OPEN))
        found: list[Folded] = []
        self._steps += 2
        try:
            for form, home in self.expand(ir, ctx):
                for item in self._fold_form(form, home or ctx):
                    if item not in found:
                        found.append(item)
        finally:
            self._steps -= 2
        result = found[:MAX_FOLDS] or list(_OPEN)
        memory[id(ir)] = (ir, result)
        return result

    def texts(self, ir: Ir, ctx: Context) -> list[str]:
        """The texts an expression can be, those of which nothing is known left out."""
        return [item.value for item in self.fold(ir, ctx) if isinstance(item.value, str)]

    def _fold_form(self, form: Ir, ctx: Context) -> Iterable[Folded]:
        op = form[0]
        if op == "k":
            return (Folded(form[1], True),)
        if op == "j":
            return self._concatenate([self._part(part, ctx) for part in form[1]])
        if op == "b":
            return self._operation(form, ctx)
        if op == "c":
            return self._fold_call(ctx.module.calls[form[1]], ctx)
        if op == "P":
            return [Folded(_path_part(form[1], item), True) for item in self.texts(form[2], ctx)]
        return _OPEN

    def _part(self, ir: Ir, ctx: Context) -> list[Folded]:
        return [
            item if item.known or isinstance(item.value, str) else Folded(HOLE, False) for item in self.fold(ir, ctx)
        ]

    def _concatenate(self, parts: list[list[Folded]]) -> list[Folded]:
        """Every combination of the parts, within bounds."""
        sizes = 1
        bounded = []
        for part in parts:
            keep = part if sizes * len(part) <= MAX_FOLDS else [Folded(HOLE, False)]
            sizes *= len(keep)
            bounded.append(keep)
        result = []
        for combination in itertools.product(*bounded):
            text = "".join(str(item.value) for item in combination)
            result.append(Folded(text[:2000], all(item.known for item in combination)))
        return result

    def _operation(self, form: Ir, ctx: Context) -> Iterable[Folded]:
        _, op, left, right = form
        lefts = self.fold(left, ctx)
        if op == "%":
            return [self._percent(item.value, right, ctx) for item in lefts if isinstance(item.value, str)] or _OPEN
        rights = self.fold(right, ctx)
        found = []
        for one, two in itertools.islice(itertools.product(lefts, rights), MAX_FOLDS):
            if isinstance(one.value, str) or isinstance(two.value, str):
                found.append(self._joined_pair(op, one, two))
            elif op == "+" and one.known and two.known and _number(one.value) and _number(two.value):
                found.append(Folded(one.value + two.value, True))  # type: ignore[operator]
        return found or _OPEN

    def _joined_pair(self, op: str, one: Folded, two: Folded) -> Folded:
        left = one.value if isinstance(one.value, str) else HOLE
        right = two.value if isinstance(two.value, str) else HOLE
        text = join_path(left, right) if op == "/" else left + right
        return Folded(text[:2000], one.known and two.known)

    def _percent(self, template: str, right: Ir, ctx: Context) -> Folded:
        values = iter(right[1] if right[0] == "l" else (right,))

        def fill(match: re.Match[str]) -> str:
            ir = next(values, None)
            texts = self.texts(ir, ctx) if ir is not None and match.group().endswith("s") else []
            return texts[0] if texts else HOLE

        return Folded(_PERCENT.sub(fill, template), False)

    def _fold_call(self, call: RawCall, ctx: Context) -> Iterable[Folded]:
        target = self.call_target(call, ctx)
        rule = self._texts.get(target)
        if rule is not None:
            return rule(call, ctx)
        if call.func[0] == "a":
            method = self._methods.get(call.func[2])
            if method is not None:
                return method(call, ctx)
        return _OPEN

    def _join_args(self, call: RawCall, ctx: Context) -> Iterable[Folded]:
        if not call.args:
            return (Folded(".", True),)
        result = [Folded("", True)]
        for arg in call.args[:8]:
            parts = self._part(arg, ctx)
            pairs = itertools.islice(itertools.product(result, parts), MAX_FOLDS)
            result = [Folded(join_path(str(one.value), str(two.value)), one.known and two.known) for one, two in pairs]
        return result

    def _mapped(self, call: RawCall, ctx: Context, change: Callable[[str], str]) -> Iterable[Folded]:
        if not call.args:
            return _OPEN
        found = [
            Folded(change(str(item.value)), item.known)
            for item in self.fold(call.args[0], ctx)
            if item.value is not None
        ]
        return found or _OPEN

    def _received(self, call: RawCall, ctx: Context, change: Callable[[str], str]) -> Iterable[Folded]:
        """A method applied to the text it is called on."""
        found = [
            Folded(change(item.value), item.known)
            for item in self.fold(call.func[1], ctx)
            if isinstance(item.value, str)
        ]
        return found or _OPEN

    def _renamed(self, call: RawCall, ctx: Context, change: Callable[[str, str], str]) -> Iterable[Folded]:
        new = (self.texts(call.args[0], ctx) or [HOLE])[0] if call.args else HOLE
        return self._received(call, ctx, lambda text: change(text, new))

    def _replace(self, call: RawCall, ctx: Context) -> Iterable[Folded]:
        parts = [self.texts(arg, ctx)[:1] for arg in call.args[:2]]
        if len(parts) < 2 or not all(parts):
            return _OPEN
        old, new = parts[0][0], parts[1][0]
        return self._received(call, ctx, lambda text: text.replace(old, new)[:2000] if old else text)

    def _joinpath(self, call: RawCall, ctx: Context) -> Iterable[Folded]:
        rest = "/".join((self.texts(arg, ctx) or [HOLE])[0] for arg in call.args)
        return self._received(call, ctx, lambda text: join_path(text, rest))

    def _format(self, call: RawCall, ctx: Context) -> Iterable[Folded]:
        named = dict(call.keywords)

        def fill(template: str) -> str:
            position = iter(call.args)

            def field(match: re.Match[str]) -> str:
                key = match.group()[1:-1]
                if ":" in key or "!" in key:
                    next(position, None)
                    return HOLE
                ir = named.get(key) if key and not key.isdigit() else next(position, None)
                texts = self.texts(ir, ctx) if ir is not None else []
                return texts[0] if texts else HOLE

            return _FIELD.sub(field, template)

        return self._received(call, ctx, fill)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def join_path(left: str, right: str) -> str:
    """Two path parts joined; an absolute right part wins."""
    if not left or right.startswith(("/", ROOT)):
        return right
    return f"{left.rstrip('/') or ''}/{right}" if right else left


def _path_part(part: str, text: str) -> str:
    if part == "parent":
        return posixpath.dirname(text.rstrip("/")) or ("\0" if text.startswith(ROOT) else ".")
    if part.startswith("parents["):
        for _ in range(int(part[8:-1]) + 1 if part[8:-1].isdigit() else 1):
            text = _path_part("parent", text)
        return text
    if part == "name":
        return posixpath.basename(text)
    if part == "parents":
        return HOLE
    stem, suffix = posixpath.splitext(posixpath.basename(text))
    return stem if part == "stem" else suffix


def _with_suffix(text: str, suffix: str) -> str:
    return posixpath.splitext(text)[0] + suffix


def _with_name(text: str, name: str) -> str:
    return join_path(posixpath.dirname(text), name)
