"""The workspace map: what is there at a glance, the same for every requirement of a task."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count, cut_end

if TYPE_CHECKING:
    from judge.modules.graph import WorkspaceGraph
    from judge.workspace import Entry, Workspace

_LISTED = 600
_SKIPPED = 12


def workspace_map(workspace: Workspace, graph: WorkspaceGraph | None, tokens: int) -> Evidence:
    """Lists the files of a workspace within a budget.

    Args:
        workspace: The files.
        graph: Adds what each code file defines; None for a bare list.
        tokens: Budget. Definitions are dropped first, then the biggest folders become one line each.

    Returns:
        One item of evidence of kind ``map``.
    """
    notes = "\n".join(_notes(workspace))
    room = max(tokens - count(notes), tokens // 2)
    text = _listing(workspace, room) if graph is None else _with_code(workspace, graph, room)
    text = cut_end(f"{text}\n{notes}" if notes else text, tokens)
    facts = {"files": len(workspace.files), "folders": len(workspace.folders), "complete": workspace.complete}
    return Evidence(
        module="graph" if graph is not None else "map",
        kind=EvidenceKind.MAP,
        title="Files of the workspace",
        text=text,
        facts=facts,
        tokens=count(text),
    )


def _with_code(workspace: Workspace, graph: WorkspaceGraph, tokens: int) -> str:
    from judge.modules.graph import workspace_map as with_code

    return with_code(graph, workspace, tokens)


def _listing(workspace: Workspace, tokens: int) -> str:
    """The files alone; when they are too many, the biggest folders become one line each."""
    if not workspace.files:
        return "(no files)"
    text = ""
    if len(workspace.files) <= _LISTED:
        text = "\n".join(_line(entry) for entry in workspace.files)
        if count(text) <= tokens:
            return text
    for limit in (30, 8, 3):
        text = "\n".join(_folded(workspace, limit))
        if count(text) <= tokens:
            return text
    return cut_end(text, tokens)


def _line(entry: Entry) -> str:
    return f"{entry.path} ({size(entry.size)})"


def _folded(workspace: Workspace, limit: int) -> list[str]:
    """Files by folder; a folder with more than ``limit`` files shows how many it has of which kind."""
    by_folder: dict[str, list[Entry]] = {}
    for entry in workspace.files:
        by_folder.setdefault(str(PurePosixPath(entry.path).parent), []).append(entry)
    lines = []
    for folder, entries in sorted(by_folder.items(), key=lambda item: (item[0].count("/"), item[0])):
        if len(entries) <= limit:
            lines += [_line(entry) for entry in entries]
            continue
        kinds = Counter(entry.suffix or "no extension" for entry in entries).most_common(4)
        shown = ", ".join(f"{number} {kind}" for kind, number in kinds)
        total = sum(entry.size for entry in entries)
        lines.append(f"{'' if folder == '.' else folder + '/'}… {len(entries)} files: {shown} ({size(total)})")
    return lines


def _notes(workspace: Workspace) -> list[str]:
    empty = [folder for folder in workspace.folders if not workspace.children(folder)]
    lines = [f"{folder}/ (empty folder)" for folder in empty[:_SKIPPED]]
    lines += [f"{item.path}: left out, {item.reason.value}" for item in workspace.skipped[:_SKIPPED]]
    if len(workspace.skipped) > _SKIPPED:
        lines.append(f"… and {len(workspace.skipped) - _SKIPPED} more left out")
    if not workspace.complete:
        lines.append("(the workspace is larger than what could be listed)")
    return lines


def size(number: int) -> str:
    """A number of bytes for people.

    >>> size(1536)
    '1.5 kB'
    """
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1024 or unit == "GB":
            return f"{number} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{number} B"
