"""LangGraph states in a file: which of them are one conversation, and the messages of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.trajectories.formats.langchain_shapes import messages_in, plain
from judge.trajectories.values import as_json, mapping, string

_MARK = 300


def conversations(values: Sequence[Any]) -> list[tuple[str, list[Mapping[str, Any]], int]]:
    """Each conversation of a file: its name, its messages, and how many other states of it there are."""
    direct = messages_in(list(values))
    if direct:
        return [("", direct, 0)]
    groups: dict[str, list[list[Mapping[str, Any]]]] = {}
    updates: list[Mapping[str, Any]] = []
    for value in values:
        if update := list(updates_in(value)):
            updates += update
        elif messages := messages_in(value):
            groups.setdefault(_thread(value) or _mark(messages[0]), []).append(messages)
    if updates and not groups:
        return [("", updates, 0)]
    if updates:  # the input of a stream stands before its updates
        first = next(iter(groups.values()))
        first.append([*max(first, key=len), *updates])
    return [(name, max(states, key=len), len(states) - 1) for name, states in groups.items()]


def updates_in(value: object, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The messages that nodes of a graph add: ``{"agent": {"messages": [...]}}``."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str | list) and depth < 2:
        yield from updates_in(value[1], depth + 1)  # ("updates", {...}), or a namespace before it
        return
    record = mapping(value)
    if not record or len(record) > 20 or messages_in(record):
        return
    for inner in record.values():
        if isinstance(inner, dict) and "messages" in inner:
            yield from messages_in(inner["messages"] if isinstance(inner["messages"], list) else [inner["messages"]])


def _thread(value: object) -> str:
    record = mapping(value)
    places = (record, mapping(mapping(record.get("config")).get("configurable")), mapping(record.get("metadata")))
    return next((str(p["thread_id"])[:200] for p in places if isinstance(p.get("thread_id"), str | int)), "")


def _mark(message: Mapping[str, Any]) -> str:
    """What tells one conversation from another: states of the same one begin with the same message."""
    content = message.get("content")
    return string(message.get("id")) or (content if isinstance(content, str) else as_json(content))[:_MARK]


def raw_messages(value: object, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Records that may be messages, as they are in the file, in or below a value."""
    if isinstance(value, list):
        for item in value[:60]:
            if isinstance(item, dict) and plain(item):
                yield item
            elif depth < 3:
                yield from raw_messages(item, depth + 1)
        return
    record = mapping(value)
    if plain(record):
        yield record
    elif depth < 6:
        for inner in list(record.values())[:30]:
            if isinstance(inner, dict | list):
                yield from raw_messages(inner, depth + 1)
