"""The prerequisites of a task as a directed graph, from a prerequisite to what needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    from graphlib import CycleError, TopologicalSorter
    from heapq import heappop, heappush

    position = {item.requirement_id: index for index, item in enumerate(task.requirements)}
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for item in task.requirements:
        sorter.add(item.requirement_id, *({*item.prerequisites} & position.keys() - {item.requirement_id}))
    try:
        sorter.prepare()
    except CycleError:
        cycles = find_cycles({item.requirement_id: item.prerequisites for item in task.requirements})
        ring = " -> ".join(map(str, (*cycles[0], cycles[0][0])))
        raise InputError(f"prerequisites form a cycle: {ring}", where=task.name) from None
    ready: list[int] = []
    found: list[int] = []
    while sorter.is_active():
        for own in sorter.get_ready():
            heappush(ready, position[own])
        found.append(task.requirements[heappop(ready)].requirement_id)
        sorter.done(found[-1])
    return tuple(found)


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
    edges = {own: [other for other in needed if other != own] for own, needed in prerequisites.items()}
    for needed in list(edges.values()):
        for other in needed:
            edges.setdefault(other, [])
    cycles = []
    for group in _groups(edges):
        ring = _ring({own: [other for other in edges[own] if other in group] for own in group}, min(group))
        first = ring.index(min(ring))
        cycles.append(tuple(ring[first:] + ring[:first]))
    return sorted(cycles)


def _groups(edges: Mapping[int, Iterable[int]]) -> Iterator[set[int]]:
    """The groups of two or more that all reach each other, found as Kosaraju did."""
    back: dict[int, list[int]] = {own: [] for own in edges}
    for own, needed in edges.items():
        for other in needed:
            back[other].append(own)
    left: list[int] = []
    seen: set[int] = set()
    for own in edges:
        left += _finished(edges, own, seen)
    taken: set[int] = set()
    for own in reversed(left):
        group = set(_finished(back, own, taken))
        if len(group) > 1:
            yield group


def _finished(edges: Mapping[int, Iterable[int]], start: int, seen: set[int]) -> list[int]:
    """What a node reaches of the unseen, itself included, in the order in which a walk in depth leaves them."""
    if start in seen:
        return []
    seen.add(start)
    left, path = [], [(start, iter(edges[start]))]
    while path:
        own, ways = path[-1]
        other = next((node for node in ways if node not in seen), None)
        if other is None:
            left.append(own)
            path.pop()
        else:
            seen.add(other)
            path.append((other, iter(edges[other])))
    return left


def _ring(edges: Mapping[int, Iterable[int]], start: int) -> list[int]:
    """The first cycle that a walk in depth meets."""
    path, seen = {start: iter(edges[start])}, {start}
    while path:
        own = next(reversed(path))
        other = next((node for node in path[own] if node in path or node not in seen), None)
        if other is None:
            del path[own]
        elif other in path:
            ring = list(path)
            return ring[ring.index(other) :]
        else:
            seen.add(other)
            path[other] = iter(edges[other])
    raise ValueError("no cycle")
