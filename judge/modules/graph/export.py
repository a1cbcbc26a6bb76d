"""The graph in formats other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx

    from judge.modules.graph.graph import WorkspaceGraph

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


def node_link(graph: networkx.MultiDiGraph[str]) -> dict[str, Any]:
    """Node-link data with the list of edges under ``edges``, as networkx 3.6 and later read by default."""
    import networkx

    data: dict[str, Any] = networkx.node_link_data(graph, edges="edges")
    return data


def graphml(graph: networkx.MultiDiGraph[str]) -> str:
    """GraphML; attributes without a value are left out, because the format has none."""
    import networkx

    plain: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for key, data in graph.nodes(data=True):
        plain.add_node(_xml(key), **_scalars(data))
    for source, target, data in graph.edges(data=True):
        plain.add_edge(_xml(source), _xml(target), **_scalars(data))
    return "\n".join(networkx.generate_graphml(plain)) + "\n"


def _scalars(data: dict[str, Any]) -> dict[str, Any]:
    return {key: _xml(value) if isinstance(value, str) else value for key, value in data.items() if value is not None}


def _xml(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return "".join(
        char
        if char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff" and not "\ud800" <= char <= "\udfff")
        else "\ufffd"
        for char in text
    )


def dot(graph: networkx.MultiDiGraph[str]) -> str:
    """Graphviz DOT."""
    lines = ["digraph workspace {", "  rankdir=LR;", '  node [shape=box, style=filled, fontname="sans-serif"];']
    for key, data in graph.nodes(data=True):
        label = data.get("qualname") or data.get("name") or key
        dead = ", fontcolor=gray50" if data.get("reachable") is False else ""
        colour = _COLOURS.get(data["kind"], "#ffffff")
        lines.append(f'  {quote(key)} [label={quote(str(label))}, fillcolor="{colour}"{dead}];')
    for source, target, data in graph.edges(data=True):
        style = ", style=dotted" if data["kind"] == "contains" else ""
        lines.append(f"  {quote(source)} -> {quote(target)} [label={quote(data['kind'])}{style}];")
    return "\n".join([*lines, "}", ""])


def quote(text: str) -> str:
    """A DOT string: quotes and backslashes escaped, line ends and control characters made visible."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\\\x{ord(char):02x}" for char in escaped) + '"'


def focus(graph: WorkspaceGraph, place: str) -> networkx.MultiDiGraph[str]:
    """The part of the graph around a file or definition: what it holds, and everything one step away.

    Args:
        graph: The workspace graph.
        place: ``PATH`` or ``PATH:SYMBOL``.

    Raises:
        KeyError: There is no such file or definition.
    """
    start = find_place(graph, place)
    inside = {start}
    queue = [start]
    while queue:
        for _, target, data in graph.nx.out_edges(queue.pop(), data=True):
            if data["kind"] == "contains" and target not in inside:
                inside.add(target)
                queue.append(target)
    around = set(inside)
    for key in inside:
        around.update(graph.nx.successors(key))
        around.update(graph.nx.predecessors(key))
    kept = graph.nx.subgraph([key for key in graph.nx if key in around])
    result: networkx.MultiDiGraph[str] = kept.copy()
    return result


def find_place(graph: WorkspaceGraph, place: str) -> str:
    """The node of ``PATH``, ``PATH:SYMBOL`` or a node id.

    Raises:
        KeyError: There is none.
    """
    from judge.modules.graph.graph import normal

    for candidate in (place, normal(place), normal(place.rstrip("/"))):
        if candidate in graph.nx:
            return candidate
    path, _, symbol = place.rpartition(":")
    path = normal(path.rstrip(":"))
    if path and f"{path}::{symbol}" in graph.nx:
        return f"{path}::{symbol}"
    endings = [key for key in graph.nx if key.startswith(f"{path}::") and key.endswith(f".{symbol}")]
    if len(endings) == 1 and path:
        return endings[0]
    raise KeyError(place)
