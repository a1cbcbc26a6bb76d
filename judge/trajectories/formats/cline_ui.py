"""Cline's ``ui_messages.json``: what the interface showed; the only place of the cost in older versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.jsonstream import document
from judge.trajectories.report import Converted
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, count_of, mapping, number_of, parsed, sequence, string, time_of

_TEXTS = ("text", "reasoning", "completion_result")
_QUESTIONS = ("followup", "plan_mode_respond", "completion_result")


def requests(source: Source) -> list[StepUsage]:
    """What each request to the model cost, in order; requests that were never answered are left out."""
    found = []
    for item in sequence(document(source)):
        item = mapping(item)
        if item.get("say") in ("api_req_started", "deleted_api_reqs") and item.get("partial") is not True:
            usage = _usage(item)
            if item.get("say") == "api_req_started" and usage.output_tokens is not None:
                found.append(usage)
    return found


def _usage(item: Mapping[str, Any]) -> StepUsage:
    told = mapping(parsed(item.get("text")))
    fed = [count_of(told.get(key)) for key in ("tokensIn", "cacheReads", "cacheWrites")]
    known = [count for count in fed if count is not None]
    return StepUsage(
        input_tokens=sum(known) if known else None,
        output_tokens=count_of(told.get("tokensOut")),
        cost=number_of(told.get("cost")),
    )


def read_ui(source: Source) -> Converted:
    """The task as far as the interface's file alone tells it."""
    reader = _Reader(source)
    items = [mapping(item) for item in sequence(document(source))]
    times = [time_of(item.get("ts")) for item in items]
    if all(time is not None for time in times):
        order = sorted(range(len(items)), key=lambda i: (times[i], i))
        items = [items[i] for i in order]
    for item in items:
        reader.take(item)
    return reader.builder.finish(stated=reader.total)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.builder = Builder("cline", source)
        self._usage = StepUsage()
        self.total = StepUsage()
        """Of all requests, those that were never answered included."""
        self._first = True
        self._acted = False

    def take(self, item: Mapping[str, Any]) -> None:
        time = time_of(item.get("ts"))
        kind = string(item.get("say")) or string(item.get("ask"))
        text = string(item.get("text"))
        if item.get("partial") is True:
            self.builder.skip("draft")
            return
        if self._first and item.get("type") == "say" and kind in ("text", "task"):
            self._first = False
            self.builder.used("task")
            self.builder.user(text, time=time)
        elif kind == "api_req_started":
            self.builder.used(kind)
            self._usage = _usage(item)
            self.total = add_usage(self.total, self._usage)
            self._acted = False
        elif kind == "user_feedback":
            self.builder.used(kind)
            self.builder.user(text, time=time)
        elif kind in _TEXTS and item.get("type") == "say":
            self.builder.used(kind)
            self._turn(text, time)
        elif kind in ("tool", "command", "use_mcp_server", "browser_action_launch", "browser_action"):
            self.builder.used(kind)
            self._call(kind, text, time)
        elif kind in ("command_output", "mcp_server_response", "browser_action_result"):
            self.builder.used(kind)
            self._output(text, time)
        elif kind == "error":
            self.builder.used(kind)
            self.builder.note_output(text)
        elif kind in _QUESTIONS:
            self.builder.used(kind)
            told = mapping(parsed(text))
            self._turn(string(told.get("question")) or string(told.get("response")) or text, time)
        else:
            self.builder.skip(kind or item.get("type"))

    def _turn(self, text: str, time: float | None) -> None:
        if text.strip() or not self._acted:
            self.builder.turn(text, usage=self._usage, time=time)
            self._usage = StepUsage()

    def _call(self, kind: str, text: str, time: float | None) -> None:
        if self.builder.open_call() or self._usage != StepUsage() or self._acted:
            self._turn("", time) if self._usage != StepUsage() else self.builder.turn("", time=time)
        self._acted = True
        told = mapping(parsed(text))
        if kind == "command":
            self.builder.call(None, "execute_command", text.removesuffix("REQ_APP"), time=time)
        elif told:
            tool = string(told.get("tool")) or kind
            self.builder.call(
                None,
                tool,
                {k: v for k, v in told.items() if k not in ("tool", "operationIsLocatedInWorkspace")},
                time=time,
            )
            if kind == "tool":
                self.builder.result(None, "", time=time)
        else:
            self.builder.call(None, kind, text, time=time)

    def _output(self, text: str, time: float | None) -> None:
        if self.builder.open_call():
            self.builder.result(None, text, time=time)
        elif not self.builder.note_output(text):
            self.builder.skip("output without command")


__all__ = ["read_ui", "requests"]
