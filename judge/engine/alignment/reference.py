"""The requirements that everything is compared on, and how a source of verdicts fits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.engine.alignment.source import Entry, Source, SourceTask
from judge.metrics.curves import satisfied_score
from judge.results import DriftItem, Row
from judge.schemas import Requirement, Task
from judge.tasks import Drift, join_labels

Key = tuple[str, int]


@dataclass(slots=True)
class Joined:
    """A source of verdicts on the requirements of the reference.

    Attributes:
        entries: Task and requirement id of the reference -> verdict.
        judged: Tasks of the reference that the source has.
        outside: Requirements of the source that are in no task of the reference.
        outside_tasks: Tasks of the source that the reference has not.
        drift: What does not fit.
    """

    entries: dict[Key, Entry] = field(default_factory=dict)
    judged: set[str] = field(default_factory=set)
    outside: int = 0
    outside_tasks: list[str] = field(default_factory=list)
    drift: list[DriftItem] = field(default_factory=list)


def join(tasks: Mapping[str, Task], source: Source, side: str) -> Joined:
    """Fits a source to tasks, by name, then by id and text.

    Args:
        tasks: The reference.
        source: Verdicts or labels.
        side: What to call it in the drift.
    """
    joined = Joined()
    for name, found in source.tasks.items():
        if name in tasks:
            joined.judged.add(name)
            _join_task(joined, tasks[name], found, side)
        else:
            joined.outside += len(found.entries)
            joined.outside_tasks.append(name)
    return joined


def _join_task(joined: Joined, task: Task, found: SourceTask, side: str) -> None:
    fit = join_labels(task, found.as_labels())
    joined.entries |= {(task.name, number): found.entries[other] for number, other in fit.used.items()}
    joined.outside += len(found.entries) - len(set(fit.used.values()))
    joined.drift += [
        DriftItem(side=side, task=task.name, requirement_id=number, kind=kind.value, detail=_say(detail, kind, side))
        for number, kind, detail in fit.drift
    ]


def _say(detail: str, kind: Drift, side: str) -> str:
    """The detail in words for verdicts; joining speaks of labels."""
    if side == "labels":
        return detail
    if kind is Drift.EXTRA:
        return detail.replace("no requirement fits this label", "no requirement fits this verdict")
    return detail.replace("label", "verdict")


def reference(labels: Source, judged: Sequence[Source]) -> dict[str, Task]:
    """The labelled tasks; where a label file says nothing of prerequisites or categories, a judged file does.

    Args:
        labels: The labels.
        judged: Sources of verdicts on them.
    """
    tasks = {}
    for name, found in labels.tasks.items():
        task = found.task
        for source in judged:
            if not found.has_prerequisites and name in source.tasks and source.tasks[name].has_prerequisites:
                task = _filled(task, source.tasks[name])
                break
        tasks[name] = task
    return tasks


def _filled(task: Task, found: SourceTask) -> Task:
    """The task with prerequisites, and missing texts and categories, of the judged file, in its own ids."""
    used = join_labels(task, found.as_labels()).used
    own = {other: number for number, other in used.items()}
    theirs = {item.requirement_id: item for item in found.task.requirements}

    def fill(item: Requirement) -> Requirement:
        if item.requirement_id not in used:
            return item
        other = theirs[used[item.requirement_id]]
        return item.model_copy(
            update={
                "prerequisites": tuple(own[number] for number in other.prerequisites if number in own),
                "criteria": item.criteria or other.criteria,
                "category": item.category or other.category,
            }
        )

    return task.model_copy(update={"requirements": tuple(fill(item) for item in task.requirements)})


def rows(tasks: Mapping[str, Task], labels: Mapping[Key, bool | None], entries: Mapping[Key, Entry]) -> list[Row]:
    """One row for each requirement of the reference."""
    made = []
    for name, task in tasks.items():
        for item in task.requirements:
            key = (name, item.requirement_id)
            entry = entries.get(key, Entry())
            made.append(
                Row(
                    task=name,
                    requirement_id=item.requirement_id,
                    criteria=item.criteria,
                    category=item.category or "",
                    prerequisites=tuple(number for number in item.prerequisites if number != item.requirement_id),
                    label=labels.get(key),
                    verdict=entry.verdict,
                    score=satisfied_score(entry.verdict, entry.confidence, entry.votes),
                )
            )
    return made
