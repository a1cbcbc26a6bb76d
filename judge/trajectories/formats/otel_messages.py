"""What spans of generative AI say: messages and tool calls in the vocabularies of several instrumentations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.trajectories.formats.otel_spans import Span, nested
from judge.trajectories.values import mapping, parsed, sequence, string

_CHAT = frozenset(("chat", "text_completion", "generate_content", "completion", "llm", "responses"))
_TOOL = frozenset(("execute_tool", "tool", "call_tool"))
_AGENT = frozenset(("invoke_agent", "create_agent", "agent", "invoke_workflow"))

_ANSWERING = ("gen_ai.choice", "gen_ai.content.completion", "gen_ai.client.inference.operation.details")
_SENT = {"gen_ai.user.message": "user", "gen_ai.tool.message": "tool"}


@dataclass(slots=True)
class Said:
    """One message: who says it, its text, its calls (id, name, arguments) and the results (id, content) it brings."""

    role: str
    content: list[Any] = field(default_factory=list)
    calls: list[tuple[str, str, Any]] = field(default_factory=list)
    results: list[tuple[str, Any]] = field(default_factory=list)


def kind_of(span: Span) -> str:
    """``chat``, ``tool``, ``agent``, or empty for a span of another kind."""
    at = span.attributes
    named = [
        at.get("gen_ai.operation.name"),
        at.get("openinference.span.kind"),
        at.get("traceloop.span.kind"),
        at.get("llm.request.type"),
    ]
    for value in named:
        word = string(value).lower()
        for kind, words in (("chat", _CHAT), ("tool", _TOOL), ("agent", _AGENT)):
            if word in words:
                return kind
    step = string(at.get("ai.operationId"))  # the AI SDK of Vercel
    if step:
        return "chat" if step.endswith((".doGenerate", ".doStream")) else "tool" if step == "ai.toolCall" else "agent"
    if any(key.startswith(("gen_ai.completion.", "llm.output_messages.")) for key in at):
        return "chat"
    if at.get("gen_ai.tool.name") is not None:
        return "tool"
    if at.get("gen_ai.request.model") is not None and ("request_data" in at or "response_data" in at):
        return "chat"
    return "agent" if at.get("gen_ai.agent.name") is not None or at.get("agent_name") is not None else ""


def answers(span: Span) -> list[Said]:
    """What the model answered."""
    at = span.attributes
    for key in ("gen_ai.output.messages", "gen_ai.completion", "response_data"):
        if found := _structured(at.get(key), "assistant"):
            return found
    for prefix in ("gen_ai.completion.", "llm.output_messages."):
        if listed := nested(at, prefix):
            return [_flat(item, "assistant") for item in listed]
    if found := _of_events(span, answers=True):
        return found
    said = Said("assistant", [at["ai.response.text"]] if string(at.get("ai.response.text")) else [])
    for call in sequence(parsed(at.get("ai.response.toolCalls"))):
        item = mapping(call)
        said.calls.append(
            (string(item.get("toolCallId")), string(item.get("toolName")), item.get("args", item.get("input")))
        )
    if said.content or said.calls:
        return [said]
    return [Said("assistant", [at["output.value"]])] if isinstance(at.get("output.value"), str) else []


def prompts(span: Span) -> list[Said]:
    """The messages that the model was sent: each span repeats the whole history."""
    at = span.attributes
    for key in ("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages"):
        if found := _structured(at.get(key), "user"):
            return found
    if found := _structured(mapping(parsed(at.get("request_data"))).get("messages"), "user"):
        return found
    for prefix in ("gen_ai.prompt.", "llm.input_messages."):
        if listed := nested(at, prefix):
            return [_flat(item, "user") for item in listed]
    return _of_events(span, answers=False)


def _of_events(span: Span, *, answers: bool) -> list[Said]:
    """Messages in the span's events, or in the attribute into which some writers put them."""
    listed = list(span.events)
    for item in sequence(parsed(span.attributes.get("events"))):
        record = mapping(item)
        listed.append((string(record.get("event.name")), record))
    found: list[Said] = []
    for name, attributes in listed:
        if answers and name in _ANSWERING:
            keys = ("message", "gen_ai.output.messages", "gen_ai.completion")
            body = next((attributes[key] for key in keys if key in attributes), None)
            if body is None and name == "gen_ai.choice":
                body = dict(attributes)
            found += _structured(body, "assistant")
        elif not answers and name in _SENT:
            found += _structured(dict(attributes), _SENT[name])
        elif not answers and name in ("gen_ai.content.prompt", "gen_ai.client.inference.operation.details"):
            found += _structured(attributes.get("gen_ai.input.messages", attributes.get("gen_ai.prompt")), "user")
    return found


def _structured(value: object, role: str) -> list[Said]:
    """Messages with parts (since 1.37), or with content and ``tool_calls``, often as JSON in a text."""
    body = parsed(value)
    if isinstance(body, str):
        return [Said(role, [body])] if body else []
    listed = body if isinstance(body, list) else [body] if isinstance(body, dict) and body else []
    return [_message(mapping(item), role) for item in listed if isinstance(item, dict)]


def _message(record: Mapping[str, Any], role: str) -> Said:
    if isinstance(record.get("message"), dict | str) and "role" not in record:
        inner = parsed(record["message"])
        record = mapping(inner) if isinstance(inner, dict) else {"content": inner}
    said = Said(string(record.get("role")) or role)
    for part in sequence(record.get("parts")):
        _part(said, part)
    content = parsed(record.get("content"))
    if isinstance(content, list):
        for part in content:
            _part(said, part)
    elif content is not None:
        if said.role == "tool":
            said.results.append((string(record.get("id")) or string(record.get("tool_call_id")), content))
        else:
            said.content.append(content)
    for call in sequence(parsed(record.get("tool_calls"))):
        item = mapping(call)
        function = mapping(item.get("function")) or item
        said.calls.append((string(item.get("id")), string(function.get("name")), function.get("arguments")))
    return said


_IDS = ("id", "tool_use_id", "call_id", "toolCallId", "tool_call_id")


def _first(item: Mapping[str, Any], *keys: str) -> str:
    return next((text for key in keys if (text := string(item.get(key)))), "")


def _part(said: Said, part: object) -> None:
    item = mapping(part)
    kind = item.get("type")
    if kind in ("tool_call", "tool_use", "function_call", "tool-call"):
        arguments = next((item[k] for k in ("arguments", "input", "args") if k in item), None)
        said.calls.append((_first(item, *_IDS), _first(item, "name", "toolName"), arguments))
    elif kind in ("tool_call_response", "tool_result", "function_call_output", "tool-result"):
        body = next((item[k] for k in ("response", "result", "content", "output") if k in item), "")
        said.results.append((_first(item, *_IDS), body))
    elif kind in ("thinking", "reasoning"):
        said.content.insert(0, item.get("content", item.get("thinking", item.get("text"))))
    else:
        said.content.append(item.get("content", item.get("text", part)) if item else part)


def _flat(item: Mapping[str, Any], role: str) -> Said:
    """A message spread over attributes: ``role``, ``content``, ``tool_calls.0.name``; with or without ``message.``."""
    table = {key.removeprefix("message."): value for key, value in item.items()}
    said = Said(string(table.get("role")) or role)
    content = table.get("content")
    texts = [content] if content is not None else []
    texts += [
        part.get("message_content.text") for part in nested(table, "contents.") if part.get("message_content.text")
    ]
    id = string(table.get("tool_call_id"))
    if said.role == "tool":
        said.results += [(id, text) for text in texts]
    else:
        said.content += texts
    for call in nested(table, "tool_calls."):
        flat = {key.removeprefix("tool_call.").removeprefix("function."): value for key, value in call.items()}
        said.calls.append((string(flat.get("id")), string(flat.get("name")), flat.get("arguments")))
    return said
