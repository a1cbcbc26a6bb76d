"""Verdicts of a task in DevAI's own JSON, so that existing tools read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.atomic import write_atomic
from judge.engine.names import file_name
from judge.schemas import Judgment, Requirement, Task, VerdictValue

_SATISFIED: Mapping[VerdictValue, bool | None] = {
    VerdictValue.SATISFIED: True,
    VerdictValue.UNSATISFIED: False,
    VerdictValue.ERROR: None,
}


def to_devai(task: Task, verdicts: Mapping[int, Judgment]) -> dict[str, Any]:
    """The task with ``satisfied`` filled in, and ``verdict`` and ``reason`` beside it.

    Args:
        task: The task, labels removed.
        verdicts: Judgments by requirement id; what was not reached has ``satisfied`` and ``verdict`` null.

    Returns:
        JSON value with the fields and the order of the task file; unknown fields are kept.
    """
    value = task.model_dump(mode="json")
    value["requirements"] = [_requirement(item, verdicts) for item in task.requirements]
    return value


def _requirement(item: Requirement, verdicts: Mapping[int, Judgment]) -> dict[str, Any]:
    judgment = verdicts.get(item.requirement_id)
    value = item.model_dump(mode="json")
    value["satisfied"] = None if judgment is None else _SATISFIED[judgment.verdict]
    value["verdict"] = None if judgment is None else judgment.verdict.value
    value["reason"] = None if judgment is None else judgment.error or judgment.reason
    if judgment is not None:
        value["confidence"] = judgment.confidence
        value["blocked_by"] = sorted({*judgment.blocked_by, *_unmet(item, verdicts)})
    return value


def _unmet(item: Requirement, verdicts: Mapping[int, Judgment]) -> list[int]:
    """Direct prerequisites that are not met; without a gate the verdict itself does not know them."""
    known = ((number, verdicts[number].verdict) for number in item.prerequisites if number in verdicts)
    return [number for number, verdict in known if verdict == VerdictValue.UNSATISFIED]


def write_judgments(folder: Path, task: Task, verdicts: Mapping[int, Judgment]) -> Path:
    """Writes ``judgments/<task>.json``.

    Args:
        folder: The run folder.
        task: The task.
        verdicts: Judgments by requirement id.

    Returns:
        The file that was written.

    Raises:
        OSError: The file system refused.
    """
    target = folder / "judgments"
    target.mkdir(parents=True, exist_ok=True)
    path = target / f"{file_name(task.name)}.json"
    text = json.dumps(to_devai(task, verdicts), ensure_ascii=False, indent=4) + "\n"
    write_atomic(path, text.encode("utf-8", "backslashreplace"))
    return path
