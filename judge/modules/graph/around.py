"""One file or definition with its neighbours, for a person to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.modules.graph.export import find_place
from judge.modules.graph.outline import outline, snippet

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph

MAX_LINES = 80


def around(graph: WorkspaceGraph, place: str) -> str:
    """A definition's source, or a file's outline, and its edges in both directions.

    Raises:
        KeyError: There is no such file or definition.
    """
    key = find_place(graph, place)
    data = graph.nx.nodes[key]
    title = f"{data['kind']} {key}"
    if data.get("line"):
        title += f"  lines {data['line']}-{data['end_line']}"
    if data.get("reachable") is False:
        title += "  (not reached from an entry point)"
    return "\n".join([title, *_body(graph, key, data), *_edges(graph, key)])


def _body(graph: WorkspaceGraph, key: str, data: dict[str, Any]) -> list[str]:
    code = graph.files.get(data["path"])
    if code is None:
        return []
    if "::" in key:
        try:
            source = snippet(code, data["qualname"])
        except KeyError:
            return []
        lines = source.text.split("\n")
        shown = [f"{number:>6}  {text}" for number, text in enumerate(lines[:MAX_LINES], source.line)]
        return [*shown, *([f"        … {len(lines) - MAX_LINES} more lines"] if len(lines) > MAX_LINES else [])]
    return [f"  {line}" for line in outline(code).split("\n") if line]


def _edges(graph: WorkspaceGraph, key: str) -> list[str]:
    lines = []
    for _, target, data in graph.nx.out_edges(key, data=True):
        if data["kind"] != "contains":
            shown = data.get("name") or target if target.startswith("package:") else target
            lines.append(f"  {data['kind']} -> {shown}{_at(data)}")
    for source, _, data in graph.nx.in_edges(key, data=True):
        lines.append(f"  {'in' if data['kind'] == 'contains' else data['kind'] + ' <-'} {source}{_at(data)}")
    return list(dict.fromkeys(lines))


def _at(data: dict[str, Any]) -> str:
    return f"  (line {data['line']})" if data.get("line") else ""
