"""Finished verdicts of several judges, read side by side, with the tasks they are on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.engine.alignment.names import Spec
from judge.engine.alignment.source import JOURNAL, JUDGMENTS, Source, read_journal, read_source
from judge.engine.header import task_hash
from judge.errors import InputError, JudgeError
from judge.jsontext import show_path
from judge.schemas import Judgment, RunHeader, Setting, Task, VerdictValue
from judge.tasks import load_tasks, normalise_criterion

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Member:
    """One judge of a panel.

    Attributes:
        name: Unique within the panel.
        verdicts: By task name and requirement id; an entry without a verdict is left out.
        records: The whole records, where the folder is a run folder.
        header: Of a run folder.
    """

    name: str
    verdicts: Mapping[Key, VerdictValue]
    records: Mapping[Key, Judgment] = field(default_factory=dict)
    header: RunHeader | None = None

    @property
    def digest(self) -> str:
        """A hash of the verdicts."""
        lines = "\n".join(f"{name}\0{number}\0{value}" for (name, number), value in sorted(self.verdicts.items()))
        return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def about(self) -> dict[str, str]:
        """What goes into the header of a run that is made of it."""
        known = self.header
        more = {"judge": known.judge, "model": known.model, "setting": known.setting.value} if known else {}
        return {"name": self.name, **more, "verdicts": self.digest}


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges of the same work.

    Attributes:
        members: In the order given.
        tasks: All tasks that any member judged.
        inputs: Input hashes for the header of a run that is made of them.
        setting: Gray-box when any member was shown trajectories.
        notes: What a user should know, one sentence each.
    """

    members: tuple[Member, ...]
    tasks: tuple[Task, ...]
    inputs: Mapping[str, str]
    setting: Setting
    notes: tuple[str, ...] = ()


def read_panel(specs: Sequence[Spec]) -> Panel:
    """Reads folders of verdicts: run folders, or DevAI JSON.

    Raises:
        InputError: A folder is not there, given twice or holds no verdicts, or runs judged different inputs.
    """
    seen: dict[Path, Spec] = {}
    for spec in specs:
        place = spec.path.resolve()
        if place in seen:
            raise InputError("is given twice, and would have two votes", where=show_path(spec.path))
        seen[place] = spec
    sources = [read_source(spec.path) for spec in specs]
    notes = [note for source in sources for note in source.notes]
    tasks: dict[str, Task] = {}
    members: list[Member] = []
    for spec, source in zip(specs, sources, strict=True):
        for task in _tasks(source):
            tasks[task.name] = _both(tasks[task.name], task, spec, notes) if task.name in tasks else task
        members.append(_member(_free(spec, source, members), source, notes))
    settings = {member.header.setting for member in members if member.header is not None}
    if len(settings) > 1:
        notes.append("the runs differ in their setting; together they saw the trajectories: gray-box")
    gray = Setting.GRAY_BOX in settings
    listed = tuple(tasks[name] for name in sorted(tasks))
    inputs = {**{f"task:{task.name}": task_hash(task) for task in listed}, **_inputs(members)}
    setting = Setting.GRAY_BOX if gray else Setting.BLACK_BOX
    return Panel(tuple(members), listed, inputs, setting, tuple(dict.fromkeys(notes)))


def _member(name: str, source: Source, notes: list[str]) -> Member:
    verdicts = {
        (task, number): entry.verdict
        for task, found in source.tasks.items()
        for number, entry in found.entries.items()
        if entry.verdict is not None
    }
    records: dict[Key, Judgment] = {}
    if source.header is not None and (source.path / JOURNAL).is_file():
        records = {(item.task, item.requirement_id): item for item in read_journal(source.path / JOURNAL, notes)}
    return Member(name, verdicts, records, source.header)


def _free(spec: Spec, source: Source, members: Sequence[Member]) -> str:
    """A name for a member: as given, else the folder's, with a number when another has it."""
    name = spec.judge or spec.path.resolve().name or str(spec.path)
    taken = {member.name for member in members}
    if name in taken and source.header is not None:
        name = f"{name} ({source.header.setting.value})"
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name} #{number}"
    return free


def _tasks(source: Source) -> list[Task]:
    """The tasks of a folder as they were judged, with their queries where the files hold them."""
    folder = source.path / JUDGMENTS if source.header is not None else source.path
    try:
        whole = {item.task.name: item.task for item in load_tasks([folder]).tasks}
    except JudgeError:  # labels need no query, tasks do: what was read as verdicts is enough
        whole = {}
    return [_both(whole[name], found.task) if name in whole else found.task for name, found in source.tasks.items()]


def _both(first: Task, second: Task, spec: Spec | None = None, notes: list[str] | None = None) -> Task:
    """The first task, with requirements that only the second has."""
    known = {item.requirement_id: item for item in first.requirements}
    for item in second.requirements:
        old = known.get(item.requirement_id)
        differs = old is not None and normalise_criterion(old.criteria) != normalise_criterion(item.criteria)
        if differs and item.criteria and notes is not None and spec is not None:
            where = f"{show_path(spec.path)}: {first.name}: {item.requirement_id}"
            notes.append(f"{where}: the criterion is worded differently than in the folder before")
    added = tuple(item for item in second.requirements if item.requirement_id not in known)
    return first.model_copy(update={"requirements": (*first.requirements, *added)}) if added else first


def _inputs(members: Sequence[Member]) -> dict[str, str]:
    """What the runs judged, which must be the same for all that judged it."""
    found: dict[str, tuple[str, str]] = {}
    for member in members:
        for key, value in member.header.inputs.items() if member.header is not None else ():
            other, before = found.setdefault(key, (member.name, value))
            if before != value:
                raise InputError(
                    f"{other} and {member.name} did not judge the same: {key} differs",
                    where="panel",
                    hint="a panel is made of runs on the same tasks and workspaces",
                )
    return {key: value for key, (_, value) in found.items()}
