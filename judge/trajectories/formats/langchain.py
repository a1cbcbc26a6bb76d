"""LangChain and LangGraph messages: a list, lines, or the state that holds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, POSSIBLE, Format, Match
from judge.trajectories.formats.langchain_chunks import whole
from judge.trajectories.formats.langchain_shapes import calls_of, plain, thought_of, usage_of_message
from judge.trajectories.formats.langchain_states import conversations, raw_messages
from judge.trajectories.jsonstream import document, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, string, text_of, time_of

NAME = "langchain"
_OWN = ("human", "ai", "AIMessageChunk", "HumanMessage", "AIMessage", "ToolMessage", "HumanMessageChunk")
_MARKS = ("usage_metadata", "response_metadata", "additional_kwargs", "invalid_tool_calls")
_OTHERS = re.compile(r'(?<!\\)"(?:run_type|resourceSpans|instrumentation_scope|SpanContext)"\s*:')
_LOOKED = 200


def sniff(sample: Sample) -> Match | None:
    """Messages of the types human, ai and tool; constructors with ``lc``; never mere roles."""
    if sample.is_folder:
        return None
    if _OTHERS.search(sample.head, 0, 50_000):
        return None  # traces, in which messages occur
    found = list(islice(raw_messages([*sample.records]), _LOOKED))
    constructed = [item for item in found if item.get("lc") in (1, 2) and item.get("type") == "constructor"]
    own = [item for item in found if item.get("type") in _OWN] + constructed
    if not own or len(own) < 0.3 * len(found):
        return None
    if constructed or any(mark in mapping(item.get("data")) or mark in item for item in own for mark in _MARKS):
        return Match(CERTAIN, "messages of the types human and ai with LangChain's keys")
    kinds = [string(item.get("type")) for item in found]
    both = "human" in kinds and "ai" in kinds
    return Match(LIKELY if both else POSSIBLE, "messages of the types " + ", ".join(sorted(set(kinds))[:4]))


def read(source: Source) -> Iterator[Converted]:
    """Each conversation; of several states of one that with the most messages, which holds the others."""
    sample = Sample(source)
    if sample.root is not None:
        whole_file = document(source)
        found = conversations([whole_file])
        if not found:  # a state under keys that nobody foresaw
            found = [("", [plain(item) for item in raw_messages(whole_file)], 0)]
    else:
        found = conversations([piece.value for piece in values(source)])
    for name, messages, others in found:
        builder = Builder(NAME, source)
        if others:
            builder.skip("earlier state", others)
        for message in whole(messages):
            take(builder, message)
        yield builder.finish(name[:200] if len(found) > 1 else "")


def take(builder: Builder, message: Mapping[str, Any]) -> None:
    """Feeds one message into a builder."""
    kind = message.get("type")
    time = time_of(message.get("created_at", message.get("timestamp")))
    if kind == "human":
        builder.used("human")
        builder.user(text_of(message.get("content"), builder.report), time=time)
    elif kind == "ai":
        builder.used("ai")
        agent = string(message.get("name")) or None
        builder.turn(thought_of(message, builder), usage=usage_of_message(message), agent=agent, time=time)
        for id, name, arguments in calls_of(message):
            builder.call(id, name, arguments, time=time)
    elif kind == "tool":
        builder.used("tool")
        failed = True if message.get("status") == "error" else None
        text = text_of(message.get("content"), builder.report)
        builder.result(message.get("tool_call_id"), text, failed=failed, time=time)
    else:
        builder.skip(kind)


FORMAT = Format(
    name=NAME,
    description="LangChain and LangGraph messages, bare or in a state",
    sniff=sniff,
    read=read,
)
