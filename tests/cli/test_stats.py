"""``judge stats``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _workspace(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _trajectory(path: Path, costs: list[float | None], **usage: Any) -> None:
    steps = []
    for number, cost in enumerate(costs):
        known = {} if cost is None else {"cost": cost, "input_tokens": 10, "output_tokens": 2, **usage}
        known = known | ({} if cost is None else {"step_execution_time": 1.5})
        steps.append(
            {
                "step": number,
                "user_message": None,
                "agent": {"thought": "t", "action": "ls", "agent_name": "a"},
                "environment": "out",
                "step_usage": known or None,
                "accumulated_usage": None,
            }
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(steps), encoding="utf-8")


def test_the_averages_are_those_of_the_files(judge: Any, tmp_path: Path) -> None:
    ws, steps = tmp_path / "ws", tmp_path / "steps"
    _workspace(ws / "a", {"src/x.py": "a = 1\n\nb = 2\n", "src/y.sh": "ls\n", "data.csv": "1\n2\n"})
    _workspace(ws / "b", {"notes.txt": "no code\n"})
    _trajectory(steps / "a.json", [0.5, 0.25])
    _trajectory(steps / "b.json", [0.5, None, 0.5])
    ran = judge("stats", f"mine={ws}", "-t", f"mine={steps}", "--json")
    assert ran.code == 0
    (agent,) = ran.json()["agents"]
    assert agent["agent"] == "mine" and (agent["workspaces"], agent["trajectories"]) == (2, 2)
    assert agent["cost"] == {"value": 0.75, "n": 1, "unknown": 1}
    assert agent["seconds"] == {"value": 3.0, "n": 1, "unknown": 1}
    assert agent["tokens"] == {"value": 24.0, "n": 1, "unknown": 1}
    assert agent["steps"] == {"value": 2.5, "n": 2, "unknown": 0}
    assert agent["files"] == {"value": 2.0, "n": 2, "unknown": 0}
    assert agent["code_files"]["value"] == 1.0 and agent["lines"]["value"] == 1.5
    assert agent["lines_per_file"] == {"value": 1.5, "n": 1, "unknown": 1}


def test_what_is_not_known_is_called_unknown(judge: Any, tmp_path: Path) -> None:
    _workspace(tmp_path / "ws" / "a", {"x.py": "a = 1\n"})
    ran = judge("stats", tmp_path / "ws")
    row = ran.out.splitlines()[-1].split()
    assert row[:5] == ["ws", "unknown", "unknown", "unknown", "unknown"]
    assert "0.0000" not in ran.out


def test_a_broken_trajectory_is_said_and_unknown(judge: Any, tmp_path: Path) -> None:
    _trajectory(tmp_path / "s" / "a.json", [0.5])
    (tmp_path / "s" / "b.json").write_text("{", encoding="utf-8")
    ran = judge("stats", "-t", f"x={tmp_path / 's'}", "--json")
    assert ran.json()["agents"][0]["cost"] == {"value": 0.5, "n": 1, "unknown": 1}
    assert len(ran.json()["notes"]) == 1 and "b.json" in ran.err


def test_the_official_layout_is_understood(judge: Any, tmp_path: Path) -> None:
    base = tmp_path / "official" / "benchmark"
    task = ROOT / "devai" / "tasks" / "01_Seabird_Species_Classification_RandomForest_FieldNotes_ML.json"
    (base / "devai" / "instances").mkdir(parents=True)
    (base / "devai" / "instances" / task.name).write_bytes(task.read_bytes())
    for agent in ("A", "B"):
        _workspace(base / "workspaces" / agent / "01_t", {"x.py": "a = 1\n"})
    _trajectory(base / "trajectories" / "A" / "01_t.json", [0.5])
    agents = judge("stats", tmp_path / "official", "--json").json()["agents"]
    assert [(item["agent"], item["steps"]["n"], item["files"]["n"]) for item in agents] == [("A", 1, 1), ("B", 0, 1)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((), "nothing to look at"), (("nowhere",), "is no folder"), (("-t", "nowhere"), "no trajectories")],
)
def test_what_is_not_there_is_one_line(judge: Any, arguments: tuple[str, ...], message: str) -> None:
    ran = judge("stats", *arguments)
    assert ran.code == 2 and message in ran.err and len(ran.err.splitlines()) == 1


def test_the_bundled_agent(judge: Any) -> None:
    ran = judge("stats", f"bundled={ROOT / 'devai' / 'workspaces'}", "-t", f"bundled={ROOT / 'trajectories'}", "--json")
    (agent,) = ran.json()["agents"]
    assert agent["files"]["n"] == 10 and agent["cost"]["n"] == 10 and agent["cost"]["value"] > 0


def test_folders_of_tasks_and_labels_are_no_workspaces(judge: Any, tmp_path: Path) -> None:
    ran = judge("stats", ROOT / "devai")
    assert ran.code == 2 and "devai/workspaces" in ran.err and len(ran.err.strip().splitlines()) == 1
    task = json.dumps({"name": "01_a", "query": "q", "requirements": []})
    _workspace(tmp_path / "all" / "labels", {"01_a.json": task})
    ran = judge("stats", tmp_path / "all")
    assert ran.code == 2 and "task files or labels" in ran.err
    _workspace(tmp_path / "all" / "01_a", {"a.py": "x = 1\n", "config.json": "{}"})
    _workspace(tmp_path / "all" / "02_b", {"data.json": "[1]"})
    ran = judge("stats", tmp_path / "all", "--json")
    assert ran.code == 0 and ran.json()["agents"][0]["workspaces"] == 2
