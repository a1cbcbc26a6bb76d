"""A server's own words about what went wrong, on one line."""

from __future__ import annotations

import json
import re
from typing import Any

_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,200})", re.IGNORECASE)
_SHOWN = 300


def error_text(body: str) -> str:
    """A server's own words about an error, out of the usual shapes; code and parameter included."""
    title = page_title(body)
    if title is not None:
        return f"HTML page {title}".strip()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body[:4_000]
    return _message(value)[:4_000]


def _message(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and depth < 4:
        return "; ".join(filter(None, (_message(item, depth + 1) for item in value[:5])))
    if not isinstance(value, dict) or depth >= 4:
        return ""
    for name in ("error", "message", "detail", "errors", "msg", "title"):
        if value.get(name):
            inner = _message(value[name], depth + 1)
            extra = [str(value[key]) for key in ("code", "type", "param") if isinstance(value.get(key), (str, int))]
            extra = [word for word in extra if word and word not in inner and word != "error"]
            return inner + (f" [{', '.join(extra)}]" if extra and inner else "")
    return json.dumps(value)[:400]


def one_line(text: str, limit: int = _SHOWN) -> str:
    """A text on one line, shortened, control characters gone."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def page_title(text: str) -> str | None:
    """The title of an HTML page, empty when it has none; None when the text is no HTML page."""
    start = text[:2_000].lstrip("\ufeff \t\r\n").lower()
    if not start.startswith(("<!doctype html", "<html", "<head", "<body")):
        return None
    found = _TITLE.search(text[:20_000])
    return one_line(found[1], 80) if found else ""
