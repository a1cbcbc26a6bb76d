"""``judge align``: from folders to the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from judge import __version__
from judge.engine.alignment.names import Spec
from judge.engine.alignment.pair import Group, pair
from judge.engine.alignment.reference import Joined, Key, join, reference, rows
from judge.engine.alignment.source import Entry, Source
from judge.errors import InputError
from judge.jsontext import show_path
from judge.metrics.compare import compare
from judge.metrics.raters import agreement, majority, vote_share
from judge.metrics.sampling import Sampling
from judge.metrics.subject import cover, measure
from judge.results import AgentAlignment, AlignmentReport, DriftItem, JudgeAlignment, Row, SubjectKind
from judge.schemas import Task, VerdictValue
from judge.tasks import load_tasks

_PANEL = 3
_MAJORITY = "majority of the raters"


@dataclass(frozen=True, slots=True)
class Request:
    """What to compare.

    Attributes:
        judged: Folders of verdicts.
        labels: Folders of labels; with none, the raters' majority is taken.
        raters: Folders of single people's labels.
        tasks: Tasks whose texts, prerequisites and categories count instead of those in the label files.
        sampling: How intervals are made.
    """

    judged: Sequence[Spec]
    labels: Sequence[Spec]
    raters: Sequence[Spec] = ()
    tasks: Path | None = None
    sampling: Sampling = field(default_factory=Sampling)


def align(request: Request) -> AlignmentReport:
    """Reads, joins and measures.

    Raises:
        InputError: A folder is not there or holds nothing usable, what belongs together cannot be told, or nothing
            at all can be compared.
    """
    if not request.labels and not request.raters:
        raise InputError("no labels are given", where="--labels", hint="--labels DIR, or --rater NAME=DIR")
    groups, notes = pair(request.judged, request.labels, request.raters)
    tasks = None if request.tasks is None else _tasks(request.tasks, notes)
    agents = tuple(_Agent(group, tasks, request.sampling).measure() for group in groups)
    if not any(judge.coverage.compared for agent in agents for judge in agent.judges):
        raise InputError(
            "no requirement has both a verdict and a label",
            where=", ".join(show_path(spec.path) for spec in request.judged),
            hint="verdicts and labels are matched by task name and requirement id",
        )
    return AlignmentReport(
        version=__version__,
        level=request.sampling.level,
        resamples=request.sampling.resamples,
        seed=request.sampling.seed,
        agents=agents,
        notes=tuple(notes),
    )


def _tasks(path: Path, notes: list[str]) -> dict[str, Task]:
    loaded = load_tasks([path])
    for broken in loaded.invalid:
        notes += [f"{show_path(broken.path)}: cannot be used: {problem}" for problem in broken.problems]
    return {item.task.name: item.task for item in loaded.tasks}


class _Agent:
    """Measures all that is known of one agent."""

    def __init__(self, group: Group, tasks: Mapping[str, Task] | None, sampling: Sampling) -> None:
        self._group = group
        self._sampling = sampling
        labels = group.labels if group.labels is not None else _together(list(group.raters.values()))
        judged = [*group.judges.values(), *group.raters.values()]
        self._tasks: Mapping[str, Task] = reference(labels, judged)
        self._drift: list[DriftItem] = []
        joined = join(self._tasks, labels, "labels")
        if tasks is not None:
            # Only tasks that have labels take part; the others were not to be judged here.
            self._tasks = {name: tasks.get(name, task) for name, task in self._tasks.items()}
            joined = join(self._tasks, labels, "labels")
            self._drift = joined.drift
        self._raters = {name: join(self._tasks, source, "verdicts") for name, source in group.raters.items()}
        self._judges = {name: join(self._tasks, source, "verdicts") for name, source in group.judges.items()}
        self._labels: dict[Key, bool | None] = {key: entry.met for key, entry in joined.entries.items()}
        if group.labels is None:
            self._labels = {key: entry.met for key, entry in self._majority(self._raters).entries.items()}

    def measure(self) -> AgentAlignment:
        """The record of the agent."""
        group = self._group
        judges = [self._one(name, SubjectKind.JUDGE, it, group.judges[name].path) for name, it in self._judges.items()]
        raters = [self._one(name, SubjectKind.RATER, it, group.raters[name].path) for name, it in self._raters.items()]
        panels = []
        if len(self._raters) > 1 and group.labels is not None:
            panels.append(self._one("majority of raters", SubjectKind.RATERS, self._majority(self._raters), None))
        if len(self._judges) >= _PANEL:
            panels.append(self._one("majority of judges", SubjectKind.JUDGES, self._majority(self._judges), None))
        known = [value for value in self._labels.values() if value is not None]
        return AgentAlignment(
            agent=group.agent,
            labels=show_path(group.labels.path) if group.labels is not None else _MAJORITY,
            tasks=len(self._tasks),
            requirements=sum(len(task.requirements) for task in self._tasks.values()),
            labeled=len(known),
            human_met=sum(known),
            judges=(*judges, *raters, *panels),
            comparisons=tuple(
                compare(a, b, self._rows(self._judges[a]), self._rows(self._judges[b]), self._sampling)
                for a, b in combinations(self._judges, 2)
            ),
            agreements=tuple(
                agreement(
                    {name: {key: entry.met for key, entry in it.entries.items()} for name, it in panel.items()},
                    kind,
                    self._sampling,
                )
                for panel, kind in ((self._raters, SubjectKind.RATER), (self._judges, SubjectKind.JUDGE))
                if len(panel) > 1
            ),
            drift=tuple(self._drift),
        )

    def _rows(self, joined: Joined) -> list[Row]:
        return rows(self._tasks, self._labels, joined.entries)

    def _one(self, name: str, kind: SubjectKind, joined: Joined, path: Path | None) -> JudgeAlignment:
        found = self._rows(joined)
        coverage = cover(found, joined.judged, unlabeled=joined.outside, unlabeled_tasks=joined.outside_tasks)
        return measure(
            name,
            kind,
            found,
            self._sampling,
            coverage=coverage,
            path=show_path(path) if path is not None else "",
            drift=tuple(joined.drift),
        )

    def _majority(self, panel: Mapping[str, Joined]) -> Joined:
        """What most of a panel say; ERROR on a tie."""
        keys = dict.fromkeys(key for joined in panel.values() for key in joined.entries)
        whole = Joined(judged=set().union(*(joined.judged for joined in panel.values())))
        for key in keys:
            votes = [joined.entries[key].met if key in joined.entries else None for joined in panel.values()]
            value, score = majority(votes), vote_share(votes)
            if value is None:  # nobody decided: an ERROR stays one
                errors = any(key in it.entries and it.entries[key].verdict is not None for it in panel.values())
                whole.entries[key] = Entry(VerdictValue.ERROR if errors else None)
            else:
                confidence = score if value is not VerdictValue.UNSATISFIED or score is None else 1 - score
                whole.entries[key] = Entry(value, confidence)
        return whole


def _together(sources: Sequence[Source]) -> Source:
    """The tasks of several sources as one; the first that has a task says what it is."""
    whole = Source(sources[0].path)
    for source in sources:
        for name, task in source.tasks.items():
            whole.tasks.setdefault(name, task)
    return whole
