"""Finds out what files are, and checks each as what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.jsontext import parse_file
from judge.schemas import Task
from judge.tasks import Drift, Problem, find_layout, join_labels, load_labels, load_tasks, looks_like_task, show_path
from judge.tasks.layout import json_files
from judge.trajectories import convert, detect_format, validate_trajectory

_MAX_PROBLEMS = 1000
_TRAJECTORY_SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")
_PARTS = ("tasks", "instances", "labels", "trajectories")


@dataclass(slots=True)
class FileReport:
    """What was found in one file: valid exactly when there are no problems."""

    path: Path
    kind: str
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Report:
    """What was found in all files."""

    files: list[FileReport] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        """Whether no file has a problem."""
        return not any(file.problems for file in self.files)

    def counts(self) -> dict[str, int]:
        """Sums over the files, in a fixed order, with warnings and invalid files."""
        sums: dict[str, int] = {}
        for name in ("tasks", "requirements", "preferences", "trajectories", "steps", "label sets", "labels"):
            found = [file.counts[name] for file in self.files if name in file.counts]
            if found:
                sums[name] = sum(found)
        sums["warnings"] = sum(len(file.warnings) for file in self.files)
        sums["invalid"] = sum(file.counts.get("invalid", 1 if file.problems else 0) for file in self.files)
        return sums

    def summary(self) -> str:
        """The counts on one line."""
        return ", ".join(f"{count} {_singular(name) if count == 1 else name}" for name, count in self.counts().items())

    def as_json(self) -> dict[str, Any]:
        """The report in JSON types."""
        files = [
            {
                "path": show_path(file.path),
                "kind": file.kind,
                "valid": not file.problems,
                "counts": {name: count for name, count in file.counts.items() if name != "invalid"},
                "problems": [{"path": p.path, "what": p.what, "expected": p.expected} for p in file.problems],
                "warnings": list(file.warnings),
            }
            for file in self.files
        ]
        return {"valid": self.valid, "summary": self.counts(), "files": files}


def _singular(name: str) -> str:
    return {"trajectories": "trajectory"}.get(name, name.removesuffix("s") if name != "invalid" else name)


def check_paths(paths: Sequence[Path], kind: str | None, tasks: Path | None) -> Report:
    """Checks files and folders.

    Args:
        paths: What the user named.
        kind: ``task``, ``trajectory`` or ``labels``; None to go by the content.
        tasks: Tasks that labels are compared with.

    Raises:
        InputError: A path is not there, or a folder holds no files to check.
    """
    known = None if tasks is None else {item.task.name: item.task for item in load_tasks([tasks]).tasks}
    report = Report()
    task_files: list[tuple[Path, bool]] = []
    for path in paths:
        for file, named in _files(path):
            found = kind or detect_kind(file)
            if found == "task":
                task_files.append((file, named))
            elif found == "labels":
                report.files.append(check_labels(file, known))
            elif found == "trajectory":
                report.files.append(check_trajectory(file))
            elif named:
                problem = Problem("$", "is no task, no trajectory and no labels", "one of these; --kind says which")
                report.files.append(FileReport(file, "unknown", [problem]))
            else:
                warning = "holds no task, no trajectory and no labels; skipped"
                report.files.append(FileReport(file, "unknown", [], [warning]))
    report.files[:0] = check_tasks([file for file, _ in task_files])
    return report


def _files(path: Path) -> Iterator[tuple[Path, bool]]:
    """The files that a path stands for, and whether the user named the file itself."""
    try:
        is_folder, exists = path.is_dir(), path.exists() or path.is_symlink()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=show_path(path)) from None
    if not exists:
        raise InputError("no such file or folder", where=show_path(path))
    if not is_folder:
        yield path, True
        return
    files = list(_in_folder(path))
    if not files:
        hint = "JSON and JSON-lines files are looked for"
        raise InputError("holds no files to check", where=show_path(path), hint=hint)
    yield from ((file, False) for file in files)


def _in_folder(folder: Path) -> Iterator[Path]:
    """Files directly in a folder, else those of the parts of a data set below it."""
    layout = find_layout(folder)
    if layout is not None and layout.instances is not None:
        yield from json_files(layout.instances)
        for agent in layout.trajectories.values():
            yield from _candidates(agent)
        for kinds in layout.judgments.values():
            for labels in kinds.values():
                yield from json_files(labels)
        return
    direct = list(_candidates(folder))
    yield from direct
    if not direct:
        for part in _PARTS:
            if (folder / part).is_dir():
                yield from _candidates(folder / part)


def _candidates(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=show_path(folder)) from None
    for path in entries:
        if path.name.lower().endswith(_TRAJECTORY_SUFFIXES) and not path.name.startswith(".") and not path.is_dir():
            yield path


def detect_kind(path: Path) -> str | None:
    """``task``, ``labels`` or ``trajectory`` by the content; a file that is no JSON at all counts as a broken task."""
    try:
        if detect_format(path) is not None:
            return "trajectory"
    except InputError:
        return "task"
    values = parse_file(path)
    items = [item for value in values for item in (value.data if isinstance(value.data, list) else [value.data])]
    if any(_has_labels(item) for item in items):
        return "labels"
    if any(looks_like_task(item) for item in items) or not any(value.parsed for value in values):
        return "task"
    return None


def _has_labels(item: Any) -> bool:
    """Whether an object says of a requirement that it is met or not."""
    requirements = item.get("requirements") if isinstance(item, dict) else None
    return isinstance(requirements, list) and any(
        isinstance(entry, dict) and isinstance(entry.get("satisfied"), bool) for entry in requirements
    )


def check_tasks(files: Sequence[Path]) -> list[FileReport]:
    """Checks task files together, so that a name that is taken twice is seen."""
    loaded = load_tasks(files)
    reports = {
        path: FileReport(path, "task", counts=dict.fromkeys(("tasks", "requirements", "preferences", "invalid"), 0))
        for path in files
    }
    for item in loaded.tasks:
        report = reports[item.path]
        report.counts["tasks"] += 1
        report.counts["requirements"] += len(item.task.requirements)
        report.counts["preferences"] += len(item.task.preferences)
        report.warnings += item.warnings
    for broken in loaded.invalid:
        report = reports[broken.path]
        report.counts["invalid"] += 1
        report.problems += broken.problems
        report.warnings += broken.warnings
    return list(reports.values())


def check_labels(file: Path, known: Mapping[str, Task] | None = None) -> FileReport:
    """Checks a label file, and how it fits its tasks."""
    report = FileReport(file, "labels")
    try:
        labels = load_labels(file)
    except InputError as error:
        report.problems.append(Problem("$", error.what, "tasks with satisfied filled in"))
        return report
    for broken in labels.invalid:
        report.problems += broken.problems
        report.warnings += broken.warnings
    report.warnings += labels.warnings
    for name, found in labels.tasks.items():
        report.warnings += found.warnings
        if known is None:
            continue
        if name not in known:
            report.warnings.append(f"{name}: there is no task of that name")
            continue
        for number, drift, detail in join_labels(known[name], found).drift:
            subject = "label" if drift is Drift.EXTRA else "requirement"
            report.warnings.append(f"{subject} {number}: {drift.value}: {detail}")
    report.counts = {"label sets": len(labels.tasks), "labels": sum(_labelled(labels.tasks.values()))}
    report.counts["invalid"] = len(labels.invalid)
    return report


def _labelled(found: Iterable[Any]) -> Iterator[int]:
    return (sum(label.satisfied is not None for label in item.requirements.values()) for item in found)


def check_trajectory(file: Path) -> FileReport:
    """Checks a trajectory: DevAI's own format against its schema, others by reading them."""
    report = FileReport(file, "trajectory")
    try:
        known = detect_format(file)
        if known is None or known.name == "devai":
            problems = validate_trajectory(file)
            report.problems = list(islice(problems, _MAX_PROBLEMS))
            more = sum(1 for _ in problems)
            if more:
                report.problems.append(Problem("$", f"has {more} more problems"))
        if known is not None:
            found = [item.trajectory for item in convert(file, redact=False)]
            report.counts = {"trajectories": len(found), "steps": sum(len(item.steps) for item in found)}
            lines = dict.fromkeys(line for item in found for line in item.problems)
            report.warnings += [] if report.problems else lines
    except InputError as error:
        report.problems.append(Problem("$", error.what, "a readable trajectory"))
    return report
