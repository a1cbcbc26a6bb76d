"""LangChain messages in the four shapes in which they are written: dumps, ``{type, data}``, constructors, OpenAI's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.values import mapping, sequence, string, text_of, usage_of

_KINDS = {
    "human": "human", "humanmessage": "human", "humanmessagechunk": "human", "user": "human",
    "ai": "ai", "aimessage": "ai", "aimessagechunk": "ai", "assistant": "ai",
    "tool": "tool", "toolmessage": "tool", "toolmessagechunk": "tool",
    "function": "tool", "functionmessage": "tool",
    "system": "system", "systemmessage": "system", "developer": "system",
    "remove": "remove", "removemessage": "remove", "chat": "chat", "chatmessage": "chat",
}  # fmt: skip


_LISTS = ("messages", "values", "channel_values", "output", "outputs", "state", "checkpoint", "kwargs", "input", "data")


def _kind(value: object) -> str | None:
    return _KINDS.get(value.lower()) if isinstance(value, str) else None


def plain(value: object) -> Mapping[str, Any]:
    """A message as one flat object with ``type``; empty when the value is no message."""
    if isinstance(value, list) and len(value) == 2:
        if all(isinstance(item, str) for item in value):
            kind = _kind(value[0])
            return {"type": kind, "content": value[1]} if kind else {}
        # A piece of a stream with what is known about it.
        return plain(value[0]) if all(isinstance(item, dict) for item in value) and not plain(value[1]) else {}
    record = mapping(value)
    if record.get("lc") in (1, 2) or isinstance(record.get("kwargs"), dict):
        inner = mapping(record.get("kwargs"))
        path = sequence(record.get("id"))
        kind = _kind(inner.get("type")) or (_kind(path[-1]) if path else None)
        chunk = bool(path) and string(path[-1]).endswith("Chunk")
        return _flat(inner, kind, chunk=chunk) if kind and "content" in inner else {}
    if isinstance(record.get("data"), dict) and "content" in record["data"]:
        kind = _kind(record.get("type"))
        return _flat(record["data"], kind, chunk=string(record.get("type")).endswith("Chunk")) if kind else {}
    kind = _kind(record.get("type")) or _kind(record.get("role"))
    if not kind or not ("content" in record or "tool_calls" in record):
        return {}
    return _flat(record, kind, chunk=string(record.get("type")).endswith("Chunk"))


def _flat(record: Mapping[str, Any], kind: str, *, chunk: bool) -> Mapping[str, Any]:
    chunk = chunk or string(record.get("type")).endswith("Chunk")
    return {**record, "type": kind, "chunk": True} if chunk else {**record, "type": kind}


def messages_in(value: object, depth: int = 0) -> list[Mapping[str, Any]]:
    """The messages of a list, also of a list of lists, or below the usual keys of a state."""
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list) and depth < 3 and not plain(value[0]):
            return messages_in(value[0], depth + 1)
        return [message for item in value if (message := plain(item))]
    record = mapping(value)
    message = plain(record)
    if message:
        return [message]
    for key in _LISTS:
        if key in record and depth < 6 and (found := messages_in(record[key], depth + 1)):
            return found
    return []


def calls_of(message: Mapping[str, Any]) -> list[tuple[object, object, object]]:
    """The tool calls of an answer: id, name and arguments."""
    found: list[tuple[object, object, object]] = []
    for call in sequence(message.get("tool_calls")):
        item = mapping(call)
        function = mapping(item.get("function"))
        arguments = item.get("args", item.get("arguments", function.get("arguments")))
        found.append((item.get("id"), item.get("name") or function.get("name"), arguments))
    if found:
        return found
    extra = mapping(message.get("additional_kwargs"))
    if extra.get("tool_calls"):
        return calls_of({"tool_calls": extra["tool_calls"]})
    if legacy := mapping(extra.get("function_call")):
        return [(None, legacy.get("name"), legacy.get("arguments"))]
    blocks = [mapping(block) for block in sequence(message.get("content"))]
    used = [block for block in blocks if block.get("type") in ("tool_use", "tool_call", "function_call")]
    found = [
        (b.get("id", b.get("call_id")), b.get("name"), b.get("input", b.get("args", b.get("arguments")))) for b in used
    ]
    for call in sequence(message.get("invalid_tool_calls")):
        item = mapping(call)
        found.append((item.get("id"), item.get("name"), item.get("args")))
    return found


def thought_of(message: Mapping[str, Any], builder: Builder) -> str:
    """The text and the reasoning of an answer, without its calls."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    texts = [text_of(mapping(message.get("additional_kwargs")).get("reasoning_content"), builder.report)]
    for block in blocks:
        item = mapping(block)
        if item.get("type") in ("tool_use", "tool_call", "function_call", "input_json_delta"):
            continue
        if item.get("type") in ("thinking", "reasoning"):
            texts.append(
                string(item.get("thinking")) or text_of(item.get("reasoning", item.get("summary")), builder.report)
            )
        else:
            texts.append(text_of(block, builder.report))
    return "\n\n".join(text.strip("\n") for text in texts if text.strip())


def usage_of_message(message: Mapping[str, Any], cost: object = None) -> StepUsage:
    """What an answer used; cached input is inside ``input_tokens`` here."""
    metadata = mapping(message.get("response_metadata"))
    usage = (
        mapping(message.get("usage_metadata")) or mapping(metadata.get("token_usage")) or mapping(metadata.get("usage"))
    )
    counts = {key: usage.get(key) for key in ("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens")}
    return usage_of(counts, model=metadata.get("model_name", metadata.get("model")), cost=cost)
