"""What a report is about, read without changing anything: a run folder of ours, or DevAI JSON with verdicts in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judge.bounded import read_lines
from judge.engine.folder import HEADER, JOURNAL
from judge.engine.header import input_tasks, read_header
from judge.errors import InputError
from judge.jsontext import parse_file, plain_message, show_path
from judge.schemas import Judgment, Requirement, RunHeader, Task, Usage, VerdictValue
from judge.text import valid_unicode

_GENERIC = frozenset({"judgments", "gray_box", "black_box", "agent_as_a_judge", "human_as_a_judge", "devai", "run"})


@dataclass(slots=True)
class Judged:
    """One task with its verdicts.

    Attributes:
        task: The task.
        verdicts: Requirement id -> the verdict that counts.
        confidences: Requirement id -> confidence, where one is recorded.
        usage: Requirement id -> what all attempts used, where that is recorded.
        notes: What is missing.
    """

    task: Task
    verdicts: dict[int, Judgment] = field(default_factory=dict)
    confidences: dict[int, float] = field(default_factory=dict)
    usage: dict[int, Usage] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Source:
    """One run or one folder of judgments.

    Attributes:
        path: What the user named.
        name: What tells it from the other sources.
        tasks: In the order of the run, or of the files.
        header: Of a run folder; None when it is none or cannot be read.
        evidence: The folder of its evidence; None without one.
        notes: What could not be read, one sentence each.
    """

    path: Path
    name: str
    tasks: list[Judged]
    header: RunHeader | None = None
    evidence: Path | None = None
    notes: list[str] = field(default_factory=list)


def open_source(path: Path) -> Source:
    """Reads a run folder, or a file or folder of DevAI JSON with ``satisfied`` filled in.

    Raises:
        InputError: It is not there, or neither.
    """
    try:
        is_run = (path / HEADER).is_file() or (path / JOURNAL).is_file()
        exists = path.exists()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=show_path(path)) from None
    if not exists:
        raise InputError("no such file or folder", where=show_path(path), hint="name a run folder")
    return _run(path) if is_run else _judgments(path)


def name_sources(paths: Sequence[Path]) -> list[str]:
    """A short name for each path: its last part, with as many parents as it takes to say what it is."""
    parts = [[part for part in path.resolve().parts if part != "/"] or ["/"] for path in paths]
    depth = [_telling(item) for item in parts]
    for _ in range(max(map(len, parts), default=0)):
        names = ["/".join(item[-take:]) for item, take in zip(parts, depth, strict=True)]
        double = {name for name in names if names.count(name) > 1}
        if not double:
            return names
        depth = [take + (name in double) for take, name in zip(depth, names, strict=True)]
    short = ["/".join(item[-_telling(item) :]) for item in parts]
    return [f"{name} ({number})" for number, name in enumerate(short, start=1)]


def _telling(parts: Sequence[str]) -> int:
    take = 1
    while take < len(parts) and parts[-take] in _GENERIC:
        take += 1
    return take


def _run(path: Path) -> Source:
    source = Source(path, path.name, [], evidence=path / "evidence")
    try:
        source.header = read_header(path / HEADER)
    except InputError as error:
        source.notes.append(str(error))
    lines = _journal(path / JOURNAL, source.notes)
    tasks = _tasks(path / "judgments", source.notes)
    known = [key.partition(":")[2] for key in (source.header.inputs if source.header else {}) if key[:5] == "task:"]
    listed = input_tasks(source.header) if source.header is not None else frozenset()
    for name in dict.fromkeys((*known, *sorted(listed), *tasks, *(item.task for item in lines))):
        own = [item for item in lines if item.task == name]
        judged = Judged(tasks[name]) if name in tasks else _unknown_task(name, own)
        for item in own:
            number = item.requirement_id
            judged.verdicts[number] = item
            judged.confidences[number] = item.confidence
            judged.usage[number] = judged.usage.get(number, Usage()) + item.usage
        source.tasks.append(judged)
    return source


def _unknown_task(name: str, lines: Iterable[Judgment]) -> Judged:
    """A task of which only verdicts are recorded."""
    numbers = sorted({item.requirement_id for item in lines})
    task = Task(name=name, query="", requirements=tuple(Requirement(requirement_id=n, criteria="") for n in numbers))
    return Judged(task, notes=["the text of this task is not in the run folder; run again to complete it"])


def _journal(path: Path, notes: list[str]) -> list[Judgment]:
    """All whole lines; a run that is still writing may have half a line at the end."""
    found: list[Judgment] = []
    try:
        for number, line in enumerate(read_lines(path), start=1):
            if not line.strip():
                continue
            if not line.endswith(b"\n"):
                end = "the last line is not whole (a run that was killed, or is still going on)"
                notes.append(f"{show_path(path)}: {end}")
                break
            try:
                found.append(Judgment.model_validate_json(line))
            except ValidationError as error:
                notes.append(
                    f"{show_path(path)}: line {number} is no verdict: {plain_message(error.errors()[0]['msg'])}"
                )
    except OSError as error:
        notes.append(f"{show_path(path)}: cannot be read: {error.strerror or error}")
    return found


def _tasks(folder: Path, notes: list[str]) -> dict[str, Task]:
    from judge.tasks import load_tasks

    try:
        loaded = load_tasks([folder])
    except InputError as error:
        notes.append(str(error))
        return {}
    notes += [str(problem) for item in loaded.invalid for problem in item.problems]
    return {item.task.name: item.task for item in loaded.tasks}


def _judgments(path: Path) -> Source:
    from judge.tasks import load_tasks

    source = Source(path, path.name, [])
    if path.is_dir() and not any(item.suffix.startswith(".json") for item in path.iterdir()):
        inside = sorted(item.name for item in path.iterdir() if item.is_dir() and not item.name.startswith("."))[:4]
        hint = f"name a folder in it, such as {', '.join(inside)}" if inside else "a run folder has a run.json"
        raise InputError("is neither a run folder nor a folder of judgments", where=show_path(path), hint=hint)
    loaded = load_tasks([path])
    source.notes += [f"{show_path(item.path)}: {problem}" for item in loaded.invalid for problem in item.problems]
    source.notes += loaded.warnings
    files = dict.fromkeys(item.path for item in loaded.tasks)
    raw = {name: value for file in files for name, value in _raw(file)}
    for item in loaded.tasks:
        name = item.task.name.removesuffix(".json")  # one official file says so in its name
        source.tasks.append(_devai(item.task.model_copy(update={"name": name}), raw.get(name, {})))
    if not any(judged.verdicts for judged in source.tasks):
        raise InputError("holds no verdicts", where=show_path(path), hint="satisfied is filled in nowhere")
    return source


def _raw(path: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The tasks of a file as they stand there, with the verdicts that loading a task takes away."""
    from judge.tasks.load import elements

    for value in elements(parse_file(path)):
        if value.parsed and isinstance(value.data, dict) and isinstance(value.data.get("name"), str):
            yield value.data["name"].removesuffix(".json"), value.data


def _devai(task: Task, raw: Mapping[str, Any]) -> Judged:
    judged = Judged(task)
    listed = raw.get("requirements")
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, dict):
            continue
        number, verdict = item.get("requirement_id"), _verdict(item)
        if verdict is None or not isinstance(number, int):
            continue
        reason = item.get("reason")
        text = valid_unicode(reason) if isinstance(reason, str) else ""
        failed = verdict == VerdictValue.ERROR
        confidence = item.get("confidence")
        if isinstance(confidence, (int, float)) and not isinstance(confidence, bool) and 0 <= confidence <= 1:
            judged.confidences[number] = float(confidence)
        judged.verdicts[number] = Judgment(
            task=task.name,
            requirement_id=number,
            verdict=verdict,
            reason="" if failed else text,
            error=text if failed else "",
            confidence=judged.confidences.get(number, 0.0),
        )
    return judged


def _verdict(item: Mapping[str, Any]) -> VerdictValue | None:
    satisfied = item.get("satisfied")
    if isinstance(satisfied, bool):
        return VerdictValue.SATISFIED if satisfied else VerdictValue.UNSATISFIED
    return VerdictValue.ERROR if item.get("verdict") == VerdictValue.ERROR.value else None
