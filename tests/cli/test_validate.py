from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from judge.cli.validate import validate
from judge.errors import InputError

app = typer.Typer()
app.command()(validate)


def run(*arguments: object) -> tuple[int, list[str]]:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout.splitlines()


def task(name: str = "t", **changes: Any) -> dict[str, Any]:
    return {"name": name, "query": "q", "requirements": [{"requirement_id": 0, "criteria": "A"}]} | changes


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_the_official_tasks_are_valid(shared_dir: Path) -> None:
    code, lines = run(shared_dir / "devai" / "instances")
    assert code == 0
    assert lines[-1] == "55 tasks, 365 requirements, 125 preferences, 2 warnings, 0 invalid"
    assert len(lines) == 3 and all(": warning: $.requirements[" in line for line in lines[:2])


def test_the_whole_official_data_is_valid(shared_dir: Path) -> None:
    code, lines = run(shared_dir / "devai")
    assert code == 0
    assert lines[-1].startswith(
        "55 tasks, 365 requirements, 125 preferences, 1 trajectory, 34 steps, 220 label sets, 1464 labels"
    )


def test_label_drift_is_listed_and_no_failure(shared_dir: Path) -> None:
    labels = shared_dir / "devai" / "judgment" / "MetaGPT" / "human_as_a_judge"
    code, lines = run(labels, "--tasks", shared_dir / "devai")
    assert code == 0
    assert lines[-1].startswith("55 label sets, 366 labels, ")
    assert any("requirement 2: moved" in line for line in lines)


def test_every_problem_of_every_file_is_one_line(tmp_path: Path) -> None:
    put(tmp_path / "a.json", task(query=3, requirements=[{"requirement_id": 0}]))
    put(tmp_path / "b.json", '{"name": "b",\n"query": "')
    put(tmp_path / "c.json", task("c"))
    put(tmp_path / "package.json", {"x": 1})
    code, lines = run(tmp_path)
    assert code == 2
    assert [line.removeprefix(f"{tmp_path}/").partition(" ")[0] for line in lines] == [
        "a.json:",
        "a.json:",
        "b.json:",
        "package.json:",
        "1",
    ]
    assert "$.query: is 3 (expected what the agent was asked)" in lines[0]
    assert "line 2, column 10" in lines[2]
    assert lines[-1] == "1 task, 1 requirement, 0 preferences, 1 warning, 2 invalid"


def test_json_output_tells_the_same(tmp_path: Path) -> None:
    put(tmp_path / "a.json", task(query=3))
    code, lines = run(tmp_path, "--json")
    report = json.loads("\n".join(lines))
    assert code == 2 and report["valid"] is False
    assert report["files"][0]["kind"] == "task"
    assert report["files"][0]["problems"] == [
        {"path": "$.query", "what": "is 3", "expected": "what the agent was asked"}
    ]
    assert report["summary"] == {"tasks": 0, "requirements": 0, "preferences": 0, "warnings": 0, "invalid": 1}


def test_trajectories_are_checked_against_the_schema(tmp_path: Path) -> None:
    step = {"step": 0, "user_message": None, "agent": {"thought": "", "action": None}, "environment": None}
    path = put(tmp_path / "t.json", [step])
    code, lines = run(path)
    assert code == 2
    assert [line.split(": ")[1] for line in lines[:-1]] == ["$[0].accumulated_usage", "$[0].step_usage"] or len(
        lines
    ) == 3
    assert run(put(tmp_path / "e.json", []), "--kind", "trajectory")[0] == 0


def test_kind_forces_the_check(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", task())
    assert run(path)[0] == 0
    assert run(path, "--kind", "trajectory")[0] == 2
    code, lines = run(path, "--kind", "labels")
    assert code == 0 and lines[-1] == "1 label set, 0 labels, 0 warnings, 0 invalid"
    assert run(path, "--kind", "nonsense")[0] == 2


def test_unknown_files_named_by_the_user_are_invalid(tmp_path: Path) -> None:
    code, lines = run(put(tmp_path / "x.json", {"a": 1}))
    assert code == 2 and "is no task, no trajectory and no labels" in lines[0]


def test_missing_paths_and_empty_folders_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(InputError):
            run(path)


def test_odd_file_names_stay_on_one_line(tmp_path: Path) -> None:
    put(tmp_path / "a\nb\x1b[31m.json", task(query=3))
    _, lines = run(tmp_path)
    assert len(lines) == 2 and "a\\nb\\u001b[31m.json" in lines[0]


def test_a_data_set_of_parts_is_checked_whole(tmp_path: Path) -> None:
    put(tmp_path / "tasks" / "t.json", task())
    labelled = task()
    labelled["requirements"][0]["satisfied"] = True
    put(tmp_path / "labels" / "t.json", labelled)
    code, lines = run(tmp_path)
    assert code == 0
    assert lines == ["1 task, 1 requirement, 0 preferences, 1 label set, 1 label, 0 warnings, 0 invalid"]


def test_a_broken_link_in_a_folder_does_not_hide_the_other_problems(judge: Any, tmp_path: Path) -> None:
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "gone.json").symlink_to("nowhere.json")
    (folder / "half.json").write_text('{"name":', encoding="utf-8")
    ran = judge("validate", folder, "--kind", "task")
    assert ran.code == 2 and "gone.json" in ran.out and "half.json" in ran.out
