"""A graph from what earlier runs found out: whole when nothing changed, else file by file."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from judge.modules.graph.build import Parsed, analyse, parse_all, parse_source
from judge.modules.graph.cache_codec import CodecError, decode, encode
from judge.modules.graph.cache_keys import file_key, workspace_key
from judge.modules.graph.collector import no_collections
from judge.modules.graph.deferred import DeferredCode, defer, leads
from judge.modules.graph.facts import CodeFile
from judge.modules.graph.graph import WorkspaceGraph
from judge.modules.graph.kept import LISTS, LeadsStore, Lists, RowsStore, keep
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.notebook_cells import Cell
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.raw import Raw
from judge.modules.graph.reading import Source, Sources, text_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.modules.graph.cache import GraphCache
    from judge.workspace import Entry, Text, Workspace

_BATCH = 200
"""Files whose facts are fetched at a time."""
_FLUSH = 8 * 1024 * 1024
"""Bytes of new facts that are held before they are stored."""
_KEPT = ("module", "entry", "entry_line", "imported_by", "error")


@dataclass(frozen=True, slots=True)
class Stored:
    """The facts of a workspace that most questions are about; details are worked out again when asked for.

    Attributes:
        files: By path: language, the facts of ``_KEPT``, and the source where it is not the text of the file.
        entries: Why a file runs by itself, by path.
        library: Whether nothing runs by itself.
        cells: Code cells of notebooks.
        languages: Language of every source file.
        unparsed: Source files that were not analysed, with the reason.
        data: Hashes of the configuration files that were looked into.
    """

    files: dict[str, object]
    entries: dict[str, EntryKind]
    library: bool
    cells: dict[str, tuple[Cell, ...]]
    languages: dict[str, str]
    unparsed: dict[str, str]
    data: dict[str, str] = field(default_factory=dict)


def build_cached(workspace: Workspace, sources: Sources, cache: GraphCache) -> WorkspaceGraph:
    """Take the graph of a workspace from the cache, or build and store it.

    Args:
        workspace: The workspace.
        sources: What was read of it.
        cache: What earlier runs found out.
    """
    key = workspace_key(workspace, sources)
    stored = cache.load([key]).get(key)
    if stored is not None:
        try:
            return _restored(workspace, sources, cache, key, decode(Stored, stored))
        except (CodecError, KeyError, LookupError):
            pass  # made by something else, or a configuration file changed: build it anew
    watched = _Watched(workspace)
    graph = _built(workspace, sources, cache, watched)
    keep(cache, key, _to_store(graph, watched))
    keep(cache, f"{key}-lists", {path: [getattr(code, name) for name in LISTS] for path, code in graph.files.items()})
    keep(cache, f"{key}-leads", {path: leads(code) for path, code in graph.files.items()})
    return replace(graph, kept_rows=RowsStore(cache, key, graph.fresh_rows))


def _built(workspace: Workspace, sources: Sources, cache: GraphCache, watched: _Watched) -> WorkspaceGraph:
    from judge.modules.graph.data_files import DataFiles

    facts = _FileFacts(sources, cache)
    parsed: Parsed = parse_all(sources, facts)
    facts.flush()
    return analyse(workspace, sources, parsed, DataFiles(watched))  # type: ignore[arg-type]


class _FileFacts:
    """Parses sources, or takes what they say from the cache; notebooks are asked for by their code."""

    def __init__(self, sources: Sources, cache: GraphCache) -> None:
        self._cache = cache
        self._order = [file_key(source) for source in sources.files if not source.is_notebook]
        self._place = {key: number for number, key in enumerate(self._order)}
        self._ready: dict[str, bytes] = {}
        self._asked: set[str] = set()
        self._present: set[str] = set()
        self._new: dict[str, bytes] = {}
        self._held = 0

    def __call__(self, source: Source) -> RawModule | Raw:
        key = file_key(source)
        known = self._known(key)
        if known is not None:
            try:
                raw: RawModule | Raw = decode(RawModule if source.language.name == "python" else Raw, known)
            except CodecError:
                pass
            else:
                raw.path, raw.source = source.path, source.text
                return raw
        raw = parse_source(source)
        self._remember(key, raw)
        return raw

    def _known(self, key: str) -> bytes | None:
        """What is stored under a key; files are asked for many at a time, those with the same content only once."""
        known = self._new.get(key) or self._ready.get(key)
        if known is None and (key not in self._asked or key in self._present):
            start = self._place.get(key)
            some = [key] if start is None or key in self._asked else self._order[start : start + _BATCH]
            self._asked.update(some)
            found = self._cache.load(some)
            self._present.update(found)
            self._ready = found if len(some) > 1 else {**self._ready, **found}
            known = found.get(key)
        return known

    def _remember(self, key: str, raw: RawModule | Raw) -> None:
        path, source = raw.path, raw.source
        raw.path = raw.source = ""
        try:
            data = encode(raw)
        except CodecError:
            return  # it holds a number or text that JSON does not: it will be parsed again
        finally:
            raw.path, raw.source = path, source
        self._new[key] = data
        self._present.add(key)
        self._held += len(data)
        if self._held > _FLUSH:
            self.flush()

    def flush(self) -> None:
        """Store what is new."""
        self._cache.save(self._new)
        self._new, self._held = {}, 0


class _Watched:
    """A workspace of which is noted which configuration files are read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.files = workspace.files
        self.find = workspace.find
        self.data: dict[str, str] = {}

    def read_text(self, entry: Entry, limit: int) -> Text:
        """As the workspace does."""
        text = self._workspace.read_text(entry, limit)
        self.data[entry.path] = f"{limit} {text_hash(text.text)}"
        return text


def _to_store(graph: WorkspaceGraph, watched: _Watched) -> Stored:
    files: dict[str, object] = {}
    for path, code in graph.files.items():
        source = code.source if path.endswith(".ipynb") else None
        files[path] = [code.language, [getattr(code, name) for name in _KEPT], source]
    return Stored(
        files, dict(graph.entries), graph.library, dict(graph.cells), dict(graph.languages), dict(graph.unparsed),
        watched.data,
    )  # fmt: skip


def _restored(workspace: Workspace, sources: Sources, cache: GraphCache, key: str, stored: Stored) -> WorkspaceGraph:
    """The graph as it was stored.

    Raises:
        LookupError: A configuration file is not what it was.
    """
    for path, mark in stored.data.items():
        limit, _, expected = mark.partition(" ")
        entry = workspace.find(path)
        if entry is None or text_hash(workspace.read_text(entry, int(limit)).text) != expected:
            raise LookupError(path)
    deep = _Deep(lambda: _built(workspace, sources, cache, _Watched(workspace)))
    lists = Lists(cache, key)
    texts = {source.path: source.text for source in sources.files}
    files: dict[str, CodeFile] = {}
    for path, fields in stored.files.items():
        language, plain, source = cast("list[Any]", fields)
        known = dict(zip(_KEPT, plain, strict=True))
        known["imported_by"] = tuple(known["imported_by"])
        known |= {"path": path, "language": language, "source": texts[path] if source is None else source}
        files[path] = _restored_file(known, lists, deep)
    return WorkspaceGraph(
        files=files,
        entries=stored.entries,
        library=stored.library,
        cells=stored.cells,
        languages=stored.languages,
        unparsed=stored.unparsed,
        listing=workspace.files,
        folders=workspace.folders,
        kept_rows=RowsStore(cache, key, lambda: deep().rows),
        kept_leads=LeadsStore(cache, key),
        documents=sources.documents,
    )


def _restored_file(known: dict[str, Any], lists: Lists, deep: _Deep) -> DeferredCode:
    path = known["path"]

    def load(name: str) -> Any:
        if name in LISTS:
            with suppress(CodecError, KeyError):
                return lists.take(path, name)
        return getattr(deep().files[path], name)

    return defer(known, load)


class _Deep:
    """The graph with all its details, built when the first of them is asked for; several threads may ask."""

    def __init__(self, build: Callable[[], WorkspaceGraph]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._graph: WorkspaceGraph | None = None

    def __call__(self) -> WorkspaceGraph:
        with self._lock:
            if self._graph is None:
                with no_collections():
                    self._graph = self._build()
            return self._graph
