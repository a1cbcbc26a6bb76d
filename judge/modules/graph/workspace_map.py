"""The workspace as a short text for prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from judge.modules.graph.facts import CodeFile
from judge.modules.graph.graph import WorkspaceGraph
from judge.modules.graph.outline import outline
from judge.modules.graph.summary import written
from judge.tokens import count, cut_end
from judge.workspace import Workspace

MAX_LISTED = 400
"""Files of one listing before folders are summed up instead."""
MAX_ARTEFACTS = 60


def workspace_map(graph: WorkspaceGraph, workspace: Workspace, budget_tokens: int) -> str:
    """Folders and files with sizes, outlines of the code, entry points, and which code writes which artefact.

    The most detailed form that fits is chosen; when none fits, the end is cut.

    Args:
        graph: The workspace's graph.
        workspace: The workspace.
        budget_tokens: Tokens the text may take.
    """
    forms: tuple[Callable[[], str], ...] = (
        lambda: _text(graph, workspace, lambda code: outline(code)),
        lambda: _text(graph, workspace, lambda code: outline(code, signatures=False)),
        lambda: _text(graph, workspace, _names),
        lambda: _text(graph, workspace, lambda _: ""),
    )
    text = ""
    for form in forms:
        text = form()
        if len(text) < 40 * budget_tokens and count(text) <= budget_tokens:
            return text
    return cut_end(text[: 40 * budget_tokens], budget_tokens)


def _text(graph: WorkspaceGraph, workspace: Workspace, shown: Callable[[CodeFile], str]) -> str:
    parts = [_entry_line(graph), *_tree(graph, workspace, shown), *_artefacts(graph)]
    return "\n".join(part for part in parts if part)


def _entry_line(graph: WorkspaceGraph) -> str:
    if not graph.files:
        return "no source code was analysed"
    if graph.library and not graph.entries:
        return "entry points: none (library-like; everything public counts as reachable)"
    return "entry points: " + ", ".join(f"{path} ({graph.entries[path]})" for path in graph.entry_points()[:30])


def _tree(graph: WorkspaceGraph, workspace: Workspace, shown: Callable[[CodeFile], str]) -> Iterable[str]:
    if len(workspace.files) > MAX_LISTED:
        yield from _folder_sums(workspace)
        listed = [entry for entry in workspace.files if entry.path in graph.files][:MAX_LISTED]
    else:
        listed = list(workspace.files)
    for entry in listed:
        code = graph.files.get(entry.path)
        notes = [size(entry.size)]
        if code is not None:
            notes.append(code.language)
            notes.extend([f"syntax error: {code.error}"] if code.error else [])
        elif entry.path in graph.unparsed:
            notes.append(f"{graph.languages[entry.path]}, {graph.unparsed[entry.path]}")
        yield f"{workspace.display(entry)}  ({', '.join(notes)})"
        text = shown(code) if code is not None else ""
        if text:
            yield "\n".join(f"    {line}" for line in text.split("\n"))


def _folder_sums(workspace: Workspace) -> Iterable[str]:
    sums: dict[str, list[int]] = {}
    for entry in workspace.files:
        folder = "/".join(entry.path.split("/")[:-1][:2]) or "."
        sums.setdefault(folder, []).append(entry.size)
    for folder, sizes in sorted(sums.items())[:MAX_LISTED]:
        yield f"{folder}/  ({len(sizes)} files, {size(sum(sizes))})"


def _names(code: CodeFile) -> str:
    return ", ".join(item.qualname for item in code.definitions[:60])


def _artefacts(graph: WorkspaceGraph) -> Iterable[str]:
    """Who writes what."""
    lines: list[str] = []
    for pattern, path, accesses in written(graph):
        first = accesses[0]
        where = f"{path}:{first.line}" + (f" in {first.scope}" if first.scope else "")
        note = "" if any(item.reachable for item in accesses) else ", not reached"
        lines.append(f"  {pattern} <- {where} ({first.call.rpartition('.')[2]}{note})")
    if lines:
        yield "written by code:"
        yield from lines[:MAX_ARTEFACTS]
        if len(lines) > MAX_ARTEFACTS:
            yield f"  and {len(lines) - MAX_ARTEFACTS} more"


def size(number: int) -> str:
    """Bytes for people."""
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number} {unit}"
        number //= 1000
    return f"{number} GB"
