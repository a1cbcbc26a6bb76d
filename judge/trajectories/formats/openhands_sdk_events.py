"""Events of the OpenHands V1 SDK: each has a ``kind`` that ends in ``Event``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.formats.openhands_usage import by_answer, metrics_total
from judge.trajectories.values import (
    add_usage,
    mapping,
    parsed,
    sequence,
    string,
    text_of,
    time_of,
)

_NO_ARGUMENTS = frozenset(("kind", "security_risk", "summary", "timeout"))


def is_event(item: object) -> bool:
    """Whether a value looks like a V1 event."""
    record = mapping(item)
    kind = string(record.get("kind"))
    return kind.endswith("Event") and ("source" in record or "id" in record)


class SdkReader:
    """Collects events, puts them in order, and feeds them into a builder."""

    def __init__(self, builder: Builder) -> None:
        """Takes the builder.

        Args:
            builder: Takes the steps.
        """
        self._builder = builder
        self._events: list[Mapping[str, Any]] = []
        self._seen: set[str] = set()
        self._usages: dict[str, StepUsage] = {}
        self._stated = StepUsage()
        self._counted = False
        self._ids: dict[str, str] = {}
        self._answers: set[str] = set()

    def add(self, event: Mapping[str, Any]) -> None:
        """Takes an event; the order is looked at in the end."""
        id = string(event.get("id"))
        if id and id in self._seen:
            self._builder.skip("repeated event")
            return
        self._seen.add(id)
        self._events.append(event)

    def statistics(self, stats: Mapping[str, Any]) -> None:
        """Usage by answer and in all, as ``stats`` of the conversation's state has it; the last one counts."""
        usages = mapping(stats.get("usage_to_metrics")) or mapping(stats.get("service_to_metrics"))
        if not usages:
            return
        self._usages.clear()
        self._stated = StepUsage()
        for metrics in usages.values():
            self.metrics(mapping(metrics))

    def metrics(self, metrics: Mapping[str, Any]) -> None:
        """Adds the usage of one model to that of the conversation."""
        self._counted = True
        self._stated = add_usage(self._stated, metrics_total(metrics))
        self._usages |= by_answer(metrics)

    @property
    def has_prompt(self) -> bool:
        """Whether a message of the user is among the events."""
        return any(item.get("kind") == "MessageEvent" and item.get("source") == "user" for item in self._events)

    def run(self) -> StepUsage:
        """Feeds everything into the builder; returns what the conversation states for itself."""
        events = _ordered(self._events)
        if not self._counted:
            # The state that is persisted beside the events is later than any that is noted among them.
            for event in events:
                self.statistics(_statistics_in(event))
        for event in events:
            if event.get("kind") != "ActionEvent":
                self._answers |= {string(event.get("action_id")), string(event.get("tool_call_id"))} - {""}
        for event in events:
            self._take(event)
        return self._stated

    def _take(self, event: Mapping[str, Any]) -> None:
        kind = string(event.get("kind"))
        time = time_of(event.get("timestamp"))
        if kind == "MessageEvent":
            self._builder.used(kind)
            self._message(event, time)
        elif kind == "ACPToolCallEvent":
            self._builder.used(kind)
            self._other_agent(event, time)
        elif kind in ("ActionEvent", "NonExecutableActionEvent"):
            self._builder.used(kind)
            self._action(event, time)
        elif kind in ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent"):
            self._builder.used(kind)
            self._result(event, time)
        elif kind == "ConversationErrorEvent":
            self._builder.used(kind)
            self._builder.warn(f"the conversation ended with an error: {string(event.get('detail'))[:200]}")
        else:
            self._builder.skip(kind or event.get("type"))

    def _message(self, event: Mapping[str, Any], time: float | None) -> None:
        message = mapping(event.get("llm_message")) or mapping(event.get("message"))
        text = text_of(message.get("content"), self._builder.report)
        if event.get("source") == "user":
            self._builder.user(text, time=time)
        elif event.get("source") == "agent":
            self._turn(event, [_thinking(message), text], time)
        else:
            self._builder.skip("MessageEvent of the environment")

    def _turn(self, event: Mapping[str, Any], texts: Sequence[str], time: float | None) -> None:
        response = string(event.get("llm_response_id")) or None
        usage = self._usages.get(response) if response else None
        thought = "\n\n".join(text.strip() for text in texts if text.strip())
        agent = string(event.get("agent_name")) or None
        self._builder.turn(thought, usage=usage, agent=agent, key=response, time=time)

    def _action(self, event: Mapping[str, Any], time: float | None) -> None:
        self._turn(event, [_thinking(event), text_of(event.get("thought"), self._builder.report)], time)
        id, call = string(event.get("id")), mapping(event.get("tool_call"))
        given = string(event.get("tool_call_id"))
        if given:
            self._ids[given] = id or given
        action = mapping(event.get("action"))
        arguments: Any = {
            key: value
            for key, value in action.items()
            if key not in _NO_ARGUMENTS and value is not None and value is not False
        }
        if isinstance(action.get("data"), dict):  # a call through MCP
            arguments = action["data"]
        if not arguments:
            raw = call.get("arguments", mapping(call.get("function")).get("arguments"))
            arguments = parsed(raw)
            if isinstance(arguments, dict):
                arguments = {key: value for key, value in arguments.items() if key not in _NO_ARGUMENTS}
        tool = string(event.get("tool_name")) or string(call.get("name")) or string(action.get("kind"))
        self._builder.call(id or given or None, tool, arguments, time=time)
        if action.get("kind") == "FinishAction" and not {id, given} & self._answers:
            self._builder.final_call(id or given)

    def _other_agent(self, event: Mapping[str, Any], time: float | None) -> None:
        """A call of an agent that works behind a protocol: each change of its state is an event, and none is a turn."""
        id = string(event.get("tool_call_id"))
        if not self._builder.has_call(id):
            self._builder.turn(time=time)
            tool = string(event.get("tool_kind")) or "tool"
            given = event.get("raw_input")
            self._builder.call(id or None, tool, given if given else string(event.get("title")), time=time)
        if event.get("status") in ("completed", "failed"):
            body = event.get("raw_output")
            text = text_of(body if body is not None else event.get("content"), self._builder.report)
            failed = True if event.get("is_error") is True or event.get("status") == "failed" else None
            self._builder.result(id or None, text, failed=failed, time=time)

    def _result(self, event: Mapping[str, Any], time: float | None) -> None:
        seen = mapping(event.get("observation"))
        metadata = mapping(seen.get("metadata"))
        id = string(event.get("action_id"))
        if not self._builder.has_call(id):
            id = self._ids.get(string(event.get("tool_call_id")), id)
        raw = next((seen[key] for key in ("content", "output", "text", "message", "result") if seen.get(key)), "")
        text = text_of(raw, self._builder.report)
        error = event.get("error", seen.get("error"))
        if not text:
            text = (
                string(error)
                or string(event.get("rejection_reason"))
                or text_of(seen.get("data"), self._builder.report)
            )
        told = seen.get("is_error", seen.get("error"))
        failed = True if event.get("kind") != "ObservationEvent" or told not in (None, False, "") else None
        code = seen.get("exit_code")
        code = metadata.get("exit_code") if code is None else code
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) and code != -1 else None
        self._builder.result(id or None, text, failed=failed, exit_code=exit_code, time=time)


def _statistics_in(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The statistics that a change of the conversation's state carries, alone or in the full state."""
    value = mapping(event.get("value"))
    if event.get("key") == "stats":
        return value
    return mapping(value.get("stats")) if event.get("key") == "full_state" else {}


def _thinking(record: Mapping[str, Any]) -> str:
    """The reasoning beside a message or action."""
    if text := string(record.get("reasoning_content")):
        return text
    parts = [string(mapping(block).get("thinking")) for block in sequence(record.get("thinking_blocks"))]
    parts += [
        item if isinstance(item, str) else string(mapping(item).get("text"))
        for item in sequence(mapping(record.get("responses_reasoning_item")).get("summary"))
    ]
    return "\n\n".join(part for part in parts if part.strip())


def _ordered(events: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """By time where every event has one; otherwise as they stand."""
    times = [time_of(event.get("timestamp")) for event in events]
    if any(time is None for time in times):
        return events
    places = sorted(range(len(events)), key=lambda place: (times[place], place))
    return [events[place] for place in places]
