"""What a person said in an Inspect sample of which the events are the fuller record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.trajectories.values import mapping, sequence, string

_SUMMARY = "[CONTEXT COMPACTION SUMMARY]"


class PromptsOfEvents:
    """The prompts in the inputs of the model's calls, each once; inputs may stand in a pool that events point into."""

    def __init__(self, sample: Mapping[str, Any]) -> None:
        """Takes the sample."""
        kept = mapping(sample.get("events_data"))
        pool = sequence(kept.get("messages")) or sequence(sample.get("message_pool"))
        self._pool: Sequence[Any] = pool
        self._input = sample.get("input")
        self._upto = 0
        self._heard: set[str] = set()
        self._muted = False

    def mute(self) -> None:
        """Gives nothing from here on."""
        self._muted = True

    def first(self, messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The task: the sample's input, else the first message of a user."""
        if isinstance(self._input, str) and self._input:
            found: list[Mapping[str, Any]] = [{"role": "user", "content": self._input}]
        else:
            found = [mapping(item) for item in sequence(self._input) if mapping(item).get("role") == "user"]
            found = found or [message for message in messages if message.get("role") == "user"][:1]
        said = [message for message in messages if message.get("role") == "user"][:1]
        for message in (*found, *said):
            self._new(message)
        return found

    def new_in(self, event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The messages of a user in a call's input that were not there before."""
        if self._muted:
            return
        for message in self._inputs(event):
            if message.get("role") == "user" and self._new(message):
                yield message

    def _inputs(self, event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        refs = sequence(event.get("input_refs"))
        if not refs:
            yield from (mapping(message) for message in sequence(event.get("input")))
            return
        for ref in refs:
            pair = sequence(ref)
            if len(pair) != 2 or not all(isinstance(place, int) for place in pair):
                continue
            # The pool grows with the calls: what stands before the last place was looked at.
            start, end = max(self._upto, pair[0], 0), min(pair[1], len(self._pool))
            for place in range(start, end):
                yield mapping(self._pool[place])
            self._upto = max(self._upto, end)

    def _new(self, message: Mapping[str, Any]) -> bool:
        content = message.get("content")
        blocks = [content] if isinstance(content, str) else [mapping(item).get("text") for item in sequence(content)]
        text = "\n".join(string(block) for block in blocks)
        summary = mapping(message.get("metadata")).get("summary") or text.startswith(_SUMMARY)
        marks = {"id " + string(message.get("id")), "text " + text} - {"id ", "text "}
        if summary or not marks or marks & self._heard:
            self._heard |= marks
            return False
        self._heard |= marks
        return True
