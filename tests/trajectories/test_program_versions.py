"""Files as further versions of the programs write them, each typed in small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.errors import InputError
from judge.trajectories import Converted, choose_format, convert, load_trajectory


def lines(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def one(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def only(path: Path) -> Converted:
    (found,) = convert(path)
    return found


def shown(item: Converted) -> list[tuple[str | None, str | None, str | None]]:
    return [(step.agent_name, step.action, step.environment) for step in item.trajectory.steps]


def claude(session: str, side: bool, *turns: Any) -> list[dict[str, Any]]:
    """Records of a session: a text is a prompt, a pair a call, a triple a result with its agent."""
    made: list[dict[str, Any]] = []
    for number, turn in enumerate(turns):
        name = f"{session}{side}{json.dumps(turns)[:40]}{number}"
        record: dict[str, Any] = {
            "uuid": name,
            "parentUuid": made[-1]["uuid"] if made else None,
            "sessionId": session,
            "isSidechain": side,
        }
        if isinstance(turn, str):
            record |= {"type": "user", "message": {"role": "user", "content": turn}}
        elif len(turn) == 2:
            block = {
                "type": "tool_use",
                "id": turn[0],
                "name": "Agent" if "prompt" in turn[1] else "Bash",
                "input": turn[1],
            }
            record |= {"type": "assistant", "message": {"id": f"m{name}", "role": "assistant", "content": [block]}}
        else:
            block = {"type": "tool_result", "tool_use_id": turn[0], "content": turn[1]}
            record |= {
                "type": "user",
                "message": {"role": "user", "content": [block]},
                "toolUseResult": {"agentId": turn[2]},
            }
        made.append(record)
    return made


class TestClaudeAgents:
    MAIN = claude("s1", False, "go", ("t1", {"prompt": "P1"}), ("t1", "built", "ag1"))
    FIRST = claude("s1", True, "P1", ("y1", {"prompt": "P2"}), ("y1", "nested", "ag2"))
    SECOND = claude("s1", True, "P2", ("z1", {"command": "ls"}), ("z1", "a.py", ""))

    @pytest.mark.parametrize("place", ["s1/subagents", "."])
    def test_files_in_the_folder_and_beside_it_nested_ones_too(self, tmp_path: Path, place: str) -> None:
        path = lines(tmp_path / "s1.jsonl", *self.MAIN)
        lines(tmp_path / place / "agent-ag1.jsonl", *self.FIRST)
        lines(tmp_path / place / "agent-ag2.jsonl", *self.SECOND)
        one(tmp_path / place / "agent-ag2.meta.json", {"agentType": "helper"})
        found = only(path)
        assert [action for _, action, _ in shown(found)] == ['Agent {"prompt": "P1"}', 'Agent {"prompt": "P2"}', "ls"]
        assert shown(found)[2][0] == "helper"
        assert not found.report.problems.lines()

    def test_agents_of_another_session_are_not_taken_and_are_named(self, tmp_path: Path) -> None:
        lines(tmp_path / "s1.jsonl", *self.MAIN)
        lines(tmp_path / "agent-zz.jsonl", *claude("s9", True, "P", ("q", {"command": "rm x"}), ("q", "", "")))
        assert "rm x" not in str(shown(only(tmp_path / "s1.jsonl")))
        assert "agent-zz.jsonl" in str(only(tmp_path).report.problems.lines())


def test_the_totals_of_several_sessions_of_claude_add_up(tmp_path: Path) -> None:
    records = []
    for session, turns in (("a", 1), ("b", 1), ("b", 2)):
        records += [
            {"type": "system", "subtype": "init", "session_id": session, "model": "m"},
            {"type": "assistant", "message": {"id": f"{session}{turns}", "content": [{"type": "text", "text": "x"}]}},
            {
                "type": "result",
                "session_id": session,
                "total_cost_usd": 0.25 * turns,
                "num_turns": 1,
                "duration_ms": 1000,
            },
        ]
    totals = only(lines(tmp_path / "x.jsonl", *records)).report.stated
    assert totals.cost == pytest.approx(0.75)
    assert totals.step_execution_time == pytest.approx(3)


def codex(*payloads: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"timestamp": f"2025-11-01T10:00:{n:02d}Z", "type": t, "payload": p} for n, (t, p) in enumerate(payloads)]


def test_a_search_without_an_id_never_takes_the_result_of_another_call(tmp_path: Path) -> None:
    records = codex(
        ("session_meta", {"id": "x", "cwd": "/w"}),
        ("event_msg", {"type": "user_message", "message": "<environment_context>e", "kind": "environment_context"}),
        (
            "event_msg",
            {"type": "user_message", "message": "# Context from my IDE setup:\n\n## My request for Codex:\nfix"},
        ),
        ("response_item", {"type": "function_call", "name": "shell", "arguments": '{"command": "ls"}', "call_id": "c"}),
        ("response_item", {"type": "web_search_call", "action": {"query": "q"}}),
        ("response_item", {"type": "function_call_output", "call_id": "c", "output": "files"}),
    )
    found = only(lines(tmp_path / "x.jsonl", *records))
    assert [(a, e) for _, a, e in shown(found)] == [("ls", "files"), ('web_search {"query": "q"}', None)]
    assert (found.trajectory.steps[0].user_message or "").endswith("fix")
    assert "environment_context" not in str(found.trajectory.steps)
    assert not found.report.problems.lines()


def test_the_first_output_of_codex_exec(tmp_path: Path) -> None:
    events = [
        {"type": "agent_reasoning", "text": "think"},
        {"type": "exec_command_begin", "call_id": "c", "command": ["bash", "-lc", "python t.py"], "cwd": "/w"},
        {"type": "exec_command_end", "call_id": "c", "stdout": "acc 0.9\n", "stderr": "warn\n", "exit_code": 1},
        {"type": "agent_message", "message": "done"},
        {
            "type": "token_count",
            "info": {"total_token_usage": {"input_tokens": 9, "output_tokens": 2}, "last_token_usage": {}},
        },
        {"type": "task_complete"},
    ]
    head = [{"model": "m", "workdir": "/w"}, {"prompt": "fix"}]
    found = only(lines(tmp_path / "x.jsonl", *head, *({"id": "0", "msg": event} for event in events)))
    first, last = found.trajectory.steps
    assert (first.user_message, first.thought, first.action) == ("fix", "think", "python t.py")
    assert first.environment == "[exit code 1]\nacc 0.9\nwarn"
    assert (last.thought, found.report.stated.input_tokens) == ("done", 9)


def test_qwen_code_and_checkpoints_of_gemini(tmp_path: Path) -> None:
    parts: list[tuple[str, str, list[Any]]] = [
        ("user", "user", [{"text": "hello"}]),
        (
            "assistant",
            "model",
            [{"text": "Running"}, {"functionCall": {"id": "c", "name": "bash", "args": {"command": "ls"}}}],
        ),
        ("tool_result", "user", [{"functionResponse": {"id": "c", "name": "bash", "response": {"output": "a.py"}}}]),
    ]
    base = {"sessionId": "s", "parentUuid": None}
    qwen = [base | {"uuid": str(n), "type": t, "message": {"role": r, "parts": p}} for n, (t, r, p) in enumerate(parts)]
    checkpoint = one(tmp_path / "c.json", [{"role": r, "parts": p} for _, r, p in parts])
    for path in (lines(tmp_path / "q.jsonl", *qwen), checkpoint):
        found = only(path)
        assert found.trajectory.format == "gemini-cli"
        assert shown(found) == [(None, "ls", "a.py")]
        assert found.trajectory.steps[0].user_message == "hello"


USER = {"role": "user", "content": "u"}
CALL = {
    "role": "assistant",
    "tool_calls": [{"id": "1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "bash", "input": {"command": "ls"}}]}
GIVEN = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "f", "cache_control": {}}]}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_logs_of_requests_and_answers_are_one_conversation(tmp_path: Path, kind: str) -> None:
    usage = {"input_tokens": 10, "output_tokens": 1}
    if kind == "openai":
        call, given = CALL, {"role": "tool", "tool_call_id": "1", "content": "f"}
        answers = [
            {"choices": [{"message": m}], "usage": usage} for m in (call, {"role": "assistant", "content": "end"})
        ]
    else:
        call, given = USE, GIVEN
        last = {"role": "assistant", "content": [{"type": "text", "text": "end"}]}
        answers = [{"body": {"type": "message", **m, "usage": usage}} for m in (call, last)]
    asked: list[list[Any]] = [[USER], [USER, call, given]]
    records = [
        {"request": {"body": json.dumps({"model": "m", "messages": told})}, "response": answer}
        for told, answer in zip(asked, answers, strict=True)
    ]
    found = only(lines(tmp_path / "x.jsonl", *records))
    assert found.trajectory.format == kind
    assert [(s.action, s.environment, s.usage.input_tokens) for s in found.trajectory.steps] == [
        ("ls", "f", 10),
        (None, None, 10),
    ]
    assert found.trajectory.steps[1].thought == "end"
    # Another conversation in the same log stays one of its own.
    other = {"request": {"messages": [{"role": "user", "content": "v"}]}, "response": answers[1]}
    assert len(list(convert(lines(tmp_path / "y.jsonl", *records, other)))) == 2


def test_items_of_the_responses_api(tmp_path: Path) -> None:
    items = [
        USER,
        {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls", "python x.py"]}},
        {
            "type": "shell_call_output",
            "call_id": "s",
            "output": [
                {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
                {"stdout": "", "stderr": "boom", "outcome": {"type": "exit", "exit_code": 3}},
            ],
        },
        {"type": "code_interpreter_call", "id": "ci", "code": "print(1)", "outputs": [{"type": "logs", "logs": "1\n"}]},
    ]
    actions = [(a, e) for _, a, e in shown(only(one(tmp_path / "x.json", items)))]
    assert actions == [("ls\npython x.py", "[exit code 3]\na\nboom"), ("print(1)", "1")]


def test_the_messages_of_a_thread_newest_first(tmp_path: Path) -> None:
    def message(time: int, role: str, text: str) -> dict[str, Any]:
        content = [{"type": "text", "text": {"value": text, "annotations": []}}]
        return {"object": "thread.message", "created_at": time, "role": role, "content": content}

    data = {"object": "list", "data": [message(20, "assistant", "answer"), message(10, "user", "question")]}
    (step,) = only(one(tmp_path / "x.json", data)).trajectory.steps
    assert (step.user_message, step.thought) == ("question", "answer")


def test_a_saved_team_says_everything_once_and_in_order(tmp_path: Path) -> None:
    def said(source: str, text: Any, kind: str = "UserMessage") -> dict[str, Any]:
        return {"type": kind, "source": source, "content": text}

    def agent(*messages: Any) -> dict[str, Any]:
        return {"agent_state": {"llm_context": {"messages": list(messages)}}}

    call = said("w1", [{"id": "k", "name": "search", "arguments": "{}"}], "AssistantMessage")
    result = {"type": "FunctionExecutionResultMessage", "content": [{"call_id": "k", "content": "found"}]}
    thread = [said(s, t, "TextMessage") for s, t in (("user", "Write"), ("w1", "draft"), ("w2", "critique"))]
    inner = {
        "agent_states": {
            "w2": agent(said("user", "Write"), said("w1", "draft"), said("w2", "critique", "AssistantMessage")),
            "w1": agent(
                said("user", "Write"), call, result, said("w1", "draft", "AssistantMessage"), said("w2", "critique")
            ),
            "manager": {"message_thread": thread},
        }
    }
    outer = {"agent_states": {"som": {"agent_state": {"inner_team_state": inner}}, "m": {"message_thread": []}}}
    for state in (inner, outer):
        steps = only(one(tmp_path / "x.json", state)).trajectory.steps
        assert [(s.agent_name, s.thought, s.action) for s in steps] == [
            ("w1", "", "search {}"),
            ("w1", "draft", None),
            ("w2", "critique", None),
        ]
        assert [s.user_message for s in steps] == ["Write", None, None]


def test_costs_beside_the_messages(tmp_path: Path) -> None:
    chat = [{"role": "user", "name": n, "content": c} for n, c in (("user_proxy", "a"), ("assistant", "b"))]
    spent = {"total_cost": 0.01, "gpt-4": {"cost": 0.01, "prompt_tokens": 100, "completion_tokens": 20}}
    stated = only(
        one(tmp_path / "a.json", {"chat_history": chat, "cost": {"usage_excluding_cached_inference": spent}})
    ).report.stated
    assert (stated.cost, stated.input_tokens, stated.output_tokens) == (0.01, 100, 20)
    log = tmp_path / "m.log"
    log.write_text(
        "2024-03-01 10:00:01.0 | INFO | metagpt.utils.cost_manager:update_cost:57 - Total running cost: $0.012 |"
        " Max budget: $10.0 | Current cost: $0.012, prompt_tokens: 100, completion_tokens: 50\n"
        '2024-03-01 10:00:02.0 | DEBUG | metagpt.env:publish:1 - publish_message: {"id": "2", "content": "PRD",'
        ' "role": "PM"}\n'
    )
    (step,) = only(log).trajectory.steps
    assert (step.usage.input_tokens, step.usage.output_tokens, step.usage.cost) == (100, 50, 0.012)


def test_a_first_message_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    for text in ("a b " * 100_000, 'say \\"hi\\" ' * 40_000):
        (step,) = only(one(tmp_path / "x.json", [{"role": "user", "content": text}])).trajectory.steps
        assert step.user_message is not None
        assert step.user_message.startswith(text[:100])


@pytest.mark.parametrize(
    "value",
    [
        [{"step": n, "agent": "dqn", "reward": 1.0} for n in range(5)],
        {"steps": [{"step_id": 1, "source": "book", "text": "mix"}], "agent": "chef"},
        [{"type": "result", "num_turns": 3, "duration_ms": 5, "game": "chess"}],
        [{"id": 1, "name": "A", "role": "user", "email": "x"}],
        [{"type": "message", "user": "U1", "text": "hello", "ts": "1700000000.1"}],
        {"cells": [{"cell_type": "code", "source": ["x"]}], "nbformat": 4},
    ],
)
def test_other_kinds_of_json_are_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError, match="compared with: devai, claude-code"):
        choose_format(one(tmp_path / "x.json", value))
    with pytest.raises(InputError):
        load_trajectory(tmp_path / "x.json")
