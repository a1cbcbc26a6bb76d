"""The layout of the prerequisite graph."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from judge.report.layers import layered


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=40))
def test_any_graph_can_be_drawn(size: int, edges: list[tuple[int, int]]) -> None:
    laid = layered(range(size), edges)
    assert set(laid.nodes) == set(range(size))
    inside = {(a, b) for a, b in edges if a != b and a < size and b < size}
    assert set(laid.routes) == inside
    for (a, b), route in laid.routes.items():
        assert route[0] == laid.nodes[a] and route[-1] == laid.nodes[b]
        if (a, b) not in laid.back:
            assert laid.nodes[a][0] < laid.nodes[b][0]
    for one, other in combinations(laid.nodes.values(), 2):
        assert one[0] != other[0] or abs(one[1] - other[1]) >= 0.999
    assert all(0 <= x < laid.width and 0 <= y <= laid.height - 1 + 1e-9 for x, y in laid.nodes.values())


def test_a_cycle_is_cut_once() -> None:
    assert len(layered([0, 1, 2], [(0, 1), (1, 2), (2, 0)]).back) == 1


def test_an_edge_that_a_longer_path_says_is_known() -> None:
    assert layered([0, 1, 2], [(0, 1), (1, 2), (0, 2)]).implied == {(0, 2)}


def test_a_large_graph_is_fast() -> None:
    nodes = range(300)
    assert layered(nodes, [(a, b) for a in nodes for b in range(a + 1, min(a + 6, 300))]).width == 300
    assert layered(nodes, [(a, b) for b in nodes for a in range(b)]).width > 1
