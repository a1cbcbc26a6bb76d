"""Gemini CLI sessions (and of its fork Qwen Code): one JSON object, or since 0.40 JSON lines with patches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import count_of, mapping, sequence, string, text_of, time_of

NAME = "gemini-cli"
_AGENT = (
    "gemini",
    "model",
    "assistant",
    "qwen",
    "agent",
)
_NOTICES = (
    "info",
    "error",
    "warning",
    "system",
    "about",
    "stats",
    "quit",
    "compression",
)


def sniff(sample: Sample) -> Match | None:
    """An object, or a first line, with ``sessionId`` and ``projectHash``; messages of the type ``gemini``."""
    heads = [sample.root] if sample.root is not None else list(sample.objects[:3])
    for item in heads:
        if item and {"sessionId", "projectHash"} <= item.keys():
            return Match(CERTAIN, "the keys sessionId and projectHash")
    if any({"uuid", "sessionId"} <= item.keys() and "parts" in mapping(item.get("message")) for item in sample.objects):
        return Match(CERTAIN, "records with uuid and sessionId whose messages have parts")
    told = [item for item in sample.objects if isinstance(item.get("parts"), list)]
    if any(item.get("role") in ("model", "user") for item in told):
        return Match(LIKELY, "messages with role and parts")
    listed = sequence(mapping(sample.root).get("messages")) or sample.records
    kinds = [item.get("type") for item in listed if isinstance(item, dict)]
    tools = any("toolCalls" in item or "thoughts" in item for item in listed if isinstance(item, dict))
    if "gemini" in kinds and (tools or "user" in kinds):
        return Match(LIKELY, "messages of the types user and gemini")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The session; a message that is recorded several times counts as it was last."""
    reader = _Reader(source)
    lines, listed = Sample(source).is_lines, Sample(source).is_list
    for piece in values(source) if lines or listed else members(source, "messages"):
        if lines or listed:
            reader.line(mapping(piece.value))
        elif piece.element:
            reader.add(mapping(piece.value))
        elif piece.key != "messages":
            reader.head[piece.key] = piece.value
    yield reader.finish()


class _Reader:
    """Messages are kept until the end, since later records may replace or patch them."""

    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self.head: dict[str, Any] = {}
        self._messages: dict[str, Mapping[str, Any]] = {}

    def line(self, record: Mapping[str, Any]) -> None:
        """A record of the newer files: the header, a message, or a patch."""
        patch = mapping(record.get("$set"))
        if patch:
            self.builder.used("$set")
            messages = patch.get("messages")
            if isinstance(messages, list):
                self._messages.clear()
                for item in messages:
                    self.add(mapping(item))
            self.head.update({key: value for key, value in patch.items() if key != "messages"})
        elif "$rewindTo" in record:
            self.builder.used("$rewindTo")
            self._rewind(string(record.get("$rewindTo")))
        elif "projectHash" in record:
            self.head.update(record)
            for item in sequence(record.get("messages")):
                self.add(mapping(item))
        elif "parts" in mapping(record.get("message")):
            self.builder.cwd = self.builder.cwd or string(record.get("cwd"))
            self.head.setdefault("directories", [record.get("cwd")])
            inner = {key: item for key, item in record.items() if key not in ("message", "uuid")}
            self.add({**inner, "id": record.get("uuid"), "parts": mapping(record.get("message"))["parts"]})
        else:
            self.add(record)

    def add(self, message: Mapping[str, Any]) -> None:
        """A message; a later one with the same id takes its place."""
        if not message:
            self.builder.skip("no object")
            return
        name = string(message.get("id")) or f"#{len(self._messages)}"
        if name in self._messages:
            self.builder.skip("earlier state of a message")
        self._messages[name] = message

    def _rewind(self, name: str) -> None:
        """The user went back: the message and what follows it no longer counts."""
        if name in self._messages:
            names = list(self._messages)
            for gone in names[names.index(name) :]:
                del self._messages[gone]
                self.builder.skip("abandoned branch")

    def finish(self) -> Converted:
        self.builder.cwd = next((str(d) for d in sequence(self.head.get("directories")) if isinstance(d, str)), "")
        for message in _in_order(list(self._messages.values())):
            kind = message.get("type", message.get("role"))
            if kind in ("user", "tool_result"):
                self._user(message)
            elif kind in _AGENT:
                self._agent(message)
            else:
                self.builder.skip(kind)
                if kind in ("error", "warning"):
                    text = text_of(message.get("content"), self.builder.report)
                    self.builder.warn(f"the agent reports: {text[:200]}")
        return self.builder.finish()

    def _user(self, message: Mapping[str, Any]) -> None:
        parts = message.get("content", message.get("parts"))
        time = time_of(message.get("timestamp"))
        if isinstance(parts, list) and any("functionResponse" in mapping(part) for part in parts):
            self.builder.used("function response")
            for part in parts:
                response = mapping(mapping(part).get("functionResponse"))
                if response:
                    bad = mapping(message.get("toolCallResult")).get("status") == "error" or None
                    self.builder.result(response.get("id"), _response(response, self.builder), failed=bad, time=time)
            return
        self.builder.used("user")
        self.builder.user(text_of(parts, self.builder.report), time=time)

    def _agent(self, message: Mapping[str, Any]) -> None:
        self.builder.used("gemini")
        time = time_of(message.get("timestamp"))
        thoughts = []
        for thought in sequence(message.get("thoughts")):
            parts = [string(mapping(thought).get(key)) for key in ("subject", "description")]
            thoughts.append(": ".join(part for part in parts if part))
        parts = message.get("content", message.get("parts"))
        calls = [c for p in sequence(parts) if (c := mapping(mapping(p).get("functionCall")))]
        texts = [p for p in parts if not mapping(p).get("functionCall")] if isinstance(parts, list) else parts
        text = text_of(texts, self.builder.report)
        usage = _usage(mapping(message.get("tokens", message.get("usageMetadata"))), message.get("model"))
        self.builder.turn("\n\n".join(part for part in (*thoughts, text) if part.strip()), usage=usage, time=time)
        for call in sequence(message.get("toolCalls")):
            self._call(mapping(call), time)
        for call in calls:
            self.builder.call(call.get("id"), call.get("name"), call.get("args"), time=time)

    def _call(self, call: Mapping[str, Any], time: float | None) -> None:
        self.builder.used("tool call")
        time = time_of(call.get("timestamp")) or time
        status = call.get("status")
        failed = True if status in ("error", "cancelled") else None
        id = string(call.get("id")) or None
        if not self.builder.call(id, call.get("name"), call.get("args"), time=time):
            return
        results = call.get("result")
        responses = [mapping(mapping(item).get("functionResponse")) for item in sequence(results)]
        texts = [_response(response, self.builder) for response in responses if response]
        others = [item for item in sequence(results) if not mapping(item).get("functionResponse")]
        if others:
            texts.append(text_of(others, self.builder.report))
        if not texts and results:
            texts = [text_of(results, self.builder.report)]
        if not texts and call.get("resultDisplay"):
            texts = [text_of(call.get("resultDisplay"), self.builder.report)]
        if texts or status in ("success", "error", "cancelled"):
            self.builder.result(id, "\n".join(texts), failed=failed, time=time)
        agent = mapping(call.get("agentId") or {})
        if agent:
            self.builder.skip("sub-agent reference")


def _in_order(messages: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """By time when every message has one and they are not in order already; equal times stay as they are."""
    times = [time_of(message.get("timestamp")) for message in messages]
    known = [time for time in times if time is not None]
    if len(known) < len(messages):
        return messages
    return [messages[number] for number in sorted(range(len(messages)), key=lambda n: (known[n], n))]


def _response(response: Mapping[str, Any], builder: Builder) -> str:
    inner = mapping(response.get("response"))
    raw = inner.get("output", inner.get("error", inner.get("content", response.get("response"))))
    text = text_of(raw, builder.report)
    if "\n" not in text and "\\nDirectory: " in text:
        # The shell tool's report, escaped once too often.
        text = text.replace("\\n", "\n")
    return text


def _usage(tokens: Mapping[str, Any], model: object) -> StepUsage:
    """Thoughts are output; cached tokens are part of the input."""
    fed = count_of(tokens.get("input", tokens.get("promptTokenCount")))
    made = [count_of(tokens.get(key)) for key in ("output", "candidatesTokenCount", "thoughts", "thoughtsTokenCount")]
    known = [count for count in made if count is not None]
    name = model if isinstance(model, str) and model else None
    return StepUsage(input_tokens=fed, output_tokens=sum(known) if known else None, model=name)


FORMAT = Format(
    name=NAME,
    description="Gemini CLI (and Qwen Code) chat session or checkpoint",
    sniff=sniff,
    read=read,
)
