"""OpenHands V1 SDK: events in a list, as lines, or as the files of a persisted conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.openhands_sdk_events import SdkReader, is_event
from judge.trajectories.jsonstream import document, members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, sequence, string

NAME = "openhands-sdk"
_STATE = "base_state.json"
_EVENT_FILE = re.compile(r"((?:.*/)?)event-(\d{1,9})(?:-[^/]*)?\.json")
_LISTS = ("events", "items", "history", "trajectory")


def sniff(sample: Sample) -> Match | None:
    """Objects whose ``kind`` ends in Event; a folder with ``events/`` and ``base_state.json``."""
    if sample.is_folder:
        for names in _conversations(sample.names).values():
            for name in names[:3]:
                first = sample.file(name)
                if first is not None and is_event(first.root):
                    return Match(CERTAIN, "a folder of events/event-*.json")
        return None
    if sample.root is not None and "instance_id" in sample.root:
        return None  # the output of the harness
    events_in: list[Any] = list(sample.objects)
    if sample.root is not None and not is_event(sample.root):
        events_in = next((list(sequence(sample.root.get(key))) for key in _LISTS if sample.root.get(key)), [])
    found = sum(is_event(event) for event in events_in)
    if not found or found < 0.5 * len(events_in):
        return None
    return Match(CERTAIN if found > 1 else LIKELY, "objects whose kind ends in Event")


def read(source: Source) -> Iterator[Converted]:
    """Each conversation: of a file the one, of a folder those in it."""
    if source.is_folder:
        found = _conversations(source.names())
        for folder, names in found.items():
            builder = Builder(NAME, source)
            reader = SdkReader(builder)
            _folder(source, folder, names, reader, builder)
            yield builder.finish(folder.rstrip("/") if len(found) > 1 else "", stated=reader.run())
        return
    builder = Builder(NAME, source)
    reader = SdkReader(builder)
    root = Sample(source).root
    listed = root is not None and not is_event(root)
    for piece in members(source, *_LISTS) if listed else values(source):
        if not listed or piece.element:
            for event in piece.value if isinstance(piece.value, list) else (piece.value,):
                reader.add(mapping(event))
        elif piece.key == "stats":
            reader.statistics(mapping(piece.value))
        elif piece.key not in _LISTS:
            builder.skip(f"member {piece.key}")
    yield builder.finish(stated=reader.run())


def _folder(source: Source, folder: str, names: list[str], reader: SdkReader, builder: Builder) -> None:
    numbers = [_number(name) for name in names]
    if (missing := numbers[-1] - numbers[0] + 1 - len(set(numbers))) > 0:
        builder.warn(f"{missing} of the events {numbers[0]} to {numbers[-1]} are missing")
    for name in names:
        opened = source.file(name)
        event = mapping(document(opened)) if opened is not None else {}
        if event:
            reader.add(event)
        else:
            builder.warn(f"{name} holds no event")
    opened = source.file(folder + _STATE)
    state = mapping(document(opened)) if opened is not None else {}
    if not state:
        builder.warn(f"{_STATE} is missing or unreadable: usage is only known as far as events tell")
        return
    builder.used(_STATE)
    reader.statistics(mapping(state.get("stats")))
    status = string(state.get("execution_status")) or string(state.get("agent_status"))
    if status:
        builder.report.notes["status"] = status[:60]


def _conversations(names: tuple[str, ...]) -> dict[str, list[str]]:
    """The files of each conversation's events in the order of their numbers, by the conversation's folder."""
    found: dict[str, list[str]] = {}
    for name in names:
        if match := _EVENT_FILE.fullmatch(name):
            folder = match[1] if match[1] != "events/" and not match[1].endswith("/events/") else match[1][:-7]
            found.setdefault(folder, []).append(name)
    return {folder: sorted(files, key=lambda name: (_number(name), name)) for folder, files in found.items()}


def _number(name: str) -> int:
    match = _EVENT_FILE.fullmatch(name)
    return int(match[2]) if match else 0


FORMAT = Format(
    name=NAME,
    description="OpenHands V1 (software-agent-sdk) events: a list, lines, or the folder of a conversation",
    sniff=sniff,
    read=read,
)
