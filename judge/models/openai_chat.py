"""OpenAI's Chat Completions through its SDK: OpenAI itself, and every server that speaks the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from judge.config import ModelSettings
from judge.models.base import Finish, Message, Request, Role
from judge.models.body import text_of, tokens_of
from judge.models.bounded import bound_body
from judge.models.client import Answer, Payload, SdkModel
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault
from judge.models.learned import Format, Learned
from judge.models.openai_options import Options
from judge.models.sdk_import import import_sdk
from judge.models.shape import Turn, turns
from judge.schemas import Usage

PATH = "/v1/chat/completions"
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

    def __init__(
        self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings, learned: Learned | None = None
    ) -> None:
        self._options = Options(name, settings.effort, endpoint.official)
        learned = learned or Learned()
        learned.images = self._options.sees if endpoint.images is None else endpoint.images
        # Other servers know the older name, OpenAI's newer models only the newer.
        newer = endpoint.official or self._options.reasons
        learned.limit_name = "max_completion_tokens" if newer else "max_tokens"
        super().__init__(provider, name, endpoint, settings, learned)

    _package = "openai"

    def _new_client(self, bound: Callable[[Any], Awaitable[None]] = bound_body) -> Any:
        openai: Any = import_sdk(self._package)

        return openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._settings.timeout,
            http_client=openai.DefaultAsyncHttpxClient(**self._transport(bound)),
        )

    async def _post(self, client: Any, payload: Payload) -> Any:
        # The SDK's methods for single services walk through the whole prompt to find nothing to change, which takes
        # longer than all else in a call, and import types of everything; this one sends the body as it is.
        import httpx2  # what the SDK itself is built on

        return await client.post(payload.path.removeprefix("/v1"), cast_to=httpx2.Response, body=payload.body())

    def _payload(self, request: Request) -> Payload:
        return _payload(request, self._options, self._learned)

    def _read(self, payload: Payload, body: dict[str, Any]) -> Answer:
        return _answer(body, self._where)


def _payload(request: Request, options: Options, learned: Learned) -> Payload:
    form = learned.format if request.schema is not None else None
    system, rest = turns(request, Format.SCHEMA if form is None else form, learned.images)
    messages: list[dict[str, Any]] = []
    if system:
        messages.append({"role": "system", "content": "\n\n".join(message.text for message in system)})
    messages += [{"role": turn.role.value, "content": _content(turn)} for turn in rest]
    optional: dict[str, Any] = {}
    if request.temperature is not None and not options.reasons:
        optional["temperature"] = request.temperature
    if options.effort:
        optional["reasoning_effort"] = options.effort
    key = options.prefix_key(request)
    if key:
        optional["prompt_cache_key"] = key
    optional = {name: value for name, value in optional.items() if name not in learned.dropped}
    optional[learned.limit_name] = request.max_output_tokens + options.room
    arguments: dict[str, Any] = {"model": options.model, "messages": messages, **optional}
    if form is Format.SCHEMA:
        schema = {"name": request.schema_name, "strict": True, "schema": request.schema}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif form is Format.JSON:
        arguments["response_format"] = {"type": "json_object"}
    names = {*optional, "responses"}
    if any(part.images for turn in rest for part in turn.parts):
        names.add("images")
    return Payload(arguments, frozenset(names), form, PATH)


def _answer(body: dict[str, Any], where: str) -> Answer:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Fault("answered without a choice", where=where, retryable=True)
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise Fault("answered without a message", where=where, retryable=True)
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
    return split_usage(
        tokens_of(value, "prompt_tokens"),
        tokens_of(value, "completion_tokens"),
        tokens_of(value, "prompt_tokens_details", "cached_tokens"),
        tokens_of(value, "prompt_tokens_details", "cache_write_tokens"),
    )


def split_usage(prompt: int | None, output: int | None, read: int | None, written: int | None) -> Usage | None:
    """Usage whose kinds do not overlap, from a server that counts cached tokens among those of the prompt."""
    if prompt is None or output is None:
        return None
    read = min(read or 0, prompt)
    written = min(written or 0, prompt - read)
    return Usage(
        calls=1,
        input_tokens=prompt - read - written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=output,
    )
