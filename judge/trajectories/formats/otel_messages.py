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
    if any(key.startswith(("gen_ai.completion.", "llm.output_messages.")) for key in at):
        return "chat"
    return ""


def answers(span: Span) -> list[Said]:
    """What the model answered."""
    at = span.attributes
    for key in ("gen_ai.output.messages", "gen_ai.completion"):
        if found := _structured(at.get(key), "assistant"):
            return found
    for prefix in ("gen_ai.completion.", "llm.output_messages."):
        if listed := nested(at, prefix):
            return [_flat(item, "assistant") for item in listed]
    found = []
    for name, attributes in span.events:
        if name in ("gen_ai.choice", "gen_ai.content.completion", "gen_ai.client.inference.operation.details"):
            body = attributes.get(
                "message", attributes.get("gen_ai.output.messages", attributes.get("gen_ai.completion"))
            )
            found += _structured(body if body is not None else dict(attributes), "assistant")
    if found:
        return found
    return [Said("assistant", [at["output.value"]])] if isinstance(at.get("output.value"), str) else []


def prompts(span: Span) -> list[Said]:
    """The messages that the model was sent: each span repeats the whole history."""
    at = span.attributes
    for key in ("gen_ai.input.messages", "gen_ai.prompt"):
        if found := _structured(at.get(key), "user"):
            return found
    for prefix in ("gen_ai.prompt.", "llm.input_messages."):
        if listed := nested(at, prefix):
            return [_flat(item, "user") for item in listed]
    found = []
    for name, attributes in span.events:
        role = {"gen_ai.user.message": "user", "gen_ai.tool.message": "tool"}.get(name)
        if role:
            found += _structured(dict(attributes), role)
        elif name in ("gen_ai.content.prompt", "gen_ai.client.inference.operation.details"):
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


def _part(said: Said, part: object) -> None:
    item = mapping(part)
    kind = item.get("type")
    if kind in ("tool_call", "tool_use", "function_call"):
        arguments = item.get("arguments", item.get("input"))
        said.calls.append((string(item.get("id")) or string(item.get("call_id")), string(item.get("name")), arguments))
    elif kind in ("tool_call_response", "tool_result", "function_call_output"):
        body = next((item[k] for k in ("response", "result", "content", "output") if k in item), "")
        said.results.append(
            (string(item.get("id")) or string(item.get("tool_use_id")) or string(item.get("call_id")), body)
        )
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
