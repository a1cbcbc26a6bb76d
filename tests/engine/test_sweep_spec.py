"""Sweep files: strict, every problem at once with its line, and what they expand to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.engine.sweep import expand, load_sweep, parse_sweep
from judge.results import SweepSpec

ROOT = Path(__file__).resolve().parents[2]
GOOD: dict[str, Any] = {
    "version": 1,
    "name": "s",
    "tasks": ["tasks"],
    "labels": "labels",
    "agents": [{"name": "a", "workspaces": "ws", "trajectories": "steps"}],
    "settings": ["black-box", "gray-box"],
    "judges": ["rules"],
}


def _problems(text: str) -> list[tuple[int, str, str]]:
    loaded = parse_sweep(text.encode())
    assert loaded.spec is None
    return [tuple(item) for item in loaded.problems]


def _spec(**more: Any) -> SweepSpec:
    loaded = parse_sweep(json.dumps({**GOOD, **more}).encode())
    assert loaded.spec is not None, loaded.problems
    return loaded.spec


def test_every_problem_comes_with_its_line() -> None:
    text = """version: 2
name: "a b"
tasks: []
agents:
  - name: x
    workspace: foo
  - name: y
    workspaces: foo
    labels: 3
settings: [white-box]
judges: [agent, oracle]
module_sets: [[ask, serch]]
truncations: [{drop: all}]
votes: [1]
votes: [1]
max_cost: "3"
"""
    found = _problems(text)
    assert [(line, place) for line, place, _ in found] == [
        (1, "version"),
        (2, "name"),
        (3, "tasks"),
        (5, "agents[0].workspaces"),
        (6, "agents[0].workspace"),
        (9, "agents[1].labels"),
        (10, "settings[0]"),
        (11, "judges[1]"),
        (12, "module_sets[0][1]"),
        (13, "truncations[0].drop"),
        (15, "votes"),
        (16, "max_cost"),
    ]
    by_place = {place: what for _, place, what in found}
    assert "'search'" in by_place["module_sets[0][1]"] and "'middle'" in by_place["truncations[0].drop"]
    assert by_place["agents[0].workspace"] == "unknown key"


@pytest.mark.parametrize(
    ("more", "place", "message"),
    [
        ({"votes": [2]}, "votes[0]", "odd number of votes, not 2"),
        ({"votes": [3, 3]}, "votes[1]", "is there twice"),
        ({"search_methods": ["embeddings"]}, "search_methods", "what makes them"),
        ({"truncations": [{}, {"drop": "beginning"}]}, "truncations[1]", "is there twice"),
        ({"strictness": ["intent", "intent"]}, "strictness[1]", "is there twice"),
        ({"judges": ["agent", "llm"]}, "judges", "no model for agent and llm"),
        ({"judges": ["majority"]}, "judges", "needs other judges"),
        ({"judges": ["rules", "rules"]}, "judges[1]", "is there twice"),
        ({"module_sets": [["ask", "graph"], ["graph", "ask"]]}, "module_sets[1]", "is there twice"),
        ({"agents": [{"name": "a", "workspaces": "w"}]}, "settings", "gray-box needs"),
        ({"agents": [{**GOOD["agents"][0]}, {**GOOD["agents"][0], "name": "A"}]}, "agents[1].name", "twice"),
        ({"labels": None, "judges": ["human"]}, "agents[0]", "needs `labels:` or `raters:`"),
    ],
)
def test_what_makes_no_sense_is_refused(more: dict[str, Any], place: str, message: str) -> None:
    found = _problems(json.dumps({**GOOD, **more}))
    assert [(item[1], message in item[2]) for item in found] == [(place, True)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"a: [",
        b"- 1",
        b"a: &a [*a]",
        b"a: " + b"[" * 5000,
        b"? [a]\n: b",
        b"a: !!python/object:os.system x",
        b"a: &x [1]\n" + b"".join(b"b%d: &y%d [*x,*x,*x]\n" % (n, n) for n in range(50)),
    ],
)
def test_what_is_no_sweep_file_is_said(data: bytes) -> None:
    loaded = parse_sweep(data)
    assert loaded.spec is None and loaded.problems
    assert all("\n" not in str(item) for item in loaded.problems)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda it: st.lists(it) | st.dictionaries(st.text(), it)
    )
)
def test_any_yaml_is_a_list_of_problems(value: Any) -> None:
    data = yaml.safe_dump({**GOOD, "judges": value}).encode("utf-8", "replace")
    parse_sweep(data)


def test_every_combination_is_a_cell() -> None:
    spec = _spec(
        judges=["majority", "agent", "llm", "rules", "human"],
        models=["openai:x/y", "openai:x-y"],
        module_sets=[["ask"], ["ask", "graph"]],
    )
    cells = expand(spec)
    counts = {
        judge: sum(cell.judge == judge for cell in cells) for judge in ("agent", "llm", "rules", "human", "majority")
    }
    assert counts == {"agent": 8, "llm": 4, "rules": 2, "human": 1, "majority": 2}
    assert len({cell.name.casefold() for cell in cells}) == len(cells)
    assert all("/" not in cell.name and ":" not in cell.name for cell in cells)
    assert [cell.judge for cell in cells][-2:] == ["majority", "majority"]
    assert expand(spec) == cells


def test_raters_are_one_cell_each() -> None:
    spec = _spec(judges=["human"], agents=[{**GOOD["agents"][0], "raters": {"bo": "b", "ann": "a"}}])
    assert [(cell.rater, cell.title) for cell in expand(spec)] == [("ann", "human: ann"), ("bo", "human: bo")]


@pytest.mark.parametrize("path", sorted((ROOT / "devai" / "sweeps").glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_sweeps_are_valid(path: Path) -> None:
    assert load_sweep(path).problems == ()
    schema = json.loads((ROOT / "judge" / "jsonschema" / "sweep.json").read_text(encoding="utf-8"))
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema)


def test_votes_search_truncation_and_strictness_are_cells_with_names_of_their_own() -> None:
    spec = _spec(
        judges=["agent", "llm", "rules"],
        settings=["black-box", "gray-box"],
        models=["openai:x"],
        module_sets=[["ask"], ["graph", "locate", "read", "search", "retrieve", "memory", "planning", "ask"]],
        votes=[1, 3],
        search_methods=["bm25", "fuzzy"],
        truncations=[{}, {"drop": "end"}, {"cut": "beginning"}],
        strictness=["literal", "intent"],
    )
    cells = expand(spec)
    assert len({cell.name.casefold() for cell in cells}) == len(
        {(cell.agent, cell.title, cell.setting) for cell in cells}
    )
    assert len({cell.name for cell in cells}) == len(cells)
    bare = [cell for cell in cells if cell.modules == ("ask",)]
    assert len(bare) == 2 * 2 * 2  # settings, votes, strictness: it ranks nothing and shows no steps
    whole = {setting: [c for c in cells if len(c.modules) == 8 and c.setting == setting] for setting in spec.settings}
    assert [len(found) for found in whole.values()] == [2 * 2 * 2, 2 * 2 * 2 * 3]
    assert len([cell for cell in cells if cell.judge == "llm"]) == 8
    assert len([cell for cell in cells if cell.judge == "rules"]) == 2
    assert "agent openai:x ask (3 votes; intent)" in [cell.title for cell in cells]
    assert any("drop end, cut middle" in cell.title and "fuzzy" in cell.title for cell in cells)
