"""``judge sweep``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
S, U = "SATISFIED", "UNSATISFIED"


@pytest.fixture
def file(lab: Any, tmp_path: Path) -> Any:
    """Writes a sweep file over the lab's tasks, with labels that call everything met."""
    lab.add("01_a", [[], [0]])
    lab.add("02_b", [[], []])
    labels = tmp_path / "labels"
    labels.mkdir()
    for path in lab.tasks.iterdir():
        task = json.loads(path.read_text(encoding="utf-8"))
        for item in task["requirements"]:
            item["satisfied"] = True
        (labels / path.name).write_text(json.dumps(task), encoding="utf-8")

    def write(**more: Any) -> Path:
        value = {
            "version": 1,
            "name": "s",
            "tasks": [str(lab.tasks)],
            "labels": str(labels),
            "agents": [{"name": "bot", "workspaces": str(lab.workspaces)}],
            "judges": ["agent"],
            "models": [lab.model],
            "resamples": 50,
            **more,
        }
        path = tmp_path / "s.yaml"
        path.write_text(json.dumps(value), encoding="utf-8")  # JSON is YAML
        return path

    return write


def _cells(out: Path) -> dict[str, dict[str, Any]]:
    report = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    return {item["cell"]["name"]: item for item in report["cells"]}


def test_the_bundled_sweep_from_end_to_end(judge: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = judge("sweep", ROOT / "devai" / "sweeps" / "bundled.yaml", "--out", out)
    assert ran.code == 0
    for title in ("Alignment and judge shift", "Cost and time", "Cells"):
        assert title in ran.out
    report = json.loads((out / "sweep.json").read_text(encoding="utf-8"))
    assert [item["state"] for item in report["cells"]] == ["finished", "finished"]
    assert {item["requirements"] for item in report["cells"]} == {68}
    judges = report["alignment"]["agents"][0]["judges"]
    assert all(item["coverage"]["compared"] == 68 for item in judges)
    page = (out / "sweep.html").read_text(encoding="utf-8")
    assert page.count("<figure>") == 1 and "<script" not in page and "http" not in page.replace("http-equiv", "")
    shown = f"{100 * judges[0]['scores']['alignment']['value']:.2f}%"
    assert shown in ran.out and shown in page and shown in (out / "sweep.md").read_text(encoding="utf-8")
    assert not any("cells" in str(path) for path in (ROOT / "devai" / "workspaces").iterdir())


def test_all_judges_module_sets_and_tables(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    lab.answer(("01_a", 1, {"verdict": U}))
    path = file(
        judges=["rules", "agent", "llm", "human", "majority"],
        module_sets=[["ask"], ["ask", "graph"], ["ask", "graph", "read", "locate"]],
        human_baseline={"hours": 2, "wage": 10},
    )
    ran = judge("sweep", path, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    cells = _cells(tmp_path / "out")
    assert len(cells) == 7 and {item["state"] for item in cells.values()} == {"finished"}
    assert "+graph" in ran.out and "locate" in ran.out and "people: time" in ran.out
    report = json.loads((tmp_path / "out" / "sweep.json").read_text(encoding="utf-8"))
    found = {item["name"]: item for item in report["alignment"]["agents"][0]["judges"]}
    assert found["bot_human"]["scores"]["alignment"]["value"] == 1.0
    llm = next(item for name, item in found.items() if "_llm_" in name)
    assert llm["scores"]["alignment"]["value"] == 0.75
    assert report["baseline"] == {"hours": 2.0, "wage": 10.0, "requirements": 4}
    majority = tmp_path / "out" / "cells" / "bot_majority_black-box"
    assert len(json.loads((majority / "run.json").read_text(encoding="utf-8"))["options"]["panel"]) == 3
    # Each cell is a run folder like any other.
    assert judge("align", majority, "--labels", tmp_path / "labels", "--resamples", 0).code == 0


def test_equal_calls_are_made_once(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    path = file(module_sets=[["ask", "graph"], ["ask", "graph", "read"]])  # nothing is read without locate
    ran = judge("sweep", path, "--out", tmp_path / "out")
    assert ran.code == 0 and len(lab.calls()) == 4
    first, second = _cells(tmp_path / "out").values()
    assert (first["usage"]["calls"], first["shared"]) == (4, 0)
    assert (second["usage"]["calls"], second["shared"]) == (0, 4)


def test_a_finished_sweep_asks_nothing_again(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    lab.answer(("01_a", 1, {"status": 400, "message": "no"}))
    path = file()
    first = judge("sweep", path, "--out", tmp_path / "out")
    assert first.code in {3, 5} and _cells(tmp_path / "out").popitem()[1]["state"] == "incomplete"
    lab.write_script()
    before = len(lab.calls())
    assert judge("sweep", path, "--out", tmp_path / "out").code == 0
    assert len(lab.calls()) == before + 1
    assert judge("sweep", path, "--out", tmp_path / "out").code == 0
    assert len(lab.calls()) == before + 1
    judge("sweep", path, "--out", tmp_path / "out", "--fresh")
    assert len(lab.calls()) == before + 5


def test_a_dry_run_estimates_and_touches_nothing(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    path = file(judges=["rules", "agent", "llm"])
    ran = judge("sweep", path, "--out", tmp_path / "out", "--dry-run")
    assert ran.code == 0 and "Plan: 3 cells" in ran.out
    assert lab.calls() == [] and not (tmp_path / "out").exists()
    plan = judge("sweep", path, "--out", tmp_path / "out", "--dry-run", "--json").json()
    assert plan["total"]["calls"] == 8 and plan["total"]["tokens"] > 1000 and plan["total"]["cost"] == 0.0


def test_a_dry_run_needs_no_key_and_a_run_says_so_first(judge: Any, file: Any, tmp_path: Path) -> None:
    path = file(models=["openai:gpt-4o-mini"], judges=["rules", "agent"])
    plan = judge("sweep", path, "--dry-run", "--json").json()
    assert plan["total"]["cost"] > 0
    ran = judge("sweep", path, "--out", tmp_path / "out")
    assert ran.code == 2 and "OPENAI_API_KEY" in ran.err
    assert not any((tmp_path / "out" / "cells").iterdir())


def test_absent_agents_are_reported_and_not_fatal(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    agents = [{"name": "bot", "workspaces": str(lab.workspaces)}, {"name": "gone", "workspaces": "nowhere"}]
    ran = judge("sweep", file(agents=agents, judges=["rules", "majority"]), "--out", tmp_path / "out")
    assert ran.code == 5
    states = {name: item["state"] for name, item in _cells(tmp_path / "out").items()}
    assert states["bot_rules_black-box"] == "finished" and states["gone_rules_black-box"] == "absent"
    assert states["bot_majority_black-box"] == "absent"
    assert "nowhere is no folder" in ran.out
    alone = judge("sweep", file(agents=agents[1:], judges=["rules"]), "--out", tmp_path / "none")
    assert alone.code == 2 and "no cell can run" in alone.err and not (tmp_path / "none").exists()


def test_tasks_without_workspace_are_left_out_and_said(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    lab.add("03_c", [[]], workspace=False)
    ran = judge("sweep", file(), "--out", tmp_path / "out")
    assert ran.code == 0 and "no workspace for 1 of 3 tasks (03_c)" in ran.err
    (cell,) = _cells(tmp_path / "out").values()
    assert (cell["tasks"], cell["errors"]) == (2, 0)


def test_the_budget_is_that_of_all_cells(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    usage = {"usage": {"cost": 1.0}, "verdict": S}
    lab.write_script(default=usage)
    path = file(judges=["agent", "llm", "rules"], max_cost=5.5)
    ran = judge("sweep", path, "--out", tmp_path / "out", "--concurrency", 1)
    assert ran.code == 4 and len(lab.calls()) <= 6
    cells = _cells(tmp_path / "out")
    states = [item["state"] for item in cells.values()]
    assert states[0] == "finished" and states[1] in {"incomplete", "not reached"} and states[2] == "finished"
    assert sum(item["usage"]["cost"] for item in cells.values()) <= 6.0
    again = judge("sweep", path, "--out", tmp_path / "out", "--concurrency", 1)
    assert again.code == 4 and len(lab.calls()) <= 6
    assert judge("sweep", path, "--out", tmp_path / "out", "--max-cost", 50).code == 0


def test_problems_of_the_file_are_listed_with_lines(judge: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("version: 1\nname: s\njudges: [agnt]\nvotes: [2]\n", encoding="utf-8")
    ran = judge("sweep", path)
    assert ran.code == 2
    assert "line 3: judges[0]" in ran.err and "tasks: is missing" in ran.err and "3 problems" in ran.err
    path.write_text(path.read_text(encoding="utf-8").replace("judges: [agnt]", "judges: [rules]"), encoding="utf-8")
    assert judge("sweep", tmp_path / "nothing.yaml").code == 2


def test_a_foreign_folder_and_a_workspace_are_no_place(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x", encoding="utf-8")
    assert "no folder of a sweep" in judge("sweep", file(), "--out", tmp_path / "full").err
    inside = lab.workspaces / "01_a" / "out"
    assert "inside the judged workspace" in judge("sweep", file(), "--out", inside).err
    assert not inside.exists()


def test_hostile_names_stay_text(judge: Any, lab: Any, file: Any, tmp_path: Path) -> None:
    lab.answer(("01_a", 1, {"text": "<script>alert(1)</script>"}))
    judge("sweep", file(), "--out", tmp_path / "out")
    assert "<script" not in (tmp_path / "out" / "sweep.html").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_keeps_what_is_finished(lab: Any, file: Any, tmp_path: Path) -> None:
    lab.write_script(latency=0.4)
    path = file(judges=["llm", "agent"])
    command = [sys.executable, "-m", "judge", "sweep", str(path), "--out", str(tmp_path / "out"), "-c", "1"]
    started = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    journals = tmp_path / "out" / "cells"
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(item.stat().st_size for item in journals.glob("*/verdicts.jsonl")):
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    assert b"run again" in err and b"Traceback" not in err
    done = sum(len(lab.lines(item.parent)) for item in journals.glob("*/verdicts.jsonl"))
    assert 1 <= done < 8
    before = len(lab.calls())
    lab.write_script()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert again.returncode == 0, again.stderr
    assert len(lab.calls()) <= before + 8 - done


def test_votes_readings_and_cuts_are_cells_of_their_own_and_rows_of_the_ablation(
    judge: Any, lab: Any, file: Any, tmp_path: Path
) -> None:
    strict = [f"Criterion {name}#{number}#" for name, number in (("01_a", 0), ("02_b", 1))]
    rules = [{"when": [text, "Judge the criterion as it is written"], "reply": {"verdict": U}} for text in strict]
    lab.write_script(rules=rules)
    path = file(votes=[1, 3], strictness=["literal", "intent"])
    ran = judge("sweep", path, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    cells = _cells(tmp_path / "out")
    assert len(cells) == 4 and {item["state"] for item in cells.values()} == {"finished"}
    assert {item["cell"]["strictness"]: item["unsatisfied"] for item in cells.values()} == {"literal": 2, "intent": 0}
    for item in cells.values():
        run = json.loads((tmp_path / "out" / "cells" / item["cell"]["name"] / "run.json").read_text(encoding="utf-8"))
        assert run["options"]["votes"] == item["cell"]["votes"]
        assert run["options"]["strictness"] == item["cell"]["strictness"]
        assert item["usage"]["calls"] == (4 if item["cell"]["votes"] == 1 else 8)
    table = ran.out[ran.out.index("Ablation") :]
    for variant in ("3 votes", "intent", "3 votes; intent"):
        assert any(variant in line and "scripted" in line for line in table.splitlines())


def test_search_memory_and_planning_are_modules_of_a_sweep(judge: Any, file: Any, tmp_path: Path) -> None:
    path = file(module_sets=[["graph", "locate", "read", "search", "memory"]], search_methods=["bm25", "fuzzy"])
    ran = judge("sweep", path, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert sorted(item["cell"]["search"] for item in _cells(tmp_path / "out").values()) == ["bm25", "fuzzy"]
