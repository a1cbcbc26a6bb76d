"""LangChain messages and LangSmith runs in the shapes in which people have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import convert
from tests.trajectories.converted import actions, only, rows, save, tokens

HUMAN = {"type": "human", "content": "Count the plants.", "id": "h"}
CALL = {"name": "bash", "args": {"command": "ls"}, "id": "c", "type": "tool_call"}
USAGE = {"input_tokens": 5, "output_tokens": 1, "total_tokens": 6}
AI = {"type": "ai", "content": "I look.", "id": "a", "tool_calls": [CALL], "usage_metadata": USAGE}
TOOL = {"type": "tool", "content": "a.py", "tool_call_id": "c", "id": "t"}
LAST = {"type": "ai", "content": "One.", "id": "z", "usage_metadata": USAGE}
TALK = [HUMAN, AI, TOOL, LAST]
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


def constructed(message: dict[str, Any], lc: int = 1) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", CLASSES[message["type"]]]
    return {"lc": lc, "type": "constructor", "id": path, "kwargs": message}


def typed(message: dict[str, Any]) -> dict[str, Any]:
    return {"type": message["type"], "data": {k: v for k, v in message.items() if k != "type"}}


def chunk(text: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "AIMessageChunk", "content": text, "id": "a", **more}, {"langgraph_node": "agent"}]


STREAM = [
    [HUMAN, {"langgraph_node": "x"}],
    chunk("I "),
    chunk("look.", tool_call_chunks=[{"name": "bash", "args": '{"comm', "id": "c", "index": 0}]),
    chunk("", tool_call_chunks=[{"name": None, "args": 'and": "ls"}', "id": None, "index": 0}]),
    chunk("", usage_metadata=USAGE),
    [TOOL, {"langgraph_node": "tools"}],
    [{**LAST, "type": "AIMessageChunk"}, {"langgraph_node": "agent"}],
]
UPDATES = [
    {"messages": [HUMAN]},
    {"agent": {"messages": [AI]}},
    {"tools": {"messages": [TOOL]}},
    {"agent": {"messages": [LAST]}},
]
MESSAGES: dict[str, tuple[Any, bool]] = {
    "dumps": (TALK, False),
    "lines": (TALK, True),
    "type and data": ([typed(m) for m in TALK], False),
    "constructors": ([constructed(m) for m in TALK], False),
    "a checkpoint": ({"v": 4, "channel_values": {"messages": [constructed(m, 2) for m in TALK]}}, False),
    "a state": ({"values": {"messages": TALK}, "next": [], "config": {}}, False),
    "a batch": ([TALK], False),
    "states in a row": ([{"messages": TALK[:n]} for n in (1, 2, 3, 4)], True),
    "states, newest first": ([{"values": {"messages": TALK[:n]}} for n in (4, 3, 1)], False),
    "a stream of pieces": (STREAM, True),
    "a stream of updates": (UPDATES, True),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_langchain(case: str, tmp_path: Path) -> None:
    value, lines = MESSAGES[case]
    item = only(save(tmp_path / "t", value, lines=lines), "langchain")
    assert rows(item) == [("Count the plants.", "I look.", "ls", "a.py"), (None, "One.", None, None)]
    assert tokens(item) == [(5, 1, None), (5, 1, None)]
    assert item.trajectory.problems == ()


def test_langchain_threads_are_trajectories_of_their_own(tmp_path: Path) -> None:
    other = [{**HUMAN, "content": "Count the cacti.", "id": "h2"}, {**LAST, "id": "y"}]
    states = [
        {"values": {"messages": messages}, "config": {"configurable": {"thread_id": thread}}}
        for thread, messages in (("1", TALK), ("2", other), ("1", TALK[:2]))
    ]
    items = list(convert(save(tmp_path / "t", states)))
    assert [(item.name, len(item.trajectory.steps)) for item in items] == [("1", 2), ("2", 1)]
    assert items[0].report.skipped["earlier state"] == 1


def test_langchain_errors_and_broken_calls(tmp_path: Path) -> None:
    broken = {"name": "bash", "args": '{"command": "l', "id": "b", "error": "no JSON", "type": "invalid_tool_call"}
    talk = [
        HUMAN,
        {**AI, "tool_calls": [], "invalid_tool_calls": [broken]},
        {**TOOL, "tool_call_id": "b", "content": "", "status": "error"},
    ]
    item = only(save(tmp_path / "t", talk), "langchain")
    assert actions(item)[0][0] == '{"command": "l'
    assert (item.trajectory.steps[0].model_extra or {})["failed"] is True


def run(id: str, kind: str, at: int, parent: str | None = None, **more: Any) -> dict[str, Any]:
    time = f"2026-03-02T09:00:{at:02d}"
    return {
        "id": id,
        "parent_run_id": parent,
        "run_type": kind,
        "name": more.pop("name", kind),
        "start_time": time,
        "end_time": f"2026-03-02T09:00:{at + 1:02d}",
        "inputs": more.pop("inputs", {}),
        "outputs": more.pop("outputs", {}),
        **more,
    }


def llm(id: str, at: int, message: dict[str, Any], parent: str | None = "r", **more: Any) -> dict[str, Any]:
    outputs = {"generations": [[{"message": constructed(message)}]]}
    return run(id, "llm", at, parent, inputs={"messages": [[constructed(HUMAN)]]}, outputs=outputs, **more)


def trace(root: str = "r", **more: Any) -> list[dict[str, Any]]:
    return [
        run(root, "chain", 0, name="LangGraph", inputs={"messages": [constructed(HUMAN)]}),
        llm(root + "1", 1, AI, root),
        run(
            root + "2", "tool", 2, root, name="bash", inputs={"input": "{'command': 'ls'}"}, outputs={"output": "a.py"}
        ),
        llm(root + "3", 3, LAST, root),
    ]


def tree() -> dict[str, Any]:
    root, *children = trace()
    return {**root, "trace_id": "r", "child_runs": children}


RUNS: dict[str, tuple[Any, bool]] = {
    "a tree": (tree(), False),
    "a list of trees": ([tree()], False),
    "without trace ids": (trace(), False),
    "newest first": (trace()[::-1], False),
    "lines": ([{**item, "trace_id": "r"} for item in trace()], True),
    "a page of the interface": ({"runs": [{**item, "trace_id": "r"} for item in trace()], "cursors": {}}, False),
    "inputs and outputs as text": (
        [{**item, "inputs": json.dumps(item["inputs"]), "outputs": json.dumps(item["outputs"])} for item in trace()],
        False,
    ),
}


@pytest.mark.parametrize("case", RUNS)
def test_langsmith(case: str, tmp_path: Path) -> None:
    value, lines = RUNS[case]
    item = only(save(tmp_path / "t", value, lines=lines), "langsmith")
    assert rows(item) == [("Count the plants.", "I look.", "ls", "a.py"), (None, "One.", None, None)]
    assert tokens(item) == [(5, 1, None), (5, 1, None)]


def test_langsmith_traces_sub_agents_and_parallel_tools(tmp_path: Path) -> None:
    calls = [
        {**CALL, "id": "c1"},
        {**CALL, "id": "c2", "args": {"command": "pwd"}},
        {**CALL, "id": "c3", "name": "ask"},
    ]
    first = [
        run("r", "chain", 0, inputs={"input": "Go."}),
        llm("1", 1, {**AI, "tool_calls": calls}),
        run("3", "tool", 3, "r", name="bash", inputs={"command": "pwd"}, outputs={"output": "/w"}),
        run("2", "tool", 4, "r", name="bash", inputs={"command": "ls"}, outputs=None, error="no such folder"),
        run("4", "tool", 5, "r", name="ask", outputs={"output": "seen"}),
        run("5", "chain", 6, "4", name="helper"),
        llm("6", 7, LAST, "5"),
    ]
    items = list(convert(save(tmp_path / "t", [*first, *trace("x")])))
    assert [item.name for item in items] == ["r", "x"]
    shown = [(s.agent_name, s.action, s.environment, s.user_message) for s in items[0].trajectory.steps]
    assert [row[:3] for row in shown] == [
        (None, "ls", "Error (reported by the tool):\nno such folder"),
        (None, "pwd", "/w"),
        (None, 'ask {"command": "ls"}', "seen"),
        ("helper", None, None),
    ]
    assert shown[-1][3] is None


def test_langsmith_circles_and_strangers(tmp_path: Path) -> None:
    runs = [llm("1", 1, AI, "2", trace_id=None), run("2", "tool", 2, "1", name="bash"), run("3", "tool", 3, "gone")]
    items = list(convert(save(tmp_path / "t", runs)))
    assert sum(len(item.trajectory.steps) for item in items) == 2
