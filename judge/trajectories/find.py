"""Finds the trajectory of each task in a folder, or in one file that holds many."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from judge.errors import InputError
from judge.jsontext import printable, show_path
from judge.trajectories.load import convert, detect, entered, stem

_MAX_FILES = 400
_BEST_ENDINGS = (".json", ".jsonl", ".trajectory.json", ".traj", ".traj.json")


def find_trajectories(folder: Path, task_names: Iterable[str], notes: list[str] | None = None) -> dict[str, Path]:
    """The trajectory of each task: ``<task>.json`` or another ending, or what a folder ``<task>/`` holds.

    Any file or folder counts whose content is of a known format. A file instead of a folder is the trajectory of a
    single task, or holds one for each task under the task's name; these are given as ``FILE#NAME``. Tasks without a
    trajectory are left out.

    Args:
        folder: The folder or file.
        task_names: The tasks.
        notes: Where it is said why a task has none, although something of its name is there.

    Raises:
        InputError: The folder is not there or cannot be read.
    """
    notes = [] if notes is None else notes
    names = list(task_names)
    try:
        if folder.is_file():
            return _in_file(folder, names)
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read: {reason}", where=show_path(folder)) from None
    by_stem: dict[str, list[Path]] = {}
    for entry in entries:
        if entry.is_file():
            by_stem.setdefault(stem(entry.name), []).append(Path(entry.path))
    folders = {entry.name: Path(entry.path) for entry in entries if entry.is_dir()}
    found: dict[str, Path] = {}
    for name in names:
        place = _best(by_stem.get(name, [])) or (folder / name if (folder / name).is_file() else None)
        if place is None and name in folders:
            place = _inside(folders[name], name, notes)
        if place is not None:
            found[name] = place
    missing = [name for name in names if name not in found]
    if missing and not found:
        found = _in_any(folder, [path for group in by_stem.values() for path in group], missing)
    return found


def _best(paths: list[Path]) -> Path | None:
    """Of files with the same stem the one whose ending is the most usual for trajectories."""
    order = {ending: i for i, ending in enumerate(_BEST_ENDINGS)}
    ranked = sorted(paths, key=lambda p: (order.get("".join(p.suffixes[-2:]), order.get(p.suffix, 99)), p.name))
    known = [path for path in ranked if _known(path)] if len(ranked) > 1 else ranked
    return known[0] if known else (ranked[0] if ranked else None)


def _in_file(path: Path, names: list[str]) -> dict[str, Path]:
    """One file: of a single task, or with one trajectory for each task under the task's name."""
    if not _known(path):
        return {names[0]: path} if len(names) == 1 else {}
    inside = _inner_names(path)
    if len(inside) > 1:
        return {name: path.with_name(f"{path.name}#{name}") for name in names if name in inside}
    if len(names) == 1:
        return {names[0]: path}
    return {name: path for name in names if name == stem(path.name) or name in inside}


def _inner_names(path: Path) -> set[str]:
    try:
        return {item.name for item in convert(path, redact=False) if item.name}
    except InputError:
        return set()


def _in_any(folder: Path, files: list[Path], names: list[str]) -> dict[str, Path]:
    """Files that hold several trajectories under the tasks' names; a folder that is itself one trajectory."""
    if len(names) == 1 and _known(folder):
        return {names[0]: folder}
    found: dict[str, Path] = {}
    for path in files[:_MAX_FILES]:
        if _known(path):
            for name in set(names) & _inner_names(path):
                found.setdefault(name, path.with_name(f"{path.name}#{name}"))
    return found


def _inside(place: Path, name: str, notes: list[str]) -> Path | None:
    """The trajectory in a task's own folder: the folder as a whole, a file called for it, or its only trajectory."""
    try:
        files = sorted(Path(e.path) for e in os.scandir(place) if e.is_file() and not e.name.startswith("."))
        hidden = sorted(Path(e.path) for e in os.scandir(place) if e.is_file() and e.name.startswith(".aider"))
    except OSError:
        return None
    for wanted in ("trajectory", name):
        named = _best([path for path in files if stem(path.name) == wanted])
        if named is not None:
            return named
    if _known(place):
        return place
    known = [path for path in [*files, *hidden][:_MAX_FILES] if _known(path)]
    if len(known) == 1:
        return known[0]
    shown = ", ".join(printable(path.name) for path in known[:4])
    what = f"holds {len(known)} trajectories ({shown})" if known else "holds no trajectory of a known format"
    notes.append(f"{show_path(place)} {what}" + (f"; call one of them {name}.json or trajectory.json" if known else ""))
    return None


def _known(path: Path) -> bool:
    try:
        return entered(path) == path and bool(detect(path))
    except InputError:
        return False
