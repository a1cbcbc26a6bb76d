"""The scripted model: replies by order or by prompt, failures, latency, and a log that survives a kill."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings
from judge.errors import ConfigError, ProviderError
from judge.models import Finish, Message, Reply, Request, Role, open_model, parse_verdict


def write(tmp_path: Path, value: Any, name: str = "script.json") -> str:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return f"scripted:{path}"


def ask(spec: str, *prompts: str, retries: int = 0, purpose: str = "judge") -> list[Reply]:
    async def go() -> list[Reply]:
        model = open_model(spec, ModelSettings(max_retries=retries))
        return [
            await model.complete(Request(messages=(Message(Role.USER, prompt),), purpose=purpose)) for prompt in prompts
        ]

    return asyncio.run(go())


def test_replies_in_order_then_an_error(tmp_path: Path) -> None:
    spec = write(tmp_path, ["one", {"verdict": "SATISFIED", "reason": "r"}])
    replies = ask(spec, "a", "b")
    assert replies[0].text == "one"
    assert json.loads(replies[1].text)["verdict"] == "SATISFIED"
    with pytest.raises(ProviderError, match="no reply"):
        ask(spec, "a", "b", "c")


def test_replies_by_what_the_prompt_holds(tmp_path: Path) -> None:
    spec = write(tmp_path, {"plot": {"verdict": "SATISFIED"}, "metric": {"verdict": "UNSATISFIED"}, "default": "other"})
    texts = [reply.text for reply in ask(spec, "a metric", "a plot", "nothing", "a plot")]
    assert [json.loads(text)["verdict"] for text in (texts[0], texts[1], texts[3])] == [
        "UNSATISFIED",
        "SATISFIED",
        "SATISFIED",
    ]
    assert texts[2] == "other"


def test_rules_with_several_texts_purposes_and_turns(tmp_path: Path) -> None:
    rules = [
        {"when": ["a", "b"], "reply": "both"},
        {"when": "a", "purpose": "locate", "reply": "files"},
        {"when": "a", "reply": [{"text": "first", "times": 2}, "then"]},
    ]
    spec = write(tmp_path, {"rules": rules})
    assert [reply.text for reply in ask(spec, "a", "a b", "a", "a", "a")] == ["first", "both", "first", "then", "then"]
    assert ask(spec, "a", purpose="locate")[0].text == "files"


def test_json_lines(tmp_path: Path) -> None:
    lines = '"one"\n\n{"text": "two", "finish": "length"}\n{"when": "x", "text": "three"}\n'
    replies = ask(write(tmp_path, lines, "s.jsonl"), "a", "x", "b")
    assert [reply.text for reply in replies] == ["one", "three", "two"]
    assert replies[2].finish is Finish.LENGTH


def test_statuses_are_retried_like_real_ones(tmp_path: Path) -> None:
    spec = write(tmp_path, [{"status": 503, "retry_after": 0}, {"error": "connection"}, "fine"])
    assert ask(spec, "a", retries=2)[0].text == "fine"
    with pytest.raises(ProviderError, match="HTTP 401: no such key") as caught:
        ask(write(tmp_path, [{"status": 401, "message": "no such key"}, "fine"]), "a", retries=3)
    assert caught.value.status == 401


def test_every_call_is_logged_before_it_is_answered(tmp_path: Path) -> None:
    spec = write(tmp_path, {"rules": [{"when": "R1", "reply": {"status": 400}}], "default": "x", "log": "calls.jsonl"})
    with pytest.raises(ProviderError):
        ask(spec, "about R1")
    ask(spec, "other")
    lines = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    assert [line["when"] for line in lines] == ["R1", ""]
    assert lines[0]["purpose"] == "judge"
    assert lines[0]["prompt"] != lines[1]["prompt"]


def test_latency(tmp_path: Path) -> None:
    started = time.monotonic()
    reply = ask(write(tmp_path, [{"text": "x", "latency": 0.1}]), "a")[0]
    assert time.monotonic() - started >= 0.1
    assert reply.usage.seconds == pytest.approx(0.1)


def test_usage_is_counted_and_free(tmp_path: Path) -> None:
    usage = ask(write(tmp_path, ["hello world"]), "hello there world")[0].usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost) == (1, 3, 2, 0.0)


def test_verdicts_can_be_parsed(tmp_path: Path) -> None:
    parsed = parse_verdict(ask(write(tmp_path, [{"verdict": "UNSATISFIED"}]), "a")[0])
    assert parsed.verdict.value == "UNSATISFIED"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{",
        "3",
        "null",
        [[]],
        [7],
        [{}],
        {"rules": [7]},
        {"rules": [{"when": "a", "reply": {"tetx": "x"}}]},
        {"rules": [], "unknown": 1},
    ],
)
def test_scripts_that_are_none_are_one_line_errors(tmp_path: Path, value: Any) -> None:
    with pytest.raises(ConfigError, match=r"script\.json") as caught:
        ask(write(tmp_path, value), "a")
    assert "\n" not in str(caught.value)


def test_a_missing_script(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        ask(f"scripted:{tmp_path / 'none.json'}", "a")
