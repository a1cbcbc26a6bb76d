"""The code of a workspace that really runs: reachable calls, used imports, definitions with a body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from judge.modules.graph import WorkspaceGraph
from judge.modules.graph.facts import Body, Call, CodeFile, Definition, DefKind, FileAccess, Import
from judge.rules.codetext import CodeText, code_text
from judge.rules.plaincode import MAX_FILES, is_plain, read_plain
from judge.schemas import Citation
from judge.workspace import Workspace

_MARKUP = frozenset({"css", "scss", "html", "vue", "svelte"})
"""Languages whose one-line definitions are names of selectors and elements, not stretches of code."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of live code: a function, a class with its live methods, or a whole file.

    Attributes:
        path: File.
        name: Qualified name; empty for the file.
        whole_file: Whether this is the file as a whole.
        line: First line.
        text: Its code without dead parts.
    """

    path: str
    name: str
    whole_file: bool
    line: int
    text: CodeText


class LiveFile:
    """The live part of one source file."""

    def __init__(self, file: CodeFile) -> None:
        self.file = file
        self.path = file.path
        self.importers: tuple[LiveFile, ...] = ()
        self.dead = tuple(d for d in file.definitions if _is_dead(d))
        stubs = {d.qualname for d in self.dead}
        self.calls: tuple[Call, ...] = tuple(
            call for call in file.calls if call.reachable and not _inside(call.scope, stubs)
        )
        alive = {id(call) for call in self.calls}
        self.dead_calls: tuple[Call, ...] = tuple(call for call in file.calls if id(call) not in alive)
        self.imports: tuple[Import, ...] = tuple(item for item in file.imports if item.used)
        self.definitions: tuple[Definition, ...] = tuple(
            d for d in file.definitions if d not in self.dead and not _inside(d.qualname, stubs)
        )
        self.accesses: tuple[FileAccess, ...] = tuple(
            a for a in file.accesses if a.reachable and not _inside(a.scope, stubs)
        )

    @cached_property
    def lines(self) -> list[str]:
        """The source, line by line."""
        return self.file.source.split("\n")

    @cached_property
    def full_text(self) -> CodeText:
        """The file without comments, dead definitions included."""
        return code_text(self.file.source, self.path)

    @cached_property
    def text(self) -> CodeText:
        """The file without comments and without dead definitions."""
        reduced = self.full_text
        code, full = reduced.code.split("\n"), reduced.full.split("\n")
        for dead in self.dead:
            for number in range(dead.line, min(dead.end_line, len(code)) + 1):
                code[number - 1] = full[number - 1] = ""
        return CodeText("\n".join(code), "\n".join(full))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Live functions and classes, then the file as a whole."""
        named = [
            Unit(self.path, d.qualname, False, d.line, self.text.lines(d.line, d.end_line))
            for d in self.definitions
            if d.body is not Body.STUB
        ]
        module = self._module_level()
        return (*named, module, Unit(self.path, "", True, 1, self.text))

    def _module_level(self) -> Unit:
        code, full = self.text.code.split("\n"), self.text.full.split("\n")
        for d in self.file.definitions:
            if d.kind is not DefKind.METHOD and not (d.line == d.end_line and self.file.language in _MARKUP):
                for number in range(d.line, min(d.end_line, len(code)) + 1):
                    code[number - 1] = full[number - 1] = ""
        return Unit(self.path, "", False, 1, CodeText("\n".join(code), "\n".join(full)))

    def cite(self, line: int, end_line: int | None = None) -> Citation:
        """A citation of one or a few lines of the file."""
        last = min(end_line or line, line + 2, len(self.lines))
        quote = "\n".join(self.lines[line - 1 : last]) if 0 < line <= len(self.lines) else ""
        return Citation(path=self.path, line=line, end_line=max(last, line), quote=quote[:400])


class LiveCode:
    """All live code of a workspace."""

    def __init__(self, graph: WorkspaceGraph, workspace: Workspace) -> None:
        self.graph = graph
        self.files: Mapping[str, LiveFile] = {path: LiveFile(file) for path, file in graph.files.items()}
        plain = [entry for entry in workspace.files if entry.path not in self.files and is_plain(entry)][:MAX_FILES]
        for file in self.files.values():
            file.importers = tuple(self.files[path] for path in file.file.imported_by if path in self.files)
        read = [(entry.path, read_plain(workspace, entry)) for entry in plain]
        self.plain: Mapping[str, LiveFile] = {path: LiveFile(file) for path, file in read if file is not None}

    def closure(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The files themselves, then the workspace files that they import, directly or not."""
        seen: dict[str, None] = {}
        queue = [path for path in paths if path in self.files or path in self.plain]
        while queue:
            path = queue.pop(0)
            if path in seen:
                continue
            seen[path] = None
            if path not in self.files:
                continue
            queue += [item.local for item in self.files[path].imports if item.local in self.files]
        return tuple(seen)

    def select(self, paths: Iterable[str] | None) -> tuple[LiveFile, ...]:
        """The live files of these paths, or all."""
        if paths is None:
            return (*self.files.values(), *self.plain.values())
        known = (self.get(path) for path in paths)
        return tuple(file for file in known if file is not None)

    def get(self, path: str) -> LiveFile | None:
        """The live file of that path, analysed or plain."""
        return self.files.get(path) or self.plain.get(path)


def _is_dead(definition: Definition) -> bool:
    return not definition.reachable or definition.body is Body.STUB


def _inside(scope: str, names: set[str]) -> bool:
    parts = scope.split(".")
    return any(".".join(parts[:length]) in names for length in range(1, len(parts) + 1))
