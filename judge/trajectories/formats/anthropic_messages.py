"""A list of messages as Anthropic's Messages API takes them: content blocks with tool_use and tool_result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.trajectories.build import Builder
from judge.trajectories.format import FALLBACK, LIKELY, Format, Match
from judge.trajectories.formats.blocks import assistant_turn, block_result, blocks_of, is_result, user_texts
from judge.trajectories.formats.conversations import Conversation, conversations, sample_messages
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, string, time_of, usage_of

NAME = "anthropic"
_MARKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})


def sniff(sample: Sample) -> Match | None:
    """Messages with ``role`` whose content blocks are Anthropic's; Cline's, which have ``ts``, are left to Cline."""
    messages = sample_messages(sample)
    if not any(item.get("role") in ("user", "assistant") for item in messages):
        return None
    kinds = {
        string(block.get("type"))
        for item in messages
        for block in blocks_of(item.get("content"))
        if isinstance(item.get("content"), list)
    }
    if kinds & _MARKS:
        return Match(LIKELY, f"messages with content blocks of the type {sorted(kinds & _MARKS)[0]}")
    root = mapping(sample.root)
    if "messages" in root and isinstance(root.get("system"), str | list) and "anthropic_version" in root:
        return Match(LIKELY, "a request with system and anthropic_version")
    # Blocks of plain text say nothing, and read the same as messages of OpenAI's kind.
    return Match(FALLBACK / 2, "messages with role and content blocks") if kinds else None


def read(source: Source) -> Iterator[Converted]:
    """Each conversation of the file."""
    for conversation in conversations(source):
        yield _convert(source, conversation)


def _convert(source: Source, conversation: Conversation) -> Converted:
    builder = Builder(NAME, source)
    for message in conversation.messages:
        take(builder, message)
    return builder.finish(conversation.name)


def take(builder: Builder, message: Mapping[str, object]) -> None:
    """One message."""
    role = message.get("role")
    inner = mapping(message.get("message"))
    if role is None and "role" in inner:
        message, role = inner, inner.get("role")
    content = message.get("content")
    time = time_of(message.get("timestamp", message.get("ts", message.get("created_at"))))
    if role == "assistant":
        builder.used("assistant")
        usage = usage_of(message.get("usage"), model=message.get("model"))
        assistant_turn(builder, content, usage=usage, time=time)
    elif role == "user":
        blocks = blocks_of(content)
        for block in blocks:
            if is_result(block.get("type")):
                builder.used("tool_result")
                block_result(builder, block, time)
        text = "\n".join(user_texts(builder, blocks))
        if text.strip():
            builder.used("user")
            builder.user(text, time=time)
    else:
        builder.skip(role if role is not None else message.get("type"))


FORMAT = Format(
    name=NAME,
    description="Anthropic messages (content blocks with tool_use and tool_result)",
    sniff=sniff,
    read=read,
)
