"""Anthropic's Messages API through its SDK."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from judge.config import ModelSettings
from judge.models.base import Finish, Message, Request
from judge.models.body import text_of, tokens_of
from judge.models.bounded import bound_body
from judge.models.client import Answer, Payload, SdkModel
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault
from judge.models.learned import Format, Learned
from judge.models.sdk_import import import_sdk
from judge.models.shape import turns
from judge.schemas import Usage

# The API takes at most four marks; the last ones reach furthest.
_MARKS = 4
_EFFORTS = {"minimal": "low"}
# Tokens for thinking, which count against the bound on the answer.
_BUDGETS = {"minimal": 1_024, "low": 4_096, "medium": 8_192, "high": 16_384}
_FINISH = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "tool_use": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}


class AnthropicMessages(SdkModel):
    """A model behind the Messages API."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings) -> None:
        super().__init__(provider, name, endpoint, settings, Learned(images=endpoint.images is not False))

    _package = "anthropic"

    def _new_client(self, bound: Callable[[Any], Awaitable[None]] = bound_body) -> Any:
        anthropic: Any = import_sdk(self._package)

        return anthropic.AsyncAnthropic(
            api_key=self._key or "none",
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._settings.timeout,
            http_client=anthropic.DefaultAsyncHttpxClient(**self._transport(bound)),
        )

    async def _post(self, client: Any, payload: Payload) -> Any:
        arguments = payload.split("model", "max_tokens", "messages")
        return (await client.messages.with_raw_response.create(**arguments)).http_response

    def _payload(self, request: Request) -> Payload:
        learned = self._learned
        form = learned.format if request.schema is not None else None
        # A forced tool carries the schema itself, so only plain text needs it told.
        told = Format.TEXT if form is Format.TEXT else Format.SCHEMA
        system, rest = turns(request, told, learned.images)
        caching = "cache_control" not in learned.dropped
        sent = [*system, *(part for turn in rest for part in turn.parts)]
        marked = [message for message in sent if message.cache][-_MARKS:] if caching else []
        messages = [{"role": turn.role.value, "content": _blocks(turn.parts, marked)} for turn in rest]
        arguments: dict[str, Any] = {
            "model": self._name,
            "max_tokens": request.max_output_tokens,
            "messages": messages,
        }
        names = set()
        if form is Format.SCHEMA:
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        elif form is Format.JSON:
            arguments["tools"] = [
                {"name": request.schema_name, "description": "Gives the answer.", "input_schema": request.schema}
            ]
            arguments["tool_choice"] = {"type": "tool", "name": request.schema_name}
        names |= self._think(arguments)
        if system:
            arguments["system"] = _blocks(system, marked)
        if marked:
            names.add("cache_control")
        sampled = "thinking" not in arguments and "temperature" not in learned.dropped
        if request.temperature is not None and sampled:
            # The SDK's method has no such keyword.
            arguments["extra_body"] = {"temperature": request.temperature}
            names.add("temperature")
        if any(message.images for message in sent):
            names.add("images")
        return Payload(arguments, frozenset(names), form, "/v1/messages")

    def _think(self, arguments: dict[str, Any]) -> set[str]:
        """Asks for the effort that is set: newer models take its name, older ones a budget of tokens."""
        effort, dropped = self._settings.effort, self._learned.dropped
        if not effort:
            return set()
        if "effort" not in dropped:
            named = {"effort": _EFFORTS.get(effort, effort)}
            arguments["output_config"] = arguments.get("output_config", {}) | named
            arguments["max_tokens"] += _BUDGETS[effort]
            return {"effort"}
        # A forced tool leaves no room to think.
        if "thinking" in dropped or "tool_choice" in arguments or effort == "minimal":
            return set()
        arguments["thinking"] = {"type": "enabled", "budget_tokens": _BUDGETS[effort]}
        arguments["max_tokens"] += _BUDGETS[effort]
        return {"thinking"}

    def _read(self, payload: Payload, body: dict[str, Any]) -> Answer:
        import json

        content = body.get("content")
        if not isinstance(content, list):
            raise Fault("answered without content", where=self._where, retryable=True)
        reason = body.get("stop_reason")
        finish = _FINISH.get(reason, Finish.OTHER) if isinstance(reason, str) else Finish.OTHER
        calls = [part for part in content if isinstance(part, dict) and part.get("type") == "tool_use"]
        text = text_of(content)
        if calls:
            # Two calls are two answers; the parser sees both and refuses them.
            text = "\n".join(json.dumps(part.get("input"), ensure_ascii=False) for part in calls)
        model = body.get("model")
        return Answer(text, finish, _usage(body.get("usage")), model if isinstance(model, str) else "")


def _blocks(messages: Iterable[Message], marked: list[Message]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    for message in messages:
        own: list[dict[str, Any]] = []
        if message.text.strip():
            own.append({"type": "text", "text": message.text})
        for image in message.images:
            source = {"type": "base64", "media_type": image.media_type, "data": image.data_base64}
            own.append({"type": "image", "source": source})
        if own and any(message is other for other in marked):
            own[-1]["cache_control"] = {"type": "ephemeral"}
        blocks += own
    return blocks


def _usage(value: Any) -> Usage | None:
    prompt = tokens_of(value, "input_tokens")
    output = tokens_of(value, "output_tokens")
    if prompt is None or output is None:
        return None
    # Here the input excludes what was read from and written to the cache.
    return Usage(
        calls=1,
        input_tokens=prompt,
        cache_read_tokens=tokens_of(value, "cache_read_input_tokens") or 0,
        cache_write_tokens=tokens_of(value, "cache_creation_input_tokens") or 0,
        output_tokens=output,
    )
