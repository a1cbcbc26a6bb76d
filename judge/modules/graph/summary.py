"""What a person wants to know first about the code of a workspace."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge.modules.graph import matching
from judge.modules.graph.facts import Access, Body, CodeFile, Definition, DefKind, FileAccess
from judge.modules.graph.kinds import Exactness
from judge.modules.graph.manifests import is_manifest
from judge.text import line_count

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph

MAX_LISTED = 5_000
"""Files in a workspace up to which those that no code writes are looked for."""
LIMIT = 15
"""Lines of one list."""


def summarise(graph: WorkspaceGraph) -> str:
    """Languages, entry points, biggest parts, unreached code, stubs, artefacts and who writes them."""
    return "\n\n".join(_section(title, lines) for title, lines in sections(graph))


def sections(graph: WorkspaceGraph) -> list[tuple[str, list[str]]]:
    """The parts of the summary that have anything to tell: their titles and all their lines."""
    found = (
        ("Languages", _languages(graph)),
        ("Entry points", _entries(graph)),
        ("Biggest parts", _biggest(graph)),
        ("Not reached from an entry point", _unreached(graph)),
        ("Stubs", _stubs(graph)),
        ("Written files", _written(graph)),
        ("Files no code writes", _unwritten(graph)),
        ("Problems", _problems(graph)),
    )
    return [(title, kept) for title, lines in found if (kept := list(lines))]


def _section(title: str, lines: Iterable[str]) -> str:
    shown = list(lines)
    more = [f"  and {len(shown) - LIMIT} more"] if len(shown) > LIMIT + 1 else []
    kept = shown[:LIMIT] if more else shown
    return "\n".join([title, *(f"  {line}" for line in kept), *more])


def _languages(graph: WorkspaceGraph) -> Iterable[str]:
    table: dict[str, list[int]] = {}
    for path, language in graph.languages.items():
        code = graph.files.get(path)
        lines = line_count(code.source) if code is not None else 0
        table.setdefault(language, []).append(lines)
    for language, counts in sorted(table.items(), key=lambda item: (-sum(item[1]), item[0])):
        known = f", {sum(counts):,} lines" if any(counts) else ", not analysed"
        yield f"{language}: {len(counts)} {'file' if len(counts) == 1 else 'files'}{known}"


def _entries(graph: WorkspaceGraph) -> Iterable[str]:
    for path in graph.entry_points():
        line = graph.files[path].entry_line
        yield f"{path}:{line or 1}  {graph.entries[path]}"
    if graph.library and graph.files:
        yield "none; everything public counts as reachable"


def _every(graph: WorkspaceGraph) -> Iterable[tuple[str, CodeFile, Definition]]:
    for path, code in graph.files.items():
        for item in code.definitions:
            yield path, code, item


def _biggest(graph: WorkspaceGraph) -> Iterable[str]:
    sized = [
        (item.end_line - item.line + 1, path, item)
        for path, _, item in _every(graph)
        if item.kind is not DefKind.METHOD
    ]
    sized.sort(key=lambda row: (-row[0], row[1], row[2].line))
    for lines, path, item in sized[:8]:
        yield f"{lines:>5} lines  {path}:{item.line}  {item.kind} {item.qualname}"


def _unreached(graph: WorkspaceGraph) -> Iterable[str]:
    for path, code in graph.files.items():
        dead = {item.qualname for item in code.definitions if not item.reachable}
        for item in code.definitions:
            if not item.reachable and item.qualname.rpartition(".")[0] not in dead:
                yield f"{path}:{item.line}  {item.kind} {item.qualname}"


def _stubs(graph: WorkspaceGraph) -> Iterable[str]:
    for path, _, item in _every(graph):
        if item.body is Body.STUB:
            yield f"{path}:{item.line}  {item.kind} {item.qualname}"


def written(graph: WorkspaceGraph) -> Iterable[tuple[str, str, list[FileAccess]]]:
    """Path patterns with the file that writes them and the writes, in the order of the code."""
    found: dict[tuple[str, str], list[FileAccess]] = {}
    for path, code in graph.files.items():
        for access in code.accesses:
            if access.access is Access.WRITE and access.pattern:
                found.setdefault((access.pattern, path), []).append(access)
    for (pattern, path), accesses in found.items():
        yield pattern, path, accesses


def _written(graph: WorkspaceGraph) -> Iterable[str]:
    existing: dict[str, list[str]] = {}
    for entry in graph.listing:
        existing.setdefault(entry.name, []).append(entry.path)
    for pattern, path, accesses in written(graph):
        first = accesses[0]
        reached = "" if any(item.reachable for item in accesses) else ", not reached"
        open_end = "{}" in pattern or any(item.folder for item in accesses)
        named = existing.get(posixpath.basename(pattern), ())
        there = any(matching.match(pattern, name, path, anchored=first.anchored) for name in named)
        state = "" if open_end or there else "  (no such file)"
        yield f"{pattern}  by {path}:{first.line} ({first.call}{reached}){state}"


def _unwritten(graph: WorkspaceGraph) -> Iterable[str]:
    if len(graph.listing) > MAX_LISTED:
        return
    for entry in graph.listing:
        if entry.path in graph.languages or not entry.suffix or is_manifest(entry.name, entry.suffix):
            continue
        found = graph.matches(entry.path, Access.WRITE)
        if not any(item.exactness is not Exactness.LOOSE for item in found):
            read = "  (read by code)" if graph.readers(entry.path) else ""
            yield f"{entry.path}{read}"


def _problems(graph: WorkspaceGraph) -> Iterable[str]:
    for path, code in graph.files.items():
        if code.error:
            yield f"{path}: {code.error}"
    for path, reason in graph.unparsed.items():
        if reason != "no grammar":
            yield f"{path}: {reason}"
