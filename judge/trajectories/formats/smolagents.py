"""smolagents: the steps of an agent's memory, as ``memory.get_full_steps()`` or ``replay`` dumps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, number_of, sequence, string, text_of, time_of, usage_of

NAME = "smolagents"
_LISTS = ("steps", "memory", "agent_memory", "intermediate_steps", "messages")
_OWN = frozenset({"model_output", "code_action", "observations", "model_output_message", "action_output", "llm_output"})


def sniff(sample: Sample) -> Match | None:
    """A list with a task step, then steps with ``step_number`` and ``model_output``."""
    root = mapping(sample.root)
    listed = next((root[key] for key in _LISTS if isinstance(root.get(key), list)), None) or sample.records
    steps = [item for item in listed if isinstance(item, dict)]
    numbered = [item for item in steps if ("step_number" in item or "step" in item) and len(_OWN & item.keys()) >= 2]
    task = bool(steps) and "task" in steps[0]
    if any("step_number" in item for item in numbered):
        return Match(CERTAIN, "steps with step_number and model_output")
    if numbered and task:
        return Match(LIKELY, "a task, then steps with model_output")
    if task and {"task", "task_images"} <= steps[0].keys():
        return Match(LIKELY, "a step with task and task_images")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The one run."""
    builder = Builder(NAME, source)
    stated = StepUsage()
    seen: set[object] = set()
    if Sample(source).root is not None and not Sample(source).is_lines:
        pieces = members(source, *_LISTS)
    else:
        pieces = values(source)
    for piece in pieces:
        record = piece.value
        if not isinstance(record, dict) or (piece.key and not piece.element):
            if piece.key == "token_usage":
                stated = usage_of(record)
            elif not (isinstance(record, list) and piece.key in _LISTS):
                builder.skip(piece.key or "no object")
            continue
        number = record.get("step_number")
        if number is not None and as_json(number) in seen and "task" not in record:
            builder.skip("repeated step")
            continue
        seen.add(as_json(number))
        _step(builder, record)
    yield builder.finish(stated=stated)


def _step(builder: Builder, record: Mapping[str, Any]) -> None:
    if "task" in record and "model_output" not in record:
        builder.used("task")
        pictures = len(sequence(record.get("task_images")))
        builder.report.images += pictures
        builder.user(text_of(record.get("task"), builder.report) + "\n[image]" * pictures)
    elif "system_prompt" in record:
        builder.skip("system prompt")
    elif "plan" in record or "facts" in record:
        builder.used("planning")
        usage = usage_of(record.get("token_usage"))
        builder.turn(text_of(record.get("plan"), builder.report), usage=usage, seconds=_seconds(record))
    elif _OWN & record.keys() or "tool_calls" in record:
        builder.used("action")
        _action(builder, record)
    elif "output" in record or "final_answer" in record:
        builder.skip("final answer")
    else:
        builder.skip("step of another kind")


def _action(builder: Builder, record: Mapping[str, Any]) -> None:
    message = mapping(record.get("model_output_message"))
    thought = text_of(record.get("model_output", record.get("llm_output")), builder.report)
    thought = thought or text_of(message.get("content"), builder.report)
    usage = usage_of(record.get("token_usage") or message.get("token_usage"))
    timing = mapping(record.get("timing"))
    builder.turn(thought, usage=usage, time=time_of(timing.get("end_time")), seconds=_seconds(record))
    calls = sequence(record.get("tool_calls")) or sequence(message.get("tool_calls"))
    ids = []
    for call in calls:
        call = mapping(call)
        function = mapping(call.get("function")) or call
        id = string(call.get("id")) or None
        if id is not None and builder.has_call(id):
            id = f"{id}@{record.get('step_number')}"
        ids.append(id)
        builder.call(id, function.get("name"), function.get("arguments"))
    if not calls and record.get("code_action"):
        ids.append(None)
        builder.call(None, "python_interpreter", record.get("code_action"))
    error = record.get("error")
    text = text_of(record.get("observations", record.get("observation")), builder.report)
    pictures = len(sequence(record.get("observations_images")))
    builder.report.images += pictures
    text += "\n[image]" * pictures
    if error:
        told = string(mapping(error).get("message")) or text_of(error, builder.report)
        kind = string(mapping(error).get("type"))
        text = "\n".join(part for part in (text, f"{kind}: {told}" if kind else told) if part)
    if not ids:
        if error:
            # The call could not even be parsed; its text is in the thought.
            builder.call(None, "", "[call that could not be parsed]")
            builder.result(None, text, failed=True)
        return
    for id in ids:
        builder.result(id, text if id == ids[-1] else "", failed=True if error else None)


def _seconds(record: Mapping[str, Any]) -> float | None:
    timing = mapping(record.get("timing"))
    seconds = number_of(timing.get("duration", record.get("duration")))
    if seconds is None:
        start, end = (number_of(timing.get(key, record.get(key))) for key in ("start_time", "end_time"))
        seconds = end - start if start is not None and end is not None and end >= start else None
    return seconds


FORMAT = Format(
    name=NAME,
    description="smolagents memory steps (agent.memory.get_full_steps())",
    sniff=sniff,
    read=read,
)
