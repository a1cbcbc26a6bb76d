"""OpenTelemetry spans in several vocabularies, as several writers leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import detect
from tests.trajectories.converted import only, rows, save, tokens


def otlp(value: Any) -> dict[str, Any]:
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def span(n: int, name: str, attributes: dict[str, Any], parent: int | None = 0, **more: Any) -> dict[str, Any]:
    return {"n": n, "name": name, "attributes": attributes, "parent": parent, "events": (), "failed": "", **more}


ASKED = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Count the plants."}]}])
SAID = json.dumps(
    [
        {
            "role": "assistant",
            "parts": [
                {"type": "text", "content": "I look."},
                {"type": "tool_call", "id": "c", "name": "bash", "arguments": {"command": "ls"}},
            ],
        }
    ]
)
COUNTS = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 1}
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", **COUNTS}
TOOLED = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.tool.call.id": "c"}
ROOT = span(0, "invoke_agent a", {"gen_ai.operation.name": "invoke_agent", **COUNTS}, None)
NEW = [
    span(1, "chat m", {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}),
    span(2, "execute_tool bash", {**TOOLED, "gen_ai.tool.call.result": "a.py"}),
    ROOT,
]
OLD = [
    span(
        1,
        "chat m",
        CHAT,
        events=(
            ("gen_ai.user.message", {"content": "Count the plants."}),
            (
                "gen_ai.choice",
                {
                    "message": json.dumps(
                        {
                            "content": "I look.",
                            "tool_calls": [{"id": "c", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
                        }
                    )
                },
            ),
        ),
    ),
    span(2, "execute_tool bash", {**TOOLED, "gen_ai.tool.call.result": "a.py"}),
    ROOT,
]
INFERENCE = [
    span(0, "agent", {"openinference.span.kind": "AGENT"}, None),
    span(
        1,
        "llm",
        {
            "openinference.span.kind": "LLM",
            "llm.token_count.prompt": 5,
            "llm.token_count.completion": 1,
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "Count the plants.",
            "llm.output_messages.0.message.content": "I look.",
            "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "bash",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"command": "ls"}',
        },
    ),
    span(2, "bash", {"openinference.span.kind": "TOOL", "tool.name": "bash", "output.value": "a.py"}),
]
LLMETRY = [
    span(0, "x.workflow", {"traceloop.span.kind": "workflow"}, None),
    span(
        1,
        "openai.chat",
        {
            "llm.request.type": "chat",
            "gen_ai.prompt.0.role": "user",
            "gen_ai.prompt.0.content": "Count the plants.",
            "gen_ai.completion.0.content": "I look.",
            "gen_ai.completion.0.tool_calls.0.id": "c",
            "gen_ai.completion.0.tool_calls.0.name": "bash",
            "gen_ai.completion.0.tool_calls.0.arguments": '{"command": "ls"}',
            "gen_ai.usage.prompt_tokens": 5,
            "gen_ai.usage.completion_tokens": 1,
        },
    ),
    span(
        2,
        "bash.tool",
        {"traceloop.span.kind": "tool", "traceloop.entity.name": "bash", "traceloop.entity.output": "a.py"},
    ),
]
LOGFIRE = [
    span(0, "agent run", {"agent_name": "a"}, None),
    span(
        1,
        "chat m",
        {
            **CHAT,
            "events": json.dumps(
                [
                    {"event.name": "gen_ai.user.message", "role": "user", "content": "Count the plants."},
                    {
                        "event.name": "gen_ai.choice",
                        "message": {
                            "role": "assistant",
                            "content": "I look.",
                            "tool_calls": [{"id": "c", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
                        },
                    },
                ]
            ),
        },
    ),
    span(2, "running tool", {"gen_ai.tool.name": "bash", "gen_ai.tool.call.id": "c", "tool_response": "a.py"}),
]
AI_SDK = [
    span(0, "ai.generateText", {"ai.operationId": "ai.generateText"}, None),
    span(
        1,
        "ai.generateText.doGenerate",
        {
            "ai.operationId": "ai.generateText.doGenerate",
            "ai.prompt.messages": '[{"role": "user", "content": [{"type": "text", "text": "Count the plants."}]}]',
            "ai.response.text": "I look.",
            "ai.response.toolCalls": '[{"toolCallId": "c", "toolName": "bash", "args": "{\\"command\\": \\"ls\\"}"}]',
            "ai.usage.promptTokens": 5,
            "ai.usage.completionTokens": 1,
        },
    ),
    span(
        2,
        "ai.toolCall",
        {
            "ai.operationId": "ai.toolCall",
            "ai.toolCall.name": "bash",
            "ai.toolCall.id": "c",
            "ai.toolCall.result": "a.py",
        },
    ),
]
WORDS = {
    "1.37": NEW,
    "1.36": OLD,
    "OpenInference": INFERENCE,
    "OpenLLMetry": LLMETRY,
    "Logfire": LOGFIRE,
    "AI SDK": AI_SDK,
}


def hexed(n: int | None) -> str:
    return "" if n is None else f"{n + 1:016x}"


def as_otlp(spans: list[dict[str, Any]]) -> str:
    def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"key": key, "value": otlp(value)} for key, value in attributes.items()]

    listed = [
        {
            "traceId": "ab",
            "spanId": hexed(s["n"]),
            "parentSpanId": hexed(s["parent"]),
            "name": s["name"],
            "startTimeUnixNano": str(1772442000_000000000 + s["n"]),
            "endTimeUnixNano": str(1772442000_000000000 + s["n"] + 1),
            "attributes": pairs(s["attributes"]),
            "events": [{"name": name, "attributes": pairs(values)} for name, values in s["events"]],
            "status": {"code": 2, "message": s["failed"]} if s["failed"] else {},
        }
        for s in spans
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": listed}]}]})


def as_console(spans: list[dict[str, Any]], indent: int | None = 4) -> str:
    return "\n".join(
        json.dumps(
            {
                "name": s["name"],
                "context": {"trace_id": "0xab", "span_id": "0x" + hexed(s["n"]), "trace_state": "[]"},
                "parent_id": None if s["parent"] is None else "0x" + hexed(s["parent"]),
                "start_time": f"2026-03-02T09:00:{s['n']:02d}.000000Z",
                "end_time": f"2026-03-02T09:00:{s['n'] + 1:02d}.000000Z",
                "status": {"status_code": "ERROR", "description": s["failed"]}
                if s["failed"]
                else {"status_code": "UNSET"},
                "attributes": s["attributes"],
                "events": [{"name": name, "timestamp": "x", "attributes": values} for name, values in s["events"]],
                "resource": {"attributes": {}},
            },
            indent=indent,
        )
        for s in spans
    )


def as_go(spans: list[dict[str, Any]]) -> str:
    def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"Key": key, "Value": {"Type": "STRING", "Value": value}} for key, value in attributes.items()]

    return "\n".join(
        json.dumps(
            {
                "Name": s["name"],
                "SpanContext": {"TraceID": "ab", "SpanID": hexed(s["n"]), "Remote": False},
                "Parent": {"TraceID": "ab", "SpanID": hexed(s["parent"]) or "0" * 16},
                "StartTime": f"2026-03-02T09:00:{s['n']:02d}.5+00:00",
                "EndTime": f"2026-03-02T09:00:{s['n'] + 1:02d}.5+00:00",
                "Attributes": pairs(s["attributes"]),
                "Events": [{"Name": name, "Attributes": pairs(values)} for name, values in s["events"]],
                "Status": {"Code": "Error" if s["failed"] else "Unset", "Description": s["failed"]},
            },
            indent="\t",
        )
        for s in spans
    )


def as_rows(spans: list[dict[str, Any]]) -> str:
    listed = [
        {
            "trace_id": "ab",
            "span_id": hexed(s["n"]),
            "parent_span_id": hexed(s["parent"]) or None,
            "span_name": s["name"],
            "start_timestamp": f"2026-03-02T09:00:{s['n']:02d}Z",
            "end_timestamp": f"2026-03-02T09:00:{s['n'] + 1:02d}Z",
            "attributes": json.dumps(s["attributes"]),
            "otel_events": json.dumps([{"event_name": n, "attributes": values} for n, values in s["events"]]),
        }
        for s in spans
    ]
    return json.dumps(listed)


WRITERS = {
    "OTLP": as_otlp,
    "console": as_console,
    "console lines": lambda spans: as_console(spans, None),
    "between printed lines": lambda spans: "Hello\n" + as_console(spans).replace("\n}\n{", "\n}\nstep {done}\n{"),
    "stdouttrace": as_go,
    "rows": as_rows,
}


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("writer", WRITERS)
def test_opentelemetry(words: str, writer: str, tmp_path: Path) -> None:
    item = only(save(tmp_path / "t", WRITERS[writer](WORDS[words])), "opentelemetry")
    assert rows(item) == [("Count the plants.", "I look.", "ls", "a.py")]
    assert tokens(item) == [(5, 1, None)]


def test_opentelemetry_without_content(tmp_path: Path) -> None:
    spans = [span(1, "chat m", CHAT), span(2, "execute_tool bash", TOOLED), span(3, "chat m", CHAT), ROOT]
    item = only(save(tmp_path / "t", as_otlp(spans)), "opentelemetry")
    assert [row[2:] for row in rows(item)] == [("bash", None), (None, None)]
    assert tokens(item) == [(5, 1, None)] * 2
    assert any("capture of content" in line for line in item.trajectory.problems)
    assert any("results of tools were not recorded" in line for line in item.trajectory.problems)


def test_opentelemetry_agents_in_agents_and_spans_written_twice(tmp_path: Path) -> None:
    agent = {"gen_ai.operation.name": "invoke_agent"}
    chat = {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}
    spans = [
        span(0, "invoke_workflow w", {"gen_ai.operation.name": "invoke_workflow"}, None),
        span(1, "invoke_agent main", {**agent, "gen_ai.agent.name": "main", **COUNTS}),
        span(2, "chat m", chat, 1),
        span(3, "POST /chat", chat, 2),
        span(4, "execute_tool bash", {**TOOLED, "gen_ai.tool.call.result": "a.py"}, 1),
        span(5, "invoke_agent helper", {**agent, "gen_ai.agent.name": "helper"}, 4),
        span(6, "chat m", {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": '[{"content": "x"}]'}, 5),
    ]
    item = only(save(tmp_path / "t", as_otlp(spans)), "opentelemetry")
    shown = [(s.agent_name, s.user_message, s.action) for s in item.trajectory.steps]
    assert shown == [(None, "Count the plants.", "ls"), ("helper", None, None)]
    assert tokens(item) == [(5, 1, None)] * 2
    assert item.report.skipped["repeated chat span"] == 1


def test_opentelemetry_results_in_a_later_history_and_failures(tmp_path: Path) -> None:
    told = [
        *json.loads(ASKED),
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "a.py"}]},
        *json.loads(ASKED),
    ]
    later = {**CHAT, "gen_ai.input.messages": json.dumps(told), "gen_ai.output.messages": '[{"content": "One."}]'}
    spans = [
        span(1, "chat m", {**CHAT, "gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}, None),
        span(2, "chat m", CHAT, None, failed="overloaded"),
        span(3, "chat m", later, None),
    ]
    item = only(save(tmp_path / "t", as_otlp(spans)), "opentelemetry")
    # The same question again is another question.
    assert rows(item) == [
        ("Count the plants.", "I look.", "ls", "a.py"),
        ("Count the plants.", "One.", None, None),
    ]
    assert any("overloaded" in line for line in item.trajectory.problems)


def test_opentelemetry_nested_attributes(tmp_path: Path) -> None:
    message = {"message": {"role": "assistant", "content": "One."}}
    value = {
        "name": "llm",
        "context": {"trace_id": "t", "span_id": "s"},
        "parent_id": None,
        "span_kind": "LLM",
        "start_time": "2026-03-02T09:00:00Z",
        "attributes": {"llm": {"output_messages": [message], "token_count": {"prompt": 5}}},
    }
    item = only(save(tmp_path / "t", [value]), "opentelemetry")
    assert (rows(item), tokens(item)) == ([(None, "One.", None, None)], [(5, None, None)])


def test_spans_of_something_else_are_only_possible(tmp_path: Path) -> None:
    path = save(tmp_path / "t", as_console([span(1, "GET /", {"http.method": "GET"}, None)]))
    assert detect(path)[0].match.confidence <= 0.5
