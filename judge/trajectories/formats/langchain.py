"""LangChain and LangGraph messages: a list, lines, or the state that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, POSSIBLE, Format, Match
from judge.trajectories.formats.langchain_shapes import calls_of, messages_in, plain, thought_of, usage_of_message
from judge.trajectories.jsonstream import document, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, sequence, text_of, time_of

NAME = "langchain"
_OWN = ("human", "ai", "AIMessageChunk", "HumanMessage", "AIMessage", "ToolMessage")
_MARKS = ("usage_metadata", "response_metadata", "additional_kwargs", "invalid_tool_calls")


def sniff(sample: Sample) -> Match | None:
    """Messages of the types human, ai and tool; constructors with ``lc``; never mere roles."""
    if sample.is_folder:
        return None
    raw = list(sample.records) if sample.root is None else []
    if sample.root is not None and "run_type" not in sample.root:
        raw = _listed(sample.root)
    if len(raw) == 1 and isinstance(raw[0], dict) and not plain(raw[0]):
        raw = _listed(raw[0])
    records = [mapping(item) for item in raw]
    kinds = [item.get("type") for item in records]
    own = [item for item in records if item.get("type") in _OWN or item.get("lc") == 1]
    if not own or not any(plain(item) for item in own):
        return None
    if any(item.get("lc") == 1 for item in own) or any(mark in item for item in own for mark in _MARKS):
        return Match(CERTAIN, "messages of the types human and ai with LangChain's keys")
    both = "human" in kinds and "ai" in kinds
    return Match(
        LIKELY if both else POSSIBLE, "messages of the types " + ", ".join(sorted({str(k) for k in kinds})[:4])
    )


def _listed(record: Mapping[str, Any], depth: int = 0) -> list[Any]:
    for key in ("messages", "values", "channel_values", "output", "outputs", "state", "checkpoint"):
        inner = record.get(key)
        if isinstance(inner, list) and inner:
            return list(inner)
        if isinstance(inner, dict) and depth < 5 and (found := _listed(inner, depth + 1)):
            return found
    return []


def read(source: Source) -> Iterator[Converted]:
    """The one conversation; of several states in a row the one with the most messages, which holds the others."""
    sample = Sample(source)
    if sample.root is not None:
        messages = messages_in(document(source))
    else:
        found = [piece.value for piece in values(source)]
        states = [messages_in(value) for value in found if not plain(value)]
        direct = messages_in(found)
        messages = max([direct, *states], key=len)
    builder = Builder(NAME, source)
    for message in messages:
        take(builder, message)
    yield builder.finish()


def take(builder: Builder, message: Mapping[str, Any]) -> None:
    """Feeds one message into a builder."""
    kind = message.get("type")
    time = time_of(message.get("created_at", message.get("timestamp")))
    if kind == "human":
        builder.used("human")
        builder.user(text_of(message.get("content"), builder.report), time=time)
    elif kind == "ai":
        builder.used("ai")
        builder.turn(thought_of(message, builder), usage=usage_of_message(message), time=time)
        for id, name, arguments in calls_of(message):
            builder.call(id, name, arguments, time=time)
    elif kind == "tool":
        builder.used("tool")
        failed = True if message.get("status") == "error" else None
        text = text_of(message.get("content"), builder.report)
        for id in [message.get("tool_call_id"), *sequence(message.get("tool_call_ids"))][:1]:
            builder.result(id, text, failed=failed, time=time)
    else:
        builder.skip(kind)


FORMAT = Format(
    name=NAME,
    description="LangChain and LangGraph messages, bare or in a state",
    sniff=sniff,
    read=read,
)
