"""What ``codex exec --json`` prints: threads, turns and items, or the older events; no times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, Format, Match
from judge.trajectories.formats import codex_protocol
from judge.trajectories.formats.responses import output_text
from judge.trajectories.jsonstream import values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, as_json, mapping, string, text_of, time_of, usage_of

NAME = "codex-exec"
_EVENTS = (
    "thread.started",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "item.started",
    "item.updated",
    "item.completed",
)


def sniff(sample: Sample) -> Match | None:
    """Lines of the types ``thread.started`` and ``item.completed``."""
    found = [item["type"] for item in sample.objects if item.get("type") in _EVENTS]
    items = any(isinstance(item.get("item"), dict) or "thread_id" in item for item in sample.objects)
    if found and (items or len(found) > 1):
        return Match(CERTAIN, f"events of the type {found[0]}")
    old = codex_protocol.marks(sample.objects)
    return Match(CERTAIN, f"events with id and msg, such as {old[0]}") if old else None


def read(source: Source) -> Iterator[Converted]:
    """The one run."""
    if codex_protocol.marks(Sample(source).objects):
        yield from codex_protocol.read(source, NAME)
        return
    reader = _Reader(source)
    for piece in values(source):
        reader.take(mapping(piece.value))
    yield reader.finish()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self._thoughts: list[str] = []
        self._total: StepUsage | None = None
        self._open: dict[str, Mapping[str, Any]] = {}
        self._done: set[str] = set()

    def take(self, record: Mapping[str, Any]) -> None:
        kind = record.get("type")
        item = mapping(record.get("item"))
        name = string(item.get("id"))
        time = time_of(record.get("timestamp"))
        if kind == "item.completed":
            if name and name in self._done:
                self.builder.skip("repeated item")
                return
            self._done.add(name)
            self._open.pop(name, None)
            self._item(item, time, done=True)
        elif kind in ("item.started", "item.updated"):
            self.builder.skip(kind)
            if name and name not in self._done:
                self._open[name] = item
        elif kind == "turn.completed":
            self.builder.used(kind)
            usage = usage_of(record.get("usage"))
            self._total = usage if self._total is None else add_usage(self._total, usage)
            self.builder.charge(usage)
        elif kind in ("turn.failed", "error"):
            self.builder.used(kind)
            message = string(record.get("message")) or string(mapping(record.get("error")).get("message"))
            self.builder.warn(f"the agent reports an error: {message[:200]}")
        else:
            self.builder.skip(kind)

    def _item(self, item: Mapping[str, Any], time: float | None, *, done: bool) -> None:
        kind = string(item.get("type")) or string(item.get("item_type"))
        if kind == "reasoning":
            self.builder.used(kind)
            self._thoughts.append(text_of(item.get("text") or item.get("summary"), self.builder.report))
            return
        if kind in ("agent_message", "assistant_message"):
            self.builder.used(kind)
            self._turn(text_of(item.get("text"), self.builder.report), time)
            return
        if kind in ("todo_list", "error"):
            self.builder.skip(kind)
            if kind == "error":
                self.builder.warn(f"the agent reports an error: {string(item.get('message'))[:200]}")
            return
        self.builder.used(kind)
        self._turn("", time)
        tool, arguments, text, code, failed = self._call(kind, item)
        id = string(item.get("id")) or None
        self.builder.call(id, tool, arguments, time=time)
        if done:
            self.builder.result(id, text, exit_code=code, failed=failed, time=time)

    def _call(self, kind: str, item: Mapping[str, Any]) -> tuple[str, object, str, int | None, bool | None]:
        bad = item.get("status") in ("failed", "declined") or bool(item.get("error"))
        if kind == "command_execution":
            code = item.get("exit_code")
            exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
            text = text_of(item.get("aggregated_output"), self.builder.report)
            return (
                "shell",
                {"command": item.get("command")},
                text,
                exit_code,
                True if bad and exit_code is None else None,
            )
        if kind == "file_change":
            changes = [mapping(change) for change in item.get("changes") or [] if isinstance(item.get("changes"), list)]
            listed = "\n".join(f"{string(c.get('kind')) or 'update'} {string(c.get('path'))}" for c in changes)
            return "file_change", {"changes": item.get("changes")}, listed, None, bad
        if kind == "mcp_tool_call":
            server, tool = string(item.get("server")), string(item.get("tool"))
            text, code, failed = output_text(item.get("result") or item.get("error"), self.builder)
            return f"{server}.{tool}" if server else tool, item.get("arguments"), text, code, bad or failed
        if kind == "web_search":
            return "web_search", {"query": item.get("query")}, "", None, None
        rest = {key: value for key, value in item.items() if key not in ("id", "type", "status")}
        return kind or "call", rest, as_json(item.get("result")) if "result" in item else "", None, bad or None

    def _turn(self, text: str, time: float | None) -> None:
        thoughts = [*self._thoughts, text] if text else self._thoughts
        self._thoughts = []
        self.builder.turn("\n\n".join(part for part in thoughts if part), time=time)

    def finish(self) -> Converted:
        for item in self._open.values():
            self._item(item, None, done=False)
        if self._thoughts:
            self._turn("", None)
        self.builder.report.notes["prompt"] = "not in the file"
        return self.builder.finish(stated=self._total)


FORMAT = Format(
    name=NAME,
    description="Codex output of `codex exec --json`",
    sniff=sniff,
    read=read,
)
