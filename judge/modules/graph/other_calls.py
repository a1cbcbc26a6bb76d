"""What the calls of a source file are: dotted targets with import names resolved, and the definitions they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from judge.modules.graph.facts import DefKind
from judge.modules.graph.other_imports import Link
from judge.modules.graph.other_program import Home, Program, last_name, outward, plain_name
from judge.modules.graph.raw import Raw, RawDef, RawUse

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
        self.shell = program.table(raw).shell
        self.visible: dict[str, None] = {raw.path: None}
        for link in links:
            self.visible.update(dict.fromkeys(link.paths))
        self.visible.update({path: None for _, _, path in implicit})
        self.aliases, self.modules = self._aliases(links)
        self.variables = self._variables()

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
        return next(
            (made for (place, known), made in self.variables.items() if known == name and place.startswith(f"{owner}."))
            if owner
            else iter(()),
            "",
        )

    def resolve(self, use: RawUse, target: Target) -> str:
        """Id of the workspace definition that is called, or an empty string."""
        homes = self.program.homes.get((self.family, target.name))
        if not homes:
            return self._maker(target)
        if not target.owner:
            return self._bare(use, target, homes)
        first = target.owner.partition(".")[0]
        last = target.owner.rpartition(".")[2].removesuffix("()")
        if first in _OWN and "." not in target.owner:
            return self._own_method(use.scope, homes)
        made = target.dotted.rpartition(".")[0].replace("()", "").split(".")[::-1][:4]
        for owner in (*made, last):
            found = [home for home in homes if _owner(home[1]) == owner]
            if found:
                return _id(self._nearest(found))
        paths = self.modules.get(first, ())
        found = [home for home in homes if home[0].path in paths and "." not in home[1].qualname]
        if found:
            return _id(found[0])
        external = first in self.aliases and not paths
        named = [home for home in homes if "." not in home[1].qualname and home[1].kind is not DefKind.METHOD]
        if len(named) == 1 and not external and last == named[0][0].package.rpartition(".")[2]:
            return _id(named[0])
        methods = [home for home in homes if home[1].kind is DefKind.METHOD or self.family in {"r", "julia", "c"}]
        if len(methods) == 1 and not external and target.name not in _COMMON:
            return _id(methods[0])
        return ""

    def _maker(self, target: Target) -> str:
        """``Foo.new`` and the like make a Foo."""
        if target.name in {"new", "create", "init"} and target.owner:
            classes = [
                home
                for home in self.program.homes.get((self.family, target.owner.rpartition(".")[2]), ())
                if home[1].kind is DefKind.CLASS
            ]
            if classes:
                return _id(self._nearest(classes))
        return ""

    def _bare(self, use: RawUse, target: Target, homes: list[Home]) -> str:
        for place in outward(use.scope):
            wanted = f"{place}.{target.name}" if place else target.name
            inside = [home for home in homes if home[0] is self.raw and home[1].qualname == wanted]
            if inside:
                return _id(inside[0])
        imported = self.modules.get(target.text, ())
        for home in homes:
            if home[0].path in imported and "." not in home[1].qualname:
                return _id(home)
        if target.text in self.aliases and not imported:
            return ""
        seen = [home for home in homes if home[0].path in self.visible and home[1].kind is not DefKind.METHOD]
        if seen:
            return _id(seen[0])
        if self.family == "javascript":
            own = next((home for home in homes if home[0] is self.raw), None)
            return _id(own) if own is not None else ""
        plain = [home for home in homes if home[1].kind is not DefKind.METHOD]
        return _id(plain[0]) if len(plain) == 1 and target.name not in _COMMON else ""

    def _own_method(self, scope: str, homes: list[Home]) -> str:
        owner = scope.partition(".")[0]
        own = [home for home in homes if home[1].qualname.partition(".")[0] == owner]
        found = self._nearest(own or homes)
        return _id(found)

    def _nearest(self, homes: list[Home]) -> Home:
        """The definition in the file itself, else in one it imports, else any."""
        return min(
            homes,
            key=lambda home: (home[0] is not self.raw, home[0].path not in self.visible),
        )


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


def _owner(item: RawDef) -> str:
    return item.qualname.rpartition(".")[0].rpartition(".")[2]


def _id(home: Home) -> str:
    return f"{home[0].path}::{home[1].qualname}"
