"""The paper's counts over verdicts: (I), (D), (D+) and (T), each with what it is a share of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from judge.metrics import conjunction, transitive
from judge.schemas import Requirement, Task, VerdictValue

Verdicts = Mapping[int, VerdictValue]
"""Verdict by requirement id; a requirement that is not there was not judged."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many.

    Attributes:
        met: How many hold.
        of: How many could be decided; what is ERROR or was not judged is in neither.
    """

    met: int
    of: int

    @property
    def rate(self) -> float | None:
        """The share from 0 to 1, or None of nothing."""
        return self.met / self.of if self.of else None

    def to_json(self) -> dict[str, float | int | None]:
        """JSON form."""
        return {"met": self.met, "of": self.of, "rate": self.rate}


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of one task or of many.

    Attributes:
        tasks: How many tasks.
        requirements: How many requirements they have.
        satisfied: Requirements that are met.
        unsatisfied: Requirements that are not met.
        errors: Requirements that could not be judged.
        pending: Requirements that were not reached.
        independent: (I), requirements met.
        dependent: (D), requirements met with all their direct prerequisites met.
        transitive: (D+), the same over prerequisites of prerequisites.
        solved: (T), tasks with every requirement met.
    """

    tasks: int
    requirements: int
    satisfied: int
    unsatisfied: int
    errors: int
    pending: int
    independent: Share
    dependent: Share
    transitive: Share
    solved: Share

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "tasks": self.tasks,
            "requirements": self.requirements,
            "satisfied": self.satisfied,
            "unsatisfied": self.unsatisfied,
            "error": self.errors,
            "pending": self.pending,
            "I": self.independent.to_json(),
            "D": self.dependent.to_json(),
            "D+": self.transitive.to_json(),
            "T": self.solved.to_json(),
        }


def totals(tasks: Iterable[tuple[Task, Verdicts]]) -> Totals:
    """Counts verdicts.

    A statement that rests on an ERROR is undecided, unless what is known already refutes it: a task with one unmet
    requirement is not solved, whatever the others are.

    Args:
        tasks: Each task with its verdicts.

    Returns:
        The counts over all of them.
    """
    listed = list(tasks)
    values = [verdicts.get(item.requirement_id) for task, verdicts in listed for item in task.requirements]
    return Totals(
        tasks=len(listed),
        requirements=len(values),
        satisfied=values.count(VerdictValue.SATISFIED),
        unsatisfied=values.count(VerdictValue.UNSATISFIED),
        errors=values.count(VerdictValue.ERROR),
        pending=values.count(None),
        independent=_share(_met(verdicts, item) for task, verdicts in listed for item in task.requirements),
        dependent=_share(
            _all(verdicts, _direct, task, item) for task, verdicts in listed for item in task.requirements
        ),
        transitive=_share(
            _all(verdicts, _transitive, task, item) for task, verdicts in listed for item in task.requirements
        ),
        solved=_share(conjunction(_met(verdicts, item) for item in task.requirements) for task, verdicts in listed),
    )


def _share(values: Iterable[bool | None]) -> Share:
    decided = [value for value in values if value is not None]
    return Share(met=sum(decided), of=len(decided))


def _met(verdicts: Verdicts, item: Requirement) -> bool | None:
    return _decided(verdicts.get(item.requirement_id))


def _decided(value: VerdictValue | None) -> bool | None:
    return None if value in {None, VerdictValue.ERROR} else value == VerdictValue.SATISFIED


def _all(
    verdicts: Verdicts, needed: Callable[[Task, Requirement], set[int]], task: Task, item: Requirement
) -> bool | None:
    ids = {item.requirement_id, *needed(task, item)}
    return conjunction(_decided(verdicts.get(number)) for number in ids)


def _direct(task: Task, item: Requirement) -> set[int]:
    return set(item.prerequisites)


def _transitive(task: Task, item: Requirement) -> set[int]:
    return transitive({other.requirement_id: other.prerequisites for other in task.requirements}, item.requirement_id)
