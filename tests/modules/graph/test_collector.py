"""The garbage collector rests while a graph is built, and makes up for it before the next one."""

from __future__ import annotations

import gc

import pytest

from judge.modules.graph import collector


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One item for each full collection, after more was spared than may be."""
    found: list[str] = []
    monkeypatch.setattr(collector.gc, "collect", lambda: found.append("full"))
    monkeypatch.setattr(collector, "_patience", collector._Patience())
    monkeypatch.setattr(collector._patience, "_spared", collector._OVERDUE + 1)
    return found


def test_no_collection_within_and_the_old_state_after() -> None:
    assert gc.isenabled()
    with collector.no_collections(), collector.no_collections(another=True):
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with collector.no_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_overdue_waits_for_another_graph(full: list[str]) -> None:
    with collector.no_collections():
        pass
    assert full == []
    with collector.no_collections(another=True):
        pass
    with collector.no_collections(another=True):
        pass
    assert full == ["full"]


def test_a_graph_within_a_graph_is_not_held_up(full: list[str]) -> None:
    with collector.no_collections(), collector.no_collections(another=True):
        assert full == []
