"""Versions and corners of the formats: each file is given as its records, and what must come out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.trajectories import Converted, convert, detect

Row = tuple[str | None, str, str | None, str | None]
"""Prompt, beginning of the thought, action, result."""


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(record) for record in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content), encoding="utf-8")
    return path


def one(path: Path) -> Converted:
    (item,) = convert(path)
    return item


def rows(item: Converted) -> list[Row]:
    return [(s.user_message, s.thought, s.action, s.environment) for s in item.trajectory.steps]


def claude(uuid: str, parent: str | None, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": more.pop("id", f"m-{uuid}"), "model": "m", "usage": {"input_tokens": 1, "output_tokens": 2}}
    base = {"uuid": uuid, "parentUuid": parent, "type": kind, "sessionId": "s", "isSidechain": False}
    return base | {"timestamp": f"2026-01-01T00:00:{int(uuid[1:]):02d}Z", "message": message} | more


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def use(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(id: str, content: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": content} | more]


def test_claude_code_follows_the_last_branch_and_counts_repeated_lines_once(tmp_path: Path) -> None:
    good = claude("u6", "u5", "assistant", text("good"))
    records = [
        claude("u1", None, "user", "first"),
        claude("u2", "u1", "assistant", text("one")),
        claude("u3", "u2", "user", "wrong way"),
        claude("u4", "u3", "assistant", text("bad")),
        claude("u5", "u2", "user", "right way"),
        good,
        good,
        {"type": "system", "subtype": "compact_boundary", "uuid": "u7", "parentUuid": None, "logicalParentUuid": "u6"},
        claude("u8", "u7", "user", "This session is being continued", isCompactSummary=True),
        claude("u9", "u8", "assistant", text("on")),
        claude("u10", "u9", "user", text("[Request interrupted by user]")),
        {"type": "a-new-kind", "uuid": "u11", "parentUuid": "u10"},
    ]
    item = one(put(tmp_path / "a.jsonl", records))
    assert rows(item) == [
        ("first", "one", None, None),
        ("right way", "good", None, None),
        (None, "on", None, None),
    ]
    assert item.report.skipped["abandoned branch"] == 2
    assert item.report.skipped["repeated record"] == 1
    assert item.report.skipped["a-new-kind"] == 1
    assert item.report.notes == {"compactions": 1, "interrupts": 1}


def test_claude_code_sub_agents_in_the_same_file_are_joined_by_their_prompt(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    records = [
        claude("u1", None, "user", "go"),
        claude("u2", "u1", "assistant", [use("t1", "Task", prompt="P1"), use("t2", "Task", prompt="P2")]),
        claude("u3", None, "user", "P2", **side),
        claude("u4", "u3", "assistant", [use("x", "Bash", command="ls")], **side),
        claude("u5", "u4", "user", result("x", "f"), **side),
        claude("u6", None, "user", "P1", **side),
        claude("u7", "u6", "assistant", text("answer"), **side),
        claude("u8", "u2", "user", result("t1", "r1")),
        claude("u9", "u2", "user", result("t2", "r2")),
    ]
    item = one(put(tmp_path / "a.jsonl", records))
    assert [(s.agent_name, s.action, s.environment) for s in item.trajectory.steps] == [
        (None, 'Task {"prompt": "P1"}', "r1"),
        ("sub-agent", None, None),
        (None, 'Task {"prompt": "P2"}', "r2"),
        ("sub-agent", "ls", "f"),
    ]


def test_usage_of_a_message_over_several_lines_counts_once(tmp_path: Path) -> None:
    records = [claude("u1", None, "user", "go")]
    for number, tokens in enumerate((1, 3, 14), 2):
        record = claude(f"u{number}", f"u{number - 1}", "assistant", [use(f"t{number}", "Bash", command="ls")], id="m")
        record["message"]["usage"] = {"input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": tokens}
        records.append(record)
    steps = one(put(tmp_path / "a.jsonl", records)).trajectory.steps
    assert [step.usage.input_tokens for step in steps] == [105, 0, 0]
    assert [step.usage.output_tokens for step in steps] == [14, 0, 0]


def test_images_are_replaced_and_counted(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400}}
    records = [
        claude("u1", None, "user", [picture, *text("see")]),
        claude("u2", "u1", "assistant", [use("t", "Read", file_path="/a.png")]),
        claude("u3", "u2", "user", result("t", [picture])),
    ]
    item = one(put(tmp_path / "a.jsonl", records))
    assert item.trajectory.steps[0].user_message == "[image/png, 300 bytes]\nsee"
    assert item.trajectory.steps[0].environment == "[image/png, 300 bytes]"
    assert item.report.images == 2


def test_a_result_record_alone_is_a_run(tmp_path: Path) -> None:
    record = {"type": "result", "subtype": "success", "duration_ms": 10, "num_turns": 1, "result": "hello"}
    item = one(put(tmp_path / "a.json", record | {"session_id": "s", "total_cost_usd": 0.1}))
    assert rows(item) == [(None, "hello", None, None)]
    assert item.report.stated.cost == 0.1 and item.trajectory.steps[0].usage.cost is None


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def test_the_first_codex_files_have_flat_lines(tmp_path: Path) -> None:
    records = [
        {"id": "a", "timestamp": "2025-06-01T00:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "do it"}]},
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"a","metadata":{"exit_code":0}}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ]
    path = put(tmp_path / "a.jsonl", records)
    assert detect(path)[0].format.name == "codex"
    assert rows(one(path)) == [("do it", "", "ls", "a"), (None, "done", None, None)]


def test_codex_totals_that_start_over_are_summed_by_call(tmp_path: Path) -> None:
    def tokens(total: int, last: int) -> dict[str, Any]:
        info = {"total_token_usage": {"input_tokens": total}, "last_token_usage": {"input_tokens": last}}
        return codex("event_msg", type="token_count", info=info)

    def say(words: str) -> dict[str, Any]:
        return codex(
            "response_item", type="message", role="assistant", content=[{"type": "output_text", "text": words}]
        )

    records = [codex("session_meta", id="a", cwd="/x"), say("1"), tokens(10, 10), tokens(10, 10), say("2")]
    records += [tokens(15, 5), say("3"), tokens(7, 7), codex("event_msg", type="turn_aborted", reason="interrupted")]
    item = one(put(tmp_path / "a.jsonl", records))
    assert [step.usage.input_tokens for step in item.trajectory.steps] == [10, 5, 7]
    assert item.report.stated.input_tokens == 7
    assert item.report.notes["input tokens: stated / sum of steps"] == "7 / 22"
    assert item.report.notes["aborted turns"] == 1


def test_codex_names_the_folder_only_where_it_is_another(tmp_path: Path) -> None:
    def run(id: str, place: str) -> dict[str, Any]:
        arguments = json.dumps({"cmd": "ls", "workdir": place})
        return codex("response_item", type="function_call", name="exec_command", arguments=arguments, call_id=id)

    records = [codex("session_meta", id="a", cwd="/x"), run("1", "/x"), run("2", "/x/sub dir")]
    assert [step.action for step in one(put(tmp_path / "a.jsonl", records)).trajectory.steps] == [
        "ls",
        "cd '/x/sub dir'\nls",
    ]


def test_gemini_lines_with_patches(tmp_path: Path) -> None:
    def at(second: int, **more: Any) -> dict[str, Any]:
        return {"timestamp": f"2026-01-01T00:00:{second:02d}Z"} | more

    call = {"id": "t", "name": "write_file", "args": {"file_path": "a"}, "status": "error", "resultDisplay": "boom"}
    records = [
        at(0, sessionId="s", projectHash="h", kind="main"),
        at(1, id="1", type="user", content=[{"text": "hi there"}]),
        at(2, id="2", type="gemini", content="", tokens=None),
        {"$set": {"lastUpdated": "x"}},
        at(2, id="2", type="gemini", content="ok", toolCalls=[call], tokens={"input": 5, "output": 1, "thoughts": 2}),
        at(3, id="3", type="user", content="wrong"),
        {"$rewindTo": "3"},
    ]
    item = one(put(tmp_path / "a.jsonl", records))
    assert rows(item) == [("hi there", "ok", 'write_file {"file_path": "a"}', "Error (reported by the tool):\nboom")]
    assert (item.trajectory.steps[0].usage.input_tokens, item.trajectory.steps[0].usage.output_tokens) == (5, 3)


def test_atif_sub_agents_inside_the_file(tmp_path: Path) -> None:
    inner = {
        "trajectory_id": "sub",
        "agent": {"name": "helper"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "told"},
            {"step_id": 2, "source": "agent", "message": "did", "metrics": {"prompt_tokens": 1}},
        ],
    }
    observation = {"results": [{"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "sub"}]}]}
    data = {
        "schema_version": "ATIF-v9.9",
        "agent": {"name": "a"},
        "steps": [
            {
                "step_id": 1,
                "source": "agent",
                "message": [{"type": "text", "text": "x"}, {"type": "image", "source": {"media_type": "image/png"}}],
                "tool_calls": [{"tool_call_id": "c", "function_name": "delegate", "arguments": {}}],
                "observation": observation,
            },
            {"step_id": 2, "source": "something new", "message": "?"},
        ],
        "subagent_trajectories": [inner],
    }
    item = one(put(tmp_path / "a.json", data))
    assert [(s.agent_name, s.thought, s.action) for s in item.trajectory.steps] == [
        (None, "x\n[image/png]", "delegate {}"),
        ("helper", "did", None),
    ]
    assert item.report.skipped["something new"] == 1


OPENAI: list[tuple[str, Any, list[Row]]] = [
    (
        "ShareGPT",
        {
            "conversations": [
                {"from": "human", "value": "q"},
                {"from": "function_call", "value": '{"name": "f", "arguments": {"a": 1}}'},
                {"from": "observation", "value": "42"},
                {"from": "gpt", "value": "ans"},
            ]
        },
        [("q", "", 'f {"a": 1}', "42"), (None, "ans", None, None)],
    ),
    (
        "legacy function_call",
        [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": None, "function_call": {"name": "python", "arguments": '{"code": "1"}'}},
            {"role": "function", "name": "python", "content": "1"},
        ],
        [("q", "", "1", "1")],
    ),
    (
        "broken arguments and ids that come again",
        [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "call_0", "function": {"name": "bash", "arguments": '{"command": "ls'}}],
            },
            {"role": "tool", "tool_call_id": "call_0", "content": "1"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "call_0", "function": {"name": "bash", "arguments": '{"command": "pwd"}'}}],
            },
            {"role": "tool", "tool_call_id": "call_0", "content": text("/x")},
        ],
        [("q", "", '{"command": "ls', "1"), (None, "", "pwd", "/x")],
    ),
    (
        "calls in the text",
        [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": "hm <function=execute_bash>\n<parameter=command>ls</parameter>\n</function>",
            },
            {"role": "user", "content": "EXECUTION RESULT of [execute_bash]:\na.py"},
            {"role": "assistant", "content": "<function=finish>\n</function>"},
        ],
        [
            ("q", "hm <function=execute_bash>\n<parameter=command>ls</parameter>\n</function>", "ls", "a.py"),
            (None, "<function=finish>\n</function>", "finish {}", None),
        ],
    ),
    (
        "Responses API",
        {
            "input": [{"role": "user", "content": "q"}],
            "output": [
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": "think"}]},
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c", "output": "r"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
            ],
        },
        [("q", "think", "f {}", "r"), (None, "a", None, None)],
    ),
]


@pytest.mark.parametrize(("name", "content", "expected"), OPENAI, ids=[name for name, _, _ in OPENAI])
def test_messages_in_the_likeness_of_openai(name: str, content: Any, expected: list[Row], tmp_path: Path) -> None:
    item = one(put(tmp_path / "a.json", content))
    assert rows(item) == expected
    assert item.trajectory.problems == ()


def test_cline_with_native_calls_and_its_own_metrics(tmp_path: Path) -> None:
    metrics = {"tokens": {"prompt": 5, "completion": 6, "cached": 2}, "cost": 0.1}
    records = [
        {"role": "user", "content": text("<task>\nT\n</task>"), "ts": 1},
        {
            "role": "assistant",
            "content": [*text("ok"), use("t", "execute_command", command="dir C:\\x")],
            "metrics": metrics,
            "modelInfo": {"modelId": "m"},
            "ts": 2,
        },
        {
            "role": "user",
            "content": [*result("t", text("x")), *text("<environment_details>e</environment_details>")],
            "ts": 3,
        },
    ]
    item = one(put(tmp_path / "api_conversation_history.json", records))
    assert rows(item) == [("T", "ok", "dir C:\\x", "x")]
    usage = item.trajectory.steps[0].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost, usage.model) == (7, 6, 0.1, "m")


def test_cline_from_the_interface_alone(tmp_path: Path) -> None:
    def say(ts: int, kind: str, words: str, **more: Any) -> dict[str, Any]:
        return {"ts": ts, "type": "say", "say": kind, "text": words} | more

    records = [
        say(1, "text", "task"),
        say(2, "api_req_started", '{"tokensIn": 5, "tokensOut": 2, "cost": 0.1}'),
        say(3, "text", "I d", partial=True),
        say(4, "text", "I do"),
        {"ts": 5, "type": "ask", "ask": "command", "text": "ls"},
        say(6, "command_output", "a"),
        say(7, "completion_result", "done"),
    ]
    item = one(put(tmp_path / "ui_messages.json", records))
    assert rows(item) == [("task", "I do", "ls", "a"), (None, "done", None, None)]
    assert [step.usage.cost for step in item.trajectory.steps] == [0.1, None]
    assert item.report.skipped["draft"] == 1


def test_the_chat_of_old_autogen(tmp_path: Path) -> None:
    def said(name: str, words: str) -> dict[str, str]:
        return {"content": words, "role": "user", "name": name}

    code = "```python\nprint(1)\n```"
    records = [said("user_proxy", "task"), said("coder", code), said("user_proxy", "exitcode: 0\nCode output: 1")]
    assert rows(one(put(tmp_path / "a.json", records))) == [("task", code, "print(1)\n", "exitcode: 0\nCode output: 1")]


def test_a_saved_team_of_autogen(tmp_path: Path) -> None:
    message = {"content": "t", "source": "user", "type": "UserMessage"}
    answer = {"content": "a", "source": "coder", "type": "AssistantMessage"}
    agent = {"agent_state": {"llm_context": {"messages": [message, answer]}}}
    data = {"type": "TeamState", "agent_states": {"coder": agent}}
    assert rows(one(put(tmp_path / "a.json", data))) == [("t", "a", None, None)]


def test_a_call_that_could_not_be_parsed_by_smolagents(tmp_path: Path) -> None:
    step = {"step_number": 1, "tool_calls": [], "model_output": None, "observations": None, "duration": 1.5}
    step |= {"error": {"type": "AgentParsingError", "message": "bad"}, "model_output_message": {"content": "broken"}}
    item = one(put(tmp_path / "a.json", [{"task": "T", "task_images": None}, step]))
    assert rows(item) == [("T", "broken", "[call that could not be parsed]", "AgentParsingError: bad")]
    assert item.trajectory.steps[0].usage.step_execution_time == 1.5


def test_whole_files_of_aider_count_when_they_were_applied(tmp_path: Path) -> None:
    told = "> Aider v0.5  \n\n#### do it  \n#### and that  \n\nI write:\n\nfoo.py\n```\nprint(1)\n```\n\n"
    told += "bar.py\n```\n2\n```\n\n"
    told += "> Applied edit to foo.py  \n\n#### /test pytest  \n\n1 passed\n"
    item = one(put(tmp_path / "a.md", told))
    assert [(s.user_message, s.action, s.environment) for s in item.trajectory.steps] == [
        ("do it\nand that", 'write_file {"path": "foo.py", "content": "print(1)\\n"}', "Applied edit to foo.py"),
        (None, "pytest", "1 passed"),
    ]


def test_a_saved_team_of_metagpt(tmp_path: Path) -> None:
    told = {"id": "1", "content": "make a game", "role": "Human", "cause_by": "metagpt.actions.UserRequirement"}
    made = {"id": "2", "content": "code", "role": "Engineer", "cause_by": "metagpt.actions.write_code.WriteCode"}
    roles = {"Engineer": {"rc": {"memory": {"storage": [made, told]}}}, "QA": {"rc": {"memory": {"storage": [told]}}}}
    data = {"idea": "make a game", "investment": 3.0, "env": {"roles": roles}}
    assert rows(one(put(tmp_path / "team.json", data))) == [("make a game", "code", "WriteCode", None)]
