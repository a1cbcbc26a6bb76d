"""The graph in formats other programs read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph
    from judge.modules.graph.rows import Edge, Rows

_COLOURS = {
    "folder": "#d9d9d9",
    "file": "#f0f0f0",
    "module": "#9ecae1",
    "class": "#fdd0a2",
    "function": "#c7e9c0",
    "method": "#c7e9c0",
    "cell": "#dadaeb",
    "config": "#f0f0f0",
    "package": "#bcbddc",
    "artefact": "#fee391",
}


def node_link(rows: Rows) -> dict[str, Any]:
    """Node-link data with the list of edges under ``edges``, as networkx 3.6 and later read by default."""
    return {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [{**data, "id": key} for key, data in rows.nodes.items()],
        "edges": [
            {**data, "source": source, "target": target, "key": key} for (source, target, data), key in _keyed(rows)
        ],
    }


def _keyed(rows: Rows) -> Iterator[tuple[Edge, int]]:
    """The edges in the order of networkx, by source and target, each with its number among those of the same two."""
    for key in rows.nodes:
        targets: dict[str, list[Edge]] = {}
        for edge in rows.leaving.get(key, ()):
            targets.setdefault(edge[1], []).append(edge)
        for edges in targets.values():
            for number, edge in enumerate(edges):
                yield edge, number


def json_text(rows: Rows) -> str:
    """Node-link data as JSON with one line a node and an edge."""
    data = node_link(rows)
    parts = []
    for name, value in data.items():
        if name in {"nodes", "edges"}:
            items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value)
            parts.append(f' "{name}": [\n{items}\n ]' if items else f' "{name}": []')
        else:
            parts.append(f' "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def graphml(rows: Rows) -> str:
    """GraphML; attributes without a value are left out, because the format has none."""
    import networkx

    plain: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for key, data in rows.nodes.items():
        name = _xml(key)
        while name in taken:  # two names that differ only in what XML cannot hold
            name += "\ufffd"
        taken.add(name)
        ids[key] = name
        plain.add_node(name, **_scalars(data))
    for (source, target, data), number in _keyed(rows):
        plain.add_edge(ids[source], ids[target], key=number, **_scalars(data))
    return "\n".join(networkx.generate_graphml(plain)) + "\n"


def _scalars(data: dict[str, Any]) -> dict[str, Any]:
    return {key: _xml(value) if isinstance(value, str) else value for key, value in data.items() if value is not None}


def _xml(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char
        if char in "\t\n" or (char >= " " and char not in "\ufffe\uffff" and not "\ud800" <= char <= "\udfff")
        else "\ufffd"
        for char in text
    )


def dot(rows: Rows) -> str:
    """Graphviz DOT."""
    lines = ["digraph workspace {", "  rankdir=LR;", '  node [shape=box, style=filled, fontname="sans-serif"];']
    for key, data in rows.nodes.items():
        label = data.get("qualname") or data.get("name") or key
        dead = ", fontcolor=gray50" if data.get("reachable") is False else ""
        colour = _COLOURS.get(data["kind"], "#ffffff")
        lines.append(f'  {quote(key)} [label={quote(str(label))}, fillcolor="{colour}"{dead}];')
    for source, target, data in rows.edges:
        style = ", style=dotted" if data["kind"] == "contains" else ""
        lines.append(f"  {quote(source)} -> {quote(target)} [label={quote(data['kind'])}{style}];")
    return "\n".join([*lines, "}", ""])


def quote(text: str) -> str:
    """A DOT string: quotes and backslashes escaped, line ends and control characters made visible."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\\\x{ord(char):02x}" for char in escaped) + '"'


def find_place(graph: WorkspaceGraph, place: str) -> str:
    """The node of ``PATH``, ``PATH:SYMBOL`` or a node id.

    Raises:
        KeyError: There is none.
    """
    from judge.modules.graph.graph import normal

    nodes = graph.rows.nodes
    for candidate in (place, normal(place), normal(place.rstrip("/"))):
        if candidate in nodes:
            return candidate
    path, _, symbol = place.rpartition(":")
    path = normal(path.rstrip(":"))
    if path and f"{path}::{symbol}" in nodes:
        return f"{path}::{symbol}"
    endings = [key for key in nodes if key.startswith(f"{path}::") and key.endswith(f".{symbol}")]
    if len(endings) == 1 and path:
        return endings[0]
    raise KeyError(place)
