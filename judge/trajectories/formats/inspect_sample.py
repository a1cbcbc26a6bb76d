"""One sample of an Inspect log: its messages, or its events where these are the fuller record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.values import count_of, mapping, number_of, sequence, string, text_of, time_of

_MARKS = ("attachment://", "tc://")
_DEEPEST = 30


class SampleReader:
    """Feeds a sample into a builder."""

    def __init__(self, builder: Builder, sample: Mapping[str, Any], model: str) -> None:
        """Takes a sample.

        Args:
            builder: Takes the steps.
            sample: The sample as the log has it.
            model: The log's model.
        """
        self._builder = builder
        self._sample = sample
        self._model = model
        self._attached = {
            **mapping(mapping(sample.get("transcript")).get("content")),
            **mapping(sample.get("attachments")),
        }
        events = sequence(sample.get("events")) or sequence(mapping(sample.get("transcript")).get("events"))
        self._events = [mapping(event) for event in events]
        self._usages = dict(self._of_answers())

    def run(self) -> None:
        """Takes the messages; after a compaction, or where there are none, the events."""
        messages = [mapping(message) for message in sequence(self._sample.get("messages"))]
        compacted = any(event.get("event") == "compaction" for event in self._events)
        if self._events and (compacted or not any(m.get("role") == "assistant" for m in messages)):
            answered = any(event.get("event") == "model" for event in self._events)
            if answered:
                self._from_events(messages)
                return
        if self._events:
            self._builder.skip("event", len(self._events))
        for message in messages:
            self._take(message)

    def _of_answers(self) -> Sequence[tuple[str, StepUsage]]:
        """Usage by the id of the answer, which only the events record."""
        found = []
        for event in self._events:
            output = mapping(event.get("output"))
            message = _answer(output)
            if event.get("event") == "model" and string(message.get("id")):
                found.append((string(message["id"]), _usage(output, self._model)))
        return found

    def _from_events(self, messages: Sequence[Mapping[str, Any]]) -> None:
        self._builder.report.notes["taken from"] = "events"
        self._builder.skip("message", len(messages))
        prompts = [m for m in messages if m.get("role") == "user"] or self._prompts()
        for message in prompts[:1]:
            self._take(message)
        for event in self._events:
            kind = event.get("event")
            time = time_of(event.get("timestamp"))
            if kind == "model":
                self._builder.used("model event")
                output = mapping(event.get("output"))
                self._assistant(_answer(output), time, _usage(output, self._model))
                if error := string(event.get("error")):
                    self._builder.warn(f"a call of the model failed: {error[:200]}")
            elif kind == "tool":
                self._builder.used("tool event")
                self._tool_event(event, time)
            else:
                self._builder.skip(f"{kind} event")

    def _prompts(self) -> list[Mapping[str, Any]]:
        given = self._sample.get("input")
        if isinstance(given, str):
            return [{"role": "user", "content": given}]
        return [mapping(item) for item in sequence(given) if mapping(item).get("role") == "user"]

    def _tool_event(self, event: Mapping[str, Any], time: float | None) -> None:
        id = event.get("id")
        if not self._builder.has_call(id):
            self._builder.call(id, event.get("function"), self._resolved(event.get("arguments")), time=time)
        error = mapping(event.get("error"))
        text = self._text(event.get("result")) or string(error.get("message"))
        self._builder.result(id, text, failed=True if error else None, time=time)

    def _take(self, message: Mapping[str, Any]) -> None:
        role = message.get("role")
        if role == "user":
            self._builder.used("user")
            self._builder.user(self._text(message.get("content")))
        elif role == "assistant":
            self._builder.used("assistant")
            self._assistant(message, None, self._usages.get(string(message.get("id"))))
        elif role == "tool":
            self._builder.used("tool")
            error = mapping(message.get("error"))
            text = self._text(message.get("content")) or string(error.get("message"))
            id = message.get("tool_call_id")
            known = self._builder.has_call(id)
            self._builder.result(id if known else None, text, failed=True if error else None)
        else:
            self._builder.skip(role)

    def _assistant(self, message: Mapping[str, Any], time: float | None, usage: StepUsage | None) -> None:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        texts = []
        for block in blocks:
            item = mapping(block)
            if item.get("type") == "reasoning":
                texts.append(self._text(item.get("summary") if item.get("redacted") else item.get("reasoning")))
            elif item.get("type") != "tool_use":
                texts.append(self._text(block))
        model = string(message.get("model")) or self._model
        spent = usage or StepUsage(model=model or None)
        self._builder.turn("\n\n".join(text for text in texts if text.strip()), usage=spent, time=time)
        for call in sequence(message.get("tool_calls")):
            item = mapping(call)
            name = item.get("function", item.get("name"))
            self._builder.call(item.get("id"), name, self._resolved(item.get("arguments")), time=time)

    def _text(self, value: object) -> str:
        return text_of(self._resolved(value), self._builder.report)

    def _resolved(self, value: object, depth: int = 0) -> Any:
        """The value with the texts that the log keeps apart put in."""
        if isinstance(value, str):
            for mark in _MARKS:
                if value.startswith(mark):
                    kept = self._attached.get(value.removeprefix(mark))
                    return kept if isinstance(kept, str) else value
            return value
        if depth >= _DEEPEST:
            return value
        if isinstance(value, list):
            return [self._resolved(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self._resolved(item, depth + 1) for key, item in value.items()}
        return value


def _answer(output: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = sequence(output.get("choices"))
    return mapping(mapping(choices[0]).get("message")) if choices else {}


def usage_of_model(usage: Mapping[str, Any], model: str) -> StepUsage:
    """Inspect's usage: ``total_tokens`` holds the cached input, which ``input_tokens`` holds for some models only."""
    fed, made = count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens"))
    total = count_of(usage.get("total_tokens"))
    if fed is not None and made is not None and total is not None and total > fed + made:
        cached = [count_of(usage.get(key)) or 0 for key in ("input_tokens_cache_read", "input_tokens_cache_write")]
        if total - made == fed + sum(cached):
            fed = total - made
    return StepUsage(input_tokens=fed, output_tokens=made, cost=number_of(usage.get("total_cost")), model=model or None)


def _usage(output: Mapping[str, Any], model: str) -> StepUsage:
    return usage_of_model(mapping(output.get("usage")), string(output.get("model")) or model)
