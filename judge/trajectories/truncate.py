"""Cuts a trajectory down to a token budget: whole steps are dropped, and long steps are shortened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from judge import tokens
from judge.schemas import Step, Trajectory

_TEXTS = ("user_message", "thought", "action", "environment")
_TITLES = {"user_message": "User", "thought": "Thought", "action": "Action", "environment": "Environment"}


class Part(StrEnum):
    """Which part of a whole is given up first."""

    BEGINNING = "beginning"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Truncated:
    """What is left of a trajectory.

    Attributes:
        steps: The kept steps in their order, long ones shortened.
        dropped: Numbers of the steps that were left out.
        shortened: Numbers of the kept steps that are not whole.
        tokens: Tokens of all kept steps as ``render_step`` writes them.
    """

    steps: tuple[Step, ...]
    dropped: tuple[int, ...] = ()
    shortened: tuple[int, ...] = ()
    tokens: int = 0


def render_step(step: Step) -> str:
    """A step as text, with the number by which it is cited."""
    lines = [f"[step {step.step}]" + (f" {step.agent_name}" if step.agent_name else "")]
    for name in _TEXTS:
        value = getattr(step, name)
        if value:
            lines.append(f"{_TITLES[name]}: {value}")
    return "\n".join(lines)


def cut_text(text: str, budget: int, part: Part = Part.MIDDLE, model: str = "") -> str:
    """A text of at most ``budget`` tokens, one part of it cut."""
    cut = {Part.BEGINNING: tokens.cut_start, Part.MIDDLE: tokens.cut_middle, Part.END: tokens.cut_end}[part]
    return cut(text, budget, model)


def truncate_step(step: Step, budget: int, part: Part = Part.MIDDLE, model: str = "") -> Step:
    """A step of at most ``budget`` tokens: short fields stay whole, the long ones share what is left.

    The number and the titles are never cut, so a budget of a few tokens may be passed by these.
    """
    if tokens.count(render_step(step), model) <= budget:
        return step
    sizes = {name: tokens.count(getattr(step, name), model) for name in _TEXTS if getattr(step, name)}
    frame = step.model_copy(update={name: "x" for name in sizes})
    room = max(0, budget - tokens.count(render_step(frame), model))
    while True:
        shares = _shares(sizes, room)
        cut = {
            n: cut_text(getattr(step, n), shares[n], part, model) if shares[n] < sizes[n] else getattr(step, n)
            for n in sizes
        }
        made = step.model_copy(update=cut)
        excess = tokens.count(render_step(made), model) - budget
        if excess <= 0 or room == 0:
            return made
        room = max(0, room - excess)


def _shares(sizes: dict[str, int], room: int) -> dict[str, int]:
    """Divides a budget so that nothing small is cut while something larger is not."""
    shares: dict[str, int] = {}
    left = room
    for position, (name, size) in enumerate(sorted(sizes.items(), key=lambda item: item[1])):
        shares[name] = min(size, left // (len(sizes) - position))
        left -= shares[name]
    return shares


def truncate(
    trajectory: Trajectory,
    *,
    budget: int | None = None,
    step_budget: int | None = None,
    drop: Part = Part.BEGINNING,
    cut: Part = Part.MIDDLE,
    model: str = "",
) -> Truncated:
    """Shortens every step to ``step_budget`` tokens, then drops whole steps until ``budget`` tokens are left.

    Args:
        trajectory: The recorded steps.
        budget: Tokens for all steps together; None for no limit.
        step_budget: Tokens for one step; None for no limit.
        drop: Which steps go first; a trajectory's end matters most, so its beginning by default.
        cut: Which part of a long step goes.
        model: Whose tokens are counted.
    """
    texts = trajectory.steps
    if step_budget is not None:
        texts = tuple(truncate_step(step, step_budget, cut, model) for step in texts)
    shortened = {i for i, step in enumerate(texts) if step is not trajectory.steps[i]}
    costs = [tokens.count(render_step(step), model) + 1 for step in texts]
    keep = _kept(costs, budget, drop)
    return Truncated(
        steps=tuple(step for i, step in enumerate(texts) if i in keep),
        dropped=tuple(step.step for i, step in enumerate(texts) if i not in keep),
        shortened=tuple(texts[i].step for i in sorted(shortened & keep)),
        tokens=sum(costs[i] for i in keep),
    )


def _kept(costs: list[int], budget: int | None, drop: Part) -> set[int]:
    """Positions of the steps that fit, those that are to be dropped last taken first; no gap but the one cut."""
    if budget is None or sum(costs) <= budget:
        return set(range(len(costs)))
    left, right = 0, len(costs) - 1
    kept: set[int] = set()
    for turn in range(len(costs)):
        from_left = drop is Part.END or (drop is Part.MIDDLE and turn % 2 == 0)
        index = left if from_left else right
        if costs[index] > budget:
            break
        budget -= costs[index]
        kept.add(index)
        left, right = (left + 1, right) if from_left else (left, right - 1)
    return kept
