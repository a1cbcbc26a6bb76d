"""The ledger of a run: what it used, by purpose and model, and by task; from the verdicts on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.schemas import Judgment, Usage


@dataclass(frozen=True, slots=True)
class Costs:
    """What verdicts used; those of failed attempts are in it.

    Attributes:
        purposes: By what the calls were for, and the model that was asked.
        tasks: By task.
    """

    purposes: Mapping[tuple[str, str], Usage]
    tasks: Mapping[str, Usage]

    @property
    def models(self) -> dict[str, Usage]:
        """By model."""
        found: dict[str, Usage] = {}
        for (_, model), usage in self.purposes.items():
            found[model] = found.get(model, Usage()) + usage
        return found

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "purposes": [
                {"purpose": purpose, "model": model, **usage.model_dump(mode="json")}
                for (purpose, model), usage in self.purposes.items()
            ],
            "models": {model: usage.model_dump(mode="json") for model, usage in self.models.items()},
            "tasks": {task: usage.model_dump(mode="json") for task, usage in self.tasks.items()},
        }


class CostBook:
    """Adds up what verdicts used, one by one; keeps none of them.

    Attributes:
        usage: All of it together.
    """

    def __init__(self) -> None:
        """Starts at nothing."""
        self.usage = Usage()
        self._purposes: dict[tuple[str, str], Usage] = {}
        self._tasks: dict[str, Usage] = {}

    def add(self, item: Judgment) -> None:
        """Takes one line of a run into account, also of a requirement that is there more than once."""
        self.usage = self.usage + item.usage
        if not (item.usage.calls or item.usage.cached_calls):
            return
        self._tasks[item.task] = self._tasks.get(item.task, Usage()) + item.usage
        parts = [(part.purpose, part.model, part.usage) for part in item.spent] or [("judge", item.model, item.usage)]
        for purpose, model, usage in parts:
            self._purposes[purpose, model] = self._purposes.get((purpose, model), Usage()) + usage

    @property
    def costs(self) -> Costs:
        """The sums so far."""
        return Costs(dict(self._purposes), dict(self._tasks))


def costs(lines: Iterable[Judgment]) -> Costs:
    """Adds up what verdicts used.

    Args:
        lines: All lines of a run, also of requirements that are there more than once.
    """
    book = CostBook()
    for item in lines:
        book.add(item)
    return book.costs
