"""Reads JSON that may be broken in any way, and says where and how, without raising for content."""

from __future__ import annotations

import codecs
import json
import math
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from judge.jsontext.problem import Problem, child, show

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Value:
    """One JSON value of a file.

    Attributes:
        root: Its JSON path in the file: ``$``, or ``$[2]`` in JSON lines.
        data: The value; None when it does not parse.
        problems: Why it does not parse, or what in it is no JSON (NaN, lone surrogates, too deep).
        warnings: What is legal but surely not meant, such as a key that is given twice.
        parsed: Whether ``data`` can be used.
    """

    root: str
    data: Any
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    parsed: bool = True


@dataclass(slots=True)
class _Notes:
    """What the parser saw; the objects are kept alive so that their identity stays theirs."""

    doubled: list[tuple[dict[str, Any], list[str]]] = field(default_factory=list)


def sniff_encoding(data: bytes) -> tuple[str, int]:
    """The encoding that the first bytes of a JSON file show, and the length of its byte order mark."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, len(bom)
    # JSON starts with ASCII, so the zero bytes of its first characters tell the width and the byte order.
    head = data[:4]
    if len(head) == 4 and head[:3] == b"\0\0\0":
        return "utf-32-be", 0
    if len(head) == 4 and head[1:] == b"\0\0\0":
        return "utf-32-le", 0
    if len(head) >= 2 and head[0] == 0 and head[1] != 0:
        return "utf-16-be", 0
    if len(head) >= 2 and head[0] != 0 and head[1] == 0:
        return "utf-16-le", 0
    return "utf-8", 0


def read_text(path: Path, limit: int = MAX_BYTES) -> str | Problem:
    """The text of a regular file, decoded strictly; a Problem when that cannot be done."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Problem("$", "is not a regular file", "a JSON file")
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Problem("$", f"cannot be read: {reason}", "a readable file")
    if len(data) > limit:
        return Problem("$", f"is larger than {limit // (1024 * 1024)} MB", "a smaller file")
    encoding, skip = sniff_encoding(data)
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        before = data[skip : skip + error.start].decode(encoding, errors="replace")
        place = _place(before, len(before))
        return Problem("$", f"{place}: byte 0x{data[skip + error.start]:02x} is no {encoding.upper()}", "UTF-8 text")


def parse_file(path: Path, limit: int = MAX_BYTES) -> tuple[Value, ...]:
    """All JSON values of a file: one, or one a line for JSON lines. Never raises for content."""
    text = read_text(path, limit)
    if isinstance(text, Problem):
        return (Value("$", None, (text,), parsed=False),)
    if path.name.lower().endswith((".jsonl", ".ndjson")):
        return _parse_lines(text)
    value = parse_text(text)
    if not value.parsed and len(lines := text.split("\n", 2)) > 1:
        # A second value on a line of its own: JSON lines under another name.
        first = next((parse_text(line) for line in lines if line.strip()), value)
        if first.parsed and isinstance(first.data, dict):
            return _parse_lines(text)
    return (value,)


def _parse_lines(text: str) -> tuple[Value, ...]:
    values: list[Value] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            values.append(parse_text(line, root=f"$[{len(values)}]", first_line=number))
    return tuple(values) or (Value("$", None, (Problem("$", "is empty", "JSON"),), parsed=False),)


def parse_text(text: str, root: str = "$", first_line: int = 1) -> Value:
    """Parses one JSON text; problems carry line and column, or the JSON path."""
    notes = _Notes()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            seen: set[str] = set()
            twice = [key for key, _ in items if key in seen or seen.add(key)]  # type: ignore[func-returns-value]
            notes.doubled.append((made, list(dict.fromkeys(twice))))
        return made

    try:
        data = json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        return Value(root, None, (_syntax_problem(text, error, root, first_line),), parsed=False)
    except RecursionError:
        return Value(root, None, (_too_deep(root),), parsed=False)
    except ValueError:
        problem = Problem(root, "holds a number with thousands of digits", "numbers of a sane size")
        return Value(root, None, (problem,), parsed=False)
    doubled = {id(made): keys for made, keys in notes.doubled}
    problems, warnings = inspect_value(data, root, doubled)
    return Value(
        root, data, tuple(problems), tuple(warnings), parsed=not any(p.what.startswith("is nested") for p in problems)
    )


def _too_deep(path: str) -> Problem:
    return Problem(path, f"is nested deeper than {MAX_DEPTH} levels", "a flatter structure")


def inspect_value(
    data: Any, root: str, doubled: Mapping[int, list[str]] = MappingProxyType({})
) -> tuple[list[Problem], list[Problem]]:
    """Problems and warnings of a parsed value: what is no JSON in it, what is too deep; without recursion."""
    problems: list[Problem] = []
    warnings: list[Problem] = []
    stack: list[tuple[Any, str, int]] = [(data, root, 0)]
    while stack:
        value, path, depth = stack.pop()
        if depth > MAX_DEPTH:
            return [_too_deep(root)], warnings
        if isinstance(value, dict):
            warnings += [
                Problem(child(path, key), "is given twice; the last one counts") for key in doubled.get(id(value), ())
            ]
            problems += [
                Problem(path, f"has a key with half a character: {show(k)}") for k in value if has_surrogate(k)
            ]
            stack += [(item, child(path, key), depth + 1) for key, item in reversed(value.items())]
        elif isinstance(value, list):
            stack += [(value[i], child(path, i), depth + 1) for i in range(len(value) - 1, -1, -1)]
        elif isinstance(value, float) and not math.isfinite(value):
            problems.append(Problem(path, f"is {value}", "a finite number; JSON has no NaN or Infinity"))
        elif isinstance(value, str) and has_surrogate(value):
            problems.append(Problem(path, "holds half of a surrogate pair", "whole characters"))
    return problems, warnings


def has_surrogate(text: str) -> bool:
    """Whether a text holds half a surrogate pair, which no file or request can carry."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _place(text: str, position: int, first_line: int = 1) -> str:
    line = text.count("\n", 0, position) + first_line
    return f"line {line}, column {position - (text.rfind(chr(10), 0, position) + 1) + 1}"


def _syntax_problem(text: str, error: json.JSONDecodeError, root: str, first_line: int) -> Problem:
    if not text.strip():
        return Problem(root, "is empty", "JSON")
    place = _place(text, error.pos, first_line)
    if error.msg.startswith("Unterminated string"):
        return Problem(
            root, f"{place}: a string starts here and never ends; the file looks truncated", "a closing quote"
        )
    if error.pos >= len(text.rstrip()):
        return Problem(
            root,
            f"{_place(text, len(text.rstrip()), first_line)}: the text ends early; the file looks truncated",
            _wanted(error),
        )
    if error.msg == "Extra data":
        return Problem(root, f"{place}: something follows the end of the JSON value", "one JSON value, or one a line")
    found = show(text[error.pos])
    return Problem(root, f"{place}: no JSON at {found}", _wanted(error))


def _wanted(error: json.JSONDecodeError) -> str:
    known = {
        "Expecting value": "a value",
        "Expecting property name enclosed in double quotes": "a key in double quotes",
        "Illegal trailing comma before end of object": "no comma before the closing brace",
        "Illegal trailing comma before end of array": "no comma before the closing bracket",
        "Expecting ',' delimiter": "a comma or a closing bracket",
        "Expecting ':' delimiter": "a colon",
        "Invalid control character at": "\\n, \\t or \\u escapes for control characters in strings",
        "Invalid \\escape": "a legal escape such as \\\\ or \\n",
        "Invalid \\uXXXX escape": "four hexadecimal digits after \\u",
    }
    return known.get(error.msg.removesuffix(": "), error.msg)
