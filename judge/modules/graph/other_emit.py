"""Facts of a source file of any language but Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from judge.modules.graph.conventions import Conventions
from judge.modules.graph.facts import (
    Access,
    Call,
    CodeFile,
    Definition,
    DefKind,
    FileAccess,
    Import,
    StringLiteral,
    Value,
)
from judge.modules.graph.other_access import Accesses
from judge.modules.graph.other_calls import Callees, Target
from judge.modules.graph.other_imports import Link
from judge.modules.graph.other_program import Program, last_name
from judge.modules.graph.pieces import HERE, HOLE
from judge.modules.graph.raw import Raw, RawDef, RawUse
from judge.modules.graph.words import argument, literal, unescaped

MAX_USES = 300
MAX_STEPS = 12
"""Expressions that are followed for an argument that is no path."""
MAX_ASSIGNED = 2_000
_NUMBER = re.compile(r"^-?\d[\d_]*(\.\d+)?[fFlLuU]*$")
_BOOLEANS = {"true": True, "false": False, "TRUE": True, "FALSE": False}
_SIMPLE = re.compile(r"^[A-Za-z_$@][\w$.]*$")


@dataclass(frozen=True, slots=True)
class Standing:
    """What other files say about one.

    Attributes:
        links: Its imports.
        implicit: Names of its package that it uses: name, line, path.
        imported_by: Files that import it.
        reached: Qualified names of reached definitions; None when the file itself is not reached.
        entry_line: Where it begins to run, 0 when it does not run by itself.
    """

    links: Sequence[Link]
    implicit: Sequence[tuple[str, int, str]]
    imported_by: tuple[str, ...]
    reached: Collection[str] | None
    entry_line: int = 0

    def live(self, scope: str) -> bool:
        """Whether code in a scope can run."""
        return self.reached is not None and (not scope or scope in self.reached)


class Emitter:
    """Turns what a file says into facts."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def file(self, raw: Raw, standing: Standing) -> CodeFile:
        """The facts of one file."""
        callees = Callees(self.program, raw, standing.links, standing.implicit)
        accesses = Accesses(self.program, raw)
        calls: list[Call] = []
        found: list[FileAccess] = []
        for use in raw.calls:
            target = callees.target(use)
            call = self._call(raw, use, target, callees, standing)
            calls.append(call)
            if not call.resolved:
                found.extend(accesses.of(use, target, call))
        found.extend(self._shown(raw, standing))
        names: dict[str, int] = {}
        for words in raw.words.values():
            for word, line in words.items():
                if line < names.get(word, line + 1):
                    names[word] = line
        return CodeFile(
            path=raw.path,
            language=raw.language,
            source=raw.source,
            definitions=tuple(self._definition(raw, item, callees, standing) for item in raw.definitions),
            calls=tuple(calls),
            imports=tuple(self._imports(raw, standing, names)),
            strings=tuple(self._string(raw, use, standing) for use in raw.strings),
            accesses=tuple(found),
            entry=standing.entry_line > 0,
            entry_line=standing.entry_line,
            imported_by=standing.imported_by,
            names=names,
            comments=tuple((use.line, use.text) for use in raw.comments),
            assigned=self._assigned(raw),
            error=raw.error,
        )

    def _definition(self, raw: Raw, item: RawDef, callees: Callees, standing: Standing) -> Definition:
        family = callees.family
        known = self.program.homes
        words = raw.words.get(item.qualname, {})
        uses = [word for word in words if (family, word) in known and word != item.name][:MAX_USES]
        return Definition(
            name=item.name,
            qualname=item.qualname,
            kind=item.kind,
            line=item.line,
            end_line=item.end_line,
            body=item.body,
            bases=tuple(_base(base, callees) for base in item.bases),
            decorators=tuple(callees.aliases.get(name, name) for name in item.decorators),
            parameters=item.parameters,
            reachable=standing.live(item.qualname),
            uses=tuple(uses),
        )

    def _call(self, raw: Raw, use: RawUse, target: Target, callees: Callees, standing: Standing) -> Call:
        table = self.program.table(raw)
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        for text in use.args:
            label, text = argument(text, table.named)
            value = self._value(raw, text, use.scope, table)
            if label and label not in keywords:
                keywords[label] = value
            if not label or ":" in table.named:
                args.append(value)
        return Call(
            target=target.dotted,
            name=target.name,
            line=use.line,
            end_line=use.end_line or use.line,
            scope=use.scope,
            args=tuple(args),
            keywords=keywords,
            reachable=standing.live(use.scope),
            resolved=callees.resolve(use, target),
        )

    def _value(self, raw: Raw, text: str, scope: str, table: Conventions) -> Value:
        """What is known of an expression: literals at once, names and paths when they are short."""
        if _NUMBER.match(text):
            number = text.rstrip("fFlLuU").replace("_", "")
            return Value(text, float(number) if "." in number else int(number[:300]), True)
        if text in _BOOLEANS:
            return Value(text, _BOOLEANS[text], True)
        item = literal(text)
        if item is not None and (table.hole is None or not table.hole.search(item.content)):
            return Value(text, unescaped(item), True)
        if _SIMPLE.match(text):
            item = self.program.constant(raw, scope, text)
            return Value(text, unescaped(item), True) if item is not None else Value(text)
        if item is None and '"' not in text and "'" not in text:
            return Value(text)
        found = self.program.values(raw, MAX_STEPS).texts(text, raw, scope)
        if len(found) != 1 or not found[0].strip("{}"):
            return Value(text)
        constant = found[0].replace(HERE, "")
        return Value(text, constant, HOLE not in constant and HERE not in found[0])

    def _string(self, raw: Raw, use: RawUse, standing: Standing) -> StringLiteral:
        item = literal(use.text)
        text = use.text
        if item is not None:
            hole = self.program.table(raw).hole
            text = hole.sub(HOLE, item.content) if hole is not None else unescaped(item)
        return StringLiteral(text, use.line, use.scope, standing.live(use.scope))

    def _imports(self, raw: Raw, standing: Standing, names: dict[str, int]) -> Iterator[Import]:
        bound: dict[int, list[tuple[str, str]]] = {}
        starts = sorted(link.use.start for link in standing.links)
        position = 0
        for alias, name, start in sorted(raw.imported, key=lambda item: item[2]):
            while position < len(starts) and starts[position] < start:
                position += 1
            if position < len(starts):
                bound.setdefault(starts[position], []).append((alias, name))
        for link in standing.links:
            text = link.use.text
            for alias, name in bound.get(link.use.start, [("", "")]):
                used = not alias or alias in names or raw.language in {"r", "rmarkdown", "julia"}
                for path in link.paths or ("",):
                    yield Import(text, name or link.use.value, alias, link.use.line, used, path)
        for word, line, path in standing.implicit:
            yield Import(raw.package, word, word, line, True, path)

    def _shown(self, raw: Raw, standing: Standing) -> Iterator[FileAccess]:
        """Pictures and the like that pages and components show."""
        for use in raw.shown:
            path = use.text.split("?")[0].split("#")[0]
            if path and "://" not in path and not path.startswith(("data:", "//", "{")) and "{{" not in path:
                pattern = path.removeprefix("./").lstrip("/")
                yield FileAccess(Access.DISPLAY, pattern, raw.language, use.line, use.scope, standing.live(use.scope))

    def _assigned(self, raw: Raw) -> dict[str, Value]:
        """Constants of the file and of its classes."""
        classes = {item.qualname for item in raw.definitions if item.kind is DefKind.CLASS} | {""}
        table = self.program.table(raw)
        found: dict[str, Value] = {}
        for use in raw.assigned[:MAX_ASSIGNED]:
            if use.scope in classes and _SIMPLE.match(use.text):
                value = self._value(raw, use.value, use.scope, table)
                if value.constant is not None:
                    found[f"{use.scope}.{use.text}" if use.scope else use.text] = value
        return found


def _base(text: str, callees: Callees) -> str:
    """A base by its name without type arguments, imported names written out."""
    plain = re.sub(
        r"<.*|\(.*|^(?:extends|implements|public|private|protected|virtual|new)\s+", "", text, flags=re.DOTALL
    )
    dotted = re.sub(r"::|\\|\s+", ".", plain.strip()).strip(".")
    first, dot, rest = dotted.partition(".")
    if (callees.family, last_name(dotted)) in callees.program.homes:
        return dotted.rpartition(".")[2]
    return f"{callees.aliases.get(first, first)}{dot}{rest}"
