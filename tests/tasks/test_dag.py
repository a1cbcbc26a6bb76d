from __future__ import annotations

import subprocess
import sys

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.schemas import Requirement, Task
from judge.tasks import ancestors, dependency_graph, descendants, find_cycles, order


def make(links: dict[int, tuple[int, ...]]) -> Task:
    items = tuple(Requirement(requirement_id=i, prerequisites=p, criteria=f"c{i}") for i, p in links.items())
    return Task(name="t", query="q", requirements=items)


def test_edges_lead_from_the_prerequisite() -> None:
    graph = dependency_graph(make({0: (), 1: (0, 1, 9)}))
    assert isinstance(graph, nx.DiGraph)
    assert list(graph.edges) == [(0, 1)]
    assert graph.nodes[1]["criteria"] == "c1"


def test_order_keeps_the_file_where_it_may() -> None:
    assert order(make({5: (), 3: (1,), 1: (), 2: (5,)})) == (5, 1, 3, 2)


def test_order_names_a_cycle() -> None:
    with pytest.raises(InputError, match="0 -> 1 -> 0"):
        order(make({0: (1,), 1: (0,)}))


def test_reach_is_transitive() -> None:
    chain = make({0: (), 1: (0,), 2: (1,), 3: ()})
    assert ancestors(chain, 2) == {0, 1}
    assert descendants(chain, 0) == {1, 2}
    assert ancestors(chain, 3) == descendants(chain, 3) == frozenset()
    with pytest.raises(KeyError):
        ancestors(chain, 9)


@given(st.dictionaries(st.integers(0, 12), st.lists(st.integers(0, 12), max_size=4).map(tuple), max_size=12))
def test_order_respects_every_link_or_names_a_real_cycle(links: dict[int, tuple[int, ...]]) -> None:
    known = {own: tuple(p for p in needed if p in links and p != own) for own, needed in links.items()}
    cycles = find_cycles(known)
    for cycle in cycles:
        assert all(b in known[a] for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    graph = nx.DiGraph([(own, other) for own, needed in known.items() for other in needed])
    groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
    assert len(cycles) == len(groups)
    assert all(any(group >= set(cycle) for group in groups) and len(set(cycle)) == len(cycle) for cycle in cycles)
    if cycles or not known:
        return
    position = {own: at for at, own in enumerate(known)}
    graph = dependency_graph(make(known))
    assert list(order(make(known))) == list(nx.lexicographical_topological_sort(graph, key=position.__getitem__))
    ranks = {number: rank for rank, number in enumerate(order(make(known)))}
    assert len(ranks) == len(known)
    assert all(ranks[p] < ranks[own] for own, needed in known.items() for p in needed)


def test_long_chains_and_rings_take_linear_time() -> None:
    many = 30_000
    chain = {number: (number - 1,) if number else () for number in range(many)}
    assert find_cycles(chain) == []
    assert find_cycles(chain | {0: (many - 1,)}) == [(0, *range(many - 1, 0, -1))]
    pairs = {number: (number ^ 1, number - 2) if number > 1 else (number ^ 1,) for number in range(many)}
    assert find_cycles(pairs) == [(number, number + 1) for number in range(0, many, 2)]


def test_networkx_is_not_imported_for_the_order() -> None:
    code = (
        "import sys; from judge.tasks import find_cycles, order; from judge.schemas import Task; "
        "find_cycles({1: (2,), 2: (1,)}); "
        "order(Task.model_validate({'name': 't', 'query': 'q', 'requirements': []})); "
        "assert 'networkx' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
