"""What makes two runs the same: the header, and what differs between two of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from pathlib import Path

from pydantic import ValidationError

from judge.bounded import read_whole
from judge.errors import InputError
from judge.jsontext import plain_message
from judge.schemas import SCHEMA_VERSION, RunHeader, Task

MISSING = "missing"
"""The input hash of a workspace that is not there."""

_SETTINGS = ("version", "judge", "model", "setting", "modules", "gate", "options", "prompts")


def task_hash(task: Task) -> str:
    """A hash of what a task asks; labels are no part of it."""
    return _hash(task.model_dump(mode="json", exclude={"requirements": {"__all__": {"satisfied"}}}))


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_header(path: Path) -> RunHeader:
    """Reads ``run.json``.

    Raises:
        InputError: It is not there or no header of a run.
    """
    try:
        header = RunHeader.model_validate_json(read_whole(path))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "$"
        raise InputError(
            f"is no header of a run: {place}: {plain_message(first['msg'])}",
            where=str(path),
            hint="start over with --fresh",
        ) from error
    if header.schema_version > SCHEMA_VERSION:
        what = f"was written by a newer judge (format {header.schema_version}; this one knows {SCHEMA_VERSION})"
        raise InputError(what, where=str(path), hint="choose another --out")
    return header


def setting_differences(old: RunHeader, new: RunHeader) -> list[str]:
    """The settings in which two runs differ, as ``name: old -> new``."""
    found = []
    for name in _SETTINGS:
        before, after = getattr(old, name), getattr(new, name)
        if before == after:
            continue
        if isinstance(before, dict):
            keys = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
            found.append(f"{name} ({', '.join(keys)})")
        else:
            found.append(f"{name}: {_show(before)} -> {_show(after)}")
    return found


def _show(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "none"


def changed_inputs(old: RunHeader, new: RunHeader, judged: Collection[str]) -> list[str]:
    """Inputs of already judged tasks that are not what they were.

    Args:
        old: Header of the run folder.
        new: Header that a run with these arguments would write.
        judged: Names of tasks that have a finished verdict in the folder.

    Returns:
        Keys such as ``workspace:<task>``, sorted. A task that is not selected now or was not judged
        before never counts.
    """
    current = {_task_of(key) for key in new.inputs}
    keys = {key for key in {*old.inputs, *new.inputs} if _task_of(key) in judged and _task_of(key) in current}
    return sorted(key for key in keys if old.inputs.get(key) != new.inputs.get(key))


def merged(old: RunHeader, new: RunHeader) -> RunHeader:
    """The header of a continued run: first start and inputs of tasks not selected now are kept."""
    current = {_task_of(key) for key in new.inputs}
    kept = {key: value for key, value in old.inputs.items() if _task_of(key) not in current}
    return new.model_copy(update={"created": old.created, "inputs": {**kept, **new.inputs}})


def input_tasks(header: RunHeader) -> frozenset[str]:
    """Names of the tasks of a run."""
    return frozenset(_tasks(header.inputs))


def _tasks(keys: Iterable[str]) -> set[str]:
    return {_task_of(key) for key in keys}


def _task_of(key: str) -> str:
    return key.partition(":")[2]
