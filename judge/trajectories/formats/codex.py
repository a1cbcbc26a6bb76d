"""Codex CLI: rollout files under ``$CODEX_HOME/sessions``, of all versions so far."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, Format, Match
from judge.trajectories.formats.responses import CALLS, OUTPUTS, reasoning_text, take_call, take_output
from judge.trajectories.jsonstream import values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, string, text_of, time_of, usage_of

NAME = "codex"
_TYPES = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
)
_OLD = (
    "reasoning",
    "message",
    "function_call",
    "function_call_output",
    "local_shell_call",
)
_NO_PROMPT = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|skills?|subagent_notification|turn_aborted|INSTRUCTIONS"
    r"|collaboration_mode|apps_instructions|plugins_instructions)\b|# AGENTS\.md instructions)"
)


def sniff(sample: Sample) -> Match | None:
    """Lines ``{timestamp, type, payload}`` of Codex's types; the flat lines of its first versions."""
    marked = [item for item in sample.objects if isinstance(item.get("payload"), dict) and item.get("type") in _TYPES]
    if marked:
        return Match(CERTAIN, f"records of the type {marked[0]['type']} with a payload")
    head = sample.objects[0] if sample.objects else {}
    flat = sum(item.get("type") in _OLD or "record_type" in item for item in sample.objects)
    if flat >= 2 and {"id", "timestamp"} <= head.keys() and ("instructions" in head or "git" in head):
        return Match(CERTAIN, "a session line with id and timestamp, then items without payload")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The session of one rollout file."""
    told, early = _look(source)
    reader = _Reader(source, told, early)
    for piece in values(source):
        reader.take(mapping(piece.value))
    yield reader.finish()


def _look(source: Source) -> tuple[bool, bool]:
    """Whether prompts are recorded as events, and whether token counts stand before the items they are for."""
    kept = list(source.problems)
    told, early, seen = False, None, False
    for piece in values(source):
        record = mapping(piece.value)
        payload = mapping(record.get("payload"))
        kind = payload.get("type")
        if record.get("type") == "event_msg":
            told = told or kind == "user_message"
            if kind == "token_count" and mapping(payload.get("info")) and early is None:
                early = not seen
        elif record.get("type") == "response_item":
            seen = seen or kind in CALLS or (kind == "message" and payload.get("role") == "assistant")
        if told and early is not None:
            break
    source.problems[:] = kept
    return told, bool(early)


class _Reader:
    def __init__(self, source: Source, told: bool, early: bool) -> None:
        self.builder = Builder(NAME, source)
        self._told = told
        self._early = early
        self._thoughts: list[str] = []
        self._heard: set[str] = set()
        """Reasoning seen as an event, which comes again as an item."""
        self._pending: StepUsage | None = None
        self._total = StepUsage()
        self._raw_total: object = None
        self._model: str | None = None

    def take(self, record: Mapping[str, Any]) -> None:
        kind = record.get("type")
        payload = record.get("payload")
        time = time_of(record.get("timestamp"))
        if kind == "response_item" and isinstance(payload, dict):
            self._item(payload, time)
        elif kind == "event_msg" and isinstance(payload, dict):
            self._event(payload, time)
        elif kind == "turn_context" and isinstance(payload, dict):
            self.builder.used("turn_context")
            self._model = string(payload.get("model")) or self._model
            self.builder.cwd = self.builder.cwd or string(payload.get("cwd"))
        elif kind == "session_meta" and isinstance(payload, dict):
            self._meta(payload)
        elif payload is None and (kind in _OLD or kind in CALLS or kind in OUTPUTS or "role" in record):
            self._item(record, time)
        elif payload is None and {"id", "timestamp"} <= record.keys() and kind is None:
            self._meta(record)
        elif kind == "compacted":
            self.builder.skip("compacted")
            self._note("compactions")
        else:
            self.builder.skip(kind or record.get("record_type"))

    def _meta(self, payload: Mapping[str, Any]) -> None:
        self.builder.used("session_meta")
        self.builder.cwd = string(payload.get("cwd"))
        notes = self.builder.report.notes
        for key in ("cli_version", "originator"):
            if string(payload.get(key)):
                notes[key] = string(payload.get(key))[:80]
        parent = string(payload.get("parent_thread_id")) or string(payload.get("forked_from_id"))
        if parent:
            notes["parent session"] = parent[:80]

    def _item(self, item: Mapping[str, Any], time: float | None) -> None:
        kind = item.get("type", "message" if "role" in item else None)
        if kind == "message":
            self._message(item, time)
        elif kind == "reasoning":
            self.builder.used("reasoning")
            text = reasoning_text(item, self.builder)
            if text and text not in self._thoughts:
                self._thoughts.append(text)
        elif kind in CALLS:
            self.builder.used(kind)
            self._turn("", time)
            take_call(self.builder, item, time)
        elif kind in OUTPUTS:
            self.builder.used(kind)
            take_output(self.builder, item, time)
        else:
            self.builder.skip(f"response_item {kind}")

    def _message(self, item: Mapping[str, Any], time: float | None) -> None:
        role = item.get("role")
        text = text_of(item.get("content"), self.builder.report)
        if role == "assistant":
            self.builder.used("assistant message")
            self._turn(text, time)
        elif role == "user" and not self._told and not _NO_PROMPT.match(text):
            self.builder.used("user message")
            self.builder.user(text, time=time)
        else:
            self.builder.skip(f"{role} message" + (" (repeats an event, or context)" if role == "user" else ""))

    def _turn(self, text: str, time: float | None) -> None:
        thought = "\n\n".join([*self._thoughts, text] if text else self._thoughts)
        self._thoughts = []
        usage = self._pending or StepUsage(model=self._model)
        self._pending = None
        self.builder.turn(thought, usage=usage, time=time)

    def _event(self, event: Mapping[str, Any], time: float | None) -> None:
        kind = event.get("type")
        if kind == "user_message":
            text = text_of(event.get("message"), self.builder.report)
            if _NO_PROMPT.match(text) or event.get("kind") in ("environment_context", "user_instructions"):
                self.builder.skip("user_message (context)")
                return
            self.builder.used("user_message")
            pictures = len(event.get("images") or []) if isinstance(event.get("images"), list) else 0
            self.builder.report.images += pictures
            self.builder.user(text + "\n[image]" * pictures, time=time)
        elif kind == "token_count":
            self._tokens(event)
        elif kind == "turn_aborted":
            self.builder.used("turn_aborted")
            self._note("aborted turns")
        elif kind == "error":
            self.builder.used("error")
            self.builder.warn(f"the agent reports an error: {as_json(event.get('message'))[:200]}")
        else:
            self.builder.skip(f"event {kind}")

    def _tokens(self, event: Mapping[str, Any]) -> None:
        info = mapping(event.get("info"))
        total = info.get("total_token_usage")
        if not info or total == self._raw_total:
            self.builder.skip("token_count (repeated or empty)")
            return
        self.builder.used("token_count")
        self._raw_total = total
        self._total = usage_of(total, model=self._model)
        spent = usage_of(info.get("last_token_usage"), model=self._model)
        if self._early:
            self._pending = spent
        else:
            self.builder.charge(spent)

    def _note(self, key: str) -> None:
        notes = self.builder.report.notes
        notes[key] = notes.get(key, 0) + 1

    def finish(self) -> Converted:
        if self._thoughts or self._pending:
            # The run ended between thinking and acting.
            self._turn("", None)
        return self.builder.finish(stated=self._total)


FORMAT = Format(
    name=NAME,
    description="Codex CLI rollout (JSON lines with type and payload)",
    sniff=sniff,
    read=read,
)
