"""What a bounded head of a file shows, parsed as far as it goes: what a format decides by."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from judge.trajectories.jsonlines import looks_like_lines
from judge.trajectories.source import Source

_MAX_RECORDS = 60
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)
_BLANK = " \t\r\n\ufeff\0"


@dataclass
class Sample:
    """The beginning of a file, or the list of a folder's files.

    Attributes:
        source: The file or folder it is of; formats may open files of a folder through ``file``, nothing else.
    """

    source: Source

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.source.is_folder

    @property
    def head(self) -> str:
        """The first characters, without a byte order mark or leading blanks."""
        return self._head

    @cached_property
    def _head(self) -> str:
        return self.source.head.lstrip(_BLANK)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The files of a folder, relative; empty for a file."""
        return self.source.names()

    def file(self, name: str) -> Sample | None:
        """The sample of a file in the folder; None when it is not there."""
        opened = self.source.file(name)
        return None if opened is None else Sample(opened)

    @cached_property
    def is_lines(self) -> bool:
        """Whether there is one JSON value a line."""
        return looks_like_lines(self.source.head)

    @cached_property
    def is_list(self) -> bool:
        """Whether the text is one JSON list."""
        return not self.is_lines and self.head.startswith("[")

    @cached_property
    def root(self) -> dict[str, Any] | None:
        """The top-level object of a file that is one, as far as the head shows it; None for lists and lines."""
        if self.is_lines or not self.head.startswith("{"):
            return None
        value = partial(self.head)
        return value if isinstance(value, dict) else None

    @cached_property
    def records(self) -> tuple[Any, ...]:
        """The first lines, elements of the top-level list, or values; one that the head cuts is there in part."""
        if self.is_lines:
            found = []
            for line in self.source.head.split("\n")[: _MAX_RECORDS * 2]:
                text = line.strip(_BLANK)
                if text.startswith(("{", "[")):
                    value = partial(text)
                    if value:
                        found.append(value)
            return tuple(found[:_MAX_RECORDS])
        if self.head.startswith("["):
            value = partial(self.head)
            return tuple(value[:_MAX_RECORDS]) if isinstance(value, list) else ()
        return () if self.root is None else (self.root,)

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        """The records that are objects."""
        return tuple(record for record in self.records if isinstance(record, dict))

    def share(self, *keys: str) -> float:
        """The share of the records that are objects with all these keys; 0 when there are none."""
        wanted = set(keys)
        return sum(wanted <= item.keys() for item in self.objects) / len(self.records) if self.records else 0.0


def partial(text: str) -> Any:
    """The value that a JSON text starts with; of a text that is cut or goes wrong, what stands complete before that.

    >>> partial('{"a": [1, {"b": 2}, {"c')
    {'a': [1, {'b': 2}, {}]}
    """
    decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
    try:
        return decoder.raw_decode(text)[0]
    except json.JSONDecodeError as error:
        limit = error.pos
    except (ValueError, RecursionError):
        limit = len(text)
    try:
        return decoder.raw_decode(_closed(text, limit))[0]
    except (ValueError, RecursionError):
        return None


def _closed(text: str, limit: int) -> str:
    """What of a text stands complete before a place, with what is open there closed."""
    # Where a comma or a closing bracket stands, everything before it is complete, whatever is still open.
    closers: list[str] = []
    safe, open_there = 0, ""
    at = 0
    while at < limit and len(closers) <= 200 and (token := _TOKEN.match(text, at, limit)):
        at, mark = token.end(), token[0]
        if mark in ("{", "["):
            closers.append("}" if mark == "{" else "]")
        elif mark in ("}", "]") and (not closers or closers.pop() != mark):
            break
        if mark in ("{", "[", "}", "]", ","):
            safe = token.start() if mark == "," else at
            open_there = "".join(reversed(closers))
        if not closers:
            break
    if text.startswith('"', at) and text[:at].rstrip().endswith(":"):
        # A long text that is cut, such as a prompt with a whole file in it: its key and its beginning are there.
        shown = text[at + 1 : at + 1000].partition("\\")[0]
        if '"' not in shown:
            return f'{text[:at]}"{shown}"' + "".join(reversed(closers))
    return text[:safe] + open_there
