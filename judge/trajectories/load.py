"""Finds and loads trajectories of any known format."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from judge.errors import InputError
from judge.jsontext import show_path
from judge.schemas import Trajectory
from judge.trajectories.format import Format
from judge.trajectories.formats import FORMATS
from judge.trajectories.source import Source

SUFFIXES = (
    ".json",
    ".jsonl",
    ".ndjson",
    ".json.gz",
    ".jsonl.gz",
    ".trajectory.json",
    ".traj",
    ".traj.json",
    ".md",
    ".txt",
    ".log",
    ".zip",
    ".eval",
)
"""What a trajectory's file may be called after its task's name, best first."""


def detect_format(path: Path) -> Format | None:
    """The format that a file's content shows; None when it is none that is known.

    Raises:
        InputError: The file cannot be read.
    """
    source = Source.open(path)
    return next((item for item in FORMATS if item.sniff(source)), None)


def load_trajectory(path: Path, format: str | None = None) -> Trajectory:
    """Loads a trajectory, by its content unless a format is named. What is broken in it is listed in its problems.

    Raises:
        InputError: The file cannot be read, its format is not known, or nothing in it is of the named format.
    """
    names = ", ".join(item.name for item in FORMATS)
    if format is None:
        chosen = detect_format(path)
        if chosen is None:
            raise InputError("no known trajectory format", where=show_path(path), hint=f"known: {names}")
    else:
        chosen = next((item for item in FORMATS if item.name == format), None)
        if chosen is None:
            raise InputError(f'there is no trajectory format "{format}"', hint=f"known: {names}")
    source = Source.open(path)
    trajectory = chosen.read(source)
    if format is not None and not trajectory.steps and source.head.strip() not in {"[]", "[ ]"}:
        detail = trajectory.problems[0] if trajectory.problems else "no steps"
        raise InputError(f"cannot be read as {format}: {detail}", where=show_path(path))
    return trajectory.model_copy(update={"name": _stem(path.name)})


def _stem(name: str) -> str:
    suffix = max((s for s in SUFFIXES if name.lower().endswith(s)), key=len, default="")
    return name[: len(name) - len(suffix)] if suffix else name


def find_trajectories(folder: Path, task_names: Iterable[str]) -> dict[str, Path]:
    """The trajectory of each task: ``<task>.json`` or another suffix, or the one trajectory in a folder ``<task>/``.

    A file instead of a folder is the trajectory of a single task. Tasks without one are left out.

    Raises:
        InputError: The folder is not there or cannot be read.
    """
    names = list(task_names)
    try:
        if folder.is_file():
            return {names[0]: folder} if len(names) == 1 else {n: folder for n in names if n == _stem(folder.name)}
        entries = {entry.name: Path(entry.path) for entry in os.scandir(folder)}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read: {reason}", where=show_path(folder)) from None
    found: dict[str, Path] = {}
    for name in names:
        direct = next(
            (entries[name + s] for s in SUFFIXES if name + s in entries and entries[name + s].is_file()), None
        )
        if direct is None and name in entries:
            direct = _inside(entries[name], name)
        if direct is not None:
            found[name] = direct
    return found


def _inside(place: Path, name: str) -> Path | None:
    """The trajectory in a task's own folder, or a file that is called like the task."""
    try:
        if place.is_file():
            return place
        files = sorted(
            Path(entry.path) for entry in os.scandir(place) if entry.is_file() and not entry.name.startswith(".")
        )
    except OSError:
        return None
    for stem in ("trajectory", name):
        for suffix in SUFFIXES:
            if (place / f"{stem}{suffix}") in files:
                return place / f"{stem}{suffix}"
    candidates = [path for path in files if path.name.lower().endswith(SUFFIXES)]
    if len(candidates) > 1:
        candidates = [path for path in candidates if _known(path)]
    return candidates[0] if len(candidates) == 1 else None


def _known(path: Path) -> bool:
    try:
        return detect_format(path) is not None
    except InputError:
        return False
