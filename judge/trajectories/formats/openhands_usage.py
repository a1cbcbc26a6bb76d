"""What OpenHands records of usage: running totals of the conversation, and lists of single answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.values import (
    add_usage,
    count_of,
    mapping,
    number_of,
    sequence,
    string,
    take_usage,
    usage_of,
)

_COUNTS = ("prompt_tokens", "completion_tokens")


def metrics_total(metrics: Mapping[str, Any], model: str = "") -> StepUsage:
    """The running totals of OpenHands' metrics; where only single calls are listed, their sum."""
    usage = mapping(metrics.get("accumulated_token_usage"))
    if usage:
        found = _counted(usage)
    else:
        found = StepUsage()
        for item in sequence(metrics.get("token_usages")):
            found = add_usage(found, _counted(mapping(item)))
    cost = number_of(metrics.get("accumulated_cost"))
    name = string(usage.get("model")) or string(metrics.get("model_name")) or model
    if cost == 0 and not count_of(found.input_tokens) and not sequence(metrics.get("costs")):
        cost = None  # nothing was counted
    return found.model_copy(update={"cost": cost, "model": name or None})


def by_answer(metrics: Mapping[str, Any]) -> dict[str, StepUsage]:
    """The usage of each answer that is listed, by the answer's id."""
    usages, costs = sequence(metrics.get("token_usages")), sequence(metrics.get("costs"))
    paired = len(usages) == len(costs)
    found: dict[str, StepUsage] = {}
    for number, item in enumerate(usages):
        entry = mapping(item)
        cost = number_of(mapping(costs[number]).get("cost")) if paired else None
        if response := string(entry.get("response_id")):
            model = string(entry.get("model")) or None
            found[response] = _counted(entry).model_copy(update={"model": model, "cost": cost})
    return found


def _counted(entry: Mapping[str, Any]) -> StepUsage:
    """Prompt and answer; what was read from a cache is inside the prompt."""
    return usage_of({key: entry.get(key) for key in _COUNTS})


class Meter:
    """Makes the usage of single steps out of running totals, also where a delegate counts from zero.

    Attributes:
        model: The model's name, when known.
        stated: The last running total that the file gives.
    """

    def __init__(self, answers: Mapping[str, StepUsage]) -> None:
        """Starts at zero.

        Args:
            answers: Usage by the id of the answer, where the file lists it.
        """
        self.model = ""
        self.stated = StepUsage()
        self._answers = answers
        self._total = StepUsage()
        self._outer: list[tuple[StepUsage, bool]] = []
        """For each delegate at work the total before it, and whether it counts from zero."""
        self._counted: set[str] = set()
        self._choices: tuple[StepUsage, ...] = ()

    def of(self, event: Mapping[str, Any]) -> StepUsage | None:
        """What the answer behind an event used; None when nothing is recorded."""
        metrics = mapping(event.get("llm_metrics"))
        if metrics:
            total = metrics_total(metrics, self.model)
            for before in self._choices:
                if not _exceeds(before, total):
                    self._total = before
                    break
            self._choices = ()
            if self._outer and _exceeds(self._total, total):
                self._outer[-1] = (self._outer[-1][0], True)
            spent = take_usage(total, self._total)
            self._total = self.stated = total
            return spent
        response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
        answered = self._of_answer(response)
        if answered is not None:
            self._total = add_usage(self._total, answered)
            return answered
        return StepUsage(model=self.model) if self.model else None

    def _of_answer(self, response: Mapping[str, Any]) -> StepUsage | None:
        id = string(response.get("id"))
        counted = self._answers.get(id) or _counted(mapping(response.get("usage")))
        if counted.input_tokens is None and counted.output_tokens is None:
            return None
        if id and id in self._counted:  # a further call of the same answer
            return None
        self._counted.add(id)
        return counted.model_copy(
            update={"model": counted.model or string(response.get("model")) or self.model or None}
        )

    def enter(self) -> None:
        """A delegate starts."""
        self._outer.append((self._total, False))

    def leave(self) -> None:
        """A delegate has ended: its usage is inside the total from now on, or was never part of it."""
        if self._outer:
            outer, local = self._outer.pop()
            if local:
                self._choices = (add_usage(outer, self._total), outer)


def _exceeds(first: StepUsage, second: StepUsage) -> bool:
    """Whether a total is larger than another one, so that it cannot have come before it."""
    for key in ("input_tokens", "output_tokens", "cost"):
        a, b = getattr(first, key), getattr(second, key)
        if a is not None and b is not None and a > b + 1e-12:
            return True
    return False
