"""DevAI's own trajectory format: a list of steps with thought, action, environment and usage."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from judge.jsontext import show
from judge.schemas import Step, StepUsage, Trajectory
from judge.trajectories.clean import clean
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import values
from judge.trajectories.keeper import Keeper
from judge.trajectories.report import Converted, Problems, Report
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source

_COUNTS = ("input_tokens", "output_tokens")
_SECONDS = ("llm_inference_time", "step_execution_time")
_MAX_STEPS = 200_000
_KEYS = frozenset({"step", "agent", "environment", "step_usage"})
_EXTRA = ("tool", "tool_arguments", "exit_code", "failed", "cwd")
"""Further keys of an agent's part that our own converters write."""


def sniff(sample: Sample) -> Match | None:
    """A list whose first elements are steps; one step a line is read too."""
    steps = [item for item in sample.objects[:5] if {"step", "agent"} <= item.keys()]
    # In other programs' records an agent is a name; a broken one of ours still has its neighbours.
    if any(isinstance(item["agent"], dict) or {"step_usage", "environment"} & item.keys() for item in steps):
        full = any({"step_usage", "environment"} & item.keys() for item in steps)
        return Match(CERTAIN if full else LIKELY, "steps with the keys step and agent")
    # A first step that is cut off.
    if sample.head.startswith("[") and sample.objects and {"step", "user_message"} <= sample.objects[0].keys():
        return Match(LIKELY, "a first step with the keys step and user_message")
    return None


def read(source: Source) -> Iterator[Converted]:
    """Reads what there is; every repair is listed among the problems."""
    report = Report()
    problems = report.problems
    steps: list[Step] = []

    def recut(cut: Callable[[str], str]) -> None:
        steps[:] = [_recut(step, cut) for step in steps]

    keep = Keeper(report, redact=source.redact, recut=recut)
    seen: set[int] = set()
    for piece in values(source):
        if len(steps) >= _MAX_STEPS:
            problems.add(f"more than {_MAX_STEPS} steps; the rest is not read")
            break
        if not isinstance(piece.value, dict) or _KEYS.isdisjoint(piece.value):
            problems.add(f"$[{piece.index}] is {show(piece.value)} and is skipped (expected a step)")
            report.count(report.skipped, "no step")
            continue
        step = _step(piece.value, piece.index, problems, keep)
        if step.step in seen:
            problems.add(f"$[{piece.index}].step: {step.step} is given twice")
        seen.add(step.step)
        steps.append(step)
        report.count(report.used, "step")
    if not steps:
        problems.add("holds no steps")
    problems.first(source.problems)
    problems.change(keep.mask)
    keep.note()
    yield Converted(Trajectory(name="", format="devai", steps=tuple(steps), problems=problems.lines()), report)


def _recut(step: Step, cut: Callable[[str], str]) -> Step:
    texts = {key: getattr(step, key) for key in ("user_message", "thought", "action", "environment")}
    changed = {key: new for key, text in texts.items() if text and (new := cut(text)) is not text}
    return step.model_copy(update=changed) if changed else step


def _step(data: dict[str, Any], index: int, problems: Problems, keep: Keeper) -> Step:
    place = f"$[{index}]"
    number = _whole(data.get("step"))
    if number is None:
        problems.add(f"{place}.step is {show(data.get('step'))}; {index} is used")
    agent = data.get("agent")
    if not isinstance(agent, dict):
        problems.add(f"{place}.agent is {show(agent)}; thought and action are unknown")
        agent = {}
    return Step(
        step=index if number is None else number,
        user_message=_text(data.get("user_message"), f"{place}.user_message", problems, keep),
        thought=_text(agent.get("thought"), f"{place}.agent.thought", problems, keep) or "",
        action=_text(agent.get("action"), f"{place}.agent.action", problems, keep),
        agent_name=_text(agent.get("agent_name"), f"{place}.agent.agent_name", problems, keep),
        environment=_text(data.get("environment"), f"{place}.environment", problems, keep),
        usage=_usage(data, place, problems),
        **_extra(agent, keep),
    )


def _extra(agent: dict[str, Any], keep: Keeper) -> dict[str, Any]:
    """The tool's name and how it ended, where a converter wrote them."""
    kinds: dict[str, type] = {"tool": str, "tool_arguments": dict, "exit_code": int, "failed": bool, "cwd": str}
    found = {key: agent[key] for key in _EXTRA if isinstance(agent.get(key), kinds[key])}
    for key in ("tool", "cwd"):
        if key in found:
            found[key] = keep.mask(clean(found[key], 1000))
    if "tool_arguments" in found:
        rest = found["tool_arguments"].items()
        found["tool_arguments"] = {
            clean(key, 100): keep.mask(clean(value, 500)) if isinstance(value, str) else value
            for key, value in list(rest)[:20]
            if isinstance(value, str | int | float | bool)
        }
    return found


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if value == int(value) and abs(value) < 2**53 else None


def _text(value: object, place: str, problems: Problems, keep: Keeper) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else keep.keep(value)
    problems.add(f"{place} is {show(value)} and is read as its JSON text")
    try:
        return keep.keep(json.dumps(value, ensure_ascii=False, indent=1))
    except (RecursionError, ValueError):
        return "[unreadable value]"


def _usage(data: dict[str, Any], place: str, problems: Problems) -> StepUsage:
    """Cost and time; what is not recorded stays None, also where the file says that its zeros mean that."""
    raw = data.get("step_usage")
    if not isinstance(raw, dict):
        if raw is not None:
            problems.add(f"{place}.step_usage is {show(raw)}; usage is unknown")
        return StepUsage()
    known = data.get("usage_known", raw.get("usage_known"))
    known = known if isinstance(known, dict) else {}
    values: dict[str, Any] = {}
    for keys, kind in ((_COUNTS, "tokens"), (("cost",), "cost"), (_SECONDS, "time")):
        for key in keys:
            value = (
                _amount(raw.get(key), f"{place}.step_usage.{key}", problems) if known.get(kind) is not False else None
            )
            values[key] = int(value) if value is not None and key in _COUNTS else value
    model = raw.get("model")
    return StepUsage(model=clean(model, 200) if isinstance(model, str) and model else None, **values)


def _amount(value: object, place: str, problems: Problems) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        problems.add(f"{place} is {show(value)} and counts as unknown")
        return None
    return float(value)


FORMAT = Format(
    name="devai",
    description="DevAI: a list of steps with agent, environment and step_usage",
    sniff=sniff,
    read=read,
)
