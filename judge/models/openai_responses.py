"""The wire format of OpenAI's Responses API, which some servers of one's own speak too."""

from __future__ import annotations

from typing import Any

from judge.models.base import Finish, Request, Role
from judge.models.body import tokens_of
from judge.models.client import Answer, Payload
from judge.models.faults import Fault
from judge.models.learned import Format, Learned
from judge.models.openai_chat import split_usage
from judge.models.openai_options import Options
from judge.models.shape import Turn, turns
from judge.schemas import Usage

PATH = "/v1/responses"
# The API takes no smaller bound.
_LEAST_OUTPUT = 16
_REASONS = {
    "max_output_tokens": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.FILTER,
}
_PASSING = {"rate_limit_exceeded": 429, "server_error": 500}


def responses_payload(request: Request, options: Options, learned: Learned) -> Payload:
    """A request for the Responses API; nothing of it is stored at the server."""
    form = learned.format if request.schema is not None else None
    system, rest = turns(request, Format.SCHEMA if form is None else form, learned.images)
    optional: dict[str, Any] = {"store": False}
    if request.temperature is not None and not options.reasons:
        optional["temperature"] = request.temperature
    if options.effort:
        optional["reasoning"] = {"effort": options.effort}
    key = options.prefix_key(request)
    if key:
        optional["prompt_cache_key"] = key
    optional = {name: value for name, value in optional.items() if name not in learned.dropped}
    limit = max(_LEAST_OUTPUT, request.max_output_tokens + options.room)
    if "max_output_tokens" not in learned.dropped:
        optional["max_output_tokens"] = limit
    arguments: dict[str, Any] = {"model": options.model, "input": [_item(turn) for turn in rest], **optional}
    if system:
        arguments["instructions"] = "\n\n".join(message.text for message in system)
    if form is Format.SCHEMA:
        named = {"type": "json_schema", "name": request.schema_name, "strict": True, "schema": request.schema}
        arguments["text"] = {"format": named}
    elif form is Format.JSON:
        arguments["text"] = {"format": {"type": "json_object"}}
    names = set(optional)
    if any(part.images for turn in rest for part in turn.parts):
        names.add("images")
    return Payload(arguments, frozenset(names), form, PATH)


def responses_answer(body: dict[str, Any], where: str) -> Answer:
    """What a body says.

    Raises:
        Fault: It is no answer.
    """
    status = body.get("status")
    if status in {"failed", "cancelled", "queued", "in_progress"}:
        raise _failure(body, str(status), where)
    output = body.get("output")
    if not isinstance(output, list):
        raise Fault("answered without output", where=where, retryable=True)
    texts: list[str] = []
    refusals: list[str] = []
    for part in _parts(output):
        for kind, key, into in (("output_text", "text", texts), ("refusal", "refusal", refusals)):
            if part.get("type") == kind and isinstance(part.get(key), str):
                into.append(part[key])
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    text = "".join(texts)
    if status == "incomplete" or reason is not None:
        finish = _REASONS.get(reason, Finish.OTHER) if isinstance(reason, str) else Finish.OTHER
    else:
        finish = Finish.STOP if status == "completed" else Finish.OTHER
    if refusals:
        text, finish = text or "".join(refusals), Finish.REFUSAL
    model = body.get("model")
    return Answer(text, finish, _usage(body.get("usage")), model if isinstance(model, str) else "")


def _parts(output: list[Any]) -> list[dict[str, Any]]:
    """The parts of what the model says; its thoughts and tool calls are left out."""
    messages = [item for item in output if isinstance(item, dict) and item.get("type") == "message"]
    contents = [item.get("content") for item in messages]
    return [part for content in contents if isinstance(content, list) for part in content if isinstance(part, dict)]


def _failure(body: dict[str, Any], status: str, where: str) -> Fault:
    error = body.get("error")
    error = error if isinstance(error, dict) else {}
    code, words = str(error.get("code") or ""), str(error.get("message") or "")
    what = f"the response is {status.replace('_', ' ')}" + (f": {' '.join(words.split())[:300]}" if words else "")
    return Fault(what, where=where, retryable=True, status=_PASSING.get(code), detail=f"{code} {words}".strip())


def _item(turn: Turn) -> dict[str, Any]:
    if turn.role is not Role.USER or not any(part.images for part in turn.parts):
        return {"role": turn.role.value, "content": turn.text}
    content: list[dict[str, Any]] = []
    for part in turn.parts:
        if part.text:
            content.append({"type": "input_text", "text": part.text})
        for image in part.images:
            url = f"data:{image.media_type};base64,{image.data_base64}"
            content.append({"type": "input_image", "image_url": url, "detail": "auto"})
    return {"role": turn.role.value, "content": content}


def _usage(value: Any) -> Usage | None:
    return split_usage(
        tokens_of(value, "input_tokens"),
        tokens_of(value, "output_tokens"),
        tokens_of(value, "input_tokens_details", "cached_tokens"),
        tokens_of(value, "input_tokens_details", "cache_write_tokens"),
    )
