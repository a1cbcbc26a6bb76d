"""Nodes and edges as plain rows: what every output is made of, and what networkx is filled with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from judge.modules.graph.kinds import EdgeKind

if TYPE_CHECKING:
    import networkx

Edge = tuple[str, str, dict[str, Any]]
_CONTAINS = EdgeKind.CONTAINS.value


@dataclass
class Rows:
    """A graph before it is put into a library's shape.

    Attributes:
        nodes: Attributes of every node by its id.
        edges: Source, target and attributes.
    """

    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    @cached_property
    def leaving(self) -> dict[str, list[Edge]]:
        """Edges by their source."""
        found: dict[str, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge[0], []).append(edge)
        return found

    @cached_property
    def entering(self) -> dict[str, list[Edge]]:
        """Edges by their target."""
        found: dict[str, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge[1], []).append(edge)
        return found

    def inside(self, key: str) -> list[str]:
        """A node and everything that it contains, at any depth."""
        found = [key]
        for item in found:
            found.extend(edge[1] for edge in self.leaving.get(item, ()) if edge[2]["kind"] == _CONTAINS)
        return found

    def around(self, key: str, depth: int = 1) -> Rows:
        """The part of the graph within some steps of a node and of what it contains."""
        kept = dict.fromkeys(self.inside(key))
        edge_of = list(kept)
        for _ in range(depth):
            near = [edge[1] for item in edge_of for edge in self.leaving.get(item, ())]
            near += [edge[0] for item in edge_of for edge in self.entering.get(item, ())]
            edge_of = [item for item in dict.fromkeys(near) if item not in kept]
            kept.update(dict.fromkeys(edge_of))
        return self.part(kept)

    def part(self, keys: Iterable[str]) -> Rows:
        """Some of the nodes, in the order of the whole, and the edges between them."""
        kept = set(keys)
        nodes = {key: data for key, data in self.nodes.items() if key in kept}
        return Rows(nodes, [edge for edge in self.edges if edge[0] in kept and edge[1] in kept])

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """The same as a networkx graph, which shares the attributes."""
        import networkx

        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        if not self._fill(graph):
            graph.add_nodes_from(self.nodes.items())
            graph.add_edges_from(self.edges)
        return graph

    def _fill(self, graph: Any) -> bool:
        """Put everything into the tables of an empty graph, which takes a sixth of the time of its methods.

        Returns:
            Whether they are the plain dictionaries they have been in every release; nothing was done if not.
        """
        node, succ, pred = (getattr(graph, name, None) for name in ("_node", "_succ", "_pred"))
        if type(node) is not dict or type(succ) is not dict or type(pred) is not dict:
            return False
        for key, data in self.nodes.items():
            node[key], succ[key], pred[key] = data, {}, {}
        for source, target, data in self.edges:
            between = succ[source].get(target)
            if between is None:
                succ[source][target] = pred[target][source] = {0: data}
            else:
                between[len(between)] = data
        return True

    def to_plain(self) -> list[Any]:
        """Plain data: the nodes, and the edges with the places of their ends among the nodes."""
        place = {key: number for number, key in enumerate(self.nodes)}
        return [self.nodes, [[place[source], place[target], data] for source, target, data in self.edges]]

    @classmethod
    def from_plain(cls, plain: Any) -> Rows:
        """What :meth:`to_plain` made plain.

        Raises:
            TypeError, ValueError, IndexError: It is something else.
        """
        nodes, edges = plain
        keys = list(nodes)
        return cls(dict(nodes), [(keys[source], keys[target], data) for source, target, data in edges])
