"""Reads JSON that is too large or too broken to parse at once: values in a row, lists, members of one object.

Three doors, all lazy, none raising for content; what is wrong goes into ``source.problems``:

* ``values(source)``: the elements of a top-level list, the lines of JSON lines, or values in a row.
* ``members(source, "steps")``: the members of one top-level object; the named lists come element by element.
* ``JsonStream``: the machine below them.

NaN and Infinity are read as ``null``, which is noted once. Of a key given twice the last one counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from judge.trajectories.jsonlines import LineReader, looks_like_lines, too_deep
from judge.trajectories.source import Source

_CHUNK = 1024 * 1024
# An incomplete piece can only fail this close to the end of what was read; before that, it is a real error.
_NEAR_END = 16
_BLANK = re.compile(r"[\s\ufeff\0]*")
_MAX_ELEMENT = 256 * 1024 * 1024
_NEXT_LINE = re.compile(r"\n[ \t]*(?=[{\[])")


@dataclass(slots=True)
class Piece:
    """One element of a JSON list, one of several values in a row, or one member of an object.

    Attributes:
        index: Its position in its list or row, from 0.
        value: The parsed value.
        key: The member's key, or the key of the list it is an element of; empty at the top level.
        line: The line on which it stands, from 1; 0 when not known.
        element: Whether it is one element of a list that is read piece by piece.
    """

    index: int
    value: Any
    key: str = ""
    line: int = 0
    element: bool = False


def values(source: Source) -> Iterator[Piece]:
    """The elements of a top-level list, each line of JSON lines, or each value of several in a row.

    A broken line of JSON lines is skipped and noted; a broken list ends there, which is noted.
    """
    if looks_like_lines(source.head):
        for index, (line, value) in enumerate(LineReader(source)):
            yield Piece(index, value, line=line)
        return
    yield from JsonStream(source)


def members(source: Source, *streamed: str) -> Iterator[Piece]:
    """The members of one top-level object, each as a piece with its key.

    Args:
        source: The file.
        streamed: Keys whose lists are given element by element (``element`` is True, ``index`` counts).
            A member of that name that is no list comes whole. Elements of a top-level list have the key ``""``.
    """
    yield from JsonStream(source, frozenset(streamed))


def document(source: Source) -> Any:
    """The one JSON value of a file as a whole, of a cut or broken one what stands before the fault; None if nothing.

    Only for formats whose files are small; a top-level object keeps its complete members.
    """
    head = source.head.lstrip("\ufeff \t\r\n\0")
    if head.startswith("{"):
        lists: dict[str, list[Any]] = {}
        made: dict[str, Any] = {}
        # Long lists are read element by element, so that a cut file keeps what stands before the cut.
        for piece in JsonStream(source, None):
            if piece.element:
                made[piece.key] = lists.setdefault(piece.key, [])
                lists[piece.key].append(piece.value)
            else:
                made[piece.key] = piece.value
        return made
    stream = JsonStream(source)
    found = [piece.value for piece in stream]
    return found if stream.is_array else (found[0] if found else None)


class JsonStream:
    """Reads the elements of a JSON list, values in a row, or the members of an object, one at a time.

    What stands before a syntax error is kept; the error is put into the source's problems, and ``complete`` is False.
    """

    def __init__(
        self, source: Source, streamed: frozenset[str] | None = frozenset({"\0"}), *, lenient: bool = True
    ) -> None:
        """Opens the stream.

        Args:
            source: The file.
            streamed: Keys of an object whose lists come in elements; None for all lists. By default an object is one
                value.
            lenient: Whether NaN and Infinity become null and raw control characters in texts are read; otherwise the
                former stay numbers, and the latter are faults.
        """
        self._source = source
        self._chunks = source.chunks()
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._counted = 0
        self._ended = False
        self._nan = False
        self._decoder = json.JSONDecoder(parse_constant=self._constant, strict=False) if lenient else json.JSONDecoder()
        self._streamed = streamed
        self._in_members = streamed is None or "\0" not in streamed
        self.complete = True
        self.is_array = False

    def __iter__(self) -> Iterator[Piece]:
        """Yields the pieces; never raises for content."""
        first = self._peek()
        self.is_array = first == "["
        if self.is_array:
            self._at += 1
            if (yield from self._elements("")) and self._peek():
                self._stop("something follows the end of the list")
        elif first == "{" and self._in_members:
            self._at += 1
            if (yield from self._object()) and self._peek():
                self._stop("something follows the end of the object")
        else:
            yield from self._row()

    def _row(self) -> Iterator[Piece]:
        index = 0
        while self._peek():
            line = self._here()
            found, value = self._value()
            if found:
                yield Piece(index, value, line=line)
                index += 1
            elif not self._resume():
                return

    def _resume(self) -> bool:
        """After a fault among values in a row: goes on at the next line that starts one."""
        self._at = min(self._at + 1, len(self._buffer))
        while (following := _NEXT_LINE.search(self._buffer, self._at)) is None:
            self._at = max(self._at, len(self._buffer) - 1)
            if not self._more(_CHUNK):
                return False
        self._at = following.end()
        return True

    def _elements(self, key: str) -> Generator[Piece, None, bool]:
        """The elements of a list, from behind its bracket; returns whether its end was reached."""
        index = 0
        while True:
            char = self._peek()
            if index and char == ",":
                self._at += 1
                char = self._peek()
            if char == "]":
                self._at += 1
                return True
            if not char:
                self._stop("the text ends early; the file looks truncated")
                return False
            line = self._here()
            found, value = self._value()
            if not found:
                return False
            yield Piece(index, value, key, line, element=True)
            index += 1

    def _object(self) -> Generator[Piece, None, bool]:
        """The members of an object, from behind its brace; returns whether its end was reached."""
        index = 0
        while True:
            char = self._peek()
            if index and char == ",":
                self._at += 1
                char = self._peek()
            if char == "}":
                self._at += 1
                return True
            found, key = self._value() if char == '"' else (False, None)
            if not isinstance(key, str) or self._peek() != ":":
                if char != '"' or found:
                    self._stop("the text ends early; the file looks truncated" if not self._peek() else "no member")
                return False
            self._at += 1
            line = self._here()
            if self._peek() == "[" and (self._streamed is None or key in self._streamed):
                self._at += 1
                yield Piece(index, [], key, line)
                if not (yield from self._elements(key)):
                    return False
            else:
                found, value = self._value()
                if not found:
                    return False
                yield Piece(index, value, key, line)
            index += 1

    def _constant(self, name: str) -> None:
        """NaN and Infinity are no JSON and no number anyone can use."""
        if not self._nan:
            self._nan = True
            self._source.problems.append(f"holds {name}, which is no JSON; read as unknown")

    def _here(self) -> int:
        """The line of the place that is read; each character is counted once."""
        self._line += self._buffer.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _more(self, least: int) -> bool:
        """Reads on, at least that many characters; what is done with is let go."""
        self._here()
        parts = [self._buffer[self._at :]]
        self._at = self._counted = 0
        got = 0
        while got < least and not self._ended:
            chunk = next(self._chunks, None)
            if chunk is None:
                self._ended = True
            else:
                parts.append(chunk)
                got += len(chunk)
        self._buffer = "".join(parts)
        return got > 0

    def _peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            blank = _BLANK.match(self._buffer, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more(_CHUNK):
                return ""

    def _value(self) -> tuple[bool, Any]:
        self._peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                near = len(self._buffer) - error.pos <= _NEAR_END or error.msg.startswith("Unterminated")
                # Doubling keeps the repeated parsing of one huge element linear.
                size = len(self._buffer) - self._at
                if near and size < _MAX_ELEMENT and self._more(max(_CHUNK, size)):
                    continue
                self._at = error.pos if not near else self._at
                self._stop("a value here is cut off; the file looks truncated" if near else error.msg)
                return False, None
            except (RecursionError, ValueError):
                self._stop("a value here is nested too deep or holds a number too long to read")
                return False, None
            # A bare number at the end of the buffer may go on.
            if end == len(self._buffer) and not isinstance(value, dict | list | str) and self._more(_CHUNK):
                continue
            if end - self._at > 1000 and too_deep(value):
                self._stop("a value here is nested too deep")
                self._at = end
                return False, None
            self._at = end
            return True, value

    def _stop(self, what: str) -> None:
        line = self._here()
        column = self._at - (self._buffer.rfind("\n", 0, self._at) + 1) + 1
        self._source.problems.append(f"line {line}, column {column}: {what}")
        self.complete = False
