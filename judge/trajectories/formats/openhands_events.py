"""Events of OpenHands V0, as its saved trajectories, feedback exports and evaluation harness hold them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.formats.openhands_usage import Meter, metrics_total
from judge.trajectories.values import mapping, sequence, string, text_of, time_of

_QUIET_ACTIONS = frozenset((
    "initialize", "start", "change_agent_state", "null", "recall", "system", "pause", "resume", "stop", "condensation",
    "condensation_request", "loop_recovery", "task_tracking_state",
))  # fmt: skip
_QUIET_OBSERVATIONS = frozenset((
    "agent_state_changed", "null", "recall", "system", "condense", "chat", "loop_detection", "server_ready",
))  # fmt: skip
_ENDS = frozenset(("finish", "reject"))
_NO_ARGUMENTS = frozenset((
    "thought", "final_thought", "hidden", "blocking", "keep_prompt", "is_confirmed", "confirmation_state",
    "security_risk", "timeout", "kernel_init_code", "include_extra", "translated_ipython_code", "impl_source",
    "is_static", "is_retry", "timestamp", "return_axtree", "browsergym_send_msg_to_user", "wait_for_response",
))  # fmt: skip
_ANSWERS = {"call_tool_mcp": "mcp", "browse_interactive": "browse"}
"""Actions whose observation has another name."""
_ANY = ("error", "user_rejected", "success")
_EDITOR = ("create", "str_replace", "insert", "view", "undo_edit")


def is_event(item: object) -> bool:
    """Whether a value looks like a V0 event."""
    record = mapping(item)
    if isinstance(record.get("action"), str):
        return isinstance(record.get("args"), dict) and ("source" in record or "message" in record)
    return isinstance(record.get("observation"), str) and "content" in record and "extras" in record


class EventReader:
    """Feeds events in their order into a builder."""

    def __init__(self, builder: Builder, answers: Mapping[str, StepUsage] | None = None) -> None:
        """Takes the builder.

        Args:
            builder: Takes the steps.
            answers: Usage by the id of the model's answer, where it is recorded apart from the events.
        """
        self._builder = builder
        self._agents: list[tuple[str, str]] = []
        """Delegates at work: the id of the call that started each, and its name."""
        self._meter = Meter(answers or {})
        self._seen: dict[str, tuple[str, str, str]] = {}
        self._tools: dict[str, str] = {}
        """The call by the id that the model gave it."""
        self._open: dict[str, str] = {}
        """Calls without a result, in their order, with the kind of their observation."""
        self._made = 0
        self._named = False
        """Whether any action has an id."""

    @property
    def stated(self) -> StepUsage:
        """The last running total that was seen."""
        return self._meter.stated

    def take(self, event: Mapping[str, Any]) -> None:
        """One event."""
        action, observation = event.get("action"), event.get("observation")
        if not isinstance(action, str) and not isinstance(observation, str):
            self._builder.skip("status" if "status" in event else event.get("type"))
        elif self._repeated(event):
            self._builder.skip("repeated event")
        elif isinstance(action, str):
            self._action(event, action)
        else:
            self._observation(event, string(observation))

    def _repeated(self, event: Mapping[str, Any]) -> bool:
        """Whether the same event was there already; another one with the same id counts as one without."""
        id = _id(event.get("id"))
        if id is None:
            return False
        kind = string(event.get("action")) or string(event.get("observation"))
        mark = (kind, string(event.get("timestamp")), string(event.get("message"))[:1000])
        before = self._seen.setdefault(id, mark)
        return before is not mark and before == mark

    def _action(self, event: Mapping[str, Any], kind: str) -> None:
        arguments = mapping(event.get("args"))
        if kind == "initialize" or kind == "start":
            self._meter.model = string(arguments.get("LLM_MODEL")) or self._meter.model
        if kind in _QUIET_ACTIONS:
            self._builder.skip(f"action {kind}")
            return
        time = time_of(event.get("timestamp"))
        if event.get("source") == "user" and kind == "message":
            self._user(arguments, time)
            return
        self._builder.used(f"action {kind}")
        text = self._said(event, kind, arguments)
        agent = self._agents[-1][1] if self._agents else None
        response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
        key = string(response.get("id")) or None
        self._builder.turn(text, usage=self._meter.of(event), agent=agent, key=key, time=time)
        if kind == "message" or kind in _ENDS:
            return
        self._call(event, kind, arguments, time)

    def _user(self, arguments: Mapping[str, Any], time: float | None) -> None:
        text = text_of(arguments.get("content"), self._builder.report)
        if self._agents and text.startswith("TASK:"):
            # What the agent tells its delegate is no word of the person, and stands in the call that starts it.
            self._builder.skip("task of a delegate")
            return
        self._builder.used("action message")
        for url in sequence(arguments.get("image_urls") or arguments.get("images_urls"))[:100]:
            text += "\n" + text_of([{"type": "image_url", "image_url": {"url": url}}], self._builder.report)
        self._builder.user(text, time=time)

    def _said(self, event: Mapping[str, Any], kind: str, arguments: Mapping[str, Any]) -> str:
        report = self._builder.report
        said = [arguments.get("final_thought") if kind in _ENDS else None, arguments.get("thought")]
        if kind == "message":
            said = [arguments.get("content")]
        text = next((text for item in said if (text := text_of(item, report)).strip()), "")
        if not text and kind in _ENDS:
            text = string(event.get("message")) or text_of(arguments.get("outputs"), report)
        return text

    def _call(self, event: Mapping[str, Any], kind: str, arguments: Mapping[str, Any], time: float | None) -> None:
        call = _id(event.get("id"))
        self._named = self._named or call is not None
        if call is None or self._builder.has_call(call):
            self._made += 1
            call = f"event-{self._made} of {kind}"
        metadata = mapping(event.get("tool_call_metadata"))
        if given := string(metadata.get("tool_call_id")):
            self._tools[given] = call
        name, shown = self._called(metadata, kind, arguments)
        self._builder.call(call, name, shown or None, time=time)
        self._open[call] = _ANSWERS.get(kind, kind)
        if kind == "delegate":
            self._agents.append((call, string(arguments.get("agent")) or "delegate"))
            self._meter.enter()

    def _called(
        self, metadata: Mapping[str, Any], kind: str, arguments: Mapping[str, Any]
    ) -> tuple[str, Mapping[str, Any]]:
        """The tool and its arguments; a call through MCP shows what was called by it."""
        if kind in ("call_tool_mcp", "mcp") and string(arguments.get("name")):
            return string(arguments["name"]), mapping(arguments.get("arguments"))
        kept = {key: value for key, value in arguments.items() if key not in _NO_ARGUMENTS and value not in (None, "")}
        if kept.get("is_input") is False:
            del kept["is_input"]
        if kind == "edit" and kept.get("command") in _EDITOR:
            # What the default values of this event say would hide what the call did.
            kept = {key: value for key, value in kept.items() if key not in ("start", "end", "content") or value}
            if kept.get("start") == 1 and kept.get("end") == -1:
                kept = {key: value for key, value in kept.items() if key not in ("start", "end")}
            return string(metadata.get("function_name")) or "str_replace_editor", kept
        return kind, kept

    def _observation(self, event: Mapping[str, Any], kind: str) -> None:
        if kind in _QUIET_OBSERVATIONS:
            self._builder.skip(f"observation {kind}")
            return
        extras = mapping(event.get("extras"))
        cause = self._cause(event, kind)
        if cause is None:
            self._builder.skip(f"observation {kind} without call")
            if kind == "error":
                self._builder.warn(f"an error outside of any call: {string(event.get('content'))[:200]}")
            return
        self._open.pop(cause, None)
        text = text_of(event.get("content"), self._builder.report)
        if not text and kind == "delegate":
            text = text_of(extras.get("outputs"), self._builder.report)
        if not text and kind in _ANY:
            text = string(event.get("message"))
        if extras.get("screenshot") or extras.get("set_of_marks"):
            self._builder.skip("screenshot")
        details = mapping(extras.get("metadata"))
        code = details.get("exit_code", extras.get("exit_code", extras.get("command_exit_code")))
        self._builder.used(f"observation {kind}")
        # A code of -1 says that the command is still running.
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) and code != -1 else None
        failed = True if kind in ("error", "user_rejected") or extras.get("error") is True else None
        time = time_of(event.get("timestamp"))
        self._builder.result(cause, text, failed=failed, exit_code=exit_code, time=time)

    def _cause(self, event: Mapping[str, Any], kind: str) -> str | None:
        """The call that an observation answers: the one it names; else, by their order, the last open one."""
        cause = _id(event.get("cause"))
        if kind == "delegate" and self._agents:
            own, _ = self._agents.pop()
            self._meter.leave()
            return cause if cause is not None and self._builder.has_call(cause) else own
        if cause is not None and (cause in self._open or self._builder.has_call(cause)):
            return cause
        given = string(mapping(event.get("tool_call_metadata")).get("tool_call_id"))
        if given in self._tools:
            return self._tools[given]
        if cause is not None and self._named:
            return None
        # Exports that were flattened have lost the ids; then the order tells.
        for call in islice(reversed(self._open), 1000):
            if kind in _ANY or self._open[call] == kind:
                return call
        return next(reversed(self._open), None)


def _id(value: object) -> str | None:
    """An event's id as text; -1 and what is no id give None."""
    if isinstance(value, bool) or value is None or value in ("", -1):
        return None
    return str(value) if isinstance(value, int | str) else None


__all__ = ["EventReader", "is_event", "metrics_total"]
