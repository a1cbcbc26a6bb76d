"""``judge evidence`` with trajectories, ways to search, and ways to cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Judge = Any
TASK = "03_Lighthouse_Gridworld_QLearning_RL"


@pytest.fixture
def inputs(root: Path) -> tuple[object, ...]:
    return (root / "devai" / "tasks" / f"{TASK}.json", "-w", root / "devai" / "workspaces", "-t", root / "trajectories")


def modules(ran: Any) -> set[str]:
    return {item["module"] for row in ran.json() for item in row["evidence"]}


def test_retrieved_steps_are_shown_with_their_numbers_and_reasons(judge: Judge, inputs: tuple[object, ...]) -> None:
    ran = judge("evidence", *inputs, "--requirement", 5)
    assert ran.code == 0, ran.err
    assert "steps shown: 7, 8, 9" in ran.out and "Step 9 [last run of `src/evaluate.py`]" in ran.out
    assert "[step 9]" in ran.out
    black = judge("evidence", *inputs, "--requirement", 5, "--setting", "black-box")
    assert "steps shown" not in black.out and "[step 9]" not in black.out


@pytest.mark.parametrize("method", ["bm25", "fuzzy"])
def test_the_module_search_shows_pieces_with_lines_and_score(
    judge: Judge, inputs: tuple[object, ...], method: str
) -> None:
    ran = judge(
        "evidence", *inputs, "-r", 5, "--modules", "graph,search", "--search", method, "--drop-steps", "end", "--json"
    )
    assert ran.code == 0, ran.err
    found = [item for item in ran.json()[0]["evidence"] if item["module"] == "search"]
    assert found and all(item["kind"] == "search" and item["line"] and item["facts"]["score"] for item in found)
    assert f"by {method}" in found[0]["why"]


def test_planning_without_a_model_says_so(judge: Judge, inputs: tuple[object, ...]) -> None:
    ran = judge("evidence", *inputs, "-r", 5, "--modules", "graph,locate,read,memory,planning", "--json")
    assert ran.code == 0 and "planning" in modules(ran) and "memory" not in modules(ran)
    assert "no model" in next(item["text"] for item in ran.json()[0]["evidence"] if item["module"] == "planning")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--search", "magic"), "bm25, embeddings, fuzzy"),
        (("--search", "embeddings"), "embeddings"),
        (("--search", "embeddings", "--embeddings", "folder:/nowhere/at/all"), "is no folder"),
        (("--search", "embeddings", "--embeddings", "openai:tiny"), "OPENAI_API_KEY"),
        (("--drop-steps", "half"), "--drop-steps: expects one of"),
        (("--cut-steps", "half"), "--cut-steps: expects one of"),
    ],
)
def test_what_cannot_be_chosen_is_refused_on_one_line(
    judge: Judge, inputs: tuple[object, ...], options: tuple[str, ...], words: str
) -> None:
    ran = judge("evidence", *inputs, *options)
    assert ran.code == 2 and words in ran.err and len(ran.err.strip().splitlines()) == 1 and not ran.out


def test_secrets_are_masked_unless_told_otherwise(judge: Judge, lab: Any) -> None:
    lab.add("01_A", [[]])
    secret = "ghp_" + "a1B2" * 9
    (lab.workspaces / "01_A" / "src" / "main.py").write_text(f'TOKEN = "{secret}"\nprint("hello")\n', encoding="utf-8")
    assert secret not in judge("evidence", lab.tasks, "-w", lab.workspaces, "--json").json()[0]["messages"][-1]["text"]


def test_memory_and_planning_work_in_a_run(judge: Judge, lab: Any, tmp_path: Path) -> None:
    lab.add("01_A", [[], [0]])
    call = json.dumps({"why": "to see", "call": "read", "path": "src/main.py", "query": "", "line": 1})
    done = json.dumps({"why": "", "call": "done", "path": "", "query": "", "line": 1})
    rules = [
        {"when": ["Answer with the next one."], "reply": done},
        {"when": ["Answer with the first one."], "reply": call},
    ]
    lab.write_script(rules=rules, default={"verdict": "SATISFIED", "reason": "It prints.", "confidence": 0.9})
    out = tmp_path / "run"
    ran = judge(
        "run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "-o", out, "--modules", "graph,memory,planning"
    )
    assert ran.code == 0, ran.err
    calls = lab.lines_of((lab.root / "calls.jsonl").read_text(encoding="utf-8"))
    asked = [item for item in calls if item["purpose"] == "plan"]
    assert len(asked) == 4
    told = [path.read_text(encoding="utf-8") for path in (out / "evidence").glob("*.json")]
    assert any("which may be wrong" in text and "SATISFIED - It prints." in text for text in told)
    assert all('"title": "read src/main.py"' in text for text in told)
