"""Which folder belongs to which task."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from judge.errors import InputError

_NUMBER = re.compile(r"^(\d+)_")


class Found(NamedTuple):
    """The workspace of a task.

    Attributes:
        path: The folder.
        note: What a user should know of the choice, or empty.
    """

    path: Path
    note: str = ""


def find_workspaces(root: Path, names: Sequence[str], known: Sequence[str] = ()) -> dict[str, Found]:
    """Finds the workspace of each task below a folder.

    A folder with exactly the task's name comes first; then the only folder with the same leading number (``39_…``
    for task ``39_Drug_…``) that has no other task's name. For one task alone the folder itself is the workspace,
    unless it holds nothing but folders that look like other tasks' workspaces.

    Args:
        root: What ``--workspace`` names.
        names: Names of the tasks that are looked for.
        known: Names of all tasks, whose folders are theirs alone.

    Returns:
        Folders by task name; tasks without a workspace are not in it.

    Raises:
        InputError: The folder is not there or cannot be listed.
    """
    if not root.is_dir():
        raise InputError("is no folder", where=str(root), hint="--workspace names the folder that holds the workspaces")
    try:
        items = sorted(root.iterdir())
        folders = [item.name for item in items if item.is_dir()]
    except OSError as error:
        raise InputError(f"cannot be listed: {error.strerror or error}", where=str(root)) from error
    taken = {*names, *known}
    found: dict[str, Found] = {}
    for name in names:
        near = "" if name in folders else _by_number(name, folders, taken)
        if name in folders:
            found[name] = Found(root / name)
        elif near:
            found[name] = Found(root / near, f"{name}: using the folder {near} with the same number")
        elif len(names) == 1 and items and not _is_collection(folders, len(items)):
            found[name] = Found(root, _doubt(name, root, folders, known))
    return found


def _doubt(name: str, root: Path, folders: Sequence[str], known: Sequence[str]) -> str:
    """A note where the folder may have been meant to hold workspaces: there are more tasks, or folders named so."""
    meant = len(known) > 1 or any(_NUMBER.match(folder) for folder in folders)
    return f"{name}: {root} itself is taken as its workspace" if meant else ""


def _by_number(name: str, folders: Sequence[str], taken: set[str]) -> str:
    number = _NUMBER.match(name)
    if number is None:
        return ""
    same = [item for item in folders if item.startswith(number.group(0)) and item not in taken]
    return same[0] if len(same) == 1 else ""


def _is_collection(folders: Sequence[str], items: int) -> bool:
    """Whether there are only folders that are called like tasks."""
    return bool(folders) and len(folders) == items and all(_NUMBER.match(name) for name in folders)
