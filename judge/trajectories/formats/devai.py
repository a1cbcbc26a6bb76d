"""DevAI's own trajectory format: a list of steps with thought, action, environment and usage."""

from __future__ import annotations

import json
import math
from typing import Any

from judge.jsontext import show
from judge.schemas import Step, StepUsage, Trajectory
from judge.trajectories.clean import clean
from judge.trajectories.format import Format, Problems
from judge.trajectories.source import JsonStream, Source

_COUNTS = ("input_tokens", "output_tokens")
_SECONDS = ("llm_inference_time", "step_execution_time")
_MAX_STEPS = 200_000
_KEYS = frozenset({"step", "agent", "environment", "step_usage"})


def sniff(source: Source) -> bool:
    """A list whose first elements are steps, or an empty list; one step a line is read too."""
    head = source.head.lstrip("\ufeff \t\r\n")
    if not head.startswith(("[", "{")):
        return False
    looked = 0
    for piece in JsonStream(source):
        if isinstance(piece.value, dict) and {"step", "agent"} <= piece.value.keys():
            return True
        looked += 1
        if looked >= 5:
            return False
    if looked == 0:
        # Nothing parses: an empty list, or a first step that is cut off.
        return head.startswith("[") and (head[1:].strip() == "]" or ('"step"' in head and '"agent"' in head))
    return False


def read(source: Source) -> Trajectory:
    """Reads what there is; every repair is listed among the problems."""
    problems = Problems()
    source.problems.clear()
    steps: list[Step] = []
    seen: set[int] = set()
    for piece in JsonStream(source):
        if len(steps) >= _MAX_STEPS:
            problems.add(f"more than {_MAX_STEPS} steps; the rest is not read")
            break
        if not isinstance(piece.value, dict) or _KEYS.isdisjoint(piece.value):
            problems.add(f"$[{piece.index}] is {show(piece.value)} and is skipped (expected a step)")
            continue
        step = _step(piece.value, piece.index, problems)
        if step.step in seen:
            problems.add(f"$[{piece.index}].step: {step.step} is given twice")
        seen.add(step.step)
        steps.append(step)
    if not steps:
        problems.add("holds no steps")
    return Trajectory(name="", format="devai", steps=tuple(steps), problems=(*source.problems, *problems.lines()))


def _step(data: dict[str, Any], index: int, problems: Problems) -> Step:
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
        user_message=_text(data.get("user_message"), f"{place}.user_message", problems),
        thought=_text(agent.get("thought"), f"{place}.agent.thought", problems) or "",
        action=_text(agent.get("action"), f"{place}.agent.action", problems),
        agent_name=_text(agent.get("agent_name"), f"{place}.agent.agent_name", problems),
        environment=_text(data.get("environment"), f"{place}.environment", problems),
        usage=_usage(data, place, problems),
    )


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if value == int(value) and abs(value) < 2**53 else None


def _text(value: object, place: str, problems: Problems) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else clean(value)
    problems.add(f"{place} is {show(value)} and is read as its JSON text")
    try:
        return clean(json.dumps(value, ensure_ascii=False, indent=1))
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


FORMAT = Format(name="devai", sniff=sniff, read=read)
