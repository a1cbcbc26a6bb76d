"""A list of messages as OpenAI's chat API takes them, its Responses items, and data sets in their likeness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.format import FALLBACK, LIKELY, POSSIBLE, Format, Match
from judge.trajectories.formats.calls_in_text import Pattern, find_pattern
from judge.trajectories.formats.conversations import Conversation, conversations, role_of, sample_messages
from judge.trajectories.formats.responses import CALLS, OUTPUTS, reasoning_text, take_call, take_output
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, sequence, string, text_of, time_of, usage_of

NAME = "openai"
_ROLES = (
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
)
_REASONING = ("reasoning_content", "reasoning", "thinking", "thought")


def sniff(sample: Sample) -> Match | None:
    """Messages with ``role`` and ``tool_calls``, or plain ones; also ``from``/``value`` and ``conversations``."""
    messages = sample_messages(sample)
    if not messages:
        return None
    roles = {role_of(message) for message in messages}
    if any("tool_calls" in m or "function_call" in m or "tool_call_id" in m for m in messages):
        strict = any(m.get("role") in _ROLES for m in messages)
        return Match(LIKELY if strict else POSSIBLE, "messages with role and tool_calls")
    if any(m.get("type") in ("function_call", "function_call_output") for m in messages):
        return Match(LIKELY, "items of the type function_call and function_call_output")
    if not roles & {"assistant", "user"}:
        return None
    if any(m.get("role") in _ROLES and isinstance(m.get("content"), str) for m in messages):
        return Match(POSSIBLE, "messages with role and content")
    return Match(FALLBACK, "messages of the roles " + ", ".join(sorted(r for r in roles if r)[:4]))


def read(source: Source) -> Iterator[Converted]:
    """Each conversation of the file."""
    for conversation in conversations(source):
        yield _Reader(source, conversation).run()


class _Reader:
    def __init__(self, source: Source, conversation: Conversation) -> None:
        self.builder = Builder(NAME, source)
        self._conversation = conversation
        self._model = conversation.around.get("model")
        self._thoughts: list[str] = []
        self._pattern: Pattern | None = None
        self._names: dict[str, int] = {}

    def run(self) -> Converted:
        messages = self._conversation.messages
        self._pattern = find_pattern(messages)
        if self._pattern is not None:
            self.builder.report.notes["calls"] = f"written in the text, as {self._pattern.name}"
        for message in messages:
            self._take(message)
        if self._thoughts:
            self.builder.turn("\n\n".join(self._thoughts))
        around = self._conversation.around
        # The usage of a response alone stands on its message already.
        told = None if self._conversation.answered else around.get("usage") or around.get("total_usage")
        total = usage_of(told, model=self._model)
        return self.builder.finish(self._conversation.name, stated=total)

    def _take(self, message: Mapping[str, Any]) -> None:
        kind = message.get("type")
        time = time_of(message.get("timestamp", message.get("created_at", message.get("ts"))))
        if "role" not in message and kind in CALLS:
            self.builder.used(kind)
            if self._thoughts:
                self._turn("", message, time)
            take_call(self.builder, message, time)
            return
        if "role" not in message and kind in OUTPUTS:
            self.builder.used(kind)
            take_output(self.builder, message, time)
            return
        if "role" not in message and kind == "reasoning":
            self.builder.used(kind)
            self._thoughts.append(reasoning_text(message, self.builder))
            return
        role = role_of(message)
        if role == "assistant":
            self._assistant(message, time)
        elif role == "tool":
            self._tool(message, time)
        elif role == "user":
            self._user(message, time)
        elif string(message.get("from")) == "function_call":
            self.builder.used("function_call")
            self._text_call(message, time)
        else:
            self.builder.skip(role or kind)

    def _user(self, message: Mapping[str, Any], time: float | None) -> None:
        text = _content(message, self.builder)
        if self._pattern is not None and self.builder.open_call() and self._pattern.is_result(text):
            self.builder.used("result in a user message")
            self.builder.result(None, self._pattern.result_text(text), time=time)
            return
        self.builder.used("user")
        self.builder.user(text, time=time)

    def _assistant(self, message: Mapping[str, Any], time: float | None) -> None:
        self.builder.used("assistant")
        text = _content(message, self.builder)
        calls = [mapping(call) for call in sequence(message.get("tool_calls"))]
        legacy = mapping(message.get("function_call"))
        refusal = string(message.get("refusal"))
        found = None
        if self._pattern is not None and not calls and not legacy:
            found = self._pattern.find_call(text)
        self._turn(text or refusal, message, time)
        for call in calls:
            function = mapping(call.get("function")) or mapping(call.get("custom")) or call
            arguments = function.get("arguments", function.get("input", function.get("args")))
            self.builder.call(self._unique(call.get("id")), function.get("name"), arguments, time=time)
        if legacy:
            self.builder.call(None, legacy.get("name"), legacy.get("arguments"), time=time)
        if found is not None:
            self.builder.call(None, found[0], found[1], time=time)

    def _unique(self, id: object) -> object:
        """Ids that a server hands out anew in each answer (``call_0``) are told apart by how often they came."""
        if not isinstance(id, str) or not id or not self.builder.has_call(id):
            return id
        self._names[id] = self._names.get(id, 0) + 1
        return f"{id}@{self._names[id]}"

    def _tool(self, message: Mapping[str, Any], time: float | None) -> None:
        self.builder.used("tool")
        id = message.get("tool_call_id", message.get("call_id"))
        several = sequence(message.get("tool_call_ids"))
        id = several[0] if id is None and several else id
        text = _content(message, self.builder)
        if isinstance(id, str) and id in self._names:
            id = f"{id}@{self._names[id]}"
        failed = message.get("is_error")
        self.builder.result(id, text, failed=failed if isinstance(failed, bool) else None, time=time)

    def _text_call(self, message: Mapping[str, Any], time: float | None) -> None:
        """A call as data sets write it: ``{"name": …, "arguments": …}`` as the text of a message of its own."""
        from judge.trajectories.values import parsed

        text = _content(message, self.builder)
        value = mapping(parsed(text))
        self.builder.turn("", time=time)
        if string(value.get("name")):
            self.builder.call(None, value.get("name"), value.get("arguments", value.get("parameters")), time=time)
        else:
            self.builder.call(None, "", text, time=time)

    def _turn(self, text: str, message: Mapping[str, Any], time: float | None) -> None:
        reasoning = next((t for key in _REASONING if (t := text_of(message.get(key), self.builder.report))), "")
        parts = [*self._thoughts, reasoning, text]
        self._thoughts = []
        metadata = mapping(message.get("usage")) or mapping(mapping(message.get("extra")).get("usage"))
        model = message.get("model", self._model)
        cost = message.get("cost")
        self.builder.turn(
            "\n\n".join(part.strip("\n") for part in parts if part.strip()),
            usage=usage_of(metadata, model=model, cost=cost),
            agent=string(message.get("agent")) or None,
            time=time,
        )


def _content(message: Mapping[str, Any], builder: Builder) -> str:
    for key in ("content", "value", "text", "parts"):
        if message.get(key) is not None:
            return text_of(message[key], builder.report)
    return ""


FORMAT = Format(
    name=NAME,
    description="OpenAI chat messages (also Responses items, ShareGPT conversations)",
    sniff=sniff,
    read=read,
)
