"""Reads a folder of verdicts: DevAI's JSON or one of our run folders; labels are read the same way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judge.bounded import read_lines
from judge.engine.header import read_header
from judge.errors import InputError
from judge.jsontext import parse_file, plain_message, show, show_path
from judge.schemas import Judgment, Requirement, RunHeader, Task, VerdictValue
from judge.tasks import Label, TaskLabels, load_labels
from judge.tasks.load import elements

HEADER = "run.json"
JOURNAL = "verdicts.jsonl"
JUDGMENTS = "judgments"


@dataclass(frozen=True, slots=True)
class Entry:
    """One verdict.

    Attributes:
        verdict: None when there is an entry without a verdict.
        confidence: 0 to 1, when stated.
        votes: Single votes, when there were several.
    """

    verdict: VerdictValue | None = None
    confidence: float | None = None
    votes: tuple[VerdictValue, ...] = ()

    @property
    def met(self) -> bool | None:
        """Met or not; None for ERROR and no verdict."""
        return None if self.verdict in {None, VerdictValue.ERROR} else self.verdict == VerdictValue.SATISFIED


@dataclass(frozen=True, slots=True)
class SourceTask:
    """The verdicts on one task.

    Attributes:
        task: What was judged; texts and prerequisites may be missing.
        entries: Requirement id -> verdict.
        has_prerequisites: Whether the file says anything of prerequisites.
    """

    task: Task
    entries: Mapping[int, Entry]
    has_prerequisites: bool = False

    def as_labels(self) -> TaskLabels:
        """In the form that joins to a task."""
        labels = {
            item.requirement_id: Label(item.requirement_id, item.criteria, self.entries[item.requirement_id].met)
            for item in self.task.requirements
        }
        return TaskLabels(self.task.name, Path(), labels)


@dataclass(slots=True)
class Source:
    """What one folder holds.

    Attributes:
        path: The folder or file.
        tasks: Task name -> its verdicts.
        header: Of a run folder.
        notes: What could not be used, one sentence each.
    """

    path: Path
    tasks: dict[str, SourceTask] = field(default_factory=dict)
    header: RunHeader | None = None
    notes: list[str] = field(default_factory=list)


def read_source(path: Path) -> Source:
    """Reads verdicts or labels.

    Raises:
        InputError: It is not there, holds none, or holds those of several judges.
    """
    source = Source(path)
    if _exists(path / JOURNAL) or _exists(path / HEADER):
        _read_run(source)
    else:
        _read_files(source, path)
    if not source.tasks:
        first = f": {source.notes[0]}" if source.notes else ""
        raise InputError(f"holds no usable verdicts or labels{first}", where=show_path(path))
    return source


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read_run(source: Source) -> None:
    path = source.path
    if _exists(path / HEADER):
        try:
            source.header = read_header(path / HEADER)
        except InputError as error:
            source.notes.append(str(error))
    try:
        _read_files(source, path / JUDGMENTS)
    except InputError as error:
        if (path / JUDGMENTS).is_dir() or not _exists(path / JOURNAL):
            source.notes.append(str(error))
    if _exists(path / JOURNAL):
        _overlay(source, path / JOURNAL)


def _read_files(source: Source, path: Path) -> None:
    labels = load_labels(path)
    source.notes += labels.warnings
    for broken in labels.invalid:
        source.notes += [f"{show_path(broken.path)}: cannot be used: {problem}" for problem in broken.problems]
    for name, data in _data(labels.tasks).items():
        source.tasks[name] = _task(name, data, labels.tasks[name], source.notes)


def _data(tasks: Mapping[str, TaskLabels]) -> dict[str, dict[str, Any]]:
    """The JSON objects behind loaded labels."""
    found: dict[str, dict[str, Any]] = {}
    for path in dict.fromkeys(item.path for item in tasks.values()):
        for value in elements(parse_file(path)):
            stated = value.data.get("name") if isinstance(value.data, dict) else None
            name = stated.removesuffix(".json") if isinstance(stated, str) else ""
            if name in tasks and name not in found and tasks[name].path == path:
                found[name] = value.data
    return found


def _task(name: str, data: dict[str, Any], labels: TaskLabels, notes: list[str]) -> SourceTask:
    requirements, entries = [], {}
    known = set(labels.requirements)
    items = [item for item in data["requirements"] if isinstance(item, dict)]
    for item in items:
        number = item["requirement_id"]
        category = item.get("category")
        requirement = Requirement(
            requirement_id=number,
            criteria=labels.requirements[number].criteria,
            category=category if isinstance(category, str) and category.strip() else None,
            prerequisites=tuple(_prerequisites(item.get("prerequisites"), number, known, f"{name}: {number}", notes)),
        )
        requirements.append(requirement)
        entries[number] = _entry(item)
    stated = any("prerequisites" in item for item in items)
    return SourceTask(Task(name=name, query="", requirements=tuple(requirements)), entries, stated)


def _prerequisites(value: Any, own: int, known: set[int], where: str, notes: list[str]) -> Iterator[int]:
    """Ids of other requirements; a requirement that names itself loses that link, as everywhere."""
    if value is not None and not isinstance(value, list):
        notes.append(f"{where}: prerequisites is {show(value)}; left out")
        return
    for number in dict.fromkeys(item for item in value or () if isinstance(item, int) and not isinstance(item, bool)):
        if number != own and number not in known:
            notes.append(f"{where}: prerequisite {number} is no requirement of the task; left out")
        elif number != own:
            yield number


def _entry(item: dict[str, Any]) -> Entry:
    satisfied, stated, confidence = item.get("satisfied"), item.get("verdict"), item.get("confidence")
    verdict = None
    if isinstance(satisfied, bool):
        verdict = VerdictValue.SATISFIED if satisfied else VerdictValue.UNSATISFIED
    elif isinstance(stated, str) and stated in set(VerdictValue):
        verdict = VerdictValue(stated)
    if isinstance(confidence, (int, float)) and not isinstance(confidence, bool) and 0 <= confidence <= 1:
        return Entry(verdict, float(confidence))
    return Entry(verdict)


def _overlay(source: Source, path: Path) -> None:
    """Puts the lines of the journal over the files: they know votes, and are there before a task is finished."""
    latest: dict[str, dict[int, Judgment]] = {}
    for judgment in read_journal(path, source.notes):
        latest.setdefault(judgment.task, {})[judgment.requirement_id] = judgment
    for name, verdicts in latest.items():
        old = source.tasks.get(name, SourceTask(Task(name=name, query="", requirements=()), {}))
        added = sorted(set(verdicts) - set(old.entries))
        requirements = (*old.task.requirements, *(Requirement(requirement_id=n, criteria="") for n in added))
        entries = {number: Entry(item.verdict, item.confidence, item.votes) for number, item in verdicts.items()}
        task = old.task.model_copy(update={"requirements": requirements})
        source.tasks[name] = SourceTask(task, {**old.entries, **entries}, old.has_prerequisites)


def read_journal(path: Path, notes: list[str]) -> Iterator[Judgment]:
    """The lines of a journal, oldest first; what is no verdict is noted and left out.

    Raises:
        InputError: It cannot be read.
    """
    try:
        for number, line in enumerate(read_lines(path), start=1):
            if not line.strip():
                continue
            try:
                judgment = Judgment.model_validate_json(line)
            except ValidationError as error:
                cut = not line.endswith(b"\n")
                why = "is cut off" if cut else f"is no verdict: {plain_message(error.errors()[0]['msg'])}"
                notes.append(f"{show_path(path)}: line {number} {why}; left out")
                continue
            yield judgment
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=show_path(path)) from error
