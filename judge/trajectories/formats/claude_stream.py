"""What ``claude -p --output-format stream-json`` prints, or ``json``: messages, then a result with the real totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.blocks import assistant_turn, block_result, blocks_of, is_result, user_texts
from judge.trajectories.jsonstream import values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, count_of, mapping, number_of, string, time_of, usage_of

NAME = "claude-stream"


def sniff(sample: Sample) -> Match | None:
    """A record ``system`` ``init``, or a result with its cost; messages with ``parent_tool_use_id``."""
    for item in sample.objects:
        if item.get("type") == "system" and item.get("subtype") == "init" and "session_id" in item:
            return Match(CERTAIN, "a system record with the subtype init")
        own = "session_id" in item and {"num_turns", "duration_ms"} <= item.keys()
        if item.get("type") == "result" and ("total_cost_usd" in item or own):
            return Match(CERTAIN, "a result record with total_cost_usd")
    marked = [
        i
        for i in sample.objects
        if "parent_tool_use_id" in i and i.get("type") in ("assistant", "user", "stream_event")
    ]
    return (
        Match(LIKELY, "messages with parent_tool_use_id")
        if marked and "uuid" not in marked[0].get("message", {})
        else None
    )


def read(source: Source) -> Iterator[Converted]:
    """The session; sub-agents behind the call that started them."""
    reader = _Reader(source)
    for piece in values(source):
        for record in piece.value if isinstance(piece.value, list) else [piece.value]:
            reader.take(mapping(record))
    yield reader.finish()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self._inner: dict[str, Builder] = {}
        self._kinds: dict[str, str] = {}
        self._model: str | None = None
        self._stated: dict[str, StepUsage] = {}
        """What the last result of each session states."""
        self._seen: set[str] = set()
        self._last = ""

    def take(self, record: Mapping[str, Any]) -> None:
        uuid = string(record.get("uuid"))
        if uuid and uuid in self._seen:
            self.builder.skip("repeated record")
            return
        self._seen.add(uuid)
        kind = record.get("type")
        message = mapping(record.get("message"))
        time = time_of(record.get("timestamp"))
        if kind == "assistant":
            self._assistant(self._agent(record), record, message, time)
        elif kind == "user":
            self._user(self._agent(record), record, message, time)
        elif kind == "result":
            self._result(record)
        elif kind == "system" and record.get("subtype") == "init":
            self.builder.used("system init")
            self.builder.cwd = string(record.get("cwd"))
            self._model = string(record.get("model")) or self._model
        else:
            self.builder.skip(kind if kind != "system" else f"system {string(record.get('subtype'))}".strip())

    def _agent(self, record: Mapping[str, Any]) -> Builder:
        parent = string(record.get("parent_tool_use_id"))
        if not parent:
            return self.builder
        if parent not in self._inner:
            self._inner[parent] = Builder(NAME, self.builder.source, agent=self._kinds.get(parent) or "sub-agent")
        return self._inner[parent]

    def _assistant(
        self, builder: Builder, record: Mapping[str, Any], message: Mapping[str, Any], time: float | None
    ) -> None:
        builder.used("assistant")
        usage = usage_of(message.get("usage"), model=message.get("model"))
        key = string(message.get("id")) or None
        assistant_turn(builder, message.get("content"), usage=usage, key=key, time=time)
        for block in blocks_of(message.get("content")):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._kinds[block["id"]] = string(mapping(block.get("input")).get("subagent_type"))
            if block.get("type") == "text" and builder is self.builder:
                self._last = string(block.get("text"))

    def _user(
        self, builder: Builder, record: Mapping[str, Any], message: Mapping[str, Any], time: float | None
    ) -> None:
        blocks = blocks_of(message.get("content"))
        results = [block for block in blocks if is_result(block.get("type"))]
        for block in results:
            builder.used("tool result")
            block_result(builder, block, time, record.get("tool_use_result"))
        text = "\n".join(user_texts(builder, blocks)).strip()
        if builder is not self.builder:
            builder.used("sub-agent prompt", 0 if results else 1)
        elif text and not record.get("isSynthetic") and not text.startswith(("[Request interrupted", "<local-command")):
            builder.used("user")
            builder.user(text, time=time)
        elif not results:
            builder.skip("user (notice)")

    def _result(self, record: Mapping[str, Any]) -> None:
        self.builder.used("result")
        session = string(record.get("session_id"))
        before = self._stated.get(session, StepUsage())
        total = StepUsage()
        models = mapping(record.get("modelUsage"))
        for name, spent in models.items():
            spent = mapping(spent)
            fed = [count_of(spent.get(k)) for k in ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")]
            known = [count for count in fed if count is not None]
            share = StepUsage(
                input_tokens=sum(known) if known else None,
                output_tokens=count_of(spent.get("outputTokens")),
                model=name,
            )
            total = add_usage(total, share)
        if not models:
            # Without figures for each model, the usage is that of the one prompt.
            total = add_usage(before.model_copy(update={"cost": None}), usage_of(record.get("usage")))
        main = self._model or (next(iter(models)) if len(models) == 1 else None)
        cost = number_of(record.get("total_cost_usd", record.get("cost_usd")))
        milliseconds = number_of(record.get("duration_ms"))
        seconds = None if milliseconds is None else milliseconds / 1000
        # Each prompt of a session ends with a result; the cost and the models' usage in it are running totals.
        if before.step_execution_time is not None and seconds is not None:
            seconds += before.step_execution_time
        self._stated[session] = total.model_copy(update={"cost": cost, "model": main, "step_execution_time": seconds})
        notes = self.builder.report.notes
        for key in ("subtype", "num_turns", "is_error", "terminal_reason"):
            if isinstance(record.get(key), str | int | bool):
                notes[key] = record[key]
        text = string(record.get("result"))
        if (
            text.strip()
            and text.strip() != self._last.strip()
            and (self.builder.empty or record.get("is_error") is True)
        ):
            self.builder.turn(text)

    def finish(self) -> Converted:
        for call, inner in self._inner.items():
            self.builder.nested(call, inner)
            notes = self.builder.report.notes
            notes["sub-agents"] = notes.get("sub-agents", 0) + 1
        if not self.builder.empty and "user" not in self.builder.report.used:
            self.builder.report.notes["prompt"] = "not in the file"
        if len(self._stated) > 1:
            self.builder.report.notes["sessions"] = len(self._stated)
        total = StepUsage(model=self._model)
        for stated in self._stated.values():
            total = add_usage(total, stated)
        return self.builder.finish(stated=total)


FORMAT = Format(
    name=NAME,
    description="Claude Code output of `claude -p --output-format stream-json`",
    sniff=sniff,
    read=read,
)
