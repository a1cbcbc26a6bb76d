"""The facts of a whole workspace, and the questions other rooms ask of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.modules.graph import matching
from judge.modules.graph.collector import no_collections
from judge.modules.graph.deferred import Lead, leads
from judge.modules.graph.facts import Access, CodeFile, Definition, FileAccess, Mention
from judge.modules.graph.kinds import EntryKind, Exactness
from judge.modules.graph.notebook_cells import Cell

if TYPE_CHECKING:
    import networkx

    from judge.modules.graph.rows import Rows
    from judge.workspace import Entry


class AccessMatch(NamedTuple):
    """A file access that can mean a certain path, and how surely."""

    path: str
    access: FileAccess
    exactness: Exactness


@dataclass(frozen=True, eq=False)
class WorkspaceGraph:
    """Everything known of a workspace's code and of the files it touches.

    Attributes:
        files: Source files and notebooks by path, sorted.
        entries: Why a file runs by itself, by path.
        library: Whether nothing runs by itself, so that everything public counts as reachable.
        cells: Code cells of notebooks by path.
        languages: Language of every source file by path, also of those that could not be analysed.
        unparsed: Source files that were not analysed, with the reason.
        listing: All files of the workspace.
        folders: All folders.
        kept_rows: Gives nodes and edges that an earlier run kept.
        kept_leads: Gives the calls of a file that lead into the workspace, as an earlier run kept them, or None.
        documents: Text of configuration files and documents that may name other files, by path.
    """

    files: Mapping[str, CodeFile]
    entries: Mapping[str, EntryKind]
    library: bool
    cells: Mapping[str, tuple[Cell, ...]]
    languages: Mapping[str, str]
    unparsed: Mapping[str, str]
    listing: tuple[Entry, ...]
    folders: tuple[str, ...]
    kept_rows: Callable[[], Rows] | None = None
    kept_leads: Callable[[str], tuple[Lead, ...] | None] | None = None
    documents: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def nx(self) -> networkx.MultiDiGraph[str]:
        """The graph itself; built when first asked for."""
        with no_collections():
            return self.rows.to_networkx()

    @cached_property
    def rows(self) -> Rows:
        """Nodes and edges without a library around them."""
        with no_collections():
            return self.kept_rows() if self.kept_rows is not None else self.fresh_rows()

    def fresh_rows(self) -> Rows:
        """Nodes and edges, made from the facts."""
        from judge.modules.graph.assemble import assemble

        return assemble(self)

    @cached_property
    def mentions(self) -> Mapping[str, tuple[Mention, ...]]:
        """Configuration entries, pictures and links of the documents, by path."""
        from judge.modules.graph.documents import mentions

        return mentions(self.documents)

    @cached_property
    def _definitions(self) -> Mapping[str, tuple[tuple[str, Definition], ...]]:
        found: dict[str, list[tuple[str, Definition]]] = {}
        for path, code in self.files.items():
            for item in code.definitions:
                names = {item.name, item.qualname}
                if code.module:
                    names.add(f"{code.module}.{item.qualname}")
                for name in names:
                    found.setdefault(name, []).append((path, item))
        return {name: tuple(items) for name, items in found.items()}

    def definitions(self, name: str) -> tuple[tuple[str, Definition], ...]:
        """Definitions with that name, qualified name or ``module.qualname``, with their paths; reachable ones first."""
        found = self._definitions.get(name, ())
        return tuple(sorted(found, key=lambda item: not item[1].reachable))

    def definition(self, node: str) -> tuple[str, Definition] | None:
        """The definition with a node id such as ``src/model.py::Net.forward``."""
        path, _, qualname = node.partition("::")
        code = self.files.get(path)
        qualname, _, line = qualname.partition("@")
        for item in code.definitions if code is not None else ():
            if item.qualname == qualname and (not line or str(item.line) == line):
                return path, item
        return None

    def matches(self, path: str, access: Access) -> tuple[AccessMatch, ...]:
        """Accesses of one kind that can mean a workspace path, the surest and reachable ones first."""
        path = normal(path)
        found = []
        for code, item in self._accesses[access]:
            exactness = matching.match(item.pattern, path, code, anchored=item.anchored, folder=item.folder)
            if exactness is not None:
                found.append(AccessMatch(code, item, exactness))
        found.sort(key=lambda item: (matching.ORDER.index(item.exactness), not item.access.reachable))
        return tuple(found)

    @cached_property
    def _accesses(self) -> Mapping[Access, tuple[tuple[str, FileAccess], ...]]:
        table: dict[Access, list[tuple[str, FileAccess]]] = {kind: [] for kind in Access}
        for path, code in self.files.items():
            for item in code.accesses:
                if item.pattern:
                    table[item.access].append((path, item))
        return {kind: tuple(items) for kind, items in table.items()}

    def writers(self, path: str) -> tuple[tuple[str, FileAccess], ...]:
        """Writes that can mean a workspace path, each with the path of the code; the surest first."""
        return tuple((item.path, item.access) for item in self.matches(path, Access.WRITE))

    def readers(self, path: str) -> tuple[tuple[str, FileAccess], ...]:
        """Reads that can mean a workspace path, each with the path of the code; the surest first."""
        return tuple((item.path, item.access) for item in self.matches(path, Access.READ))

    def leads(self, path: str) -> tuple[Lead, ...]:
        """The calls of a source file that lead to definitions of the workspace.

        Raises:
            KeyError: There is no such source file.
        """
        kept = self.kept_leads(path) if self.kept_leads is not None else None
        return leads(self.files[path]) if kept is None else kept

    def executed(self, path: str) -> bool | None:
        """Whether a notebook says that some of it was run; None for files that cannot tell."""
        cells = self.cells.get(path)
        return any(cell.executed for cell in cells) if cells is not None else None

    def entry_points(self) -> tuple[str, ...]:
        """Paths of files that run by themselves, tests last."""
        return tuple(sorted(self.entries, key=lambda path: (self.entries[path] is EntryKind.TEST, path)))

    def to_node_link(self) -> dict[str, Any]:
        """The graph as networkx node-link data, readable by ``networkx.node_link_graph`` with ``edges="edges"``."""
        from judge.modules.graph.export import node_link

        return node_link(self.rows)

    def summary(self) -> str:
        """What a person wants to know first about the workspace's code."""
        from judge.modules.graph.summary import summarise

        return summarise(self)


def normal(path: str) -> str:
    """A path as the workspace spells it: no ``./``, no doubled or trailing slash, no leading ``/workspace/``."""
    path = path.strip()
    if path.startswith("/workspace/"):
        path = path[len("/workspace/") :]
    return "/".join(part for part in path.split("/") if part not in {"", "."})
