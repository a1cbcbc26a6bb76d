from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.schemas import Requirement, Task
from judge.tasks import Drift, find_layout, join_labels, load_labels, load_tasks, normalise_criterion


def labels(name: str, *items: tuple[int, str, Any]) -> dict[str, Any]:
    made = [{"requirement_id": i, "criteria": text, "satisfied": value} for i, text, value in items]
    return {"name": name, "requirements": made}


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def make(*texts: str) -> Task:
    items = tuple(Requirement(requirement_id=i, criteria=text) for i, text in enumerate(texts))
    return Task(name="t", query="q", requirements=items)


def test_official_labels_join_and_drift_is_reported(shared_dir: Path) -> None:
    tasks = {item.task.name: item.task for item in load_tasks([shared_dir / "devai"]).tasks}
    found = load_labels(shared_dir / "devai" / "judgment" / "OpenHands")
    assert len(found.tasks) == 55 and not found.invalid
    given_labels = [label.satisfied for item in found.tasks.values() for label in item.requirements.values()]
    assert len(given_labels) == 366
    assert round(100 * sum(map(bool, given_labels)) / 366, 2) == 42.90
    drifting = {name for name, task in tasks.items() if join_labels(task, found.tasks[name]).drift}
    assert {name[:2] for name in drifting} == {"27", "52"}


def test_null_is_unlabelled(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", labels("t", (0, "A", True), (1, "B", None), (2, "C", False)))
    found = load_labels(path).tasks["t"]
    assert {i: label.satisfied for i, label in found.requirements.items()} == {0: True, 1: None, 2: False}


def test_quotes_spacing_and_case_are_no_drift() -> None:
    assert normalise_criterion('The "A"  is in `x/y.py`.') == normalise_criterion("the A is in “x/y.py”")
    assert normalise_criterion("x < 0.5") != normalise_criterion("x > 0.5")


@given(st.text(max_size=50))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise_criterion(text)
    assert normalise_criterion(once) == once


def test_labels_are_joined_by_id_then_by_text(tmp_path: Path) -> None:
    data = labels("t", (0, "`One`", True), (1, "Extra", True), (2, "Two", False), (3, "Trois", True))
    found = load_labels(put(tmp_path / "a.json", data)).tasks["t"]
    joined = join_labels(make("One", "Two", "Lost", "Three"), found)
    assert joined.satisfied == {0: True, 1: False, 2: None, 3: True}
    assert {(number, kind) for number, kind, _ in joined.drift} == {
        (1, Drift.MOVED),
        (1, Drift.EXTRA),
        (2, Drift.MISSING),
        (3, Drift.TEXT),
    }


def test_problems_of_label_files_are_reported_whole(tmp_path: Path) -> None:
    bad = labels("t", (0, "A", "yes"), (0, "B", True), (-1, "C", 1))
    bad["requirements"].append("x")
    put(tmp_path / "a.json", bad)
    put(tmp_path / "b.json", labels("u", (0, "A", True)))
    put(tmp_path / "c.json", {"other": 1})
    found = load_labels(tmp_path)
    assert list(found.tasks) == ["u"]
    assert [p.path for p in found.invalid[0].problems] == [
        "$.requirements[0].satisfied",
        "$.requirements[1].requirement_id",
        "$.requirements[2].requirement_id",
        "$.requirements[2].satisfied",
        "$.requirements[3]",
    ]
    assert len(found.warnings) == 1


def test_folders_of_several_judges_ask_which(tmp_path: Path) -> None:
    for agent in ("A", "B"):
        put(tmp_path / agent / "human_as_a_judge" / "t.json", labels("t", (0, "A", True)))
        put(tmp_path / agent / "agent_as_a_judge" / "gray_box" / "t.json", labels("t", (0, "A", False)))
    with pytest.raises(InputError, match="several judges"):
        load_labels(tmp_path)
    assert load_labels(tmp_path / "A").tasks["t"].requirements[0].satisfied is True
    assert load_labels(tmp_path / "A" / "agent_as_a_judge").tasks["t"].requirements[0].satisfied is False


@pytest.mark.parametrize("beside", [True, False])
def test_the_official_layout_is_found_from_any_level(tmp_path: Path, beside: bool) -> None:
    base = tmp_path / "repo" / "benchmark"
    data = base if beside else base / "devai"
    put(base / "devai" / "instances" / "t.json", {"name": "t", "query": "q", "requirements": []})
    put(data / "judgment" / "A" / "human_as_a_judge" / "t.json", {})
    (data / "workspaces" / "A" / "t").mkdir(parents=True)
    (data / "trajectories" / "A").mkdir(parents=True)
    for level in (tmp_path / "repo", base, base / "devai"):
        layout = find_layout(level)
        assert layout is not None and layout.instances is not None
        assert layout.instances.resolve() == base / "devai" / "instances"
        assert list(layout.workspaces) == list(layout.trajectories) == ["A"]
        assert list(layout.judgments["A"]) == ["human_as_a_judge"]
    assert find_layout(tmp_path) is None
