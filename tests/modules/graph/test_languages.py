"""Every language: definitions, calls across files, imports, files read and written, what can run, broken syntax."""

from __future__ import annotations

import pytest

from judge.modules.graph import EdgeKind, WorkspaceGraph
from judge.modules.graph.facts import Body, Definition
from judge.modules.graph.languages import family_of
from tests.modules.graph.conftest import Make
from tests.modules.graph.project import Project
from tests.modules.graph.projects_native import PROJECTS as NATIVE
from tests.modules.graph.projects_objects import PROJECTS as OBJECTS
from tests.modules.graph.projects_pages import PROJECTS as PAGES
from tests.modules.graph.projects_scripts import PROJECTS as SCRIPTS

PROJECTS = [*OBJECTS, *NATIVE, *SCRIPTS, *PAGES]


def _edges(graph: WorkspaceGraph, kind: EdgeKind, *, short: bool = True) -> set[tuple[str, str]]:
    def name(node: str) -> str:
        return node.partition("::")[2] if short else node

    return {(name(a), name(b)) for a, b, data in graph.nx.edges(data=True) if data["kind"] == kind}


def _definitions(graph: WorkspaceGraph) -> dict[str, Definition]:
    return {item.qualname: item for code in graph.files.values() for item in code.definitions}


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.language)
def test_project(make: Make, project: Project) -> None:
    graph = make(project.files)
    known = _definitions(graph)
    assert project.definitions <= set(known)
    assert {name for name in project.stubs if known[name].body is not Body.STUB} == set()
    family = family_of(project.language)
    entries = {path: str(kind) for path, kind in graph.entries.items() if family_of(graph.languages[path]) == family}
    assert entries == project.entries
    assert project.calls <= _edges(graph, EdgeKind.CALLS)
    assert project.imports <= _edges(graph, EdgeKind.IMPORTS, short=False)
    packages = {node.removeprefix("package:") for node in graph.nx if node.startswith("package:")}
    assert project.packages <= packages
    assert project.inherits <= _edges(graph, EdgeKind.INHERITS)
    assert project.tests <= _edges(graph, EdgeKind.TESTS)
    for path, reachable in project.writes.items():
        assert any(access.reachable for _, access in graph.writers(path)) == reachable, path
        assert graph.writers(path), path
    for path, reachable in project.reads.items():
        assert graph.readers(path), path
        assert any(access.reachable for _, access in graph.readers(path)) == reachable, path
    assert {name for name in project.dead if known[name].reachable} == set()
    live = {name for pair in project.calls for name in pair if name} - project.dead
    assert {name for name in live if name in known and not known[name].reachable} == set()
    shown = {b for _, b in _edges(graph, EdgeKind.DISPLAYS, short=False)}
    assert project.displays <= shown
    for path, name in project.broken.items():
        assert graph.files[path].error
        assert any(item.qualname.endswith(name) for item in graph.files[path].definitions)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.language)
def test_the_same_facts_each_time(make: Make, project: Project) -> None:
    first, second = make(project.files), make(project.files)
    assert first.to_node_link() == second.to_node_link()
    assert first.files == second.files
