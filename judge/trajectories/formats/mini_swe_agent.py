"""mini-SWE-agent ``.traj.json``: an action is a fenced block in the text (version 1) or a tool call (version 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import count_of, mapping, number_of, sequence, string, text_of, time_of, usage_of

NAME = "mini-swe-agent"
_FENCE = re.compile(r"^[ \t]*```(?:mswea_bash_command|bash|sh|shell)[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.M | re.S)
_RESULT = re.compile(r"\s*(?:<returncode>|<exception>|<output>|Observation:|<warning>)")
_COMPLAINT = re.compile(r"exactly one|\bactions?\b.{0,80}\bfound\b|\bfound\b.{0,40}\bactions?\b|tool call|format", re.I)
_CODE = re.compile(r"\s*<returncode>(-?\d+)</returncode>")


def sniff(sample: Sample) -> Match | None:
    """``trajectory_format`` of mini-swe-agent, ``info.model_stats`` beside messages, or its own kind of fence."""
    root = mapping(sample.root)
    if string(root.get("trajectory_format")).startswith("mini-swe-agent"):
        return Match(CERTAIN, f"trajectory_format {string(root['trajectory_format'])[:30]}")
    info = mapping(root.get("info"))
    if isinstance(root.get("messages"), list) and ("model_stats" in info or "mini_version" in info):
        return Match(CERTAIN, "messages beside info with model_stats")
    messages = sample.objects if sample.root is None else sequence(root.get("messages"))
    texts = [_plain(mapping(item)) for item in messages if mapping(item).get("role") == "assistant"]
    if any("```mswea_bash_command" in text for text in texts):
        return Match(LIKELY + 0.05, "fenced blocks called mswea_bash_command")
    return None


def _plain(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(string(mapping(item).get("text")) for item in content)
    return string(content)


def read(source: Source) -> Iterator[Converted]:
    """The one run; without any answer of the model it is still one."""
    builder = Builder(NAME, source)
    data: dict[str, Any] = {}
    reader = _Reader(builder)
    # A list without anything around it has the key "".
    listed = Sample(source).root is None
    for piece in values(source) if listed else members(source, "messages"):
        if listed or (piece.element and piece.key == "messages"):
            reader.take(mapping(piece.value))
        elif piece.key == "messages" and not isinstance(piece.value, list):
            builder.warn("messages are no list")
        else:
            data[piece.key] = piece.value
            if piece.key == "info":
                reader.model = _model(mapping(piece.value))
                place = string(mapping(mapping(mapping(piece.value).get("config")).get("environment")).get("cwd"))
                builder.cwd = place if place.startswith("/") else ""
    info = mapping(data.get("info"))
    builder.report.valid_empty = bool(info) and not reader.answered
    for key in ("exit_status", "mini_version", "exception_str"):
        if string(info.get(key)):
            builder.report.notes[key.replace("_", " ")] = string(info[key])[:300]
    stats = mapping(info.get("model_stats"))
    name = data.get("instance_id")
    model = _model(info)
    stated = StepUsage(cost=number_of(stats.get("instance_cost", stats.get("total_cost"))), model=model or None)
    stated = stated.model_copy(update={"input_tokens": count_of(stats.get("tokens_sent"))})
    yield builder.finish(name[:200] if isinstance(name, str) else "", stated=stated)


def _model(info: Mapping[str, Any]) -> str:
    return string(mapping(mapping(info.get("config")).get("model")).get("model_name"))


class _Reader:
    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self.model = ""
        self.answered = False
        self._prompted = False
        self._called = True
        """Whether the last answer holds an action."""
        self._waiting: list[str] = []
        """Calls of the last answer that have no id; results come in their order, or never."""
        self._made = 0

    def take(self, message: Mapping[str, Any]) -> None:
        """One message."""
        role = message.get("role")
        extra = mapping(message.get("extra"))
        time = time_of(extra.get("timestamp", message.get("timestamp")))
        if role == "assistant" or (role is None and isinstance(message.get("output"), list) and "object" in message):
            self._builder.used("assistant")
            self.answered = True
            self._assistant(message, extra, time)
        elif role == "tool" or message.get("type") == "function_call_output":
            self._builder.used("tool")
            self._result(message.get("tool_call_id", message.get("call_id")), message, extra, time)
        elif role == "user":
            self._user(message, extra, time)
        elif role == "exit":
            self._builder.skip("exit")
            if self._builder.open_call():
                self._builder.final_call(None)
        else:
            self._builder.skip(role)

    def _user(self, message: Mapping[str, Any], extra: Mapping[str, Any], time: float | None) -> None:
        text = text_of(message.get("content"), self._builder.report)
        kind = string(extra.get("interrupt_type"))
        if kind == "UserInterruption":
            self._builder.used("interruption")
            self._builder.user(text, time=time)
        elif (self._waiting or self._builder.open_call()) and not kind:
            if text.strip():
                self._builder.used("result")
                self._result(None, message, extra, time)
            else:  # the run ended by that call
                self._builder.skip("empty message")
                self._builder.final_call(None)
        elif self._prompted and (kind == "FormatError" or (not self._called and _COMPLAINT.search(text[:2000]))):
            self._builder.used("format error")
            self._builder.note_output(text)
        elif self._prompted and (_RESULT.match(text) or not text.strip()):
            self._builder.skip("result without call")
        else:
            self._builder.used("user")
            self._prompted = True
            self._builder.user(text, time=time)

    def _assistant(self, message: Mapping[str, Any], extra: Mapping[str, Any], time: float | None) -> None:
        builder = self._builder
        output = [mapping(item) for item in sequence(message.get("output"))]
        said = [item for item in output if item.get("type") != "function_call"]
        text = text_of(message.get("content", said), builder.report)
        thinking = string(message.get("reasoning_content"))
        thought = "\n\n".join(part for part in (thinking, text) if part.strip())
        builder.turn(thought, usage=self._usage(extra, message), time=time)
        self._waiting = []
        calls = [mapping(call) for call in sequence(message.get("tool_calls"))]
        calls += [item for item in output if item.get("type") == "function_call"]
        for call in calls:
            function = mapping(call.get("function")) or call
            builder.call(
                call.get("call_id", call.get("id")), function.get("name"), function.get("arguments"), time=time
            )
        actions = [] if calls else [mapping(action) for action in sequence(extra.get("actions"))]
        for action in actions:
            command = action.get("command", action.get("action"))
            builder.call(self._id(action.get("tool_call_id")), "bash", {"command": command}, time=time)
        blocks = [] if calls or actions else _FENCE.findall(text)
        if len(blocks) == 1:
            builder.call(self._id(None), "bash", {"command": blocks[0].rstrip("\n")}, time=time)
        self._called = bool(calls or actions or len(blocks) == 1)

    def _id(self, given: object) -> str:
        if isinstance(given, str) and given:
            return given
        self._made += 1
        self._waiting.append(f"action-{self._made}")
        return self._waiting[-1]

    def _usage(self, extra: Mapping[str, Any], message: Mapping[str, Any]) -> StepUsage | None:
        response = mapping(extra.get("response")) or message
        usage = mapping(response.get("usage"))
        # LiteLLM counts cached input inside the prompt and names it beside it once more.
        counts = {
            key: usage.get(key) for key in ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
        }
        model = string(response.get("model")) or self.model
        return usage_of(counts, model=model, cost=extra.get("cost"))

    def _result(self, id: object, message: Mapping[str, Any], extra: Mapping[str, Any], time: float | None) -> None:
        text = text_of(message.get("content", message.get("output")), self._builder.report)
        code = extra.get("returncode")
        if not isinstance(code, int) and (match := _CODE.match(text)):
            code = int(match[1])
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
        if not self._builder.has_call(id) and self._waiting:
            id = self._waiting.pop(0)
        self._builder.result(id, text, exit_code=exit_code, time=time)


FORMAT = Format(
    name=NAME,
    description="mini-SWE-agent .traj.json, versions 1 and 2",
    sniff=sniff,
    read=read,
)
