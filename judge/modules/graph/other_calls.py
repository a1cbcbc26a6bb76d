"""What the calls of a source file are: dotted targets with import names resolved, and the definitions they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from judge.modules.graph.homes import Home, among
from judge.modules.graph.other_imports import Link
from judge.modules.graph.other_program import MAX_SAME, Program, last_name, outward, plain_name
from judge.modules.graph.raw import Raw, RawUse

_CALLED = re.compile(r"^(?:await\s+|try[?!]?\s+)?(?:new\s+)?[&*]?\\?([A-Za-z_$@][\w.$:\\]*!?)\s*(?:<[^<>()]*>)?\s*\(")
_GENERIC = re.compile(r"(?:::)?<[^<>()]*>(?=[.(:]|$)")
_SEPARATOR = re.compile(r"::|->|\?->|\?\.|!!\.|&\.|\\")
_NO_CALLS = frozenset({"require", "function", "async", "if", "switch", "match", "while"})
_COMMON = frozenset(
    "get set add put run print println main new init close open read write size length map filter forEach push pop "
    "append remove update toString next start stop send call apply find join format test create delete load save "
    "execute process handle show render build reset clear insert contains equals log".split()
)
_OWN = frozenset({"this", "self", "Self", "static", "$this", "super", "parent", "@"})


class Target(NamedTuple):
    """A call with what it names.

    Attributes:
        text: Dotted callee as written.
        dotted: The same with imported names and known variables written out.
        name: Its last part.
        owner: What stands before the last part, as written.
    """

    text: str
    dotted: str
    name: str
    owner: str


class Callees:
    """Names of one file."""

    def __init__(self, program: Program, raw: Raw, links: Iterable[Link], implicit: Iterable[tuple[str, int, str]]):
        self.program = program
        self.raw = raw
        self.family = program.family(raw)
        self.index = program.index
        self.shell = program.table(raw).shell
        self.visible: dict[str, None] = {raw.path: None}
        for link in links:
            self.visible.update(dict.fromkeys(link.paths))
        self.visible.update({path: None for _, _, path in implicit})
        self.aliases, self.modules = self._aliases(links)
        self.variables = self._variables()
        self.fields: dict[tuple[str, str], str] = {}
        """The same for what any function of a class sets."""
        for (place, name), made in self.variables.items():
            for outer in outward(place.rpartition(".")[0]):
                self.fields.setdefault((outer, name), made)

    def _aliases(self, links: Iterable[Link]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        """What imported names stand for, and the workspace files behind them."""
        placed = sorted(links, key=lambda link: link.use.start)
        found: dict[str, str] = {}
        files: dict[str, tuple[str, ...]] = {}
        starts = iter(sorted(self.raw.imported, key=lambda item: item[2]))
        position = 0
        for bound, name, start in starts:
            while position < len(placed) and placed[position].use.start < start:
                position += 1
            if position == len(placed):
                break
            link = placed[position]
            found[bound] = f"{link.use.text}.{name}" if name else link.use.text
            files[bound] = link.paths
        if self.family == "go":
            for link in placed:
                bound = link.use.text.rpartition("/")[2]
                found.setdefault(bound, link.use.text)
                files.setdefault(bound, link.paths)
        return found, files

    def _variables(self) -> dict[tuple[str, str], str]:
        """What call made the value of a variable, by scope and name."""
        found: dict[tuple[str, str], str] = {}
        for use in self.raw.assigned:
            called = _CALLED.match(use.value)
            if called and called.group(1) not in _NO_CALLS:
                made = self._written_out(_SEPARATOR.sub(".", called.group(1)).strip("."))
                found.setdefault((use.scope, plain_name(use.text)), f"{made}()")
        return found

    def _written_out(self, text: str) -> str:
        first, dot, rest = text.partition(".")
        return f"{self.aliases.get(first, first)}{dot}{rest}"

    def target(self, use: RawUse) -> Target:
        """What a call names."""
        if self.shell or self.family == "sql":
            name = re.sub(r"^\d+(?=[<>&])", "", use.text.strip())
            return Target(name, name, name, "")
        text = _GENERIC.sub("", re.sub(r"\s+", "", use.text.removeprefix("new ")))
        if self.family == "php":
            text = text.replace("$", "")
        text = collapse(_SEPARATOR.sub(".", text)).strip(".")
        owner, _, name = text.rpartition(".")
        dotted = self._dotted(text, use.scope)
        if not name.isidentifier() and not re.fullmatch(r"[\w$!?@#<>=-]+", name):
            name = last_name(text) or name
        if not owner and text in self.aliases:
            name = dotted.rpartition(".")[2] or name
        return Target(text, dotted[:200], name[:100], owner)

    def _dotted(self, text: str, scope: str) -> str:
        first, dot, rest = text.partition(".")
        if first in _OWN and rest:
            inner, more, tail = rest.partition(".")
            origin = self._origin(inner, scope)
            return f"{origin}{more}{tail}" if origin and more else text
        origin = self._origin(first, scope)
        if origin and dot:
            return f"{origin}.{rest}"
        return f"{self.aliases.get(first, first)}{dot}{rest}"

    def _origin(self, name: str, scope: str) -> str:
        for place in outward(scope):
            made = self.variables.get((place, name))
            if made:
                return made
        owner = scope.rpartition(".")[0]
        return self.fields.get((owner, name), "") if owner else ""

    def resolve(self, use: RawUse, target: Target) -> str:
        """Id of the workspace definition that is called, or an empty string."""
        key = (self.family, target.name)
        if key not in self.index.named:
            return self._maker(target)
        if not target.owner:
            return self._bare(use, target)
        first = target.owner.partition(".")[0]
        last = target.owner.rpartition(".")[2].removesuffix("()")
        if first in _OWN and "." not in target.owner:
            return self._own_method(use.scope, target.name)
        made = target.dotted.rpartition(".")[0].replace("()", "").split(".")[::-1][:4]
        for owner in (*made, last):
            found = self.index.owned.get((*key, owner))
            if found:
                return _id(self._nearest(found))
        paths = self.modules.get(first, ())
        top = self.index.top.get(key, [])
        home = among(top, paths) if paths else None
        if home is not None:
            return _id(home)
        if first in self.aliases and not paths:
            return ""
        if len(top) == 1 and last == top[0][0].package.rpartition(".")[2]:
            return _id(top[0])
        methods = self.index.named[key] if self.family in {"r", "julia", "c"} else self.index.methods.get(key, [])
        return _id(methods[0]) if len(methods) == 1 and target.name not in _COMMON else ""

    def _maker(self, target: Target) -> str:
        """``Foo.new`` and the like make a Foo."""
        if target.name in {"new", "create", "init"} and target.owner:
            classes = self.index.classes.get((self.family, target.owner.rpartition(".")[2]))
            if classes:
                return _id(self._nearest(classes))
        return ""

    def _bare(self, use: RawUse, target: Target) -> str:
        for place in outward(use.scope):
            wanted = f"{place}.{target.name}" if place else target.name
            if self.program.scoped(self.raw, wanted):
                return f"{self.raw.path}::{wanted}"
        imported = self.modules.get(target.text, ())
        for path in imported:
            if self.program.scoped(self.program.raws[path], target.name):
                return f"{path}::{target.name}"
        if target.text in self.aliases and not imported:
            return ""
        plain = self.index.plain.get((self.family, target.name), [])
        seen = among(plain[:MAX_SAME], self.visible)
        if seen is not None:
            return _id(seen)
        if self.family == "javascript":
            own = among(self.index.named[self.family, target.name][:MAX_SAME], (self.raw.path,))
            return _id(own) if own is not None else ""
        return _id(plain[0]) if len(plain) == 1 and target.name not in _COMMON else ""

    def _own_method(self, scope: str, name: str) -> str:
        for owner in outward(scope):
            found = self.index.owned.get((self.family, name, owner.rpartition(".")[2]))
            if found:
                return _id(self._nearest(found))
        return _id(self._nearest(self.index.named[self.family, name]))

    def _nearest(self, homes: list[Home]) -> Home:
        """The definition in the file itself, else in one it imports, else any."""
        return min(homes[:MAX_SAME], key=lambda home: (home[0] is not self.raw, home[0].path not in self.visible))


def collapse(text: str) -> str:
    """A callee with the arguments of inner calls left out: ``File("x").writeText`` is ``File().writeText``."""
    if "(" not in text and "[" not in text:
        return text
    found: list[str] = []
    depth = 0
    for char in text:
        if char in "([{":
            if depth == 0 and char == "(":
                found.append("(")
            depth += 1
        elif char in ")]}":
            depth = max(0, depth - 1)
            if depth == 0 and char == ")":
                found.append(")")
        elif depth == 0:
            found.append(char)
    return "".join(found)


def _id(home: Home) -> str:
    return f"{home[0].path}::{home[1].qualname}"
