"""Streamed LangChain messages: the pieces of an answer put together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judge.trajectories.values import count_of, mapping, sequence, string

_COUNTS = ("input_tokens", "output_tokens")


def whole(messages: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The messages, where pieces of one answer that follow one another are one message."""
    pieces: list[Mapping[str, Any]] = []
    for message in messages:
        if pieces and not (message.get("chunk") and _same(pieces[0], message)):
            yield _merged(pieces)
            pieces = []
        if message.get("chunk"):
            pieces.append(message)
        else:
            yield message
    if pieces:
        yield _merged(pieces)


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    return first.get("type") == second.get("type") and (not second.get("id") or first.get("id") == second.get("id"))


def _merged(pieces: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    if len(pieces) == 1 and not sequence(pieces[0].get("tool_call_chunks")):
        return pieces[0]
    made = dict(pieces[0])
    texts: list[str] = []
    blocks: list[Any] = []
    calls: dict[str, dict[str, Any]] = {}
    counts: dict[str, int] = {}
    for piece in pieces:
        content = piece.get("content")
        if isinstance(content, str):
            texts.append(content)
        else:
            blocks += sequence(content)
        for place, item in enumerate(sequence(piece.get("tool_call_chunks"))):
            _add_call(calls, mapping(item), place)
        usage = mapping(piece.get("usage_metadata"))
        for key in _COUNTS:
            if (number := count_of(usage.get(key))) is not None:
                counts[key] = counts.get(key, 0) + number
        for key in ("response_metadata", "tool_calls"):
            made[key] = piece.get(key) or made.get(key)
    text = "".join(texts) + "".join(string(mapping(block).get("text")) for block in blocks)
    others = [block for block in blocks if "text" not in mapping(block)]
    made["content"] = [{"type": "text", "text": text}, *others] if others else text
    if calls:
        made["tool_calls"] = list(calls.values())
    made["usage_metadata"] = counts or None
    return made


def _add_call(calls: dict[str, dict[str, Any]], item: Mapping[str, Any], place: int) -> None:
    index = item.get("index")
    key = f"{index}" if isinstance(index, int | str) else f"at {place}"
    call = calls.setdefault(key, {"id": None, "name": "", "args": ""})
    call["id"] = item.get("id") or call["id"]
    call["name"] += string(item.get("name"))
    args = item.get("args")
    call["args"] += args if isinstance(args, str) else ""
