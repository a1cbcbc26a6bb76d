"""SWE-agent and mini-SWE-agent in their versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import Effect, Outcome, convert, file_history
from tests.trajectories.converted import actions, only, rows, save, tokens

USER = {"role": "user", "content": "Count the plants."}


def step(action: str, observation: str | None, thought: str = "", **more: Any) -> dict[str, Any]:
    return {"action": action, "observation": observation, "thought": thought, "response": thought, "state": {}, **more}


def state(open_file: str = "n/a", folder: str = "/plants") -> str:
    return json.dumps({"open_file": open_file, "working_dir": folder}) + "\n"


def test_v0_edits_name_the_file_that_is_open(tmp_path: Path) -> None:
    steps = [
        step("create src/a.py\n", "[File: src/a.py (1 lines total)]", state=state("/plants/src/a.py")),
        step("edit 1:1\nimport os\nprint(1)\nend_of_edit\n", "[File: ...]", state=state("/plants/src/a.py")),
        step("python src/a.py\n", "1\r\n", state=state("/plants/src/a.py")),
        step("edit 'print(1)' 'print(2)'", "replaced", state=state("/plants/src/a.py")),
    ]
    item = only(save(tmp_path / "t", {"trajectory": steps, "history": [USER], "info": {}}), "swe-agent")
    assert item.trajectory.steps[0].user_message == "Count the plants."
    history = file_history(item.trajectory)
    found = [(event.step, event.effect, event.path) for event in history.all_events if event.path == "src/a.py"]
    assert found == [
        (0, Effect.WRITTEN, "src/a.py"),
        (1, Effect.EDITED, "src/a.py"),
        (2, Effect.EXECUTED, "src/a.py"),
        (3, Effect.EDITED, "src/a.py"),
    ]
    assert history.runs_of("src/a.py")[0].outcome is Outcome.OK


@pytest.mark.parametrize(
    "more",
    [
        {"history": [{"role": "system", "content": "x"}, {**USER, "is_demo": True, "content": "demo"}, USER]},
        {"history": [{**USER, "message_type": "demonstration", "content": "demo"}, {**USER, "agent": "main"}]},
        {"replay_config": {"problem_statement": {"text": "Count the plants."}}},
        {},
    ],
    ids=["demonstration", "marked by its type", "no history", "query of the first step"],
)
def test_the_task_is_found(more: dict[str, Any], tmp_path: Path) -> None:
    asked = [
        {"role": "system", "content": "x"},
        {"role": "user", "content": [{"type": "text", "text": USER["content"]}]},
    ]
    steps = [step("ls", "a", query=[] if more else asked)]
    item = only(save(tmp_path / "t", {"trajectory": steps, "info": {}, **more}), "swe-agent")
    assert rows(item) == [("Count the plants.", "", "ls", "a")]


def test_ends_of_runs(tmp_path: Path) -> None:
    steps = [
        step("", "Your output was not formatted correctly.", "no command", execution_time=0.5),
        step("submit", None),
        step("exit_cost", ""),
    ]
    info = {"exit_status": "submitted (exit_cost)", "model_stats": {"total_cost": 0, "tokens_sent": 5}}
    item = only(save(tmp_path / "t", {"trajectory": steps, "history": [], "info": info}), "swe-agent")
    assert rows(item)[0] == (None, "no command", None, "Your output was not formatted correctly.")
    assert item.trajectory.problems == ()
    assert item.report.notes["exit status"] == "submitted (exit_cost)"
    assert (item.report.stated.input_tokens, item.report.stated.output_tokens, item.report.stated.cost) == (5, None, 0)
    assert item.trajectory.steps[0].usage.step_execution_time == 0.5


def test_a_history_alone_is_enough(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    history = [
        {"role": "system", "content": "x", "agent": "main"},
        {**USER, "agent": "main"},
        {"role": "assistant", "content": "I look.", "thought": "I look.", "tool_calls": [call], "agent": "main"},
        {"role": "tool", "content": "a.py", "tool_call_ids": ["c1"], "agent": "main"},
        {"role": "assistant", "content": "x", "thought": "Done.", "action": "submit\n", "agent": "main"},
    ]
    item = only(save(tmp_path / "t", {"history": history, "environment": "e"}), "swe-agent")
    assert actions(item) == [("ls", "a.py"), ("submit", None)]


MINI = {"info": {"model_stats": {"instance_cost": 0.1}}, "trajectory_format": "mini-swe-agent-1.1"}


def mini(*messages: dict[str, Any]) -> dict[str, Any]:
    return {**MINI, "messages": [{"role": "system", "content": "x"}, USER, *messages]}


def says(text: object, **extra: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "extra": extra}


FENCED = "THOUGHT: I look.\n\n```mswea_bash_command\nls\n```"
RESULT = {"role": "user", "content": "<returncode>0</returncode>\n<output>a</output>"}
CASES: dict[str, tuple[dict[str, Any], list[tuple[str | None, str | None]]]] = {
    "a fenced block": (mini(says(FENCED), RESULT), [("ls", RESULT["content"])]),
    "lists as content": (
        mini(says([{"type": "text", "text": FENCED}]), {**RESULT, "content": [{"type": "text", "text": "a"}]}),
        [("ls", "a")],
    ),
    "actions beside the text": (
        mini(says("I look.", actions=[{"command": "ls"}, {"command": "pwd"}]), RESULT, {**RESULT, "content": "/w"}),
        [("ls", RESULT["content"]), ("pwd", "/w")],
    ),
    "the answers of another interface": (
        mini(
            {
                "object": "response",
                "output": [
                    {"type": "message", "content": [{"type": "output_text", "text": "I look."}]},
                    {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
                ],
            },
            {"type": "function_call_output", "call_id": "c1", "output": "a"},
        ),
        [("ls", "a")],
    ),
    "a run that was ended": (mini(says(FENCED), {"role": "exit", "content": ""}), [("ls", None)]),
}


@pytest.mark.parametrize("case", CASES)
def test_mini(case: str, tmp_path: Path) -> None:
    value, wanted = CASES[case]
    item = only(save(tmp_path / "t", value), "mini-swe-agent")
    assert actions(item) == wanted
    assert item.trajectory.problems == ()
    assert item.trajectory.steps[0].user_message == "Count the plants."
    assert item.trajectory.steps[0].thought


def test_mini_the_person_interrupts(tmp_path: Path) -> None:
    value = mini(
        says("I look.", actions=[{"command": "ls"}]),
        {"role": "user", "content": "Use wc.", "extra": {"interrupt_type": "UserInterruption"}},
        says("Yes.", actions=[{"command": "wc -l a"}], cost=0.02),
        {**RESULT, "extra": {"returncode": 3}},
        says("Hm."),
        {"role": "user", "content": "Found 0 actions; give exactly one.", "extra": {"interrupt_type": "FormatError"}},
    )
    item = only(save(tmp_path / "t", value), "mini-swe-agent")
    assert [row[0] for row in rows(item)] == ["Count the plants.", "Use wc.", None]
    assert [row[3] for row in rows(item)][1:] == [RESULT["content"], "Found 0 actions; give exactly one."]
    assert (item.trajectory.steps[1].model_extra or {})["exit_code"] == 3
    assert [row[2] for row in tokens(item)] == [None, 0.02, None]


def test_mini_a_run_without_any_answer_is_one(tmp_path: Path) -> None:
    value = {
        "info": {"exit_status": "Timeout", "model_stats": {}},
        "messages": [],
        "trajectory_format": "mini-swe-agent-1",
    }
    (item,) = convert(save(tmp_path / "t", value))
    assert item.trajectory.steps == () and item.report.notes["exit status"] == "Timeout"
