"""The networkx graph of the facts.

Nodes carry ``kind``, ``path``, ``name``, ``qualname``, ``line``, ``end_line`` and ``reachable`` (None where it means
nothing); code definitions also ``body``, modules ``language`` and ``entry``, artefacts and files ``exists`` and
``size``. Edges carry ``kind`` and, where there is one, ``line``. Ids are ``path``, ``path::qualname``,
``path#cell-N`` and ``package:name``.
"""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import TYPE_CHECKING, Any

from judge.modules.graph import matching
from judge.modules.graph.facts import Access, CodeFile, DefKind, FileAccess
from judge.modules.graph.kinds import EdgeKind, EntryKind, Exactness, NodeKind
from judge.modules.graph.targets import Targets

if TYPE_CHECKING:
    import networkx

    from judge.modules.graph.graph import WorkspaceGraph

_DEFS = {DefKind.CLASS: NodeKind.CLASS, DefKind.FUNCTION: NodeKind.FUNCTION, DefKind.METHOD: NodeKind.METHOD}
_CONFIG = frozenset({".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".env", ".conf", ".properties"})
_PLAIN = frozenset({".md", ".rst", ".lock", ".gitignore", ".dockerignore", ".editorconfig", ""})
_SURE = frozenset({Exactness.EXACT, Exactness.CWD, Exactness.PATTERN})
_FILE_EDGES = {
    Access.READ: EdgeKind.READS_FILE,
    Access.WRITE: EdgeKind.WRITES_FILE,
    Access.DISPLAY: EdgeKind.DISPLAYS,
}


def assemble(graph: WorkspaceGraph) -> networkx.MultiDiGraph[str]:
    """Build the graph; the same facts always give the same nodes and edges in the same order."""
    return _Assembly(graph).run()


class _Assembly:
    def __init__(self, graph: WorkspaceGraph) -> None:
        import networkx

        self.facts = graph
        self.graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        self.targets = Targets(graph.files)
        self._seen: set[tuple[str, str, str]] = set()
        self._existing = {entry.path for entry in graph.listing if entry.path not in graph.files}

    def run(self) -> networkx.MultiDiGraph[str]:
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
        return self.graph

    def node(self, key: str, kind: NodeKind, path: str = "", **attributes: Any) -> None:
        """Add a node with every attribute the export promises."""
        base = {"path": path, "name": key, "qualname": "", "line": None, "end_line": None, "reachable": None}
        self.graph.add_node(key, kind=str(kind), **{**base, **attributes})

    def edge(self, source: str, target: str, kind: EdgeKind, line: int | None = None, **attributes: Any) -> None:
        """Add an edge once."""
        mark = (source, target, str(kind) + str(attributes.get("name", "")))
        if mark in self._seen:
            return
        self._seen.add(mark)
        where = {} if line is None else {"line": line}
        self.graph.add_edge(
            source, target, key=self.graph.number_of_edges(source, target), kind=str(kind), **where, **attributes
        )

    def _folders(self) -> None:
        self.node(".", NodeKind.FOLDER, ".", name=".")
        for folder in sorted(self.facts.folders):
            folder = folder.rstrip("/")
            if folder and folder != ".":
                self.node(folder, NodeKind.FOLDER, folder, name=posixpath.basename(folder))
        for folder in [key for key in self.graph if key != "."]:
            self.edge(posixpath.dirname(folder) or ".", folder, EdgeKind.CONTAINS)

    def _listing(self) -> None:
        for entry in self.facts.listing:
            path = entry.path
            code = self.facts.files.get(path)
            common: dict[str, Any] = {"name": posixpath.basename(path), "exists": True, "size": entry.size}
            if code is not None:
                self.node(path, NodeKind.MODULE, path, **common, **self._module(code))
            else:
                language = self.facts.languages.get(path)
                extra = {"language": language, "unparsed": self.facts.unparsed.get(path, "")} if language else {}
                self.node(path, self._file_kind(path), path, **common, **extra)
            self.edge(posixpath.dirname(path) or ".", path, EdgeKind.CONTAINS)
            for cell in self.facts.cells.get(path, ()):
                key = f"{path}#cell-{cell.number}"
                self.node(key, NodeKind.CELL, path, name=f"cell {cell.number}", line=cell.line, end_line=cell.end_line)
                self.edge(path, key, EdgeKind.CONTAINS, cell.line)

    def _module(self, code: CodeFile) -> dict[str, Any]:
        kind = self.facts.entries.get(code.path)
        reached = kind is not None or any(call.reachable for call in code.calls)
        return {
            "qualname": code.module,
            "line": 1,
            "end_line": code.source.count("\n") + 1,
            "reachable": reached or any(item.reachable for item in code.definitions),
            "language": code.language,
            "entry": str(kind) if kind is not None else "",
            "error": code.error,
        }

    def _file_kind(self, path: str) -> NodeKind:
        if path in self.facts.languages:
            return NodeKind.FILE
        suffix = posixpath.splitext(path)[1].lower()
        name = posixpath.basename(path)
        if suffix in _CONFIG or name in {"requirements.txt", "Pipfile", "environment.yml", "Procfile"}:
            return NodeKind.CONFIG
        return NodeKind.FILE if suffix in _PLAIN else NodeKind.ARTEFACT

    def _definitions(self, path: str, code: CodeFile) -> None:
        for item in code.definitions:
            key = self.targets.add(path, item)
            self.node(
                key,
                _DEFS[item.kind],
                path,
                name=item.name,
                qualname=item.qualname,
                line=item.line,
                end_line=item.end_line,
                reachable=item.reachable,
                body=str(item.body),
            )
            owner = item.qualname.rpartition(".")[0]
            self.edge(self.targets.scope(path, owner), key, EdgeKind.CONTAINS, item.line)

    def package(self, dotted: str) -> str:
        """The node of an external package."""
        name = dotted if dotted.startswith("@") else dotted.split(".")[0].split("(")[0]
        name = "/".join(name.split("/")[:2]) if name.startswith("@") else name.split("/")[0]
        key = f"package:{name}"
        if key not in self.graph:
            self.node(key, NodeKind.PACKAGE, name=name)
        return key

    def _imports(self, path: str, code: CodeFile) -> None:
        for item in code.imports:
            if item.local:
                self.edge(path, item.local, EdgeKind.IMPORTS, item.line)
            elif item.module and not item.module.startswith("."):
                self.edge(path, self.package(item.module), EdgeKind.IMPORTS, item.line)

    def _calls(self, path: str, code: CodeFile) -> None:
        packages = {self._package_name(item.module) for item in code.imports if not item.local and item.module}
        testing = self.facts.entries.get(path) is EntryKind.TEST
        for call in code.calls:
            source = self.targets.scope(path, call.scope)
            if call.resolved:
                if call.resolved in self.graph:
                    self.edge(source, call.resolved, EdgeKind.CALLS, call.line)
                    if testing and not call.resolved.startswith(f"{path}::"):
                        self.edge(source, call.resolved, EdgeKind.TESTS, call.line)
                continue
            root = self._package_name(call.target)
            if root in packages:
                self.edge(source, self.package(call.target), EdgeKind.CALLS, call.line, name=call.target)

    @staticmethod
    def _package_name(dotted: str) -> str:
        return dotted.split(".")[0].split("(")[0] if not dotted.startswith("@") else dotted.split(".")[0]

    def _relations(self, path: str, code: CodeFile) -> None:
        for item in code.definitions:
            source = self.targets.key(path, item)
            for base in item.bases:
                target = self.targets.named(base)
                if target:
                    self.edge(source, target, EdgeKind.INHERITS, item.line)
                elif "." in base and not base.startswith("?"):
                    self.edge(source, self.package(base), EdgeKind.INHERITS, item.line, name=base)
            for name in item.uses:
                target = self.targets.named(name)
                if target and target != source:
                    self.edge(source, target, EdgeKind.REFERENCES)

    def _access(self, path: str, access: FileAccess) -> None:
        source = self.targets.scope(path, access.scope)
        kind = _FILE_EDGES[access.access]
        if not access.pattern:
            if access.access is Access.DISPLAY and not access.call.startswith("?"):
                self.edge(source, self.package(access.call), kind, access.line, name=access.call)
            return
        for target in self._named_files(path, access):
            self.edge(source, target, kind, access.line, name=access.call, pattern=access.pattern)

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
        if key not in self.graph:
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
