"""Links source files of languages other than Python: local imports, entry points, reachability by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from judge.modules.graph.facts import CodeFile, DefKind
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.other_emit import Emitter, Standing
from judge.modules.graph.other_entries import Entries, find_entries
from judge.modules.graph.other_imports import Imports, Link
from judge.modules.graph.other_program import Program
from judge.modules.graph.raw import Raw, RawDef

__all__ = ["spread"]

Key = tuple[str, str]
_LOADED = frozenset({"init", "__init__"})
"""Functions that run when their file is linked into a program."""
_SPECIAL = ("operator", "~")
_DECLARED = frozenset({"css", "sql"})
"""Families in which nothing runs by itself, so that nothing is called dead."""


def spread(raws: Sequence[Raw], runners: Mapping[str, str]) -> tuple[dict[str, CodeFile], dict[str, EntryKind]]:
    """Facts and entry points of all files."""
    if not raws:
        return {}, {}
    program = Program(raws, runners)
    imports = Imports(program)
    links = {path: imports.links(raw) for path, raw in program.raws.items()}
    implicit = {path: imports.implicit(raw) for path, raw in program.raws.items()}
    importers = _importers(links, implicit)
    entries = find_entries(program, importers)
    reached = _reached(program, links, entries)
    emitter = Emitter(program)
    files = {
        path: emitter.file(
            raw,
            Standing(
                links=links[path],
                implicit=implicit[path],
                imported_by=tuple(sorted(importers.get(path, set()) - {path})),
                reached=reached.get(path),
                entry_line=entries.lines.get(path, 0),
            ),
        )
        for path, raw in program.raws.items()
    }
    return files, entries.kinds


def _importers(
    links: Mapping[str, list[Link]], implicit: Mapping[str, list[tuple[str, int, str]]]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path, items in links.items():
        for link in items:
            for target in link.paths:
                found.setdefault(target, set()).add(path)
    for path, names in implicit.items():
        for _, _, target in names:
            found.setdefault(target, set()).add(path)
    return found


def _reached(program: Program, links: Mapping[str, list[Link]], entries: Entries) -> dict[str, set[str]]:
    """Qualified names of what can run, by path of the files that do; family by family."""
    families: dict[str, list[Raw]] = {}
    for raw in program.raws.values():
        families.setdefault(program.family(raw), []).append(raw)
    found: dict[str, set[str]] = {}
    for family, raws in families.items():
        if family in _DECLARED:
            found.update({raw.path: {item.qualname for item in raw.definitions} for raw in raws})
        else:
            found.update(_Family(program, family, raws, links, entries).run())
    return found


class _Family:
    """Reachability among files that call each other."""

    def __init__(
        self,
        program: Program,
        family: str,
        raws: Sequence[Raw],
        links: Mapping[str, list[Link]],
        entries: Entries,
    ) -> None:
        self.program = program
        self.family = family
        self.raws = raws
        self.table = program.table(raws[0])
        self.links = links
        self.entries = entries
        own = {raw.path: entries.kinds[raw.path] for raw in raws if raw.path in entries.kinds}
        self.library = not any(kind is not EntryKind.TEST for kind in own.values())
        self.started = [raw.path for raw in raws] if self.library else list(own)
        self.files = self._files()
        self.reached: dict[str, set[str]] = {path: set() for path in self.files}
        self.spoken: set[str] = set()
        self.used: set[str] = set()
        """Names of classes that are reached."""
        self.waiting: dict[str, list[tuple[str, RawDef]]] = {}
        """Methods whose name is spoken, by the class that is not reached yet."""
        self.queue: list[Key] = []

    def _files(self) -> set[str]:
        """Files that take part: of a language compiled as a whole all, else those that entries import."""
        if self.table.whole or self.library:
            return {raw.path for raw in self.raws}
        reached, queue = set(self.started), list(self.started)
        while queue:
            for link in self.links[queue.pop()]:
                for target in link.paths:
                    if target not in reached and self.program.family(self.program.raws[target]) == self.family:
                        reached.add(target)
                        queue.append(target)
        return reached

    def run(self) -> dict[str, set[str]]:
        """Qualified names of reached definitions, by path of reached files."""
        loaded = set(self.started) if self.table.whole else self.files
        self.queue.extend((path, "") for path in sorted(loaded))
        self._begin()
        renamed = {path: _renamed(self.program.raws[path]) for path in self.files}
        done: set[Key] = set()
        while self.queue:
            key = self.queue.pop()
            if key not in done:
                done.add(key)
                path, scope = key
                for name in self.program.raws[path].words.get(scope, ()):
                    self._speak(name)
                    self._speak(renamed[path].get(name, name))
        if not self.table.whole:
            return self.reached
        return {path: names for path, names in self.reached.items() if names or path in loaded}

    def _begin(self) -> None:
        """What is called from outside: by runtimes, frameworks, pages; of a library all that is public."""
        for path, qualname in self.entries.seeds:
            if path in self.reached:
                self._reach(path, qualname)
        for raw in self.raws if self.library else ():
            for item in raw.definitions:
                if self._public(item):
                    self._reach(raw.path, item.qualname)
        for name in sorted(self.entries.spoken):
            self._speak(name)

    def _public(self, item: RawDef) -> bool:
        private = self.table.private
        return not item.name.startswith(("_", ".")) and (private is None or not private.match(item.name))

    def _speak(self, name: str) -> None:
        """A name that running code says: definitions of that name can run."""
        if name in self.spoken:
            return
        self.spoken.add(name)
        for raw, item in self.program.homes.get((self.family, name), ()):
            if raw.path in self.reached:
                self._called(raw.path, item)

    def _called(self, path: str, item: RawDef) -> None:
        """A definition whose name is spoken runs when the class it belongs to is used."""
        owner = item.qualname.rpartition(".")[0]
        outer = self._class(path, owner)
        if item.kind is DefKind.METHOD and outer is not None and not self._is_reached(owner):
            self.waiting.setdefault(owner.rpartition(".")[2], []).append((path, item))
        else:
            self._reach(path, item.qualname)

    def _class(self, path: str, qualname: str) -> RawDef | None:
        """The class of that name in the file, else anywhere in the family."""
        for item in self.program.scoped(self.program.raws[path], qualname):
            if item.kind is DefKind.CLASS:
                return item
        homes = self.program.index.classes.get((self.family, qualname.rpartition(".")[2])) if qualname else None
        return homes[0][1] if homes else None

    def _is_reached(self, owner: str) -> bool:
        return owner.rpartition(".")[2] in self.used

    def _reach(self, path: str, qualname: str) -> None:
        if qualname in self.reached[path]:
            return
        first = not self.reached[path]
        self.reached[path].add(qualname)
        self.queue.extend([(path, qualname), (path, "")])
        if first:
            for item in self.program.raws[path].definitions:
                if item.qualname in _LOADED:
                    self._reach(path, item.qualname)
        items = self.program.scoped(self.program.raws[path], qualname)
        if any(item.kind is DefKind.CLASS for item in items):
            self._used(path, qualname)
        elif "." in qualname:
            owner = qualname.rpartition(".")[0]
            if self.program.scoped(self.program.raws[path], owner):
                self._reach(path, owner)

    def _used(self, path: str, qualname: str) -> None:
        """A class that is used: its constructors and what runtimes call, and methods whose names were spoken."""
        name = qualname.rpartition(".")[2]
        self.used.add(name)
        for other, item in self.waiting.pop(name, ()):
            self._reach(other, item.qualname)
        hooked = (path, qualname) in self._seeds
        for raw, item in self.program.index.members.get((self.family, name), ()):
            if raw.path not in self.reached or (raw.path != path and name not in self._split):
                continue
            if hooked or item.name == name or item.name in self.table.implicit or item.name.startswith(_SPECIAL):
                self._reach(raw.path, item.qualname)

    @cached_property
    def _split(self) -> set[str]:
        """Classes whose methods stand in other files than they do, or in several."""
        if self.family not in {"go", "c", "rust", "swift", "ruby", "csharp"}:
            return set()
        owners: dict[str, set[str]] = {}
        classes: dict[str, set[str]] = {}
        for raw in self.raws:
            for item in raw.definitions:
                if item.kind is DefKind.METHOD:
                    owners.setdefault(item.qualname.rpartition(".")[0].rpartition(".")[2], set()).add(raw.path)
                elif item.kind is DefKind.CLASS:
                    classes.setdefault(item.name, set()).add(raw.path)
        return {name for name, paths in owners.items() if paths - classes.get(name, set()) or len(paths) > 1}

    @cached_property
    def _seeds(self) -> set[Key]:
        """Classes that a framework finds by annotation or base, so that it calls their methods."""
        return set(self.entries.seeds)


def _renamed(raw: Raw) -> dict[str, str]:
    """What names that an import renames stand for."""
    return {bound: name for bound, name, _ in raw.imported if name and name != bound}
