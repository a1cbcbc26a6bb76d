"""Logs of requests to a model and its answers: each request repeats the whole conversation before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.trajectories.values import as_json, mapping, parsed, sequence, string

_ANSWERS = ("response", "res", "completion", "answer", "output", "response_body", "result")
_WRAPPED = ("body", "json", "data", "content", "response")
_MAX_DEPTH = 4


def answer_in(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The model's answer in a record that holds a request and a response, as messages; its usage is put on them.

    Also of a response alone, as the chat API and the Responses API give it.
    """
    for key in _ANSWERS:
        found = _answer(mapping(parsed(record.get(key))), 0)
        if found:
            return found
    return _answer(record, 0) if string(record.get("object")) in ("chat.completion", "chat.completion.chunk") else []


def _answer(response: Mapping[str, Any], depth: int) -> list[Mapping[str, Any]]:
    if not response:
        return []
    choices = [mapping(choice) for choice in sequence(response.get("choices"))]
    message = next((m for choice in choices if (m := mapping(choice.get("message")))), None)
    if message:
        return [_with_usage(message, response)]
    if response.get("role") == "assistant" and ("content" in response or "tool_calls" in response):
        return [response]
    items = [mapping(item) for item in sequence(response.get("output"))]
    if response.get("object") == "response" and items:
        spoken = next((n for n, item in enumerate(items) if item.get("role") == "assistant"), None)
        return [_with_usage(item, response) if n == spoken else item for n, item in enumerate(items)]
    if depth < _MAX_DEPTH:
        for key in _WRAPPED:
            found = _answer(mapping(parsed(response.get(key))), depth + 1)
            if found:
                return found
    return []


def _with_usage(message: Mapping[str, Any], response: Mapping[str, Any]) -> Mapping[str, Any]:
    beside = {key: response[key] for key in ("usage", "model") if response.get(key) and key not in message}
    return {**message, **beside}


def goes_on(asked: list[Mapping[str, Any]], later: list[Mapping[str, Any]]) -> bool:
    """Whether a later request repeats an earlier one and goes on from there."""
    if not asked or len(later) < len(asked):
        return False
    # Marks of the cache move from message to message; they are not what was said.
    return all(a == b or _bare(a) == _bare(b) for a, b in zip(asked, later, strict=False))


def _bare(message: Mapping[str, Any]) -> str:
    return as_json(_plain(message, 0))


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, dict) and depth < 8:
        kept = {key: _plain(item, depth + 1) for key, item in value.items() if key != "cache_control"}
        content = kept.get("content")
        if isinstance(content, list) and len(content) == 1 and mapping(content[0]).keys() == {"type", "text"}:
            kept["content"] = content[0]["text"]
        return kept
    if isinstance(value, list) and depth < 8:
        return [_plain(item, depth + 1) for item in value]
    return value


def joined(
    before: list[Mapping[str, Any]],
    asked: list[Mapping[str, Any]],
    answered: list[Mapping[str, Any]],
    later: list[Mapping[str, Any]],
) -> list[Mapping[str, Any]]:
    """All messages so far, and those of a later request that are new.

    Args:
        before: The messages so far; they end with what was asked and answered last.
        asked: The request before.
        answered: Its answer, which the later request repeats when it uses it.
        later: The later request, which goes on from that before.
    """
    new = later[len(asked) :]
    same = 0
    for message in answered:
        kind, role = message.get("type"), message.get("role")
        if same < len(new) and (new[same].get("role") == role if role else new[same].get("type") == kind):
            same += 1
    return before + new[same:]
