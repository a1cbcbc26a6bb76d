"""From a workspace to its graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from judge.modules.graph.collector import rare_collections
from judge.modules.graph.data_files import DataFiles
from judge.modules.graph.facts import CodeFile
from judge.modules.graph.graph import WorkspaceGraph
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.languages import Language, language_of
from judge.modules.graph.notebook_cells import Cell, notebook_code
from judge.modules.graph.other_reach import PAGES, spread
from judge.modules.graph.python.emit import Emitter
from judge.modules.graph.python.entries import is_runner
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.python.link import link
from judge.modules.graph.python.parse import parse_module
from judge.modules.graph.treesitter import Raw, extract
from judge.workspace import Entry, Workspace

MAX_BYTES = 4 * 1024 * 1024
"""Largest source file that is analysed."""
MAX_NOTEBOOK = 32 * 1024 * 1024
MAX_TOTAL = 256 * 1024 * 1024
"""Source bytes that are analysed in all."""
MAX_PAGE = 512 * 1024
"""Largest web page that is searched for scripts."""
MAX_LINE = 20_000
"""Length of a line from which a source counts as minified."""


@dataclass(slots=True)
class _Sources:
    """What was read before anything is linked."""

    modules: list[RawModule] = field(default_factory=list)
    others: list[Raw] = field(default_factory=list)
    cells: dict[str, tuple[Cell, ...]] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)
    unparsed: dict[str, str] = field(default_factory=dict)
    runners: dict[str, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    total: int = 0


def build_graph(workspace: Workspace) -> WorkspaceGraph:
    """Analyse every source file of a workspace; never raises for what is in them.

    Example:
        >>> from pathlib import Path
        >>> from judge.workspace import Workspace
        >>> graph = build_graph(Workspace.open(Path("devai/workspaces/example")))  # doctest: +SKIP
        >>> graph.writers("results/metrics.txt")  # doctest: +SKIP
    """
    with rare_collections():
        return _build(workspace)


def _build(workspace: Workspace) -> WorkspaceGraph:
    sources = _Sources()
    for entry in workspace.files:
        _read(workspace, entry, sources)
    files, entries, library = _python(workspace, sources)
    other_files, other_entries = spread(sources.others, sources.runners)
    files.update(other_files)
    entries.update(other_entries)
    return WorkspaceGraph(
        files=dict(sorted(files.items())),
        entries=dict(sorted(entries.items())),
        library=library and not any(kind is not EntryKind.TEST for kind in other_entries.values()),
        cells=sources.cells,
        languages=sources.languages,
        unparsed=sources.unparsed,
        listing=workspace.files,
        folders=workspace.folders,
    )


def _read(workspace: Workspace, entry: Entry, sources: _Sources) -> None:
    """Read and parse one file, if it is source code or says how code is run."""
    if (is_runner(entry.path) and entry.size <= MAX_BYTES) or (entry.suffix in PAGES and entry.size <= MAX_PAGE):
        sources.runners[entry.path] = workspace.read_text(entry, MAX_BYTES).text
    language = language_of(entry.path)
    if language is None:
        return
    sources.languages[entry.path] = language.name
    if not language.analysed:
        sources.unparsed[entry.path] = language.missing or "no grammar"
        return
    limit = MAX_NOTEBOOK if entry.suffix == ".ipynb" else MAX_BYTES
    if entry.size > limit or sources.total + entry.size > MAX_TOTAL:
        sources.unparsed[entry.path] = "too large to analyse"
        return
    text = workspace.read_text(entry, limit)
    if text.binary:
        sources.unparsed[entry.path] = "no text"
        return
    sources.total += entry.size
    _parse(entry, text.text, language, sources)


def _parse(entry: Entry, text: str, language: Language, sources: _Sources) -> None:
    if entry.suffix == ".ipynb":
        _parse_notebook(entry.path, text, sources)
    elif language.name != "python" and _is_minified(text):
        sources.unparsed[entry.path] = "minified or generated"
    elif language.name == "python":
        sources.modules.append(parse_module(entry.path, text))
    else:
        sources.others.append(extract(entry.path, text, language))


def _parse_notebook(path: str, text: str, sources: _Sources) -> None:
    code = notebook_code(text)
    sources.commands.extend(code.commands)
    sources.cells[path] = tuple(code.cells)
    if code.language not in {"python", "python3", "ipython"}:
        sources.languages[path] = code.language
        sources.unparsed[path] = f"notebook in {code.language}"
        return
    module = parse_module(path, code.source)
    module.error = code.error or module.error
    sources.modules.append(module)


def _is_minified(text: str) -> bool:
    return len(text) > MAX_LINE and (len(text) / (text.count("\n") + 1) > 1000 or _longest_line(text) > MAX_LINE * 5)


def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")))


def _python(workspace: Workspace, sources: _Sources) -> tuple[dict[str, CodeFile], dict[str, EntryKind], bool]:
    if not sources.modules:
        return {}, {}, True
    runners = {path: text for path, text in sources.runners.items() if not path.endswith(PAGES)}
    linked = link(sources.modules, DataFiles(workspace), runners, sources.commands)
    emitter = Emitter(linked, node_ids(linked.modules))
    files = {module.path: emitter.file(module) for module in linked.modules}
    for path, importers in emitter.importers.items():
        files[path] = replace(files[path], imported_by=tuple(sorted(importers - {path})))
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
