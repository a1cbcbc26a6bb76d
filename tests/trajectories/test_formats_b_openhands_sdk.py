"""OpenHands V1 and the evaluation harness: what real files differ in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import convert, detect
from tests.trajectories.converted import actions, only, rows, save, tokens
from tests.trajectories.test_formats_b_openhands import metrics, obs, run


def sdk(n: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"id": f"e{n}", "timestamp": f"2026-03-02T09:00:{n:02d}", "source": "agent", "kind": kind, **more}


def sdk_call(n: int, tool: str, action: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return sdk(n, "ActionEvent", tool_name=tool, tool_call_id=f"c{n}", action=action, **more)


PROMPT = sdk(0, "MessageEvent", llm_message={"content": [{"type": "text", "text": "Count."}]}) | {"source": "user"}
BASH = {"kind": "ExecuteBashAction", "command": "ls", "is_input": False}
V1: dict[str, tuple[list[dict[str, Any]], list[tuple[str | None, str | None]]]] = {
    "early names": (
        [
            PROMPT,
            sdk_call(1, "execute_bash", BASH),
            sdk(2, "ObservationEvent", action_id="e1", observation={"kind": "X", "output": "a.py", "exit_code": 0}),
        ],
        [("ls", "a.py")],
    ),
    "parallel calls": (
        [
            PROMPT,
            sdk_call(1, "terminal", BASH, llm_response_id="r"),
            sdk_call(2, "terminal", {**BASH, "command": "pwd"}, llm_response_id="r"),
            sdk(3, "ObservationEvent", action_id="e2", observation={"content": [{"type": "text", "text": "/w"}]}),
            sdk(4, "ObservationEvent", action_id="e1", observation={"content": [{"type": "text", "text": "a"}]}),
        ],
        [("ls", "a"), ("pwd", "/w")],
    ),
    "MCP": (
        [
            PROMPT,
            sdk_call(1, "fetch", {"kind": "MCPToolAction", "data": {"url": "u"}}),
            sdk(2, "ObservationEvent", action_id="e1", observation={"content": [{"type": "text", "text": "p"}]}),
        ],
        [('fetch {"url": "u"}', "p")],
    ),
    "rejected": (
        [PROMPT, sdk_call(1, "terminal", BASH), sdk(2, "UserRejectObservation", action_id="e1", rejection_reason="no")],
        [("ls", "Error (reported by the tool):\nno")],
    ),
    "arguments that the tool refused": (
        [
            PROMPT,
            sdk_call(1, "terminal", None, tool_call={"name": "terminal", "arguments": '{"command": 5}'}),
            sdk(2, "AgentErrorEvent", tool_call_id="c1", error="Error: not a command"),
        ],
        [('terminal {"command": 5}', "Error: not a command")],
    ),
    "condensation": (
        [
            PROMPT,
            sdk_call(1, "terminal", BASH),
            sdk(2, "ObservationEvent", action_id="e1", observation={"content": [{"type": "text", "text": "a"}]}),
            sdk(3, "Condensation", forgotten_event_ids=["e1"], summary="x"),
        ],
        [("ls", "a")],
    ),
    "another agent behind a protocol": (
        [
            PROMPT,
            sdk(1, "ACPToolCallEvent", tool_call_id="t", title="ls", tool_kind="execute", status="pending"),
            sdk(2, "ACPToolCallEvent", tool_call_id="t", title="ls", status="completed", raw_output="a"),
        ],
        [("execute ls", "a")],
    ),
    "a value of zero is a value": (
        [
            PROMPT,
            sdk_call(1, "file_editor", {"command": "insert", "path": "a", "insert_line": 0, "new_str": "x"}),
            sdk(2, "ObservationEvent", action_id="e1", observation={"content": "ok"}),
        ],
        [('file_editor {"command": "insert", "path": "a", "insert_line": 0, "new_str": "x"}', "ok")],
    ),
}


@pytest.mark.parametrize("case", V1)
@pytest.mark.parametrize("lines", [False, True], ids=["list", "lines"])
def test_v1(case: str, lines: bool, tmp_path: Path) -> None:
    events, wanted = V1[case]
    item = only(save(tmp_path / "t", events, lines=lines), "openhands-sdk")
    assert actions(item) == wanted
    assert item.trajectory.steps[0].user_message == "Count."


STATS = {
    "usage_to_metrics": {
        "agent": {
            "accumulated_cost": 0.5,
            "accumulated_token_usage": {"prompt_tokens": 9, "completion_tokens": 3},
            "token_usages": [{"prompt_tokens": 9, "completion_tokens": 3, "response_id": "r"}],
            "costs": [{"cost": 0.5}],
        }
    }
}


@pytest.mark.parametrize(
    "state",
    [{"key": "stats", "value": STATS}, {"key": "full_state", "value": {"stats": STATS}}],
    ids=["a change of the statistics", "the full state"],
)
def test_v1_usage_in_changes_of_the_state(state: dict[str, Any], tmp_path: Path) -> None:
    events = [
        PROMPT,
        sdk_call(1, "terminal", BASH, llm_response_id="r"),
        sdk(2, "ConversationStateUpdateEvent", **state),
        sdk(3, "ConversationStateUpdateEvent", key="agent_status", value="finished"),
    ]
    item = only(save(tmp_path / "t", events), "openhands-sdk")
    assert tokens(item) == [(9, 3, 0.5)]
    assert item.report.stated.cost == 0.5


def test_v1_folders(tmp_path: Path) -> None:
    result = sdk(2, "ObservationEvent", action_id="e1", observation={"content": "a"})
    for folder in ("one", "two"):
        for number, event in ((0, PROMPT), (1, sdk_call(1, "terminal", BASH, llm_response_id="r")), (3, result)):
            save(tmp_path / "all" / folder / "events" / f"event-{number:05d}-{event['id']}.json", event)
    save(tmp_path / "all" / "one" / "base_state.json", {"stats": STATS, "execution_status": "finished"})
    one = only(tmp_path / "all" / "one", "openhands-sdk")
    assert (rows(one), tokens(one)) == ([("Count.", "", "ls", "a")], [(9, 3, 0.5)])
    assert any("1 of the events 0 to 3 are missing" in line for line in one.trajectory.problems)
    assert one.report.notes["status"] == "finished"
    both = list(convert(tmp_path / "all"))
    assert [item.name for item in both] == ["one", "two"]
    assert any("base_state.json" in line for line in both[1].trajectory.problems)
    assert actions(only(tmp_path / "all" / "one" / "events", "openhands-sdk")) == [("ls", "a")]


def test_harness(tmp_path: Path) -> None:
    flat = [run(1, "ls"), obs(1, "run", "a")]
    common = {"instruction": "Count.", "metadata": {}, "test_result": {}}
    records = [
        {"instance_id": "flat", "history": flat, **common},
        {"instance_id": 7, "history": [flat], **common, "metrics": metrics(0.2, 20)},
        {"instance_id": "v1", "history": [sdk_call(1, "terminal", BASH)], **common},
        {"instance_id": "failed", "history": None, **common, "error": {"why": "no container"}},
        {"instance_id": "none", **common, "history": []},
        {"something": "else"},
    ]
    path = save(tmp_path / "output.jsonl", records, lines=True)
    assert detect(path)[0].format.name == "openhands-harness"
    items = list(convert(path))
    assert [item.name for item in items] == ["flat", "7", "v1", "failed", "none"]
    assert [actions(item) for item in items[:3]] == [[("ls", "a")], [("ls", "a")], [("ls", None)]]
    assert all(item.trajectory.steps[0].user_message == "Count." for item in items)
    assert items[1].report.stated.cost == 0.2 and items[0].report.stated.cost is None
    assert items[3].report.notes["error"] == '{"why": "no container"}'
    assert any("1 records" in line for line in items[-1].trajectory.problems)
