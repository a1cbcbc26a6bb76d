"""OpenAI's Responses API: what goes out, what comes back, and when it is spoken."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret, Server
from judge.errors import ProviderError
from judge.models import VERDICT_SCHEMA, Finish, Message, Reply, Request, Role, open_model
from judge.models.openai_options import Options
from judge.schemas import Image

IMAGE = Image(media_type="image/png", data_base64="iVBORw0KGgo=", width=1, height=1)
REQUEST = Request(
    messages=(
        Message(Role.SYSTEM, "You judge.", cache=True),
        Message(Role.USER, "The task.", cache=True),
        Message(Role.USER, "The criterion."),
    ),
    schema=VERDICT_SCHEMA,
    schema_name="verdict",
    max_output_tokens=500,
)


def body(text: Any = None, **changes: Any) -> dict[str, Any]:
    content = json.dumps({"reason": "x", "citations": [], "confidence": 1, "verdict": "SATISFIED"})
    message = {"type": "message", "content": [{"type": "output_text", "text": content if text is None else text}]}
    usage = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}, "output_tokens": 20}
    whole = {"status": "completed", "model": "served-model", "error": None, "output": [message], "usage": usage}
    return whole | changes


def ask(server: Any, request: Request = REQUEST, spec: str = "openai:some-model", **changes: Any) -> Reply:
    values: dict[str, Any] = {"base_url": server.url + "/v1", "max_retries": 0, "timeout": 5.0, "api": "responses"}

    async def go() -> Reply:
        model = open_model(
            spec, ModelSettings(**(values | {"keys": {"JUDGE_API_KEY": Secret("key-0123456")}} | changes))
        )
        try:
            return await model.complete(request)
        finally:
            await model.close()

    return asyncio.run(go())


def test_what_goes_out(server: Any, chat: Any) -> None:
    server.will(chat.answer(body()))
    assistant = Message(Role.ASSISTANT, "x")
    reply = ask(server, replace(REQUEST, messages=(*REQUEST.messages, assistant, Message(Role.USER, "y"))))
    sent = server.hits[0]
    assert sent.path == "/v1/responses"
    assert sent.body["instructions"] == "You judge."
    assert sent.body["input"] == [
        {"role": "user", "content": "The task.\n\nThe criterion."},
        {"role": "assistant", "content": "x"},
        {"role": "user", "content": "y"},
    ]
    schema = {"type": "json_schema", "name": "verdict", "strict": True, "schema": VERDICT_SCHEMA}
    assert sent.body["text"] == {"format": schema}
    assert (sent.body["temperature"], sent.body["max_output_tokens"]) == (0, 500)
    assert sent.body["store"] is False, "nothing of a judged workspace is left at the provider"
    assert reply.structured
    assert (reply.usage.input_tokens, reply.usage.cache_read_tokens, reply.usage.output_tokens) == (40, 60, 20)


def test_images_and_effort(server: Any, chat: Any) -> None:
    server.will(chat.answer(body()))
    request = replace(REQUEST, messages=(*REQUEST.messages, Message(Role.USER, "Look:", images=(IMAGE,))))
    lab = {"lab": Server(server.url + "/v1", images=True, api="responses")}
    ask(server, request, spec="openai-compatible:lab/gpt-5", servers=lab, api="auto", effort="low")
    sent = server.hits[0].body
    assert sent["reasoning"] == {"effort": "low"}
    assert "temperature" not in sent
    assert sent["input"][0]["content"][-1] == {
        "type": "input_image",
        "image_url": "data:image/png;base64,iVBORw0KGgo=",
        "detail": "auto",
    }


@pytest.mark.parametrize(
    ("changes", "finish", "text"),
    [
        ({}, Finish.STOP, None),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, Finish.LENGTH, None),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, Finish.FILTER, None),
        ({"status": "incomplete", "incomplete_details": None}, Finish.OTHER, None),
        ({"status": "incomplete", "incomplete_details": {"reason": 7}}, Finish.OTHER, None),
        ({"status": None}, Finish.OTHER, None),
        ({"output": []}, Finish.STOP, ""),
        ({"output": [{"type": "reasoning", "content": [{"type": "output_text", "text": "no"}]}]}, Finish.STOP, ""),
        ({"output": [{"type": "function_call", "arguments": "{}"}, None, 3]}, Finish.STOP, ""),
        (
            {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot"}]}]},
            Finish.REFUSAL,
            "I cannot",
        ),
    ],
)
def test_how_answers_end(server: Any, chat: Any, changes: Any, finish: Finish, text: str | None) -> None:
    server.will(chat.answer(body(**changes)))
    reply = ask(server)
    assert reply.finish is finish
    assert text is None or reply.text == text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"status": "failed", "error": {"code": "server_error", "message": "boom"}}, "boom"),
        ({"status": "failed", "output": [], "error": {"code": "rate_limit_exceeded", "message": "slow"}}, "slow"),
        ({"status": "in_progress"}, "in progress"),
        ({"status": "cancelled"}, "cancelled"),
        ({"output": None}, "without output"),
        ({"output": "text"}, "without output"),
    ],
)
def test_what_is_no_answer_is_tried_again(server: Any, chat: Any, changes: Any, told: str) -> None:
    server.will(chat.answer(body(**changes)), chat.answer(body("fine")))
    assert ask(server, max_retries=1).text == "fine"
    server.will(chat.answer(body(**changes)))
    with pytest.raises(ProviderError, match=told):
        ask(server)


def test_a_model_that_speaks_only_this_is_learnt_and_remembered(server: Any, chat: Any, tmp_path: Path) -> None:
    def rule(hit: Any) -> Any:
        if hit.path.endswith("/chat/completions"):
            words = "This is not a chat model and thus not supported in the v1/chat/completions endpoint."
            return chat.answer({"error": {"message": words}}, 404)
        return chat.answer(body("fine"))

    server.rule = rule
    memory = tmp_path / "models.json"
    for _ in range(2):
        assert ask(server, api="auto", memory=memory).text == "fine"
    assert [hit.path.rpartition("/")[2] for hit in server.hits] == ["completions", "responses", "responses"]
    with pytest.raises(ProviderError, match="not a chat model"):
        ask(server, api="chat", memory=memory)


def test_refused_parameters_are_learnt_here_too(server: Any, chat: Any) -> None:
    def rule(hit: Any) -> Any:
        for name in ("store", "temperature", "reasoning"):
            if name in hit.body:
                return chat.answer({"error": {"message": f"Unsupported parameter: '{name}'"}}, 400)
        if "text" in hit.body:
            return chat.answer({"error": {"message": "text.format of type json_schema is not supported"}}, 400)
        return chat.answer(body("fine"))

    server.rule = rule
    assert ask(server, effort="high").text == "fine"


@pytest.mark.parametrize(
    ("name", "only"), [("o3-pro", True), ("gpt-5-codex", True), ("o3", False), ("gpt-5-mini", False), ("gpt-4o", False)]
)
def test_models_known_to_speak_only_this(name: str, only: bool) -> None:
    assert Options(name, official=True).responses_only is only
    assert not Options(name, official=False).responses_only


def test_requests_that_share_a_prefix_name_it_alike() -> None:
    options = Options("gpt-5", official=True)
    other = replace(REQUEST, messages=(*REQUEST.messages[:2], Message(Role.USER, "Another criterion.")))
    task = replace(REQUEST, messages=(REQUEST.messages[0], Message(Role.USER, "Another task.", cache=True)))
    assert options.prefix_key(REQUEST) == options.prefix_key(other) != options.prefix_key(task)
    assert not Options("gpt-5").prefix_key(REQUEST), "other servers may not know the parameter"
