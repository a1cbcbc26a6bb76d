"""Finds lists of chat messages in files that hold them bare, under a key, or one conversation a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.trajectories.formats.exchanges import answer_in, goes_on, joined
from judge.trajectories.jsonstream import members, values
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, parsed, string, time_of

_LISTS = (
    "messages",
    "conversations",
    "conversation",
    "history",
    "chat",
    "trajectory",
    "items",
    "input",
    "output",
    "traj",
    "data",
)
_NAMES = ("instance_id", "task_id", "task_name", "name", "id", "conversation_id", "trajectory_id", "uuid")
_ROLES = ("role", "from", "sender")
_MAX_MESSAGES = 400_000


@dataclass(slots=True)
class Conversation:
    """A list of messages.

    Attributes:
        messages: Its messages, in order.
        name: What the file calls it; empty when it holds only one.
        around: The other members of the object in which the list stands.
    """

    messages: list[Mapping[str, Any]]
    name: str
    around: Mapping[str, Any]
    answered: list[Mapping[str, Any]] = field(default_factory=list)
    """The answer to a request, where the file holds both; it is the end of ``messages``."""


def is_message(item: object) -> bool:
    """Whether a value looks like a chat message, or an item between messages."""
    record = mapping(item)
    if any(isinstance(record.get(key), str) for key in _ROLES):
        return bool(
            {"content", "value", "text", "tool_calls", "function_call", "parts", "reasoning_content"} & record.keys()
        )
    return record.get("type") in ("function_call", "function_call_output", "reasoning") and (
        "call_id" in record or "summary" in record
    )


def sample_messages(sample: Sample) -> list[Mapping[str, Any]]:
    """The messages that a head shows: of the whole file, or of its first conversation."""
    direct: list[Mapping[str, Any]] = [item for item in sample.objects if is_message(item)]
    if direct and sample.root is None:
        return direct
    if sample.root is not None and is_message(sample.root) and not _list_in(sample.root):
        return [sample.root]
    found: list[Mapping[str, Any]] = []
    for item in sample.records[:3]:
        listed = item if isinstance(item, list) else [*_list_in(mapping(item)), *answer_in(mapping(item))]
        found += [mapping(message) for message in listed if is_message(message)]
        if found and not answer_in(mapping(item)):
            break
    return found


def _list_in(record: Mapping[str, Any]) -> list[Any]:
    """The list of messages in an object: the first of the usual keys, or one level below in a request."""
    for key in _LISTS:
        inner = record.get(key)
        if isinstance(inner, list) and any(is_message(item) for item in inner[:20]):
            return inner
    for key in ("request", "body", "data", "kwargs", "params"):
        found = _list_in(mapping(parsed(record.get(key)))) if record.get(key) else []
        if found:
            return found
    return []


def _named(record: Mapping[str, Any], number: int) -> str:
    for key in _NAMES:
        value = record.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)[:200]
    return str(number)


def conversations(source: Source) -> Iterator[Conversation]:
    """Every conversation of a file; names are given where there are several."""
    sample = Sample(source)
    if sample.root is not None and not is_message(sample.root):
        yield _in_object(source)
        return
    loose: list[Mapping[str, Any]] = []
    held: Conversation | None = None
    asked: list[Mapping[str, Any]] = []
    several = False
    for piece in values(source):
        record = piece.value
        listed = record if isinstance(record, list) else ([] if is_message(record) else _list_in(mapping(record)))
        answered = [] if is_message(record) else answer_in(mapping(record))
        if listed or answered:
            told = _in_order([mapping(item) for item in listed])
            if held is not None and answered and goes_on(asked, told):
                held.messages = joined(held.messages, asked, held.answered, told) + answered
                held.answered = answered
                held.name = held.name if several else ""
            else:
                if held is not None:
                    several = True
                    yield held
                held = Conversation(told + answered, _named(mapping(record), piece.index), mapping(record), answered)
            asked = told
        elif isinstance(record, dict):
            if len(loose) >= _MAX_MESSAGES:
                source.problems.append(f"more than {_MAX_MESSAGES} messages; the rest is not read")
                break
            loose.append(record)
    if held is not None:
        yield held
    elif loose:
        yield Conversation(loose, "", {})


def _in_object(source: Source) -> Conversation:
    """The list of messages under the first of the usual keys; the Responses API keeps input and output apart."""
    lists: dict[str, list[Mapping[str, Any]]] = {}
    around: dict[str, Any] = {}
    for piece in members(source, *_LISTS):
        if piece.element:
            lists.setdefault(piece.key, []).append(mapping(piece.value))
        else:
            around[piece.key] = piece.value
    full = [key for key, items in lists.items() if any(is_message(item) for item in items[:20])]
    if not full:
        return Conversation([mapping(item) for item in _list_in(around)] + answer_in(around), "", around)
    messages = _in_order(lists[full[0]]) + answer_in(around)
    if full[0] == "input":
        messages = messages + lists.get("output", [])
    return Conversation(messages, "", around)


def _in_order(messages: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Messages as they were said; the list of a thread, as OpenAI's API gives it, begins with the newest."""
    times = [time_of(message.get("created_at")) for message in messages]
    if len(times) > 1 and all(message.get("object") == "thread.message" for message in messages):
        known = [time for time in times if time is not None]
        if len(known) == len(times) and known == sorted(known, reverse=True):
            return messages[::-1]
    return messages


def role_of(message: Mapping[str, Any]) -> str:
    """Who speaks: ``user``, ``assistant``, ``tool``, ``system``; anything else as it is written."""
    raw = next((string(message[key]) for key in _ROLES if isinstance(message.get(key), str)), "").lower()
    return {
        "human": "user", "ai": "assistant", "gpt": "assistant", "model": "assistant", "agent": "assistant",
        "bot": "assistant", "chatgpt": "assistant", "developer": "system", "function_response": "tool",
        "function": "tool", "observation": "tool", "environment": "tool", "tool_response": "tool",
        "function_call_output": "tool", "tool_result": "tool",
    }.get(raw, raw)  # fmt: skip
