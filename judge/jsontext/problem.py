"""What is wrong with a file: one finding, with its JSON path and what would have been right."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding in a file.

    Attributes:
        path: JSON path such as ``$.requirements[3].prerequisites[1]``; ``$`` for the whole file.
        what: What stands there, one clause.
        expected: What should stand there; empty when ``what`` says it all.
    """

    path: str
    what: str
    expected: str = ""

    def __str__(self) -> str:
        """``path: what (expected …)`` on one line."""
        line = f"{self.path}: {self.what}"
        return f"{line} (expected {self.expected})" if self.expected else line


def child(path: str, key: str | int) -> str:
    """The JSON path of a member or element; unusual keys are written ``["like this"]``."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{json.dumps(key[:_SHOWN])}]"


def show(value: object) -> str:
    r"""A JSON value as a short piece of one line, whatever it holds.

    >>> show([1, 2]), show({"a": 1}), show("a\nb"), show(None)
    ('a list of 2', 'an object', '"a\\nb"', 'null')
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
        return '"' + printable(text.replace("\\", "\\\\")).replace('"', '\\"') + '"'
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**20:
        return "a number with over 20 digits"
    return json.dumps(value)


def printable(text: str) -> str:
    """Text that stays on one line and can be encoded.

    Control, formatting, unassigned and lone surrogate characters and unusual spaces are escaped.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escape(c) for c in text)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def _escape(char: str) -> str:
    return _SHORT.get(char) or (f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}")


def show_path(path: Path) -> str:
    """A file's path for a message: one line, encodable even when its bytes are no UTF-8."""
    return printable(str(path))


def plain_message(message: str) -> str:
    """A message of pydantic without the words on Python that it puts before those of a check of our own."""
    return message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
