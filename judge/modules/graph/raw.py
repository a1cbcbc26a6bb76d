"""What one source file says by itself, before other files are looked at; plain data that can be stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.modules.graph.facts import Body, DefKind

_MARKED = re.compile(r"[{};]")
MAX_QUALNAME = 300
"""Characters of a qualified name after which nesting is no longer spelled out."""


@dataclass(slots=True)
class RawDef:
    """One definition with its byte range.

    Attributes:
        name: Its own name.
        kind: Class, function or method.
        line: First line, 1-based.
        end_line: Last line.
        start: First byte.
        end: Byte after the last.
        body: What its body amounts to.
        bases: What it derives from, as written.
        parameters: Names of its parameters.
        qualname: Name with the definitions around it, filled in by ``name_scopes``.
        decorators: Annotations, attributes and decorators, names only.
        owner: Type it belongs to without standing in it (Go receivers, C++ ``A::f``).
        name_start: Byte where its name begins.
        body_start: Byte where its body begins.
        virtual: Whether it only lends its name to what is inside (``impl`` blocks, extensions).
    """

    name: str
    kind: DefKind
    line: int
    end_line: int
    start: int
    end: int
    body: Body = Body.REAL
    bases: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    qualname: str = ""
    decorators: tuple[str, ...] = ()
    owner: str = ""
    name_start: int = 0
    body_start: int = 0
    virtual: bool = False


@dataclass(slots=True)
class RawUse:
    """A call, string, import or assignment: its text, line and place."""

    text: str
    line: int
    start: int
    end_line: int = 0
    args: tuple[str, ...] = ()
    scope: str = ""
    value: str = ""
    """What is assigned, as written; of an import the way it is done (``from``, ``include``, …)."""


@dataclass(slots=True)
class Raw:
    """What one file says, before other files are looked at.

    Attributes:
        path: Workspace path.
        language: Name in the table of languages.
        source: Its text.
        definitions: Sorted by place.
        calls: Callee as written, with the arguments as written.
        imports: What is imported, as written without quotes.
        imported: Bound name, imported name (empty for the whole module), start byte.
        assigned: Variables, fields and constants; ``text`` is the name, ``value`` what it is set to.
        strings: String literals as written.
        shown: Pictures and the like that the file displays, paths as written without quotes.
        words: First line of every identifier that is neither a definition's own name nor part of an import, by scope.
        comments: Comments as written.
        package: Package or namespace that the file declares.
        runs: Whether the file says by itself that it is a program (``#!``, ``if __FILE__ == $0``, ``@main``).
        error: Why some of it could not be parsed.
    """

    path: str
    language: str
    source: str
    definitions: list[RawDef] = field(default_factory=list)
    calls: list[RawUse] = field(default_factory=list)
    imports: list[RawUse] = field(default_factory=list)
    imported: list[tuple[str, str, int]] = field(default_factory=list)
    assigned: list[RawUse] = field(default_factory=list)
    strings: list[RawUse] = field(default_factory=list)
    shown: list[RawUse] = field(default_factory=list)
    words: dict[str, dict[str, int]] = field(default_factory=dict)
    comments: list[RawUse] = field(default_factory=list)
    package: str = ""
    runs: bool = False
    error: str = ""

    def spoken(self) -> set[str]:
        """Every identifier in the file."""
        return {word for words in self.words.values() for word in words}


@dataclass(slots=True)
class Marks:
    """Pieces that are filed under the definition around or after them: names with their place."""

    words: list[tuple[int, int, str]] = field(default_factory=list)
    """Start byte, line, text."""
    parameters: list[tuple[int, str]] = field(default_factory=list)
    bases: list[tuple[int, str]] = field(default_factory=list)
    decorators: list[tuple[int, int, str]] = field(default_factory=list)
    """Start byte, end byte, text."""
    silent: list[tuple[int, int]] = field(default_factory=list)
    """Byte ranges whose words do not count: import statements."""


def name_scopes(raw: Raw, marks: Marks, data: bytes) -> None:
    """Qualified names by nesting, and the scope of every use, word, parameter, base and decorator."""
    raw.definitions.sort(key=lambda item: (item.start, -item.end, item.virtual))
    _drop_doubles(raw)
    _qualify(raw.definitions)
    for uses in (raw.calls, raw.strings, raw.assigned, raw.shown):
        uses.sort(key=lambda use: use.start)
        for use, item in zip(uses, _innermost([use.start for use in uses], raw.definitions), strict=True):
            use.scope = item.qualname if item is not None else ""
    _heads(raw, marks, data)
    _words(raw, marks)
    raw.imports.sort(key=lambda use: use.start)
    _settle(raw)


def _settle(raw: Raw) -> None:
    """What an ``impl`` block or an extension derives from belongs to the type it is about."""
    real = {item.qualname: item for item in reversed(raw.definitions) if not item.virtual}
    for item in raw.definitions:
        owner = real.get(item.qualname)
        if item.virtual and owner is not None:
            owner.bases = (*owner.bases, *(base for base in item.bases if base not in owner.bases))
    raw.definitions = [item for item in raw.definitions if not item.virtual]


def _drop_doubles(raw: Raw) -> None:
    """A node that two patterns match is one definition: the one that is a method or has an owner."""
    kept: dict[tuple[int, str], RawDef] = {}
    for item in raw.definitions:
        key = (item.name_start or item.start, item.name)
        known = kept.get(key)
        if known is None or (not known.owner and item.owner):
            kept[key] = item
    raw.definitions = sorted(kept.values(), key=lambda item: (item.start, -item.end, item.virtual))


def _qualify(definitions: Sequence[RawDef]) -> None:
    stack: list[RawDef] = []
    for item in definitions:
        while stack and stack[-1].end <= item.start:
            stack.pop()
        around = stack[-1] if stack else None
        if around is not None and around.kind is DefKind.CLASS and item.kind is DefKind.FUNCTION:
            item.kind = DefKind.METHOD
        if item.owner:
            item.kind = DefKind.METHOD
        outer = ".".join(part for part in (around.qualname if around is not None else "", item.owner) if part)
        item.qualname = f"{outer}.{item.name}" if outer and len(outer) < MAX_QUALNAME else item.name
        stack.append(item)


def _innermost(starts: Iterable[int], definitions: Sequence[RawDef]) -> Iterable[RawDef | None]:
    """The smallest definition around each of the sorted places."""
    stack: list[RawDef] = []
    position = 0
    for start in starts:
        while position < len(definitions) and definitions[position].start <= start:
            while stack and stack[-1].end <= definitions[position].start:
                stack.pop()
            stack.append(definitions[position])
            position += 1
        while stack and stack[-1].end <= start:
            stack.pop()
        yield stack[-1] if stack else None


def _heads(raw: Raw, marks: Marks, data: bytes) -> None:
    """Parameters and bases stand between a definition's start and its body, decorators before its name."""
    for kind in ("parameters", "bases"):
        found: list[tuple[int, str]] = sorted(getattr(marks, kind))
        for (start, text), item in zip(found, _innermost([one[0] for one in found], raw.definitions), strict=True):
            if item is not None and (not item.body_start or start < item.body_start):
                setattr(item, kind, (*getattr(item, kind), text))
    named = sorted(raw.definitions, key=lambda item: item.name_start)
    position = 0
    for start, end, text in sorted(marks.decorators):
        while position < len(named) and named[position].name_start <= start:
            position += 1
        if position == len(named):
            break
        item = named[position]
        between = data[end : item.start].decode("utf-8", "ignore") if item.start > end else ""
        if item.start <= start or not _MARKED.search(between):
            item.decorators = (*item.decorators, text)


def _words(raw: Raw, marks: Marks) -> None:
    own = {item.name_start for item in raw.definitions}
    marks.words.sort()
    silent = sorted(marks.silent)
    position = 0
    for (start, line, text), item in zip(
        marks.words, _innermost([word[0] for word in marks.words], raw.definitions), strict=True
    ):
        while position < len(silent) and silent[position][1] <= start:
            position += 1
        if start in own or (position < len(silent) and silent[position][0] <= start):
            continue
        raw.words.setdefault(item.qualname if item is not None else "", {}).setdefault(text, line)
