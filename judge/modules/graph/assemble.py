"""The nodes and edges of the facts.

Nodes carry ``kind``, ``path``, ``name``, ``qualname``, ``line``, ``end_line`` and ``reachable`` (None where it means
nothing); code definitions also ``body``, modules ``language`` and ``entry``, artefacts and files ``exists`` and
``size``. Edges carry ``kind`` and, where there is one, ``line``. Ids are ``path``, ``path::qualname``,
``path#cell-N`` and ``package:name``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from judge.modules.graph import matching
from judge.modules.graph.assemble_documents import add_documents
from judge.modules.graph.deferred import DeferredCode, Link
from judge.modules.graph.facts import Access, CodeFile, DefKind, FileAccess
from judge.modules.graph.kinds import EdgeKind, EntryKind, Exactness, NodeKind
from judge.modules.graph.other_entries import test_scopes
from judge.modules.graph.package_names import external_name
from judge.modules.graph.rows import Rows
from judge.modules.graph.targets import Targets
from judge.text import line_count

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph

_DEFS = {DefKind.CLASS: NodeKind.CLASS, DefKind.FUNCTION: NodeKind.FUNCTION, DefKind.METHOD: NodeKind.METHOD}
_CONFIG = frozenset({".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".env", ".conf", ".properties"})
_CONFIG_NAMES = frozenset({"requirements.txt", "go.mod", "DESCRIPTION", "Pipfile", "environment.yml", "Procfile"})
_PLAIN = frozenset({".md", ".rst", ".lock", ".gitignore", ".dockerignore", ".editorconfig", ""})
_SURE = frozenset({Exactness.EXACT, Exactness.CWD, Exactness.PATTERN})
_FILE_EDGES = {
    Access.READ: EdgeKind.READS_FILE,
    Access.WRITE: EdgeKind.WRITES_FILE,
    Access.DISPLAY: EdgeKind.DISPLAYS,
}
SHOWN = frozenset({"html", "css", "sql"})
"""Languages whose files code also reads and writes like any other file."""
_IMPORTS, _CALLS, _TESTS = EdgeKind.IMPORTS.value, EdgeKind.CALLS.value, EdgeKind.TESTS.value
_CONTAINS, _INHERITS, _REFERENCES = EdgeKind.CONTAINS.value, EdgeKind.INHERITS.value, EdgeKind.REFERENCES.value


def assemble(graph: WorkspaceGraph) -> Rows:
    """Build the graph; the same facts always give the same nodes and edges in the same order."""
    return _Assembly(graph).run()


class _Assembly:
    def __init__(self, graph: WorkspaceGraph) -> None:
        self.facts = graph
        self.rows = Rows()
        self.nodes = self.rows.nodes
        self.targets = Targets(graph.files)
        self._seen: set[tuple[str, str, str, str]] = set()
        self._existing = {
            entry.path
            for entry in graph.listing
            if entry.path not in graph.files or graph.languages.get(entry.path) in SHOWN
        }

    def run(self) -> Rows:
        self._folders()
        self._listing()
        for path, code in self.facts.files.items():
            self._definitions(path, code)
        for path, code in self.facts.files.items():
            self._imports(path, code)
            self._calls(path, code)
            self._relations(path, code)
        for path, code in self.facts.files.items():
            for access in code.accesses:
                self._access(path, access)
        add_documents(self.facts, self, self.targets.scope)
        return self.rows

    def known(self, key: str) -> bool:
        """Whether a node is there."""
        return key in self.nodes

    def node(self, key: str, kind: NodeKind, path: str = "", **attributes: Any) -> None:
        """Add a node with every attribute the export promises."""
        base = {"path": path, "name": key, "qualname": "", "line": None, "end_line": None, "reachable": None}
        self.nodes[key] = {"kind": kind.value, **base, **attributes}

    def edge(self, source: str, target: str, kind: str, line: int | None = None, name: str = "", **more: Any) -> None:
        """Add an edge once."""
        mark = (source, target, kind, name)
        if mark in self._seen:
            return
        self._seen.add(mark)
        data: dict[str, Any] = {"kind": kind} if line is None else {"kind": kind, "line": line}
        if name:
            data["name"] = name
        self.rows.edges.append((source, target, data | more if more else data))

    def _folders(self) -> None:
        self.node(".", NodeKind.FOLDER, ".", name=".")
        for folder in sorted(self.facts.folders):
            folder = folder.rstrip("/")
            if folder and folder != ".":
                self.node(folder, NodeKind.FOLDER, folder, name=posixpath.basename(folder))
        for folder in [key for key in self.nodes if key != "."]:
            self._contain(posixpath.dirname(folder) or ".", folder)

    def _contain(self, owner: str, item: str, line: int | None = None) -> None:
        """A node lies in another; each does once, so that nobody need look."""
        self.rows.edges.append(
            (owner, item, {"kind": _CONTAINS} if line is None else {"kind": _CONTAINS, "line": line})
        )

    def _listing(self) -> None:
        for entry in self.facts.listing:
            path = entry.path
            code = self.facts.files.get(path)
            folder, _, base = path.rpartition("/")
            common: dict[str, Any] = {"name": base, "exists": True, "size": entry.size}
            if code is not None:
                self.node(path, NodeKind.MODULE, path, **common, **self._module(code))
            else:
                language = self.facts.languages.get(path)
                extra = {"language": language, "unparsed": self.facts.unparsed.get(path, "")} if language else {}
                self.node(path, self._file_kind(path), path, **common, **extra)
            self._contain(folder or ".", path)
            for cell in self.facts.cells.get(path, ()):
                key = f"{path}#cell-{cell.number}"
                run = {"executed": cell.executed, "outputs": ", ".join(cell.outputs)}
                self.node(
                    key, NodeKind.CELL, path, name=f"cell {cell.number}", line=cell.line, end_line=cell.end_line, **run
                )
                self._contain(path, key, cell.line)

    def _module(self, code: CodeFile) -> dict[str, Any]:
        kind = self.facts.entries.get(code.path)
        runs = code.runs if isinstance(code, DeferredCode) else any(call.reachable for call in code.calls)
        return {
            "qualname": code.module,
            "line": 1,
            "end_line": max(line_count(code.source), 1),
            "reachable": kind is not None or runs or any(item.reachable for item in code.definitions),
            "language": code.language,
            "entry": str(kind) if kind is not None else "",
            "error": code.error,
            **({"executed": self.facts.executed(code.path)} if code.path in self.facts.cells else {}),
        }

    def _file_kind(self, path: str) -> NodeKind:
        if path in self.facts.languages:
            return NodeKind.FILE
        suffix = posixpath.splitext(path)[1].lower()
        name = posixpath.basename(path)
        if suffix in _CONFIG or name in _CONFIG_NAMES:
            return NodeKind.CONFIG
        return NodeKind.FILE if suffix in _PLAIN else NodeKind.ARTEFACT

    def _definitions(self, path: str, code: CodeFile) -> None:
        for item in code.definitions:
            key = self.targets.add(path, item)
            qualname = item.qualname
            self.nodes[key] = {
                "kind": _DEFS[item.kind].value,
                "path": path,
                "name": item.name,
                "qualname": qualname,
                "line": item.line,
                "end_line": item.end_line,
                "reachable": item.reachable,
                "body": item.body.value,
            }
            self._contain(self.targets.scope(path, qualname.rpartition(".")[0]), key, item.line)

    def package(self, dotted: str) -> str:
        """The node of an external package."""
        name = external_name(dotted)
        key = f"package:{name}"
        if key not in self.nodes:
            self.node(key, NodeKind.PACKAGE, name=name)
        return key

    def _imports(self, path: str, code: CodeFile) -> None:
        testing = self.facts.entries.get(path) is EntryKind.TEST
        for item in code.imports:
            if item.local:
                self.edge(path, item.local, _IMPORTS, item.line)
                if testing and self.facts.entries.get(item.local) is not EntryKind.TEST:
                    self.edge(path, item.local, _TESTS, item.line)
            elif item.module and not item.module.startswith("."):
                self.edge(path, self.package(item.module), _IMPORTS, item.line)

    def _calls(self, path: str, code: CodeFile) -> None:
        testing = self.facts.entries.get(path) is EntryKind.TEST
        inline = test_scopes(code)
        own = f"{path}::"
        scope, source = "", path
        for link in code.links if isinstance(code, DeferredCode) else _links(code):
            if link.scope != scope:
                scope, source = link.scope, self.targets.scope(path, link.scope)
            resolved = link.resolved
            if not resolved:
                self.edge(source, self.package(link.target), _CALLS, link.line, link.target)
            elif resolved in self.nodes:
                self.edge(source, resolved, _CALLS, link.line)
                if (testing and not resolved.startswith(own)) or link.scope in inline:
                    self.edge(source, resolved, _TESTS, link.line)

    def _relations(self, path: str, code: CodeFile) -> None:
        named = self.targets.named
        for item in code.definitions:
            source = self.targets.key(path, item)
            for base in item.bases:
                target = named(base)
                if target:
                    self.edge(source, target, _INHERITS, item.line)
                elif "." in base and not base.startswith("?"):
                    self.edge(source, self.package(base), _INHERITS, item.line, base)
            for name in item.uses:
                target = named(name)
                if target and target != source:
                    self.edge(source, target, _REFERENCES)

    def _access(self, path: str, access: FileAccess) -> None:
        source = self.targets.scope(path, access.scope)
        kind = _FILE_EDGES.get(access.access, access.access).value
        if not access.pattern:
            if access.access is Access.DISPLAY and "." in access.call and not access.call.startswith("?"):
                self.edge(source, self.package(access.call), kind, access.line, access.call)
            return
        for target in self._named_files(path, access):
            self.edge(source, target, kind, access.line, access.call, pattern=access.pattern)

    def _named_files(self, path: str, access: FileAccess) -> list[str]:
        """Existing files the access means, else a node for the path as the code gives it."""
        found = []
        for item in self._candidates(access):
            exactness = matching.match(access.pattern, item, path, anchored=access.anchored)
            if exactness in _SURE:
                found.append(item)
        if found:
            return found
        key = access.pattern
        if key not in self.nodes:
            self.node(key, NodeKind.ARTEFACT, key, name=posixpath.basename(key.rstrip("/")), exists=False)
        return [key]

    def _candidates(self, access: FileAccess) -> list[str]:
        """Existing files worth comparing: of the same name, or for a computed path all of the same extension."""
        name = posixpath.basename(access.pattern)
        if matching.HOLE not in name:
            return self._by_name.get(name, [])
        suffix = posixpath.splitext(name)[1].lower()
        return self._by_suffix.get(suffix, [])[:500] if suffix and "{" not in suffix else []

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._existing):
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    @cached_property
    def _by_suffix(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._existing):
            found.setdefault(posixpath.splitext(path)[1].lower(), []).append(path)
        return found


def _links(code: CodeFile) -> Iterable[Link]:
    """The calls that the graph shows: of workspace definitions, and of what the file imports from elsewhere."""
    packages = {external_name(item.module) for item in code.imports if not item.local and item.module}
    for call in code.calls:
        if call.resolved or external_name(call.target) in packages:
            yield Link(call.scope, call.line, call.resolved, call.target, call.reachable)
