"""A step while it is put together, and how it becomes one of the trajectory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from judge.schemas import Step, StepUsage
from judge.trajectories.report import UNKNOWN, Report
from judge.trajectories.values import add_usage

_SHOWS_CODE = re.compile(r"exit|returncode|return code", re.IGNORECASE)
_SHOWS_ERROR = re.compile(
    r"error|fail|exception|denied|not found|traceback|invalid|cannot|interrupt|reject", re.IGNORECASE
)
_NOTHING = StepUsage(input_tokens=0, output_tokens=0, cost=0.0)


@dataclass(slots=True, eq=False)
class Draft:
    """A step that is still being put together; times are seconds since 1970."""

    agent_name: str | None
    user: str | None = None
    thought: str = ""
    action: str | None = None
    environment: str | None = None
    usage: StepUsage = UNKNOWN
    start: float | None = None
    end: float | None = None
    seconds: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    inner: list[Draft] | None = None
    """The steps of the sub-agent that the call started."""
    first: bool = True
    """Whether it is the first step of its model turn."""

    def recut(self, cut: Callable[[str], str]) -> None:
        """Applies a function to the texts."""
        self.thought = cut(self.thought)
        for key in ("user", "action", "environment"):
            text = getattr(self, key)
            if text is not None:
                setattr(self, key, cut(text))


def shown_result(draft: Draft, body: str, failed: bool | None, exit_code: int | None) -> str:
    """A result's text; a failure that the file records beside it, and the text does not show, is put before it."""
    if exit_code is not None:
        draft.extra["exit_code"] = exit_code
        if exit_code != 0 and not _SHOWS_CODE.search(body[:200] + body[-600:]):
            body = f"[exit code {exit_code}]\n{body}"
    if failed is not None:
        draft.extra["failed"] = failed
        if failed and not exit_code and not _SHOWS_ERROR.search(body[:2000] + body[-2000:]):
            body = f"Error (reported by the tool):\n{body}"
    return body


def flat(drafts: Iterable[Draft]) -> Iterable[Draft]:
    """All steps in order, those of sub-agents behind the step that started them."""
    for draft in drafts:
        yield draft
        if draft.inner:
            yield from flat(draft.inner)


def larger(first: StepUsage, second: StepUsage) -> StepUsage:
    """Of two reports of one answer the later state of each number, which only grows."""
    pairs = {}
    for key in ("input_tokens", "output_tokens", "cost", "llm_inference_time"):
        a, b = getattr(first, key), getattr(second, key)
        pairs[key] = b if a is None else a if b is None else max(a, b)
    return StepUsage(model=second.model or first.model, **pairs)


def further(known: StepUsage) -> StepUsage:
    """The usage of a further call of a turn: nothing more, as far as the turn's usage is known."""
    if known.cost is not None and known.input_tokens is not None and known.model is None:
        return _NOTHING
    return StepUsage(
        input_tokens=None if known.input_tokens is None else 0,
        output_tokens=None if known.output_tokens is None else 0,
        cost=None if known.cost is None else 0.0,
        model=known.model,
    )


def duration(draft: Draft, clock: float | None) -> tuple[float | None, float | None]:
    """A step's seconds, such that steps that overlap are not counted twice, and the time at which it ends."""
    end = draft.end
    if draft.seconds is not None or end is None:
        return draft.seconds, clock if end is None else max(end, clock or end)
    start = draft.start if clock is None else max(clock, draft.start if draft.start is not None else clock)
    if start is None:
        return None, end
    return round(max(0.0, end - start), 6), max(end, start)


def make_step(number: int, draft: Draft, seconds: float | None) -> Step:
    """The finished step."""
    usage = draft.usage
    if seconds is not None:
        usage = usage.model_copy(update={"step_execution_time": seconds})
    draft.extra.pop("unfinished", None)
    return Step(
        step=number,
        user_message=draft.user,
        thought=draft.thought,
        action=draft.action,
        agent_name=draft.agent_name,
        environment=draft.environment,
        usage=usage,
        **draft.extra,
    )


def compare(steps: list[Step], report: Report) -> None:
    """Notes where the file's own totals differ from the sum of its steps."""
    total = StepUsage()
    for step in steps:
        total = add_usage(total, step.usage)
    stated = report.stated
    for key, label in (("input_tokens", "input tokens"), ("output_tokens", "output tokens"), ("cost", "cost")):
        said, summed = getattr(stated, key), getattr(total, key)
        if said is not None and summed is not None and abs(said - summed) > max(1e-6, 1e-6 * abs(said)):
            report.notes[f"{label}: stated / sum of steps"] = f"{said:g} / {summed:g}"
