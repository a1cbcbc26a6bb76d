"""AutoGen (0.4 and later) task results, streams and saved states, and the message lists of AutoGen 0.2 and AG2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.autogen_state import state_messages, team_messages
from judge.trajectories.jsonstream import document, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, mapping, number_of, sequence, string, text_of, time_of, usage_of

NAME = "autogen"
_EVENTS = (
    "TextMessage", "MultiModalMessage", "ToolCallRequestEvent", "ToolCallExecutionEvent", "ToolCallSummaryMessage",
    "ThoughtEvent", "HandoffMessage", "StopMessage", "StructuredMessage", "MemoryQueryEvent", "UserInputRequestedEvent",
    "ModelClientStreamingChunkEvent", "CodeGenerationEvent", "CodeExecutionEvent", "SelectSpeakerEvent",
)  # fmt: skip
_STATE = (
    "UserMessage",
    "AssistantMessage",
    "FunctionExecutionResultMessage",
    "SystemMessage",
)
_PEOPLE = (
    "user",
    "user_proxy",
    "UserProxy",
    "human",
    "Human",
    "user_proxy_agent",
    "admin",
    "Admin",
)


def sniff(sample: Sample) -> Match | None:
    """Messages with ``source`` and ``models_usage``; a saved state with ``llm_context``; 0.2 lists with ``name``."""
    root = mapping(sample.root)
    listed = sequence(root.get("messages")) or sample.records
    items = [item for item in listed if isinstance(item, dict)]
    if any("models_usage" in item and "source" in item for item in items):
        return Match(CERTAIN, "messages with source and models_usage")
    if any(item.get("type") in _EVENTS and "source" in item for item in items):
        return Match(CERTAIN, "messages of AutoGen's types with a source")
    if (
        "llm_context" in root
        or "agent_states" in root
        or any(item.get("type") in _STATE for item in state_messages(root))
    ):
        return Match(CERTAIN, "a saved agent state")
    chat = sequence(root.get("chat_history")) or (items if not root else [])
    named = [item for item in chat if isinstance(item, dict) and {"content", "role", "name"} <= item.keys()]
    speakers = {string(item.get("name")) for item in named if item.get("role") in ("user", "assistant")}
    if "chat_history" in root and ("cost" in root or "summary" in root or named):
        return Match(LIKELY, "a chat_history")
    if len(named) >= max(2, len(chat) // 2) and len(speakers) >= 2 and not any("tool_call_id" in i for i in items):
        return Match(LIKELY, "messages with content, role and the names of several agents")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The one run; agents are told apart by ``agent_name``."""
    reader = _Reader(source)
    stated = StepUsage()
    if Sample(source).is_lines:
        for piece in values(source):
            record = mapping(piece.value)
            for message in sequence(record.get("messages")) or [record]:
                reader.take(mapping(message))
    else:
        data = document(source)
        root = mapping(data)
        messages = sequence(root.get("messages")) or sequence(root.get("chat_history")) or sequence(data)
        for message in messages or team_messages(root):
            reader.take(mapping(message))
        stated = _chat_usage(mapping(root.get("cost")))
        if string(root.get("stop_reason")):
            reader.builder.report.notes["stop reason"] = string(root.get("stop_reason"))[:200]
    yield reader.builder.finish(stated=stated)


def _chat_usage(cost: Mapping[str, Any]) -> StepUsage:
    """What a chat of AutoGen 0.2 states: for each model what was paid for, answers from its cache left out."""
    paid = mapping(cost.get("usage_excluding_cached_inference")) or mapping(cost.get("usage_excluding_cached"))
    total = StepUsage()
    for name, spent in paid.items():
        if isinstance(spent, dict):
            total = add_usage(total, usage_of(spent, model=name))
    price = number_of(paid.get("total_cost"))
    return total if price is None else total.model_copy(update={"cost": price})


class _Reader:
    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self._thought = ""
        self._seen: set[str] = set()
        self._spoken = False

    def take(self, message: Mapping[str, Any]) -> None:
        name = string(message.get("id"))
        if name and name in self._seen:
            self.builder.skip("repeated message")
            return
        self._seen.add(name)
        kind = message.get("type")
        if kind in _EVENTS:
            self._event(message, string(kind))
        elif kind in _STATE:
            self._state(message, string(kind))
        elif "role" in message and "content" in message:
            self._old(message)
        else:
            self.builder.skip(kind)

    def _event(self, message: Mapping[str, Any], kind: str) -> None:
        source = string(message.get("source"))
        time = time_of(message.get("created_at"))
        content = message.get("content")
        usage = usage_of(message.get("models_usage"))
        if kind == "ThoughtEvent":
            self.builder.used(kind)
            self._thought = text_of(content, self.builder.report)
        elif kind == "ToolCallRequestEvent":
            self.builder.used(kind)
            self._turn("", source, usage, time)
            for call in sequence(content):
                call = mapping(call)
                self.builder.call(call.get("id"), call.get("name"), call.get("arguments"), time=time)
        elif kind == "ToolCallExecutionEvent":
            self.builder.used(kind)
            self._results(content, time)
        elif kind in ("CodeGenerationEvent", "CodeExecutionEvent"):
            self._code(message, kind, source, usage, time)
        elif kind in ("TextMessage", "MultiModalMessage", "StructuredMessage", "HandoffMessage", "StopMessage"):
            self._text(message, kind, source, usage, time)
        else:
            # Summaries repeat the results, chunks the messages.
            self.builder.skip(kind)

    def _text(self, message: Mapping[str, Any], kind: str, source: str, usage: StepUsage, time: float | None) -> None:
        text = text_of(message.get("content"), self.builder.report)
        if source in _PEOPLE or (not self._spoken and usage.input_tokens is None and source.lower().startswith("user")):
            self.builder.used(f"{kind} (user)")
            self.builder.user(text, time=time)
        elif kind == "StopMessage":
            self.builder.skip(kind)
            self.builder.report.notes["stop"] = text[:200]
        else:
            self.builder.used(kind)
            self._turn(text, source, usage, time)

    def _code(self, message: Mapping[str, Any], kind: str, source: str, usage: StepUsage, time: float | None) -> None:
        self.builder.used(kind)
        if kind == "CodeGenerationEvent":
            self._turn(text_of(message.get("content"), self.builder.report), source, usage, time)
            for block in sequence(message.get("code_blocks")):
                block = mapping(block)
                tool = "python" if string(block.get("language")).lower() in ("python", "py") else "bash"
                self.builder.call(None, tool, string(block.get("code")), time=time)
        else:
            result = mapping(message.get("result"))
            code = result.get("exit_code")
            exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
            self.builder.result(
                None, text_of(result.get("output"), self.builder.report), exit_code=exit_code, time=time
            )

    def _state(self, message: Mapping[str, Any], kind: str) -> None:
        content = message.get("content")
        source = string(message.get("source"))
        if kind == "UserMessage" and source and source not in _PEOPLE and not source.lower().startswith("user"):
            # What another agent of the team said.
            self.builder.used(f"{kind} (agent)")
            self._turn(text_of(content, self.builder.report), source, StepUsage(), None)
        elif kind == "UserMessage":
            self.builder.used(kind)
            self.builder.user(text_of(content, self.builder.report))
        elif kind == "AssistantMessage":
            self.builder.used(kind)
            calls = [mapping(item) for item in sequence(content) if "name" in mapping(item)]
            self._thought = text_of(message.get("thought"), self.builder.report)
            text = "" if calls else text_of(content, self.builder.report)
            self._turn(text, string(message.get("source")), StepUsage(), None)
            for call in calls:
                self.builder.call(call.get("id"), call.get("name"), call.get("arguments"))
        elif kind == "FunctionExecutionResultMessage":
            self.builder.used(kind)
            self._results(content, None)
        else:
            self.builder.skip(kind)

    def _results(self, content: object, time: float | None) -> None:
        for result in sequence(content):
            result = mapping(result)
            failed = result.get("is_error")
            text = text_of(result.get("content"), self.builder.report)
            self.builder.result(
                result.get("call_id"), text, failed=failed if isinstance(failed, bool) else None, time=time
            )

    def _old(self, message: Mapping[str, Any]) -> None:
        """A message of AutoGen 0.2: the first is the task; what a proxy answers is the result of the code before it."""
        name, role = string(message.get("name")), message.get("role")
        text = text_of(message.get("content"), self.builder.report)
        calls = sequence(message.get("tool_calls"))
        responses = sequence(message.get("tool_responses"))
        if role == "tool" or responses:
            self.builder.used("tool")
            for response in responses or [message]:
                response = mapping(response)
                inner = text_of(response.get("content"), self.builder.report)
                self.builder.result(response.get("tool_call_id"), inner)
        elif role == "system":
            self.builder.skip("system")
        elif not self._spoken and not calls:
            self._spoken = True
            self.builder.used("task")
            self.builder.user(text)
        elif text.lstrip().startswith("exitcode:") and self.builder.open_call():
            self.builder.used("execution result")
            self.builder.result(None, text)
        else:
            self._spoken = True
            self.builder.used("message")
            self._turn(text, name, StepUsage(), None)
            for call in calls:
                function = mapping(mapping(call).get("function"))
                self.builder.call(mapping(call).get("id"), function.get("name"), function.get("arguments"))
            if not calls:
                self._blocks(text)

    def _blocks(self, text: str) -> None:
        """The code that a proxy will run, when the message holds exactly one block of it."""
        import re

        found = re.findall(r"^```[ \t]*(python|py|bash|sh|shell)[^\n]*\n(.*?)^```", text, re.M | re.S)
        if len(found) == 1:
            language, code = found[0]
            self.builder.call(None, "python" if language.startswith("py") else "bash", code)

    def _turn(self, text: str, source: str, usage: StepUsage, time: float | None) -> None:
        self._spoken = True
        thought = "\n\n".join(part for part in (self._thought, text) if part)
        self._thought = ""
        self.builder.turn(thought, usage=usage, agent=source or None, time=time)


FORMAT = Format(
    name=NAME,
    description="AutoGen / AG2 task result, message stream, saved state or 0.2 chat history",
    sniff=sniff,
    read=read,
)
