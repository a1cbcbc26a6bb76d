"""Whether the cells of a notebook were run, and what they left behind."""

from __future__ import annotations

from typing import Any

MAX_OUTPUTS = 20


def outputs_of(cell: dict[str, Any]) -> tuple[str, ...]:
    """Kinds of a cell's outputs: media types of shown data, ``text`` of a stream, ``error: NAME`` of an exception."""
    outputs = cell.get("outputs")
    found: list[str] = []
    for output in outputs[:MAX_OUTPUTS] if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        kind = output.get("output_type")
        if kind in {"error", "pyerr"}:
            found.append(f"error: {str(output.get('ename') or 'unknown')[:60]}")
        elif kind == "stream":
            found.append("text")
        else:
            data = output.get("data")
            found.append(_richest(data) if isinstance(data, dict) and data else "text")
    return tuple(found)


def was_run(cell: dict[str, Any]) -> bool:
    """Whether a cell has a number of execution or an output."""
    count = cell.get("execution_count", cell.get("prompt_number"))
    return (isinstance(count, int) and not isinstance(count, bool)) or bool(outputs_of(cell))


def _richest(data: dict[str, Any]) -> str:
    """The media type that says most: a picture before a table before text."""
    for wanted in ("image/", "text/html", "application/vnd", "video/", "audio/"):
        for kind in data:
            if str(kind).startswith(wanted):
                return str(kind)[:60]
    return str(next(iter(data)))[:60]
