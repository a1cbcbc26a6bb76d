"""Places a small directed graph in layers, left to right, with few crossings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SWEEPS = 8
_MOST_EDGES = 2_000
_MOST_POINTS = 2_000
"""Above this, long edges go straight."""

Edge = tuple[int, int]
_Node = tuple[int, ...]
"""A node ``(id,)``, or the point ``(from, to, layer)`` where a long edge crosses a layer."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Where everything stands, in units of one layer and one row.

    Attributes:
        nodes: Node -> (layer, row).
        routes: Edge -> the points it passes, both ends included.
        back: Edges that close a cycle; they have a straight route.
        implied: Edges that a longer path says as well.
        width: Number of layers.
        height: Number of rows, at least 1.
    """

    nodes: Mapping[int, tuple[float, float]]
    routes: Mapping[Edge, Sequence[tuple[float, float]]]
    back: frozenset[Edge]
    implied: frozenset[Edge]
    width: int
    height: float


def layered(nodes: Sequence[int], edges: Iterable[Edge]) -> Layers:
    """Lays out a graph; links to itself or to a node that is not there are left out.

    Args:
        nodes: In the order in which they should stand where nothing else decides.
        edges: From what comes first to what rests on it.
    """
    known = dict.fromkeys(nodes)
    wanted = list(dict.fromkeys((a, b) for a, b in edges if a != b and a in known and b in known))[:_MOST_EDGES]
    back = _back_edges(list(known), wanted)
    forward = [edge for edge in wanted if edge not in back]
    layer = _layers(list(known), forward)
    columns, chains = _columns(list(known), forward, layer)
    for sweep in range(_SWEEPS):
        _sort(columns, chains, forwards=sweep % 2 == 0)
    rows = _rows(columns, chains)
    lowest = min(rows.values(), default=0.0)
    place = {node: (float(index), rows[node] - lowest) for index, column in enumerate(columns) for node in column}
    routes: dict[Edge, Sequence[tuple[float, float]]] = {
        edge: [place[node] for node in chain] for edge, chain in chains.items()
    }
    routes.update({(a, b): [place[(a,)], place[(b,)]] for a, b in back})
    return Layers(
        nodes={node: place[(node,)] for node in known},
        routes=routes,
        back=frozenset(back),
        implied=_implied(forward, layer),
        width=max(1, len(columns)),
        height=max(rows.values(), default=0.0) - lowest + 1,
    )


def _back_edges(nodes: Sequence[int], edges: Sequence[Edge]) -> set[Edge]:
    """Edges whose removal leaves no cycle."""
    after: dict[int, list[int]] = {node: [] for node in nodes}
    for a, b in edges:
        after[a].append(b)
    state = dict.fromkeys(nodes, 0)
    back: set[Edge] = set()
    for start in nodes:
        stack = [(start, iter(after[start]))] if not state[start] else []
        state[start] = state[start] or 1
        while stack:
            node, rest = stack[-1]
            other = next(rest, None)
            if other is None:
                state[node] = 2
                stack.pop()
            elif state[other] == 1:
                back.add((node, other))
            elif state[other] == 0:
                state[other] = 1
                stack.append((other, iter(after[other])))
    return back


def _layers(nodes: Sequence[int], edges: Sequence[Edge]) -> dict[int, int]:
    """The longest path that leads to each node."""
    before: dict[int, list[int]] = {node: [] for node in nodes}
    after: dict[int, list[int]] = {node: [] for node in nodes}
    for a, b in edges:
        before[b].append(a)
        after[a].append(b)
    layer = dict.fromkeys(nodes, 0)
    missing = {node: len(before[node]) for node in nodes}
    ready = [node for node in nodes if not missing[node]]
    while ready:
        node = ready.pop()
        for other in after[node]:
            layer[other] = max(layer[other], layer[node] + 1)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    return layer


def _columns(
    nodes: Sequence[int], edges: Sequence[Edge], layer: Mapping[int, int]
) -> tuple[list[list[_Node]], dict[Edge, list[_Node]]]:
    columns: list[list[_Node]] = [[] for _ in range(max(layer.values(), default=0) + 1)]
    for node in nodes:
        columns[layer[node]].append((node,))
    chains: dict[Edge, list[_Node]] = {}
    crossings = sum(layer[b] - layer[a] - 1 for a, b in edges)
    for a, b in edges:
        between = range(layer[a] + 1, layer[b]) if crossings <= _MOST_POINTS else ()
        points: list[_Node] = [(a, b, index) for index in between]
        for point in points:
            columns[point[2]].append(point)
        chains[(a, b)] = [(a,), *points, (b,)]
    return columns, chains


def _neighbours(chains: Mapping[Edge, list[_Node]]) -> tuple[dict[_Node, list[_Node]], dict[_Node, list[_Node]]]:
    left: dict[_Node, list[_Node]] = {}
    right: dict[_Node, list[_Node]] = {}
    for chain in chains.values():
        for a, b in pairwise(chain):
            right.setdefault(a, []).append(b)
            left.setdefault(b, []).append(a)
    return left, right


def _sort(columns: list[list[_Node]], chains: Mapping[Edge, list[_Node]], *, forwards: bool) -> None:
    """Orders each column by where its neighbours on one side stand."""
    left, right = _neighbours(chains)
    beside = left if forwards else right
    order = range(1, len(columns)) if forwards else range(len(columns) - 2, -1, -1)
    position = {node: float(row) for column in columns for row, node in enumerate(column)}
    for index in order:
        column = columns[index]
        wanted = {node: _mean([position[other] for other in beside.get(node, ())], position[node]) for node in column}
        column.sort(key=lambda node: wanted[node])
        position.update({node: float(row) for row, node in enumerate(column)})


def _rows(columns: Sequence[Sequence[_Node]], chains: Mapping[Edge, list[_Node]]) -> dict[_Node, float]:
    """A row for every node: near its neighbours, and apart from those in its column."""
    left, right = _neighbours(chains)
    rows = {node: row - (len(column) - 1) / 2 for column in columns for row, node in enumerate(column)}
    for _ in range(_SWEEPS):
        for column in columns:
            wanted = [
                _mean([rows[other] for other in (*left.get(node, ()), *right.get(node, ()))], rows[node])
                for node in column
            ]
            for node, row in zip(column, _apart(column, wanted), strict=True):
                rows[node] = row
    return rows


def _apart(column: Sequence[_Node], wanted: Sequence[float]) -> list[float]:
    """Rows in this order, as near to the wanted ones as the distances allow."""
    gaps = [
        1.0 if len(a) == 1 and len(b) == 1 else 0.6 if len(a) == 1 or len(b) == 1 else 0.35 for a, b in pairwise(column)
    ]
    down, up = list(wanted), list(wanted)
    for index, gap in enumerate(gaps):
        down[index + 1] = max(down[index + 1], down[index] + gap)
    for index in range(len(gaps) - 1, -1, -1):
        up[index] = min(up[index], up[index + 1] - gaps[index])
    return [(a + b) / 2 for a, b in zip(down, up, strict=True)]


def _implied(edges: Sequence[Edge], layer: Mapping[int, int]) -> frozenset[Edge]:
    after: dict[int, list[int]] = {}
    for a, b in edges:
        after.setdefault(a, []).append(b)

    def reaches(start: int, goal: int, direct: bool) -> bool:
        stack = [node for node in after.get(start, ()) if direct or node != goal]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if node == goal:
                return True
            if node not in seen and layer[node] < layer[goal]:
                seen.add(node)
                stack += after.get(node, ())
        return False

    return frozenset((a, b) for a, b in edges if layer[b] - layer[a] > 1 and reaches(a, b, direct=False))


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
