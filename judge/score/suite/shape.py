"""Holds the document against the models of a suite and words each mismatch for the author."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from judge.near import did_you_mean
from judge.score.suite.construct import Constructed
from judge.score.suite.model import Suite

_Path = tuple[str | int, ...]

_EXPECTS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "finite_number": "a finite number",
}
_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
_MOST = 2000
"""Mismatches that are worded; each costs a search for what was meant."""
_CALL = "expects [method, [arguments]] or [method, [arguments], {names}]"


def shape(document: Constructed) -> Suite | None:
    """The suite, or None with what is wrong added to the document's problems."""
    if not isinstance(document.value, dict):
        document.problem((), f"expects a mapping with schema, problem, target and cases, not {_show(document.value)}")
        return None
    try:
        return Suite.model_validate(document.value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=True)
    seen = set()
    for item in found[:_MOST]:
        path = _path(document.value, item["loc"])
        message, hint = _message(dict(item), path, document.value)
        if (path, message) not in seen:
            seen.add((path, message))
            document.problem(path, message, hint, key=item["type"] == "extra_forbidden")
    return None


def _path(value: Any, loc: _Path) -> _Path:
    """The steps of ``loc`` that are in the document: names of union members and ``[key]`` are left out."""
    path: list[str | int] = []
    for place, step in enumerate(loc):
        if _has(value, step):
            value = value[step]
        elif place != len(loc) - 1 or not isinstance(step, str) or step == "[key]":
            continue
        path.append(step)
    if path[-2:-1] == ["sizes"]:
        path.pop()
    if "calls" in path and len(path) > path.index("calls") + 2:
        del path[path.index("calls") + 2 :]
    return tuple(path)


def _has(value: Any, step: str | int) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def _message(item: dict[str, Any], path: _Path, document: Any) -> tuple[str, str]:
    kind, context = item["type"], item.get("ctx") or {}
    if "sizes" in path:
        return "expects [smallest, largest]", ""
    if "calls" in path and len(path) == path.index("calls") + 2:
        return _CALL, ""
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind == "literal_error":
        return _choice(str(context.get("expected", "")), item["input"])
    if kind in ("missing", "invalid_key"):
        return "is missing" if kind == "missing" else "expects names as keys", ""
    if kind in _EXPECTS:
        return f"expects {_EXPECTS[kind]}, not {_show(item['input'])}", _quote(kind, item["input"])
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return f"expects {words} {context.get(name):g}, not {_show(item['input'])}", ""
    if kind in ("too_short", "too_long"):
        return f"expects {context.get('min_length', context.get('max_length'))} items, not {_show(item['input'])}", ""
    return str(item["msg"])[:1].lower() + str(item["msg"])[1:], ""


def _quote(kind: str, value: Any) -> str:
    return "put it into quotes" if kind == "string_type" and isinstance(value, bool | int | float) else ""


def _choice(expected: str, given: Any) -> tuple[str, str]:
    words = [word.strip(" '") for word in expected.replace(" or ", ", ").split(",")]
    hint = did_you_mean(given, words) if isinstance(given, str) else ""
    return f"expects {expected.replace(chr(39), '')}, not {_show(given)}", hint


def _unknown(path: _Path) -> tuple[str, str]:
    known = keys_at(path[:-1])
    return "unknown key", did_you_mean(str(path[-1]), known, f"known here: {', '.join(known)}" if known else "")


def keys_at(path: _Path) -> list[str]:
    """The keys that the mapping at ``path`` may have."""
    model: type[BaseModel] | None = Suite
    for step in path:
        if isinstance(step, str):
            model = _field(model, step) if model else None
    return [info.alias or name for name, info in model.model_fields.items()] if model else []


def _field(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    for name, info in model.model_fields.items():
        if key == (info.alias or name):
            return _model_in(info.annotation)
    return None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
