"""Strict check of a trajectory file against the DevAI trajectory schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.jsontext import Problem, child, inspect_value, show
from judge.trajectories.jsonstream import JsonStream
from judge.trajectories.source import Source

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def trajectory_schema() -> dict[str, Any]:
    """The JSON Schema of DevAI's trajectory format."""
    schema: dict[str, Any] = json.loads((files("judge") / "jsonschema" / "trajectory.json").read_text("utf-8"))
    return schema


def validate_trajectory(path: Path) -> Iterator[Problem]:
    """Every way in which a file is not what the schema asks, step by step, in bounded memory.

    Raises:
        InputError: The file cannot be read.
    """
    from jsonschema import Draft202012Validator

    schema = trajectory_schema()
    validator = Draft202012Validator(schema["items"])
    source = Source.open(path)
    stream = JsonStream(source, lenient=False)
    for piece in stream:
        place = child("$", piece.index) if stream.is_array else "$"
        broken, _ = inspect_value(piece.value, place)
        yield from broken
        if not stream.is_array:
            yield Problem("$", f"is {show(piece.value)}", "a list of steps")
            return
        if not any(p.what.startswith("is nested") for p in broken):
            errors = validator.iter_errors(piece.value)
            yield from (
                _problem(error, place) for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path)))
            )
    yield from (Problem("$", what, "JSON text in UTF-8") for what in source.problems)
    if not stream.is_array and stream.complete:
        yield Problem("$", "is empty", "a list of steps")


def _problem(error: ValidationError, place: str) -> Problem:
    path = place
    for part in error.absolute_path:
        path = child(path, part)
    if error.validator == "required" and isinstance(error.instance, dict):
        # The message names one missing key; quoting it keeps the path usable.
        key = error.message.split("'")[1] if "'" in error.message else ""
        schema = error.schema if isinstance(error.schema, Mapping) else {}
        return Problem(child(path, key), "is missing", _wanted(schema.get("properties", {}).get(key, {})))
    if error.validator == "type":
        return Problem(path, f"is {show(error.instance)}", _wanted(error.schema))
    return Problem(path, f"is {show(error.instance)}", f"{error.validator} {error.validator_value}")


def _wanted(schema: Any) -> str:
    kinds = schema.get("type", "a value") if isinstance(schema, Mapping) else "a value"
    names = {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "object": "an object",
        "array": "a list",
    }
    return " or ".join(names.get(kind, kind) for kind in (kinds if isinstance(kinds, list) else [kinds]))
