"""Both SDKs against a real server: what goes out, what comes back, and what a server may refuse."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.models import VERDICT_SCHEMA, Finish, Message, Reply, Request, Role, open_model
from judge.models.base import Model
from judge.schemas import Image

KEY = "sk-test-0a1B2c3D4e5F6g7H8i9J"
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


def settings(server: Any, wire: Any, **changes: Any) -> ModelSettings:
    values: dict[str, Any] = {"base_url": server.url + wire.base, "max_retries": 0, "timeout": 5.0, "deadline": 20.0}
    return ModelSettings(**(values | {"keys": {"JUDGE_API_KEY": Secret(KEY)}} | changes))


def run(model: Model, *requests: Request) -> list[Reply]:
    async def go() -> list[Reply]:
        try:
            return [await model.complete(request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(go())


def ask(server: Any, wire: Any, request: Request = REQUEST, model: str = "some-model", **changes: Any) -> Reply:
    return run(open_model(f"{wire.provider}:{model}", settings(server, wire, **changes)), request)[0]


def test_a_good_answer(server: Any, wire: Any) -> None:
    server.will(wire.good())
    reply = ask(server, wire)
    assert json.loads(reply.text)["verdict"] == "SATISFIED"
    assert reply.finish is Finish.STOP
    assert reply.structured
    assert reply.model == "served-model"
    usage = reply.usage
    assert (usage.calls, usage.input_tokens, usage.cache_read_tokens, usage.output_tokens) == (1, 40, 60, 20)
    assert usage.cost is None, "a server of one's own has no known price"
    assert usage.seconds > 0


def test_what_openai_gets(server: Any, chat: Any) -> None:
    server.will(chat.good())
    ask(
        server,
        chat,
        replace(REQUEST, messages=(*REQUEST.messages, Message(Role.ASSISTANT, "x"), Message(Role.USER, "y"))),
    )
    hit = server.hits[0]
    assert hit.path == "/v1/chat/completions"
    assert hit.headers["authorization"] == f"Bearer {KEY}"
    assert [message["role"] for message in hit.body["messages"]] == ["system", "user", "assistant", "user"]
    assert hit.body["messages"][1]["content"] == "The task.\n\nThe criterion."
    assert hit.body["response_format"]["json_schema"] == {"name": "verdict", "strict": True, "schema": VERDICT_SCHEMA}
    assert hit.body["temperature"] == 0
    assert hit.body["max_tokens"] == 500
    assert "stream" not in hit.body or hit.body["stream"] is False


def test_what_anthropic_gets(server: Any, messages: Any) -> None:
    server.will(messages.good())
    ask(server, messages)
    hit = server.hits[0]
    assert hit.path == "/v1/messages"
    assert KEY in f"{hit.headers.get('x-api-key')} {hit.headers.get('authorization')}"
    assert hit.body["system"] == [{"type": "text", "text": "You judge.", "cache_control": {"type": "ephemeral"}}]
    assert hit.body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "The task.", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "The criterion."},
            ],
        }
    ]
    assert hit.body["output_config"] == {"format": {"type": "json_schema", "schema": VERDICT_SCHEMA}}
    assert hit.body["temperature"] == 0
    assert hit.body["max_tokens"] == 500


def test_anthropic_gets_no_more_marks_than_it_takes(server: Any, messages: Any) -> None:
    server.will(messages.good())
    many = tuple(Message(Role.USER, f"part {number}", cache=True) for number in range(9))
    ask(server, messages, replace(REQUEST, messages=(REQUEST.messages[0], *many)))
    blocks = server.hits[0].body["messages"][0]["content"]
    assert [block["text"] for block in blocks if "cache_control" in block] == [
        f"part {number}" for number in (5, 6, 7, 8)
    ]
    assert "cache_control" not in server.hits[0].body["system"][0]


def test_images_go_to_models_that_see(server: Any, wire: Any) -> None:
    server.will(wire.good())
    request = replace(REQUEST, messages=(*REQUEST.messages, Message(Role.USER, "Look:", images=(IMAGE,))))
    chat_settings = settings(server, wire)
    model = open_model(f"{wire.provider}:some-model", chat_settings)
    assert model.sees_images is (wire.provider == "anthropic"), "an unknown server is not believed to see"
    run(model, request)
    sent = json.dumps(server.hits[0].body)
    if wire.provider == "anthropic":
        assert '"data": "iVBORw0KGgo="' in sent
    else:
        assert "iVBOR" not in sent
        assert "1 image left out" in sent


def test_a_server_that_cannot_see_is_learnt(server: Any, messages: Any) -> None:
    refusal = messages.answer({"error": {"message": "this model does not support image input"}}, 400)
    server.will(refusal, messages.good())
    request = replace(REQUEST, messages=(*REQUEST.messages, Message(Role.USER, "Look:", images=(IMAGE,))))
    model = open_model("anthropic:some-model", settings(server, messages))
    run(model, request, request)
    assert len(server.hits) == 3
    assert not model.sees_images


@pytest.mark.parametrize("status", [400, 422, 501])
def test_formats_are_downgraded_once(server: Any, chat: Any, status: int) -> None:
    def rule(hit: Any) -> Any:
        if "response_format" in hit.body:
            kind = hit.body["response_format"]["type"]
            return chat.answer({"error": {"message": f"response_format type {kind} is not supported"}}, status)
        return chat.good()

    server.rule = rule
    replies = run(open_model("openai:m", settings(server, chat)), REQUEST, REQUEST)
    kinds = [hit.body.get("response_format", {}).get("type") for hit in server.hits]
    assert kinds == ["json_schema", "json_object", None, None]
    assert not replies[0].structured
    assert "JSON Schema" in server.hits[2].body["messages"][-1]["content"]
    assert server.hits[2].body["messages"][-1]["content"].startswith("The task.\n\nThe criterion.\n\n"), "prefix kept"


def test_anthropic_falls_back_to_a_tool_and_then_to_text(server: Any, messages: Any) -> None:
    tool = {"type": "tool_use", "id": "t", "name": "verdict", "input": {"verdict": "SATISFIED"}}

    def rule(hit: Any) -> Any:
        if "output_config" in hit.body:
            return messages.answer({"error": {"message": "output_config: Extra inputs are not permitted"}}, 400)
        if "tools" in hit.body:
            return messages.good(content=[{"type": "text", "text": "I answer."}, tool], stop_reason="tool_use")
        return messages.good()

    server.rule = rule
    reply = run(open_model("anthropic:m", settings(server, messages)), REQUEST)[0]
    assert json.loads(reply.text) == {"verdict": "SATISFIED"}
    assert reply.finish is Finish.STOP
    assert server.hits[1].body["tool_choice"] == {"type": "tool", "name": "verdict"}


@pytest.mark.parametrize(
    ("message", "gone", "there"),
    [
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature", "max_tokens"),
        ("`temperature` is deprecated for this model.", "temperature", "max_tokens"),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
    ],
)
def test_refused_parameters_are_learnt_once(server: Any, chat: Any, message: str, gone: str, there: str) -> None:
    server.will(chat.answer({"error": {"message": message, "code": "unsupported_value"}}, 400), chat.good())
    run(open_model("openai:m", settings(server, chat)), REQUEST, REQUEST)
    assert [gone in hit.body for hit in server.hits] == [True, False, False]
    assert all(there in hit.body for hit in server.hits[1:])


def test_calls_in_flight_share_what_is_learnt(server: Any, chat: Any) -> None:
    def rule(hit: Any) -> Any:
        if "temperature" in hit.body:
            return chat.answer({"error": {"message": "temperature is not supported"}}, 400, delay=0.05)
        return chat.good()

    server.rule = rule

    async def go() -> list[Reply]:
        model = open_model("openai:m", settings(server, chat))
        replies = await asyncio.gather(*(model.complete(REQUEST) for _ in range(8)))
        await model.close()
        return replies

    assert len(asyncio.run(go())) == 8
    assert len(server.hits) <= 16


def test_a_server_that_refuses_everything_ends_in_an_error(server: Any, wire: Any) -> None:
    server.rule = lambda hit: wire.answer(
        {
            "error": {
                "message": "unsupported: temperature max_tokens max_completion_tokens cache_control "
                "output_config response_format"
            }
        },
        400,
    )
    with pytest.raises(Exception, match=r"HTTP 400|refuses every form"):
        ask(server, wire)
    assert len(server.hits) <= 7


@pytest.mark.parametrize("name", ["o3-mini", "gpt-5-mini", "o1", "openai/gpt-5"])
def test_reasoning_models_get_no_temperature_and_room_to_think(server: Any, chat: Any, name: str) -> None:
    server.will(chat.good())
    ask(server, chat, model=name)
    body = server.hits[0].body
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert body["max_completion_tokens"] > 10_000


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", Finish.STOP),
        ("length", Finish.LENGTH),
        ("content_filter", Finish.FILTER),
        ("tool_calls", Finish.OTHER),
        (None, Finish.OTHER),
        (7, Finish.OTHER),
        ("eos", Finish.STOP),
    ],
)
def test_finish_reasons_of_openai(server: Any, chat: Any, reason: Any, finish: Finish) -> None:
    server.will(chat.good(choices=[{"finish_reason": reason, "message": {"content": "x"}}]))
    assert ask(server, chat).finish is finish


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("refusal", Finish.REFUSAL),
        ("pause_turn", Finish.OTHER),
        ("model_context_window_exceeded", Finish.LENGTH),
        (None, Finish.OTHER),
    ],
)
def test_stop_reasons_of_anthropic(server: Any, messages: Any, reason: Any, finish: Finish) -> None:
    server.will(messages.good(stop_reason=reason))
    assert ask(server, messages).finish is finish


@pytest.mark.parametrize(
    ("message", "text", "finish"),
    [
        ({"content": None}, "", Finish.STOP),
        ({"content": None, "refusal": "I cannot help"}, "I cannot help", Finish.REFUSAL),
        ({"content": ""}, "", Finish.STOP),
        ({}, "", Finish.STOP),
        ({"content": 7}, "", Finish.STOP),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "image"}, None]},
            "ab",
            Finish.STOP,
        ),
    ],
)
def test_odd_messages(server: Any, chat: Any, message: Any, text: str, finish: Finish) -> None:
    server.will(chat.good(choices=[{"finish_reason": "stop", "message": message}]))
    reply = ask(server, chat)
    assert (reply.text, reply.finish) == (text, finish)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "x",
        {"prompt_tokens": None, "completion_tokens": None},
        {"prompt_tokens": -5, "completion_tokens": 1},
        {"prompt_tokens": "many", "completion_tokens": 3},
        {"input_tokens": 1e300, "output_tokens": True},
    ],
)
def test_missing_usage_is_counted_here_and_its_cost_unknown(server: Any, wire: Any, usage: Any) -> None:
    server.will(wire.good(usage=usage))
    used = ask(server, wire).usage
    assert 5 < used.input_tokens < 60
    assert used.output_tokens > 10
    assert used.cost is None


def test_cached_tokens_are_never_counted_twice(server: Any, chat: Any) -> None:
    details = {"cached_tokens": 500}
    server.will(chat.good(usage={"prompt_tokens": 100, "completion_tokens": 1, "prompt_tokens_details": details}))
    used = ask(server, chat).usage
    assert (used.input_tokens, used.cache_read_tokens) == (0, 100)


def test_free_text_is_asked_for_without_a_format(server: Any, wire: Any) -> None:
    server.will(wire.good("Hello."))
    reply = ask(server, wire, replace(REQUEST, schema=None))
    assert reply.text == "Hello."
    assert not reply.structured
    assert not {"response_format", "output_config", "tools"} & set(server.hits[0].body)


def test_no_key_is_needed_on_this_machine_and_none_is_sent(server: Any, wire: Any) -> None:
    server.will(wire.good())
    ask(server, wire, keys={})
    assert KEY not in json.dumps(server.hits[0].headers)


def test_text_that_is_no_unicode_can_be_sent(server: Any, wire: Any) -> None:
    server.will(wire.good())
    ask(server, wire, replace(REQUEST, messages=(Message(Role.USER, "name \udcff.txt"),)))
    assert "name \ufffd.txt" in json.dumps(server.hits[0].body, ensure_ascii=False)


def test_a_model_works_in_one_loop_after_another(server: Any, wire: Any) -> None:
    server.will(wire.good())
    model = open_model(f"{wire.provider}:m", settings(server, wire))

    async def once() -> Reply:
        reply = await model.complete(REQUEST)
        await model.close()
        return reply

    assert asyncio.run(once()).text == asyncio.run(once()).text
