"""OpenAI's Chat Completions through its SDK: OpenAI itself, and every server that speaks the same."""

from __future__ import annotations

import re
from typing import Any

from judge.config import ModelSettings
from judge.models.base import Finish, Message, Request, Role
from judge.models.body import text_of, tokens_of
from judge.models.client import Answer, Payload, SdkModel
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault
from judge.models.learned import Format, Learned
from judge.models.shape import Turn, turns
from judge.schemas import Usage

_REASONING = re.compile(r"(?:^|/)(?:o\d|gpt-(?:[5-9]|\d\d)|codex)", re.IGNORECASE)
_BLIND = re.compile(r"^(?:gpt-3\.5|gpt-4(?:-0\d{3})?(?:-32k.*)?$|o1-mini|o1-preview|o3-mini)", re.IGNORECASE)
# Thinking counts against the bound on the answer, so models that think get room for it.
_THINKING_ROOM = 16_384
_FINISH = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "eos_token": Finish.STOP,
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
    "safety": Finish.FILTER,
    "refusal": Finish.REFUSAL,
}


class OpenAIChat(SdkModel):
    """A model behind Chat Completions."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings) -> None:
        self._reasons = bool(_REASONING.search(name))
        images = endpoint.images
        if images is None:
            images = endpoint.official and not _BLIND.match(name)
        # Other servers know the older name, OpenAI's newer models only the newer.
        newer = endpoint.official or self._reasons
        limit_name = "max_completion_tokens" if newer else "max_tokens"
        super().__init__(provider, name, endpoint, settings, Learned(images=images, limit_name=limit_name))

    def _new_client(self) -> Any:
        import openai

        return openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._settings.timeout,
            http_client=openai.DefaultAsyncHttpxClient(**self._transport()),
        )

    async def _call(self, client: Any, arguments: dict[str, Any]) -> Any:
        return await client.chat.completions.with_raw_response.create(**arguments)

    def _payload(self, request: Request) -> Payload:
        learned = self._learned
        form = learned.format if request.schema is not None else None
        system, rest = turns(request, Format.SCHEMA if form is None else form, learned.images)
        messages: list[dict[str, Any]] = []
        if system:
            messages.append({"role": "system", "content": "\n\n".join(message.text for message in system)})
        messages += [{"role": turn.role.value, "content": _content(turn)} for turn in rest]
        limit = request.max_output_tokens + (_THINKING_ROOM if self._reasons else 0)
        optional: dict[str, Any] = {}
        if request.temperature is not None and not self._reasons:
            optional["temperature"] = request.temperature
        optional = {name: value for name, value in optional.items() if name not in learned.dropped}
        optional[learned.limit_name] = limit
        arguments: dict[str, Any] = {"model": self._name, "messages": messages, **optional}
        if form is Format.SCHEMA:
            schema = {"name": request.schema_name, "strict": True, "schema": request.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form is Format.JSON:
            arguments["response_format"] = {"type": "json_object"}
        names = set(optional)
        if any(part.images for turn in rest for part in turn.parts):
            names.add("images")
        return Payload(arguments, frozenset(names), form)

    def _read(self, body: dict[str, Any]) -> Answer:
        choices = body.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise Fault("answered without a choice", where=self._where, retryable=True)
        message = choices[0].get("message")
        if not isinstance(message, dict):
            raise Fault("answered without a message", where=self._where, retryable=True)
        reason = choices[0].get("finish_reason")
        finish = _FINISH.get(reason.lower(), Finish.OTHER) if isinstance(reason, str) else Finish.OTHER
        text = text_of(message.get("content"))
        refusal = message.get("refusal")
        if isinstance(refusal, str) and refusal and not text:
            text, finish = refusal, Finish.REFUSAL
        model = body.get("model")
        return Answer(text, finish, _usage(body.get("usage")), model if isinstance(model, str) else "")


def _content(turn: Turn) -> str | list[dict[str, Any]]:
    if turn.role is not Role.USER or not any(part.images for part in turn.parts):
        return turn.text
    content: list[dict[str, Any]] = []
    for part in turn.parts:
        if part.text:
            content.append({"type": "text", "text": part.text})
        content += [_image(part, index) for index in range(len(part.images))]
    return content


def _image(message: Message, index: int) -> dict[str, Any]:
    image = message.images[index]
    url = f"data:{image.media_type};base64,{image.data_base64}"
    return {"type": "image_url", "image_url": {"url": url}}


def _usage(value: Any) -> Usage | None:
    prompt = tokens_of(value, "prompt_tokens")
    output = tokens_of(value, "completion_tokens")
    if prompt is None or output is None:
        return None
    # Cached tokens are part of the prompt tokens here.
    read = min(tokens_of(value, "prompt_tokens_details", "cached_tokens") or 0, prompt)
    written = min(tokens_of(value, "prompt_tokens_details", "cache_write_tokens") or 0, prompt - read)
    return Usage(
        calls=1,
        input_tokens=prompt - read - written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=output,
    )
