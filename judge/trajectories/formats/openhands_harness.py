"""Output of OpenHands' evaluation harness: one line an instance, with its history of V0 or V1 events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats import openhands_events, openhands_sdk_events
from judge.trajectories.formats.late import late
from judge.trajectories.formats.openhands_usage import by_answer, metrics_total
from judge.trajectories.jsonstream import values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, sequence, string

NAME = "openhands-harness"


def sniff(sample: Sample) -> Match | None:
    """Objects with ``instance_id`` and a ``history`` of events; a run that failed at once has none."""
    if sample.is_folder:
        return None
    likely: Match | None = None
    for record in sample.objects[:20]:
        if not _is_instance(record):
            continue
        events = list(islice(_events(record), 20))
        if any(openhands_events.is_event(event) or openhands_sdk_events.is_event(event) for event in events):
            return Match(CERTAIN, "instance_id and a history of OpenHands events")
        if not events:
            certain = "history" in record and "test_result" in record
            likely = Match(CERTAIN if certain else LIKELY, "instance_id and test_result, without a history")
    return likely


def _is_instance(record: Mapping[str, Any]) -> bool:
    if "instance_id" not in record:
        return False
    bare = record.get("history") is None and {"test_result", "metadata"} <= record.keys()
    return bare or isinstance(record.get("history"), list)


def read(source: Source) -> Iterator[Converted]:
    """Each instance."""
    for record in late(_instances(source)):
        yield _instance(source, record)


def _instances(source: Source) -> Iterator[Mapping[str, Any]]:
    others = 0
    for piece in values(source):
        record = mapping(piece.value)
        if _is_instance(record) or isinstance(record.get("history"), list):
            yield record
        else:
            others += 1
    if others:
        source.problems.append(f"{others} records are no instances with a history")


def _instance(source: Source, record: Mapping[str, Any]) -> Converted:
    builder = Builder(NAME, source)
    name = record.get("instance_id")
    events = list(_events(record))
    instruction = string(record.get("instruction"))
    metrics = mapping(record.get("metrics"))
    stated = metrics_total(metrics) if metrics else StepUsage()
    if any(openhands_sdk_events.is_event(event) for event in events):
        reader = openhands_sdk_events.SdkReader(builder)
        for event in events:
            reader.add(event)
        if metrics:
            reader.metrics(metrics)
        if not reader.has_prompt:
            builder.user(instruction)
        own = reader.run()
        stated = stated if metrics else own
    else:
        older = openhands_events.EventReader(builder, by_answer(metrics))
        if not any(event.get("action") == "message" and event.get("source") == "user" for event in events):
            builder.user(instruction)
        for event in events:
            older.take(event)
        stated = stated if metrics else older.stated
    error = record.get("error")
    if error not in (None, "", False):
        builder.report.notes["error"] = (error if isinstance(error, str) else as_json(error))[:500]
    builder.report.valid_empty = not events
    shown = str(name)[:200] if isinstance(name, str | int) else ""
    return builder.finish(shown, stated=stated)


def _events(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A flat list, or pairs of action and observation."""
    for item in sequence(record.get("history")):
        if isinstance(item, list):
            yield from (mapping(event) for event in item)
        else:
            yield mapping(item)


FORMAT = Format(
    name=NAME,
    description="output.jsonl of OpenHands' evaluation harness",
    sniff=sniff,
    read=read,
)
