"""OpenHands V0: a list of events, the export with feedback that holds it, or the folder of a session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.openhands_events import EventReader, is_event
from judge.trajectories.jsonstream import document, members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, sequence

NAME = "openhands"
_LISTS = ("trajectory", "history", "events")
_EVENT_FILE = re.compile(r"(?:^|.*/)events/(\d{1,9})\.json")


def sniff(sample: Sample) -> Match | None:
    """Objects with ``action`` and ``args`` or ``observation`` and ``extras``, in a list or under ``trajectory``."""
    if sample.is_folder:
        return _sniff_folder(sample)
    if sample.root is not None and "instance_id" in sample.root:
        return None
    events: list[Any] = list(sample.objects)
    if sample.root is not None and not is_event(sample.root):
        events = next((list(sequence(sample.root.get(key))) for key in _LISTS if sample.root.get(key)), [])
    found = sum(is_event(event) for event in events)
    if found < 2 and not (found and len(events) <= 2):
        return None
    exported = sample.root is not None and "feedback" in sample.root
    certain = exported or found >= 0.6 * len(events)
    return Match(CERTAIN if certain else LIKELY, "events with action and args, observation and extras")


def _sniff_folder(sample: Sample) -> Match | None:
    names = [name for name in sample.names if _EVENT_FILE.fullmatch(name)]
    for name in names[:3]:
        first = sample.file(name)
        if first is not None and is_event(first.root):
            return Match(CERTAIN, "a folder of events/NUMBER.json")
    return None


def read(source: Source) -> Iterator[Converted]:
    """Each conversation: of a file the one, of a folder those in it."""
    if source.is_folder:
        sessions: dict[str, list[str]] = {}
        for name in source.names():
            if _EVENT_FILE.fullmatch(name):
                sessions.setdefault(name.rpartition("events/")[0].rstrip("/"), []).append(name)
        for folder, names in sessions.items():
            builder = Builder(NAME, source)
            names.sort(key=lambda name: int(_EVENT_FILE.sub(r"\1", name)))
            _note_gaps(builder, [int(_EVENT_FILE.sub(r"\1", name)) for name in names])
            yield _finished(builder, _of_files(source, builder, names), folder if len(sessions) > 1 else "")
        return
    builder = Builder(NAME, source)
    converted = _finished(builder, _events(source, builder))
    if builder.report.notes.pop("shuffled", False):
        source.problems.clear()
        builder = Builder(NAME, source)
        builder.warn("the events are not in the order of their ids; they were put in order")
        converted = _finished(builder, _in_order(_events(source, builder)))
    yield converted


def _finished(builder: Builder, events: Iterable[Mapping[str, Any]], name: str = "") -> Converted:
    reader, order = EventReader(builder), _Order()
    for event in events:
        order.take(event.get("id"))
        reader.take(event)
    if order.broken:
        builder.report.notes["shuffled"] = True
    stated = reader.stated
    return builder.finish(name, stated=stated if stated.cost is not None or stated.input_tokens else StepUsage())


def _events(source: Source, builder: Builder) -> Iterator[Mapping[str, Any]]:
    root = Sample(source).root
    listed = root is not None and not is_event(root)
    for piece in members(source, *_LISTS) if listed else values(source):
        if listed and not piece.element:
            if piece.key not in _LISTS:
                builder.skip(f"member {piece.key}")
            continue
        for event in piece.value if isinstance(piece.value, list) else (piece.value,):
            yield mapping(event)


def _of_files(source: Source, builder: Builder, names: list[str]) -> Iterator[Mapping[str, Any]]:
    for name in names:
        opened = source.file(name)
        event = mapping(document(opened)) if opened is not None else {}
        if event:
            yield event
        else:
            builder.warn(f"{name} holds no event")


def _note_gaps(builder: Builder, numbers: list[int]) -> None:
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    if missing > 0:
        builder.warn(f"{missing} of the events {numbers[0]} to {numbers[-1]} are missing")


def _in_order(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events by their ids; of what the model answered only what is needed stays in memory."""
    kept = [_slim(event) for event in events]
    return sorted(kept, key=lambda event: number if (number := _number(event.get("id"))) is not None else 2**62)


def _slim(event: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = mapping(event.get("tool_call_metadata"))
    if not metadata:
        return event
    response = {key: value for key, value in mapping(metadata.get("model_response")).items() if key != "choices"}
    return {**event, "tool_call_metadata": {**metadata, "model_response": response}}


class _Order:
    """Whether events whose ids are all different stand in another order than these."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._last = -1
        self._falls = False
        self._unique = True

    def take(self, id: object) -> None:
        """Notes the next event's id."""
        number = _number(id)
        if number is None or not self._unique:
            return
        if number in self._seen:
            self._unique = False
        self._seen.add(number)
        self._falls = self._falls or number < self._last
        self._last = number

    @property
    def broken(self) -> bool:
        """Whether sorting by id is called for."""
        return self._falls and self._unique


def _number(id: object) -> int | None:
    if isinstance(id, str) and id.isascii() and id.isdigit() and len(id) < 15:
        return int(id)
    return id if isinstance(id, int) and not isinstance(id, bool) and 0 <= id < 2**53 else None


FORMAT = Format(
    name=NAME,
    description="OpenHands V0 events: a saved trajectory, an export with feedback, or the folder of a session",
    sniff=sniff,
    read=read,
)
