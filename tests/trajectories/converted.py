"""Writes a file of some format, converts it, and shows of its steps what tests compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judge.trajectories import Converted, convert, detect

Row = tuple[str | None, str, str | None, str | None]
"""User message, thought, action and environment of a step."""


def save(path: Path, value: Any, *, lines: bool = False) -> Path:
    """Writes a value as JSON, or a list as JSON lines; a text as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, str):
        path.write_text(value, encoding="utf-8")
    elif lines:
        path.write_text("".join(json.dumps(item) + "\n" for item in value), encoding="utf-8")
    else:
        path.write_text(json.dumps(value), encoding="utf-8")
    return path


def only(path: Path, format_name: str) -> Converted:
    """The one trajectory of a file, whose format must be told from its content."""
    assert detect(path)[0].format.name == format_name
    (item,) = convert(path, redact=False)
    return item


def rows(item: Converted) -> list[Row]:
    return [(step.user_message, step.thought, step.action, step.environment) for step in item.trajectory.steps]


def actions(item: Converted) -> list[tuple[str | None, str | None]]:
    return [(step.action, step.environment) for step in item.trajectory.steps if step.action is not None]


def tokens(item: Converted) -> list[tuple[int | None, int | None, float | None]]:
    return [(s.usage.input_tokens, s.usage.output_tokens, s.usage.cost) for s in item.trajectory.steps]
