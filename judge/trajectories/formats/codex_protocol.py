"""What the first versions of ``codex exec --json`` print: the program's own events, each as ``{"id", "msg"}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.jsonstream import values
from judge.trajectories.report import Converted
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, sequence, string, text_of, usage_of

EVENTS = frozenset({
    "task_started", "task_complete", "agent_message", "agent_message_delta", "agent_reasoning",
    "agent_reasoning_delta", "agent_reasoning_section_break", "exec_command_begin", "exec_command_end",
    "exec_command_output_delta", "patch_apply_begin", "patch_apply_end", "mcp_tool_call_begin", "mcp_tool_call_end",
    "token_count", "turn_diff", "session_configured", "stream_error", "web_search_begin", "web_search_end",
    "background_event", "turn_aborted", "plan_update",
})  # fmt: skip


def marks(records: tuple[dict[str, Any], ...]) -> list[str]:
    """The types of those records that are such events."""
    found = [string(mapping(item.get("msg")).get("type")) for item in records if "id" in item]
    return [kind for kind in found if kind in EVENTS]


def read(source: Source, name: str) -> Iterator[Converted]:
    """The one run."""
    reader = _Reader(Builder(name, source))
    for piece in values(source):
        reader.take(mapping(piece.value))
    yield reader.finish()


class _Reader:
    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._thoughts: list[str] = []
        self._model: str | None = None
        self._total: StepUsage | None = None
        self._raw_total: object = None

    def take(self, record: Mapping[str, Any]) -> None:
        event = mapping(record.get("msg"))
        if not event:
            self._head(record)
            return
        kind = string(event.get("type"))
        handler = {
            "agent_reasoning": self._reasoning,
            "agent_message": self._message,
            "token_count": self._tokens,
            "session_configured": self._configured,
        }.get(kind)
        if handler is not None:
            self.builder.used(kind)
            handler(event)
        elif kind.endswith("_begin"):
            self.builder.used(kind)
            self._begin(kind, event)
        elif kind.endswith("_end"):
            self.builder.used(kind)
            self._end(kind, event)
        else:
            self.builder.skip(kind)
            if kind in ("error", "stream_error"):
                self.builder.warn(f"the agent reports an error: {as_json(event.get('message'))[:200]}")

    def _head(self, record: Mapping[str, Any]) -> None:
        """The first lines: the settings and the prompt."""
        self._model = string(record.get("model")) or self._model
        self.builder.cwd = self.builder.cwd or string(record.get("workdir"))
        if string(record.get("prompt")):
            self.builder.used("prompt")
            self.builder.user(string(record.get("prompt")))
        else:
            self.builder.skip("settings" if "model" in record else record.get("type"))

    def _configured(self, event: Mapping[str, Any]) -> None:
        self._model = string(event.get("model")) or self._model

    def _reasoning(self, event: Mapping[str, Any]) -> None:
        self._thoughts.append(string(event.get("text")))

    def _message(self, event: Mapping[str, Any]) -> None:
        self._turn(text_of(event.get("message"), self.builder.report))

    def _turn(self, text: str = "") -> None:
        thought = "\n\n".join(part for part in (*self._thoughts, text) if part)
        self._thoughts = []
        self.builder.turn(thought, usage=StepUsage(model=self._model))

    def _begin(self, kind: str, event: Mapping[str, Any]) -> None:
        self._turn()
        call = event.get("call_id")
        if kind == "exec_command_begin":
            self.builder.call(call, "shell", {"command": event.get("command"), "working_directory": event.get("cwd")})
        elif kind == "patch_apply_begin":
            self.builder.call(call, "file_change", {"changes": event.get("changes")})
        elif kind == "mcp_tool_call_begin":
            told = mapping(event.get("invocation")) or event
            names = [string(told.get(key)) for key in ("server", "tool")]
            self.builder.call(call, ".".join(name for name in names if name), told.get("arguments"))
        else:
            rest = {key: value for key, value in event.items() if key not in ("type", "call_id")}
            self.builder.call(call, kind.removesuffix("_begin"), rest or None)

    def _end(self, kind: str, event: Mapping[str, Any]) -> None:
        call = event.get("call_id")
        if kind == "web_search_end" and self.builder.has_call(call):
            # What was found is not recorded.
            self.builder.final_call(call)
            return
        code = event.get("exit_code")
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
        success = event.get("success")
        failed = not success if isinstance(success, bool) else None
        if "result" in event:
            result = mapping(event["result"])
            inner = result.get("Ok", result.get("Err", event["result"]))
            failed = True if "Err" in result or mapping(inner).get("is_error") is True else failed
            text = text_of(sequence(mapping(inner).get("content")) or inner, self.builder.report)
        else:
            streams = [string(event.get(key)).rstrip("\n") for key in ("stdout", "stderr")]
            text = "\n".join(part for part in streams if part)
        self.builder.result(call, text, exit_code=exit_code, failed=failed)

    def _tokens(self, event: Mapping[str, Any]) -> None:
        info = mapping(event.get("info"))
        if not info and "total_tokens" in event:
            # The first versions put the figures of the whole run so far beside the type.
            self._total = usage_of(event, model=self._model)
        elif info and info.get("total_token_usage") != self._raw_total:
            self._raw_total = info.get("total_token_usage")
            self._total = usage_of(self._raw_total, model=self._model)
            self.builder.charge(usage_of(info.get("last_token_usage"), model=self._model))

    def finish(self) -> Converted:
        if self._thoughts:
            self._turn()
        return self.builder.finish(stated=self._total)
