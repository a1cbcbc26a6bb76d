"""What happened in a trajectory, in a few lines: steps, tools, usage, files touched, failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from judge.schemas import Step, Trajectory
from judge.trajectories.actions import Effect
from judge.trajectories.history import FileHistory, file_history
from judge.trajectories.outcomes import Outcome
from judge.trajectories.report import Report

_MAX_FILES = 2_000
_NATIVE = re.compile(r"Running (?:command|Python code)|^(?:\w+)(?=[:({\s]|$)")
_BAD = frozenset({Outcome.ERROR, Outcome.TIMEOUT, Outcome.KILLED})


class Failure(NamedTuple):
    """A step that went wrong: its number, what was run, and how it ended."""

    step: int
    what: str
    how: str


class Amount(NamedTuple):
    """A sum over the steps or a total that the file states; ``value`` is None when nothing is recorded.

    Attributes:
        value: Tokens, US dollars or seconds.
        source: ``stated``, ``summed``, ``summed over N of M steps`` or ``not recorded``.
    """

    value: float | None
    source: str


class Summary(NamedTuple):
    """The figures of one trajectory."""

    name: str
    format: str
    steps: int
    prompts: int
    actions: int
    results: int
    tools: dict[str, int]
    agents: dict[str, int]
    models: tuple[str, ...]
    input_tokens: Amount
    output_tokens: Amount
    cost: Amount
    seconds: Amount
    written: tuple[str, ...]
    removed: tuple[str, ...]
    ran: tuple[str, ...]
    failures: tuple[Failure, ...]
    opaque: int
    """Actions whose effect on files could not be told."""


def summarise(trajectory: Trajectory, report: Report) -> Summary:
    """The figures of a trajectory; what the file states for the whole run counts before the sum of its steps."""
    steps = trajectory.steps
    history = file_history(trajectory)
    return Summary(
        name=trajectory.name,
        format=trajectory.format,
        steps=len(steps),
        prompts=sum(step.user_message is not None for step in steps),
        actions=sum(step.action is not None for step in steps),
        results=sum(step.environment is not None for step in steps),
        tools=dict(Counter(_tool(step) for step in steps if step.action is not None).most_common(100)),
        agents=dict(Counter(step.agent_name for step in steps if step.agent_name).most_common(50)),
        models=tuple(dict.fromkeys(step.usage.model for step in steps if step.usage.model))[:20],
        input_tokens=_amount(steps, "input_tokens", report),
        output_tokens=_amount(steps, "output_tokens", report),
        cost=_amount(steps, "cost", report),
        seconds=_amount(steps, "step_execution_time", report),
        written=_paths(history, Effect.WRITTEN, Effect.EDITED, Effect.MOVED),
        removed=tuple(path for path in _paths(history, Effect.REMOVED) if history.deleted(path)),
        ran=tuple(
            dict.fromkeys(run.script for run in history.runs if run.script and run.outcome is not Outcome.NOT_RUN)
        ),
        failures=tuple(_failures(steps, history)),
        opaque=len(history.opaque_steps),
    )


def _tool(step: Step) -> str:
    tool = (step.model_extra or {}).get("tool")
    if isinstance(tool, str) and tool:
        return tool
    match = _NATIVE.match(step.action or "")
    return match[0] if match else "(text)"


def _amount(steps: tuple[Step, ...], key: str, report: Report) -> Amount:
    stated = getattr(report.stated, key)
    if stated is not None:
        return Amount(stated, "stated")
    found = [value for step in steps if (value := getattr(step.usage, key)) is not None]
    if not found:
        return Amount(None, "not recorded")
    own = sum(1 for step in steps if step.thought or step.action or getattr(step.usage, key) is not None)
    source = "summed" if len(found) >= own else f"summed over {len(found)} of {own} steps"
    return Amount(sum(found), source)


def _paths(history: FileHistory, *effects: Effect) -> tuple[str, ...]:
    found = (e.path for e in history.all_events if e.effect in effects and not e.failed and e.path and not e.pattern)
    return tuple(dict.fromkeys(found))[:_MAX_FILES]


def _failures(steps: tuple[Step, ...], history: FileHistory) -> Iterable[Failure]:
    told: set[int] = set()
    for run in history.runs:
        if run.outcome in _BAD and run.step not in told:
            told.add(run.step)
            yield Failure(run.step, run.script or "code", run.error or run.outcome.value)
    for step in steps:
        extra: dict[str, Any] = step.model_extra or {}
        code = extra.get("exit_code")
        if step.step not in told and ((isinstance(code, int) and code != 0) or extra.get("failed") is True):
            lines = (step.environment or "").strip().split("\n")
            how = f"exit code {code}" if code else next((line for line in lines if line.strip()), "failed")
            yield Failure(step.step, _tool(step), how[:200])
