"""Files that are made to take time and memory, or to go in circles."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.errors import InputError
from judge.trajectories import convert, detect

MANY = 8_000
SECONDS = 15.0
"""Far more than is needed on a slow machine, far less than anything that grows with the square."""


def spans(number: int, parent: Callable[[int], str], name: str = "bash", id: str = "") -> list[dict[str, Any]]:
    return [
        {
            "name": "x",
            "trace_id": "t",
            "span_id": f"s{n}{id}",
            "parent_span_id": parent(n),
            "start_time": n,
            "attributes": {
                "gen_ai.operation.name": ("chat", "execute_tool", "invoke_agent")[n % 3],
                "gen_ai.tool.name": name,
                "gen_ai.output.messages": json.dumps(
                    [{"parts": [{"type": "tool_call", "id": f"c{n}{id}", "name": "other", "arguments": {}}]}]
                ),
            },
        }
        for n in range(number)
    ]


def runs(number: int, parent: Callable[[int], str | None]) -> list[dict[str, Any]]:
    call = {"name": "other", "args": {}, "type": "tool_call"}
    return [
        {
            "id": f"r{n}",
            "run_type": ("llm", "tool", "chain")[n % 3],
            "name": "bash",
            "parent_run_id": parent(n),
            "start_time": n,
            "inputs": {"input": "x"},
            "outputs": {"message": {"type": "ai", "content": "", "tool_calls": [{**call, "id": f"c{n}"}]}},
        }
        for n in range(number)
    ]


def v0(number: int, id: Callable[[int], object], kind: str = "run") -> list[dict[str, Any]]:
    return [
        {"id": id(n), "source": "agent", "action": kind, "args": {"command": "ls", "agent": "x"}} for n in range(number)
    ]


def v1(number: int, kind: str = "FinishAction") -> list[dict[str, Any]]:
    return [
        {
            "id": f"e{n}",
            "kind": "ActionEvent",
            "source": "agent",
            "action": {"kind": kind},
            "tool_name": "finish",
            "tool_call_id": "same",
            "llm_response_id": "same",
        }
        for n in range(number)
    ]


def inspect(events: list[Any], **more: Any) -> dict[str, Any]:
    sample = {"id": "s", "epoch": 1, "messages": [], "events": events, **more}
    return {"eval": {"model": "m"}, "plan": {}, "samples": [sample]}


def model(n: int) -> dict[str, Any]:
    return {
        "event": "model",
        "span_id": f"s{n}",
        "input_refs": [[0, MANY]] * 3,
        "output": {"choices": [{"message": {"role": "assistant", "content": "x"}}]},
    }


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


CHAIN = [
    {"event": "span_begin", "id": f"s{n}", "type": "tool", "name": "t", "parent_id": f"s{n - 1}"} for n in range(MANY)
]
CASES: dict[str, tuple[str, Callable[[], Any]]] = {
    "many spans, each below the one before": ("opentelemetry", lambda: spans(MANY, lambda n: f"s{n - 1}")),
    "spans in a circle": ("opentelemetry", lambda: spans(3000, lambda n: f"s{(n + 1) % 3000}")),
    "spans that are their own parents": ("opentelemetry", lambda: spans(3000, lambda n: f"s{n}")),
    "spans without ids": ("opentelemetry", lambda: [{**s, "span_id": ""} for s in spans(MANY, lambda n: "")]),
    "spans with the same id": ("opentelemetry", lambda: [{**s, "span_id": "s"} for s in spans(MANY, lambda n: "s")]),
    "ids as long as a book": ("opentelemetry", lambda: spans(6, lambda n: "p" * 10**6, id="x" * 60_000)),
    "many runs, each below the one before": ("langsmith", lambda: runs(MANY, lambda n: f"r{n - 1}")),
    "runs in a circle": ("langsmith", lambda: runs(MANY, lambda n: f"r{(n + 1) % MANY}")),
    "many calls and no results": ("openhands", lambda: v0(MANY, lambda n: n)),
    "many calls without ids": (
        "openhands",
        lambda: (
            v0(MANY, lambda n: None) + [{"observation": "error", "content": "x", "extras": {}, "cause": None}] * MANY
        ),
    ),
    "delegates in delegates": ("openhands", lambda: v0(MANY, lambda n: n, "delegate")),
    "the same id for all": ("openhands", lambda: v0(MANY, lambda n: 1)),
    "many ends": ("openhands-sdk", lambda: v1(MANY)),
    "spans below spans and a pool": (
        "inspect",
        lambda: inspect(
            [*CHAIN, *(model(n) for n in range(3000))],
            events_data={"messages": [{"role": "user", "content": str(n)} for n in range(MANY)]},
        ),
    ),
    "spans of a log in a circle": (
        "inspect",
        lambda: inspect([{**item, "parent_id": item["id"]} for item in CHAIN[:5000]] + [model(n) for n in range(5000)]),
    ),
    "many pieces of a stream": (
        "langchain",
        lambda: [{"type": "AIMessageChunk", "content": "x", "id": str(n % 7)} for n in range(MANY)],
    ),
    "many states": (
        "langchain",
        lambda: [
            {"messages": [{"type": "human", "content": str(n)}, {"type": "ai", "content": "x"}]} for n in range(3000)
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_time_is_bounded(case: str, tmp_path: Path) -> None:
    name, make = CASES[case]
    path = tmp_path / "t"
    path.write_text(json.dumps(make()), encoding="utf-8")
    start = time.process_time()
    assert detect(path)[0].format.name == name
    items = list(convert(path, redact=False))
    assert items
    assert all(len(item.name) <= 300 for item in items)
    assert time.process_time() - start < SECONDS


DEEP: dict[str, Any] = {
    "openhands": [
        {"action": "run", "source": "agent", "args": {"command": "@"}},
        {"observation": "run", "content": "@", "extras": {}},
    ],
    "openhands-sdk": [
        {"kind": "ActionEvent", "id": "1", "source": "agent", "action": "@"},
        {"kind": "ObservationEvent", "id": "2", "observation": {"content": "@"}},
    ],
    "openhands-harness": {"instance_id": "a", "history": [["@"], ["@"]], "test_result": {}, "metadata": {}},
    "swe-agent": {"trajectory": [{"action": "ls", "observation": "@", "state": "@", "thought": "x"}]},
    "mini-swe-agent": {
        "info": {"model_stats": {}},
        "messages": [{"role": "user", "content": "@"}, {"role": "assistant", "content": "@"}],
    },
    "inspect": {
        "eval": {"model": "m"},
        "plan": {},
        "samples": [{"messages": [{"role": "user", "content": "@"}, {"role": "assistant", "content": "@"}]}],
    },
    "langchain": [{"type": "human", "content": "@"}, {"type": "ai", "content": "@"}],
    "langsmith": [{"run_type": "llm", "trace_id": "t", "inputs": "@", "outputs": {"generations": "@"}}],
    "opentelemetry": {
        "resourceSpans": [
            {
                "name": "x",
                "traceId": "t",
                "spanId": "s",
                "attributes": {"gen_ai.operation.name": "chat", "gen_ai.output.messages": "@", "llm": "@"},
            }
        ]
    },
}


@pytest.mark.parametrize("depth", [60, 150, 5_000, 200_000])
@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("quoted", [False, True], ids=["JSON", "JSON in a text"])
def test_deep_nesting_is_refused_or_shown(name: str, depth: int, quoted: bool, tmp_path: Path) -> None:
    deep = json.dumps(nested(depth)) if quoted else nested(depth)
    path = tmp_path / "t"
    path.write_text(json.dumps(DEEP[name]).replace('"@"', deep), encoding="utf-8")
    detect(path)
    try:
        for item in convert(path, name, redact=False):
            json.dumps(item.report.as_json(), allow_nan=False)
    except InputError as error:
        assert "\n" not in str(error) and "unexpected content" not in str(error)


def large(name: str) -> tuple[str, str, str]:
    """The beginning, one element, and the end of a large file."""
    text = "word " * 4000
    if name == "swe-agent":
        step = {"action": "ls", "observation": text, "thought": "", "response": "", "query": [text] * 5}
        return '{"trajectory": [', json.dumps(step), '], "history": []}'
    if name == "openhands":
        return (
            "[",
            json.dumps(v0(1, lambda n: None)[0] | {"tool_call_metadata": {"model_response": {"x": [text] * 6}}}),
            "]",
        )
    message = {"role": "assistant", "content": "x", "extra": {"response": [text] * 6}}
    return '{"info": {"model_stats": {}}, "messages": [', json.dumps(message), "]}"


@pytest.mark.parametrize("name", ["swe-agent", "openhands", "mini-swe-agent"])
def test_large_files_are_read_piece_by_piece(name: str, tmp_path: Path) -> None:
    first, element, last = large(name)
    number = 15_000_000 // len(element)
    path = tmp_path / "t"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(first)
        stream.writelines(element + ("," if n < number - 1 else "") for n in range(number))
        stream.write(last)
    tracemalloc.start()
    (item,) = convert(path, redact=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(item.trajectory.steps) == number
    assert peak < 15_000_000
