"""The prerequisites of a task as a directed graph, from a prerequisite to what needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.schemas import Task

if TYPE_CHECKING:
    import networkx as nx


def dependency_graph(task: Task) -> nx.DiGraph[int]:
    """The graph of a task: nodes are requirement ids, with ``criteria`` and ``position``.

    Edges lead from a prerequisite to what needs it. Links to itself or to a requirement that is not there are left out.
    """
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph(name=task.name)
    for position, item in enumerate(task.requirements):
        graph.add_node(item.requirement_id, criteria=item.criteria, position=position)
    for item in task.requirements:
        own = item.requirement_id
        graph.add_edges_from((other, own) for other in item.prerequisites if other != own and other in graph)
    return graph


def order(task: Task) -> tuple[int, ...]:
    """Requirement ids so that prerequisites come first; where they leave a choice, as in the file.

    Raises:
        InputError: The prerequisites form a cycle.
    """
    import networkx as nx

    graph = dependency_graph(task)
    position = {item.requirement_id: index for index, item in enumerate(task.requirements)}
    try:
        return tuple(nx.lexicographical_topological_sort(graph, key=lambda node: position[node]))
    except nx.NetworkXUnfeasible:
        cycles = find_cycles({item.requirement_id: item.prerequisites for item in task.requirements})
        ring = " -> ".join(map(str, (*cycles[0], cycles[0][0]))) if cycles else "?"
        raise InputError(f"prerequisites form a cycle: {ring}", where=task.name) from None


def ancestors(task: Task, requirement_id: int) -> frozenset[int]:
    """All requirements that one rests on, directly or not.

    Raises:
        KeyError: There is no such requirement.
    """
    return _reach({item.requirement_id: item.prerequisites for item in task.requirements}, requirement_id)


def descendants(task: Task, requirement_id: int) -> frozenset[int]:
    """All requirements that rest on one, directly or not.

    Raises:
        KeyError: There is no such requirement.
    """
    needed_by: dict[int, list[int]] = {item.requirement_id: [] for item in task.requirements}
    for item in task.requirements:
        for other in item.prerequisites:
            needed_by.setdefault(other, []).append(item.requirement_id)
    return _reach(needed_by, requirement_id)


def _reach(edges: Mapping[int, Iterable[int]], start: int) -> frozenset[int]:
    seen: set[int] = set()
    stack = list(edges[start])
    while stack:
        node = stack.pop()
        if node not in seen and node in edges:
            seen.add(node)
            stack.extend(edges[node])
    return frozenset(seen - {start})


def find_cycles(prerequisites: Mapping[int, Iterable[int]]) -> list[tuple[int, ...]]:
    """One cycle for every group of requirements that need each other, in the direction of the prerequisites."""
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(prerequisites)
    graph.add_edges_from((own, other) for own, needed in prerequisites.items() for other in needed if own != other)
    cycles = []
    for group in nx.strongly_connected_components(graph):
        if len(group) > 1:
            start = min(group)
            edges = nx.find_cycle(graph.subgraph(group), source=start)
            ring = [edge[0] for edge in edges]
            first = ring.index(min(ring))
            cycles.append(tuple(ring[first:] + ring[:first]))
    return sorted(cycles)
