"""From a workspace to its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.modules.graph.collector import no_collections
from judge.modules.graph.facts import CodeFile
from judge.modules.graph.graph import WorkspaceGraph
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.languages import PAGES, named
from judge.modules.graph.notebook_cells import Cell, NotebookCode, notebook_code
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.raw import Raw
from judge.modules.graph.reading import Source, Sources, read_sources

if TYPE_CHECKING:
    from judge.modules.graph.cache import GraphCache
    from judge.modules.graph.data_files import DataFiles
    from judge.workspace import Workspace

COMMENTED = frozenset({"r", "julia"})
"""Languages of notebooks, besides Python, in which the lines between joined cells are comments."""
ParseSource = Callable[[Source], RawModule | Raw]


@dataclass(slots=True)
class Parsed:
    """What every file says by itself.

    Attributes:
        modules: Python modules, also those in notebooks.
        others: Files of other languages.
        cells: Code cells of notebooks by path.
        commands: Command lines that notebooks run.
    """

    modules: list[RawModule] = field(default_factory=list)
    others: list[Raw] = field(default_factory=list)
    cells: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)


def build_graph(workspace: Workspace, cache: GraphCache | None = None) -> WorkspaceGraph:
    """Analyse every source file of a workspace; never raises for what is in them.

    Args:
        workspace: The listed workspace.
        cache: What earlier runs found out; nothing is kept between runs without it.

    Example:
        >>> from pathlib import Path
        >>> from judge.workspace import Workspace
        >>> graph = build_graph(Workspace.open(Path("devai/workspaces/example")))  # doctest: +SKIP
        >>> graph.writers("results/metrics.txt")  # doctest: +SKIP
    """
    with no_collections(another=True):
        sources = read_sources(workspace)
        if cache is None:
            return analyse(workspace, sources, parse_all(sources, parse_source))
        from judge.modules.graph.cached import build_cached

        return build_cached(workspace, sources, cache)


def parse_source(source: Source) -> RawModule | Raw:
    """What one file says by itself."""
    if source.language.name == "python":
        from judge.modules.graph.python.parse import parse_module

        return parse_module(source.path, source.text)
    from judge.modules.graph.treesitter import extract

    return extract(source.path, source.text, source.language)


def parse_all(sources: Sources, parse: ParseSource) -> Parsed:
    """Parse every source.

    Args:
        sources: What was read; a notebook in another language than Python is taken out of it.
        parse: Parses one.
    """
    parsed = Parsed()
    for source in sources.files:
        if source.is_notebook:
            notebook = notebook_code(source.text)
            parsed.commands.extend(notebook.commands)
            parsed.cells[source.path] = tuple(notebook.cells)
            if notebook.language not in {"python", "python3", "ipython"}:
                sources.languages[source.path] = notebook.language
                inner = named(notebook.language)
                if inner is None or inner.name not in COMMENTED:
                    sources.unparsed[source.path] = f"notebook in {notebook.language}"
                else:
                    raw = parse(Source(source.path, notebook.source, inner))
                    parsed.others.extend([raw] if isinstance(raw, Raw) else [])
                continue
            parsed.modules.append(_notebook_module(source, notebook, parse))
            continue
        raw = parse(source)
        if isinstance(raw, RawModule):
            parsed.modules.append(raw)
        else:
            parsed.others.append(raw)
    return parsed


def _notebook_module(source: Source, notebook: NotebookCode, parse: ParseSource) -> RawModule:
    code = Source(source.path, notebook.source, source.language)
    module = parse(code)
    assert isinstance(module, RawModule)
    module.error = notebook.error or module.error
    return module


def analyse(workspace: Workspace, sources: Sources, parsed: Parsed, data: DataFiles | None = None) -> WorkspaceGraph:
    """Link what the files say.

    Args:
        workspace: The workspace.
        sources: What was read of it.
        parsed: What each source says.
        data: Gives the content of its configuration files.
    """
    from judge.modules.graph.data_files import DataFiles

    files, entries, library = _python(sources, parsed, data or DataFiles(workspace))
    other_entries: dict[str, EntryKind] = {}
    if parsed.others:
        from judge.modules.graph.other_reach import spread

        other_files, other_entries = spread(parsed.others, sources.runners)
        files.update(other_files)
        entries.update(other_entries)
    return WorkspaceGraph(
        files=dict(sorted(files.items())),
        entries=dict(sorted(entries.items())),
        library=library and not any(kind is not EntryKind.TEST for kind in other_entries.values()),
        documents=sources.documents,
        cells=parsed.cells,
        languages=sources.languages,
        unparsed=sources.unparsed,
        listing=workspace.files,
        folders=workspace.folders,
    )


def _python(
    sources: Sources, parsed: Parsed, data: DataFiles
) -> tuple[dict[str, CodeFile], dict[str, EntryKind], bool]:
    if not parsed.modules:
        return {}, {}, True
    from judge.modules.graph.python.emit import Emitter
    from judge.modules.graph.python.link import link

    runners = {path: text for path, text in sources.runners.items() if not path.endswith(PAGES)}
    linked = link(parsed.modules, data, runners, parsed.commands)
    emitter = Emitter(linked, node_ids(linked.modules))
    files: dict[str, CodeFile] = {}
    for module in linked.modules:
        files[module.path] = emitter.file(module)
    for path, importers in emitter.importers.items():
        object.__setattr__(files[path], "imported_by", tuple(sorted(importers - {path})))
    entries = {linked.modules[number].path: kind for number, kind in linked.entries.items()}
    return files, entries, linked.library


def node_ids(modules: Iterable[RawModule]) -> dict[tuple[int, int], str]:
    """Node id of every scope; a name defined again gets its line."""
    found: dict[tuple[int, int], str] = {}
    for module in modules:
        taken: set[str] = set()
        for scope in module.scopes:
            name = f"{module.path}::{scope.qualname}" if scope.qualname else module.path
            if name in taken:
                name = f"{name}@{scope.line}"
            taken.add(name)
            found[module.index, scope.index] = name
    return found
