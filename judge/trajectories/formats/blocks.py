"""Content blocks as Anthropic's API has them, which several agents write into their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.values import as_json, mapping, string, text_of

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
KINDS = frozenset((*_CALLS, "text", "thinking", "redacted_thinking", "tool_result", "image", "document"))


def is_result(kind: object) -> bool:
    """Whether a block of that type brings the result of a call."""
    return isinstance(kind, str) and kind.endswith("tool_result")


def blocks_of(content: object) -> list[Mapping[str, Any]]:
    """The blocks of a message's content; a bare text is one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = content if isinstance(content, list) else [content]
    return [item if isinstance(item, dict) else {"type": "text", "text": item} for item in items if item]


def assistant_turn(
    builder: Builder,
    content: object,
    *,
    usage: StepUsage | None = None,
    key: str | None = None,
    time: float | None = None,
    agent: str | None = None,
    before: str = "",
) -> None:
    """A message of the model: its texts and thinking as one thought, its calls as steps, results of its server tools.

    Args:
        builder: Takes the steps.
        content: Text or blocks.
        usage: What the message cost.
        key: The message's id, where it is spread over several records.
        time: When it was recorded.
        agent: The agent's name, when there are several.
        before: Reasoning that the file keeps beside the content.
    """
    blocks = blocks_of(content)
    texts = [before]
    for block in blocks:
        kind = block.get("type")
        if kind in ("thinking", "reasoning"):
            texts.append(
                string(block.get("thinking")) or text_of(block.get("text") or block.get("summary"), builder.report)
            )
        elif kind == "redacted_thinking":
            builder.skip("redacted_thinking")
        elif kind not in _CALLS and not is_result(kind):
            texts.append(text_of(block, builder.report))
    thought = "\n\n".join(text.strip("\n") for text in texts if text.strip())
    builder.turn(thought, usage=usage, key=key, time=time, agent=agent)
    for block in blocks:
        if block.get("type") in _CALLS:
            builder.call(block.get("id"), block.get("name"), block.get("input"), time=time)
        elif is_result(block.get("type")):
            block_result(builder, block, time)


def block_result(builder: Builder, block: Mapping[str, Any], time: float | None, fallback: object = None) -> None:
    """One tool result; ``fallback`` is what the file keeps beside a block without content."""
    content = block.get("content")
    text = text_of(content, builder.report)
    if not text and content in (None, "", []) and fallback:
        extra = mapping(fallback)
        streams = [string(extra.get(key)).rstrip("\n") for key in ("stdout", "stderr")]
        text = "\n".join(part for part in streams if part) or ("" if extra else text_of(fallback, builder.report))
    failed = block.get("is_error")
    builder.result(block.get("tool_use_id"), text, failed=failed if isinstance(failed, bool) else None, time=time)


def user_texts(builder: Builder, blocks: Iterable[Mapping[str, Any]]) -> list[str]:
    """The texts of a user's message, pictures as markers; results are left to the caller."""
    return [text for block in blocks if not is_result(block.get("type")) and (text := text_of(block, builder.report))]


def show_input(value: object) -> str:
    """The arguments of a call as one text, for comparing."""
    return value if isinstance(value, str) else as_json(value)
