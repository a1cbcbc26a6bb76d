"""One sample of an Inspect log: its messages, or its events where these are the fuller record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.formats.inspect_agents import share_out
from judge.trajectories.formats.inspect_prompts import PromptsOfEvents
from judge.trajectories.values import as_json, count_of, mapping, number_of, sequence, string, text_of, time_of

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
        self._shares = share_out([mapping(event) for event in events])
        self._usages = _of_answers(self._shares.own, model)
        self._prompts = PromptsOfEvents(sample)

    def run(self) -> None:
        """Takes the messages; after a compaction, or where there are none, the events."""
        messages = [mapping(message) for message in sequence(self._sample.get("messages"))]
        events = self._shares.own
        if self._shares.others:
            self._builder.skip("event of a scorer", self._shares.others)
        compacted = any(event.get("event") == "compaction" for event in events)
        told = any(message.get("role") == "assistant" for message in messages)
        if (compacted or not told) and any(event.get("event") == "model" for event in events):
            self._builder.report.notes["taken from"] = "events"
            if messages:
                self._builder.skip("message", len(messages))
            for message in self._prompts.first(messages):
                self._take(message)
            self._from_events(events)
            return
        if events:
            self._builder.skip("event", len(events))
        usages = self._in_order(messages)
        for message in () if messages else self._prompts.first(messages):
            self._take(message)
        for place, message in enumerate(messages):
            self._take(message, usages.get(place))

    def _in_order(self, messages: Sequence[Mapping[str, Any]]) -> dict[int, StepUsage]:
        """Usage by the place of the message, for logs whose messages have no ids."""
        answers = [place for place, message in enumerate(messages) if message.get("role") == "assistant"]
        spent = [
            _usage(mapping(event.get("output")), self._model)
            for event in self._shares.own
            if event.get("event") == "model" and _answer(mapping(event.get("output")))
        ]
        named = any(string(messages[place].get("id")) for place in answers)
        return {} if named or len(spent) != len(answers) else dict(zip(answers, spent, strict=True))

    def _from_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        for event in events:
            kind = event.get("event")
            time = time_of(event.get("timestamp"))
            if kind == "model":
                self._builder.used("model event")
                for message in self._prompts.new_in(event):
                    self._take(message)
                self._model_event(event, time)
            elif kind == "tool":
                self._builder.used("tool event")
                self._tool_event(event, time)
            else:
                self._builder.skip(f"{string(kind)[:40]} event")

    def _model_event(self, event: Mapping[str, Any], time: float | None) -> None:
        output = mapping(event.get("output"))
        error = event.get("error", output.get("error"))
        if error not in (None, "", False):
            text = error if isinstance(error, str) else as_json(error)
            self._builder.warn(f"a call of the model failed: {text[:200]}")
        if answer := _answer(output):
            self._assistant(answer, time, _usage(output, self._model))

    def _tool_event(self, event: Mapping[str, Any], time: float | None) -> None:
        id = event.get("id")
        if not self._builder.has_call(id):
            self._builder.call(id, event.get("function"), self._resolved(event.get("arguments")), time=time)
        self._inner(id)
        if event.get("pending") is True:
            return
        error = mapping(event.get("error"))
        failed = True if error or event.get("failed") is True else None
        self._builder.result(id, _joined(self._text(event.get("result")), error), failed=failed, time=time)

    def _inner(self, call: object) -> None:
        """The steps of the sub-agent that a call started."""
        events = self._shares.inner.pop(call, None) if isinstance(call, str) else None
        if not events:
            return
        agent = self._shares.names.get(str(call)) or "sub-agent"
        notes = self._builder.report.notes
        notes["sub-agents"] = notes.get("sub-agents", 0) + 1
        inner = Builder("inspect", self._builder.source, agent=agent[:200])
        # What the sub-agent was told stands in the call; its events may hold further sub-agents.
        reader = SampleReader(inner, {"events": events}, self._model)
        reader._attached = self._attached
        reader._prompts.mute()
        reader._from_events(reader._shares.own)
        self._builder.nested(call, inner)

    def _take(self, message: Mapping[str, Any], usage: StepUsage | None = None) -> None:
        role = message.get("role")
        if role == "user":
            self._builder.used("user")
            self._builder.user(self._text(message.get("content")))
        elif role == "assistant":
            self._builder.used("assistant")
            self._assistant(message, None, usage or self._usages.get(string(message.get("id"))))
        elif role == "tool":
            self._builder.used("tool")
            error = mapping(message.get("error"))
            text = _joined(self._text(message.get("content")), error)
            id = message.get("tool_call_id")
            self._builder.result(id, text, failed=True if error else None)
        else:
            self._builder.skip(role)

    def _assistant(self, message: Mapping[str, Any], time: float | None, usage: StepUsage | None) -> None:
        content = message.get("content")
        blocks = [mapping(block) or {"text": block} for block in (content if isinstance(content, list) else [content])]
        texts = []
        for item in blocks:
            if item.get("type") == "reasoning":
                texts.append(self._text(item.get("summary") if item.get("redacted") else item.get("reasoning")))
            elif item.get("type") != "tool_use":
                texts.append(self._text(item["text"] if item.keys() == {"text"} else item))
        model = string(message.get("model")) or self._model
        spent = usage or StepUsage(model=model or None)
        self._builder.turn("\n\n".join(text for text in texts if text.strip()), usage=spent, time=time)
        for item in blocks:
            if item.get("type") == "tool_use":  # a tool that runs at the model's provider
                self._builder.call(item.get("id"), item.get("name"), self._resolved(item.get("arguments")), time=time)
                error = string(item.get("error"))
                text = self._text(item.get("result")) or error
                self._builder.result(item.get("id"), text, failed=True if error else None, time=time)
        for call in sequence(message.get("tool_calls")):
            item = mapping(call)
            function = item.get("function", item.get("name"))
            name = mapping(function).get("name", function)
            arguments = item.get("arguments", mapping(function).get("arguments"))
            self._builder.call(item.get("id"), name, self._resolved(arguments), time=time)
            self._inner(item.get("id"))

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


def _joined(text: str, error: Mapping[str, Any]) -> str:
    """A result with the message of its error, where it does not hold it itself."""
    told = string(error.get("message"))
    return f"{text}\n{told}" if text and told and told not in text else text or told


def _of_answers(events: Sequence[Mapping[str, Any]], model: str) -> dict[str, StepUsage]:
    """Usage by the id of the answer, which only the events record."""
    found = {}
    for event in events:
        output = mapping(event.get("output"))
        id = string(_answer(output).get("id"))
        if event.get("event") == "model" and id:
            found[id] = _usage(output, model)
    return found


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
