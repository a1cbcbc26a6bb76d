"""What a model may ask for, and how its answer is read: strictly, or not at all."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from judge.models import Finish, Reply

TOOLS = ("list", "outline", "read", "grep", "search", "retrieve", "done")
"""Names of the calls, as the prompt explains them."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "description": "What this call is to show, in a few words."},
        "call": {"type": "string", "enum": list(TOOLS)},
        "path": {"type": "string", "description": "A path as listed, or empty."},
        "query": {"type": "string", "description": "Words, or empty."},
        "line": {"type": "integer", "description": "First line to read, from 1."},
    },
    "required": ["why", "call", "path", "query", "line"],
    "additionalProperties": False,
}
_LONGEST = 400
_MOST_LINES = 1_000_000_000
_THOUGHTS = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?</\1>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Call:
    """One call.

    Attributes:
        name: What is to be done; any word, known or not.
        path: A path, not looked up yet.
        query: Words.
        line: First line to read, from 1.
        why: What it is to show.
    """

    name: str
    path: str = ""
    query: str = ""
    line: int = 1
    why: str = ""

    @property
    def told(self) -> str:
        """As it is told to the model again, and to the reader of the evidence."""
        parts = [self.name, self.path, repr(self.query) if self.query else ""]
        if self.name == "read" and self.line > 1:
            parts.append(f"from line {self.line}")
        return " ".join(part for part in parts if part)

    @property
    def as_json(self) -> str:
        """As the model would have answered it."""
        fields = {"why": self.why, "call": self.name, "path": self.path, "query": self.query, "line": self.line}
        return json.dumps(fields, ensure_ascii=False)


def parse_call(reply: Reply) -> Call | str:
    """The call in a reply, or why there is none.

    Args:
        reply: What the model answered.
    """
    if reply.finish in {Finish.REFUSAL, Finish.FILTER}:
        return "the model refused"
    if reply.finish is Finish.LENGTH:
        return "the answer was cut at the limit of output tokens"
    value = _object(reply.text)
    if value is None:
        return "the answer holds no JSON object"
    name = value.get("call")
    if not isinstance(name, str) or not name.strip():
        return "the answer names no call"
    line = value.get("line")
    number = line if isinstance(line, int) and not isinstance(line, bool) else 1
    return Call(
        name=_short(name).lower(),
        path=_short(value.get("path")),
        query=_short(value.get("query")),
        line=max(1, min(number, _MOST_LINES)),
        why=_short(value.get("why")),
    )


def _object(text: str) -> dict[str, Any] | None:
    """The first JSON object of an answer: some models put words or a code fence around it."""
    text = _THOUGHTS.sub("", text)
    start = text.find("{")
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _short(value: Any) -> str:
    return " ".join(value.split())[:_LONGEST] if isinstance(value, str) else ""
