"""All source files of languages other than Python as one whole: who defines, calls and assigns what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from judge.modules.graph.conventions import Conventions, conventions
from judge.modules.graph.facts import DefKind
from judge.modules.graph.homes import Home, Homes, owner_of
from judge.modules.graph.languages import family_of
from judge.modules.graph.raw import Raw, RawDef, RawUse
from judge.modules.graph.values import MAX_STEPS, Values
from judge.modules.graph.words import Literal, argument, literal

MAX_MEANINGS = 6
MAX_CALLERS = 20
MAX_SAME = 100
"""Assignments of one name in all files, above which it says nothing."""
_OWN = re.compile(r"^(?:this|self|\$this|Self|static|cls)(?:\.|->|::)|^@{1,2}|^\$")
_MAKERS = ("constructor", "__construct", "initialize", "init", "new")
_LAST = re.compile(r"([\w$]+[!?]?)\s*(?:<[^<>]*>)?\s*$")
_NEW = re.compile(r"(?:\.|::)new$")

Meaning = tuple[str, Raw, str]


class Program:
    """The files, and indexes over them."""

    def __init__(self, raws: Sequence[Raw], texts: Mapping[str, str]) -> None:
        self.raws = {raw.path: raw for raw in raws}
        self.texts = texts
        """Build and project files, by path."""
        self._assigned: dict[str, dict[str, list[RawUse]]] = {}
        self._scopes: dict[str, dict[str, list[RawDef]]] = {}

    def family(self, raw: Raw) -> str:
        """The family a file belongs to."""
        return family_of(raw.language)

    def table(self, raw: Raw) -> Conventions:
        """What is usual in a file's language."""
        return conventions(family_of(raw.language))

    def values(self, raw: Raw, steps: int = MAX_STEPS) -> Values:
        """An evaluator for expressions of a file.

        Args:
            raw: The file.
            steps: Expressions it may follow.
        """
        return Values(self, self.table(raw), steps)

    def constant(self, raw: Raw, scope: str, name: str) -> Literal | None:
        """The string that a name of the file is set to, once and as it stands; the nearest scope counts."""
        uses = self.assigned(raw).get(plain_name(name), ())
        for place in outward(scope) if uses else ():
            here = [use for use in uses if use.scope == place]
            if here:
                item = literal(here[0].value) if len(here) == 1 else None
                hole = self.table(raw).hole
                return item if item is not None and (hole is None or not hole.search(item.content)) else None
        return None

    @cached_property
    def index(self) -> Homes:
        """Where names are defined."""
        return Homes(self.raws.values(), self.family)

    @property
    def homes(self) -> Mapping[tuple[str, str], list[Home]]:
        """Definitions by family and name."""
        return self.index.named

    @cached_property
    def _calls(self) -> Mapping[tuple[str, str], list[tuple[Raw, RawUse]]]:
        """Calls by family and last part of the callee; ``A.new`` also as a call of A."""
        found: dict[tuple[str, str], list[tuple[Raw, RawUse]]] = {}
        for raw in self.raws.values():
            family = self.family(raw)
            for use in raw.calls:
                name = last_name(use.text)
                if name:
                    found.setdefault((family, name), []).append((raw, use))
                if name == "new":
                    made = last_name(_NEW.sub("", use.text))
                    found.setdefault((family, made), []).append((raw, use))
        return found

    @cached_property
    def _constants(self) -> Mapping[tuple[str, str], list[Meaning]]:
        """What is assigned outside functions, or to fields, by family and name."""
        found: dict[tuple[str, str], list[Meaning]] = {}
        for raw in self.raws.values():
            family = self.family(raw)
            functions = {item.qualname for item in raw.definitions if item.kind is not DefKind.CLASS}
            for use in raw.assigned:
                if use.scope not in functions or use.text[:1].isupper() or _OWN.match(use.text):
                    name = plain_name(use.text)
                    found.setdefault((family, name), []).append((use.value, raw, use.scope))
        return found

    def assigned(self, raw: Raw) -> Mapping[str, list[RawUse]]:
        """Assignments of one file by name."""
        if raw.path not in self._assigned:
            table: dict[str, list[RawUse]] = {}
            for use in raw.assigned:
                table.setdefault(plain_name(use.text), []).append(use)
            self._assigned[raw.path] = table
        return self._assigned[raw.path]

    def scoped(self, raw: Raw, qualname: str) -> Sequence[RawDef]:
        """Definitions of a file by qualified name."""
        if raw.path not in self._scopes:
            table: dict[str, list[RawDef]] = {}
            for item in raw.definitions:
                table.setdefault(item.qualname, []).append(item)
            self._scopes[raw.path] = table
        return self._scopes[raw.path].get(qualname, ())

    def meanings(self, raw: Raw, scope: str, name: str) -> Iterable[Meaning]:
        """Expressions a variable, parameter, field or constant can be."""
        found: list[Meaning] = []
        dotted = "." in name
        name = plain_name(name)
        for place in outward(scope):
            found.extend(self._here(raw, place, name))
            found.extend(self._arguments(raw, place, name))
            found.extend(self._made(raw, place, name))
            if found and not dotted:
                return found[:MAX_MEANINGS]
        if found:
            return found[:MAX_MEANINGS]
        last = name.rpartition(".")[2]
        everywhere = self._constants.get((self.family(raw), last), [])
        few = len(everywhere) < MAX_SAME and len({text for text, _, _ in everywhere}) <= MAX_MEANINGS
        return everywhere[:MAX_MEANINGS] if few else []

    def _here(self, raw: Raw, scope: str, name: str) -> Iterator[Meaning]:
        for use in self.assigned(raw).get(name, ()):
            owner = use.scope.rpartition(".")[0] if _OWN.match(use.text) else use.scope
            if scope in (use.scope, owner):
                yield use.value, raw, use.scope

    def _arguments(self, raw: Raw, scope: str, name: str) -> Iterator[Meaning]:
        """What callers pass for a parameter."""
        for item in self.scoped(raw, scope):
            shell = self.table(raw).shell and name.isdigit()
            if not shell and name not in item.parameters:
                continue
            position = int(name) - 1 if shell else item.parameters.index(name)
            for caller, use in self.callers(raw, item):
                text = _passed(use, name, position, self.table(caller))
                if text:
                    yield text, caller, use.scope

    def _made(self, raw: Raw, scope: str, name: str) -> Iterator[Meaning]:
        """What a class is made with, for fields that its constructor declares as parameters."""
        if any(item.kind is DefKind.CLASS for item in self.scoped(raw, scope)):
            for maker in (*_MAKERS, scope.rpartition(".")[2]):
                yield from self._arguments(raw, f"{scope}.{maker}", name)

    def callers(self, raw: Raw, item: RawDef) -> list[tuple[Raw, RawUse]]:
        """Calls that by their name can mean a definition."""
        family = self.family(raw)
        owner = owner_of(item)
        name = owner if item.name in _MAKERS and owner else item.name
        return self._calls.get((family, name), [])[:MAX_CALLERS]


def _passed(use: RawUse, name: str, position: int, table: Conventions) -> str:
    """The argument a call passes for a parameter."""
    if table.named:
        for text in use.args:
            label, value = argument(text, table.named)
            if label == name:
                return value
    if position >= len(use.args):
        return ""
    return argument(use.args[position], table.named)[1]


def outward(scope: str) -> Iterator[str]:
    """A scope and those around it, the innermost first."""
    while scope:
        yield scope
        scope = scope.rpartition(".")[0]
    yield ""


def plain_name(text: str) -> str:
    """A variable without what says whose it is."""
    name = _OWN.sub("", _OWN.sub("", text.strip("\"'")))
    return re.sub(r"->|::", ".", name).lstrip("&*$@")


def last_name(text: str) -> str:
    """The last name of a callee."""
    found = _LAST.search(text[-200:])
    return found.group(1).lstrip("$") if found else ""
