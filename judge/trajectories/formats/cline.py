"""Cline and Roo Code tasks: ``api_conversation_history.json``, ``ui_messages.json``, or the task's folder with both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.blocks import blocks_of, is_result
from judge.trajectories.formats.cline_text import find_tool, result_of, task_of
from judge.trajectories.formats.cline_ui import read_ui, requests
from judge.trajectories.jsonstream import document
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, count_of, mapping, number_of, sequence, string, text_of, time_of

NAME = "cline"
_API, _UI = "api_conversation_history.json", "ui_messages.json"


def sniff(sample: Sample) -> Match | None:
    """Items ``say``/``ask`` with ``ts``; messages with ``role`` and ``ts``; a folder with these files."""
    if sample.is_folder:
        inner = [sample.file(name) for name in (_API, _UI) if name in sample.names]
        found = [match for item in inner if item is not None and (match := sniff(item))]
        return Match(max(m.confidence for m in found), f"a task's folder: {found[0].why}") if found else None
    if not sample.is_list:
        return None
    items = sample.objects
    if any(item.get("type") in ("say", "ask") and "ts" in item for item in items):
        return Match(CERTAIN, "items of the type say or ask with ts")
    chat = [item for item in items if item.get("role") in ("user", "assistant")]
    if not chat or "content" not in chat[0]:
        return None
    if all("ts" in item for item in chat):
        return Match(CERTAIN, "messages with role and ts")
    told = text_of(chat[0].get("content"), Builder(NAME, sample.source).report)
    if "<task>" in told and "<environment_details>" in told:
        return Match(CERTAIN, "a first message with <task> and <environment_details>")
    if any("modelInfo" in item or "metrics" in item for item in chat):
        return Match(LIKELY, "messages with modelInfo")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The task: calls from the conversation, cost from the interface's file beside it."""
    api, ui = _files(source)
    if api is None:
        if ui is not None:
            yield read_ui(ui)
        return
    yield _Reader(api, ui).run()


def _files(source: Source) -> tuple[Source | None, Source | None]:
    if source.is_folder:
        return source.file(_API), source.file(_UI)
    items = Sample(source).objects
    if any(item.get("type") in ("say", "ask") for item in items):
        return None, source
    return source, source.file(_UI) if source.path.name == _API else None


class _Reader:
    def __init__(self, api: Source, ui: Source | None) -> None:
        self.builder = Builder(NAME, api)
        self._api = api
        self._told = False
        self._open = False
        """Whether the last answer has a call in its text that waits for the next message."""
        self._costs = requests(ui) if ui is not None else []
        self._number = 0

    def run(self) -> Converted:
        data = document(self._api)
        messages = [mapping(item) for item in sequence(data)]
        own = any(mapping(m.get("metrics")) for m in messages)
        for message in messages:
            if message.get("partial") is True:
                self.builder.skip("draft")
            elif message.get("role") == "assistant":
                self._assistant(message, own)
            elif message.get("role") == "user":
                self._user(message)
            else:
                self.builder.skip(message.get("role"))
        total = StepUsage()
        for cost in self._costs:
            total = add_usage(total, cost)
        return self.builder.finish(stated=total if self._costs else None)

    def _assistant(self, message: Mapping[str, Any], own: bool) -> None:
        self.builder.used("assistant")
        blocks = blocks_of(message.get("content"))
        texts = []
        for block in blocks:
            if block.get("type") not in ("tool_use", "thinking", "redacted_thinking", "reasoning"):
                texts.append(text_of(block, self.builder.report))
            elif block.get("type") in ("thinking", "reasoning"):
                texts.insert(0, string(block.get("thinking")) or text_of(block.get("text"), self.builder.report))
        text = "\n\n".join(part for part in texts if part.strip())
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        thought, tool, arguments = (text, "", None) if calls else find_tool(text)
        self.builder.turn(thought, usage=self._usage(message, own), time=time_of(message.get("ts")))
        for call in calls:
            self.builder.call(call.get("id"), call.get("name"), call.get("input"))
            if call.get("name") in ("attempt_completion", "plan_mode_respond"):
                self.builder.final_call(call.get("id"))
        if tool:
            self.builder.call(None, tool, arguments)
            if tool in ("attempt_completion", "plan_mode_respond"):
                self.builder.final_call(None)
        self._open = bool(tool)

    def _usage(self, message: Mapping[str, Any], own: bool) -> StepUsage:
        """From the message itself in newer versions, else the request of the same number in the interface's file."""
        model = string(mapping(message.get("modelInfo")).get("modelId")) or None
        if own:
            metrics = mapping(message.get("metrics"))
            tokens = mapping(metrics.get("tokens"))
            fed = [count_of(tokens.get(key)) for key in ("prompt", "cached", "input", "cacheReads", "cacheWrites")]
            known = [count for count in fed if count is not None]
            made = count_of(tokens.get("completion", tokens.get("output")))
            return StepUsage(
                input_tokens=sum(known) if known else None,
                output_tokens=made,
                cost=number_of(metrics.get("cost")),
                model=model,
            )
        if self._number < len(self._costs):
            self._number += 1
            return self._costs[self._number - 1].model_copy(update={"model": model})
        return StepUsage(model=model)

    def _user(self, message: Mapping[str, Any]) -> None:
        self.builder.used("user")
        time = time_of(message.get("ts"))
        texts = []
        for block in blocks_of(message.get("content")):
            if is_result(block.get("type")):
                failed = block.get("is_error")
                text = text_of(block.get("content"), self.builder.report)
                self.builder.result(
                    block.get("tool_use_id"), text, failed=failed if isinstance(failed, bool) else None, time=time
                )
            else:
                texts.append(text_of(block, self.builder.report))
        result, prompts = result_of(texts, self._open)
        if self._open:
            self.builder.result(None, result, time=time)
        self._open = False
        for prompt in prompts:
            told = task_of(prompt)
            if told.strip():
                self.builder.user(told, time=time)
            else:
                self.builder.skip("environment details or notice")


FORMAT = Format(
    name=NAME,
    description="Cline / Roo Code task (api_conversation_history.json, ui_messages.json or the folder)",
    sniff=sniff,
    read=read,
)
