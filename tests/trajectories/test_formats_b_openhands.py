"""OpenHands in its versions: what real files differ in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import Effect, file_history
from tests.trajectories.converted import actions, only, save, tokens

TASK = {"id": 1, "source": "user", "action": "message", "args": {"content": "Count the plants."}}


def act(id: object, kind: str, args: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "source": "agent", "action": kind, "args": {"thought": "", **(args or {})}, "message": "", **more}


def obs(cause: object, kind: str, content: str, **more: Any) -> dict[str, Any]:
    return {
        "id": more.pop("id", None),
        "source": "agent",
        "cause": cause,
        "observation": kind,
        "content": content,
        "extras": {},
        **more,
    }


def run(id: object, command: str, **more: Any) -> dict[str, Any]:
    return act(id, "run", {"command": command}, **more)


def metrics(cost: float, tokens_in: int) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_in // 100}
    return {"accumulated_cost": cost, "accumulated_token_usage": usage}


V0: dict[str, tuple[list[dict[str, Any]], list[tuple[str | None, str | None]]]] = {
    "ids as text": (
        [TASK, run("2", "ls"), run("3", "pwd"), obs("3", "run", "/w"), obs("2", "run", "a.py")],
        [("ls", "a.py"), ("pwd", "/w")],
    ),
    "no ids and no causes": (
        [TASK, run(None, "ls"), obs(None, "run", "a"), run(None, "pwd"), obs(None, "run", "/w")],
        [("ls", "a"), ("pwd", "/w")],
    ),
    "a call without a result does not shift the others": (
        [TASK, run(-1, "sleep 9"), run(-1, "pwd"), obs(-1, "run", "/w"), run(-1, "ls"), obs(-1, "run", "a")],
        [("sleep 9", None), ("pwd", "/w"), ("ls", "a")],
    ),
    "a result of a call that is not there": (
        [TASK, run(2, "ls"), obs(77, "run", "lost"), obs(2, "run", "a")],
        [("ls", "a")],
    ),
    "MCP": (
        [
            TASK,
            act(2, "call_tool_mcp", {"name": "fetch", "arguments": {"url": "http://localhost/"}}),
            obs(2, "mcp", "page"),
        ],
        [('fetch {"url": "http://localhost/"}', "page")],
    ),
    "rejected": (
        [TASK, run(2, "rm -r data"), obs(2, "user_rejected", "No, keep it.")],
        [("rm -r data", "Error (reported by the tool):\nNo, keep it.")],
    ),
    "error": ([TASK, run(2, "ls"), obs(2, "error", "it failed")], [("ls", "it failed")]),
    "joined by the id of the model's call": (
        [
            TASK,
            run(None, "ls", tool_call_metadata={"tool_call_id": "t1"}),
            run(None, "pwd", tool_call_metadata={"tool_call_id": "t2"}),
            obs(None, "run", "/w", tool_call_metadata={"tool_call_id": "t2"}),
            obs(None, "run", "a", tool_call_metadata={"tool_call_id": "t1"}),
        ],
        [("ls", "a"), ("pwd", "/w")],
    ),
    "status lines and unknown kinds": (
        [
            {"status_update": True, "type": "info", "message": "x"},
            TASK,
            act(2, "juggle", {"balls": 3}),
            obs(2, "x", "ok"),
        ],
        [('juggle {"balls": 3}', "ok")],
    ),
    "thinking": ([TASK, act(2, "think", {"thought": "Hm."}), obs(2, "think", "logged")], [("think", "logged")]),
    "keys sent to a running program": (
        [TASK, act(2, "run", {"command": "C-c", "is_input": True}), obs(2, "run", "^C")],
        [("C-c", "^C")],
    ),
}


@pytest.mark.parametrize("case", V0)
@pytest.mark.parametrize("wrapped", [False, True], ids=["list", "export"])
def test_v0(case: str, wrapped: bool, tmp_path: Path) -> None:
    events, wanted = V0[case]
    path = save(tmp_path / "t", {"version": "1", "feedback": "positive", "trajectory": events} if wrapped else events)
    item = only(path, "openhands")
    assert actions(item) == wanted
    assert item.trajectory.steps[0].user_message == "Count the plants."


@pytest.mark.parametrize("shared", [True, False], ids=["totals go on", "the delegate counts from zero"])
def test_v0_delegates_stand_behind_their_call_and_count_once(shared: bool, tmp_path: Path) -> None:
    inner = [metrics(0.03, 300), metrics(0.04, 400)] if shared else [metrics(0.01, 100), metrics(0.02, 200)]
    events = [
        TASK,
        run(2, "ls", llm_metrics=metrics(0.01, 100)),
        obs(2, "run", "a"),
        act(3, "delegate", {"agent": "Browser", "inputs": {"task": "look"}}, llm_metrics=metrics(0.02, 200)),
        {"id": 4, "source": "user", "action": "message", "args": {"content": "TASK: look"}},
        act(5, "browse", {"url": "http://localhost/"}, llm_metrics=inner[0]),
        obs(5, "browse", "page"),
        act(6, "finish", {"outputs": {"a": 1}, "thought": "seen"}, llm_metrics=inner[1]),
        obs(None, "delegate", "it is there"),
        run(8, "pwd", llm_metrics=metrics(0.05, 500)),
        obs(8, "run", "/w"),
    ]
    item = only(save(tmp_path / "t", events), "openhands")
    assert [step.agent_name for step in item.trajectory.steps] == [None, None, "Browser", "Browser", None]
    assert [step.user_message for step in item.trajectory.steps][1:] == [None] * 4
    assert item.trajectory.steps[1].environment == "it is there"
    assert sum(row[0] or 0 for row in tokens(item)) == 500
    assert sum(row[2] or 0 for row in tokens(item)) == pytest.approx(0.05)


def test_v0_pictures_and_answers_usage(tmp_path: Path) -> None:
    response = {"id": "r1", "model": "m", "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    events = [
        {**TASK, "args": {"content": "See", "image_urls": ["data:image/png;base64," + "A" * 400]}},
        run(2, "ls", tool_call_metadata={"tool_call_id": "a", "model_response": response}),
        obs(2, "run", "a", extras={"metadata": {"exit_code": -1}}),
        run(3, "pwd", tool_call_metadata={"tool_call_id": "b", "model_response": response}),
        obs(3, "run", "b", extras={"exit_code": 2}),
    ]
    item = only(save(tmp_path / "t", events), "openhands")
    assert item.trajectory.steps[0].user_message == "See\n[image/png, 300 bytes]"
    assert item.report.images == 1
    assert [row[:2] for row in tokens(item)] == [(7, 2), (0, 0)]
    assert [(s.model_extra or {}).get("exit_code") for s in item.trajectory.steps] == [None, 2]


def test_v0_files_are_followed(tmp_path: Path) -> None:
    path = {"path": "/workspace/a.py"}
    events = [
        TASK,
        act(2, "write", {**path, "content": "print(1)\n"}),
        obs(2, "write", "written"),
        act(3, "read", {**path, "start": 0, "end": -1, "view_range": None}),
        obs(3, "read", "print(1)"),
        act(4, "edit", {**path, "content": "print(2)\n", "start": 1, "end": 1, "impl_source": "llm_based_edit"}),
        obs(4, "edit", "edited"),
        act(5, "run_ipython", {"code": "open('/workspace/b.csv', 'w').write('x')", "include_extra": True}),
        obs(5, "run_ipython", "1"),
    ]
    history = file_history(only(save(tmp_path / "t", events), "openhands").trajectory)
    found = [(event.effect, event.path) for event in history.all_events if event.path]
    assert found[:3] == [(Effect.WRITTEN, "a.py"), (Effect.READ, "a.py"), (Effect.EDITED, "a.py")]
    assert (Effect.WRITTEN, "b.csv") in found


def test_v0_folder_of_a_session(tmp_path: Path) -> None:
    events = [TASK, run(2, "ls"), obs(2, "run", "a"), run(11, "pwd"), obs(11, "run", "/w")]
    for number, event in zip((1, 2, 3, 11, 12), events, strict=True):
        save(tmp_path / "s" / "events" / f"{number}.json", event)
    item = only(tmp_path / "s", "openhands")
    assert actions(item) == [("ls", "a"), ("pwd", "/w")]
    assert any("missing" in line for line in item.trajectory.problems)
