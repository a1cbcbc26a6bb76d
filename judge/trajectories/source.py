"""A trajectory file as the formats see it: decoded, decompressed, and read piece by piece."""

from __future__ import annotations

import codecs
import json
import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.jsontext import show_path, sniff_encoding

HEAD_BYTES = 64 * 1024
MAX_BYTES = 2 * 1024**3
_CHUNK = 1024 * 1024
# An incomplete piece can only fail this close to the end of what was read; before that, it is a real error.
_NEAR_END = 16
_BLANK = re.compile(r"[\s\ufeff]*")
_BOMB_BYTES = 64 * 1024 * 1024
_BOMB_RATIO = 200
"""Steps of an agent shrink to a tenth or a fiftieth; what shrinks further is made to fill memory and time."""
_MAX_ELEMENT = 256 * 1024 * 1024


@dataclass(slots=True)
class Source:
    """One file that may be a trajectory.

    Attributes:
        path: The file.
        head: Its first characters, decoded and decompressed, for telling the format.
        problems: What was wrong with the bytes, filled while they are read.
    """

    path: Path
    head: str = ""
    problems: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path) -> Source:
        """Opens a regular file, plain or gzip.

        Raises:
            InputError: It is not there, not a regular file, or not readable.
        """
        source = cls(path)
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise InputError("is not a regular file", where=show_path(path))
            data = b""
            for chunk in source._bytes(HEAD_BYTES):
                data += chunk
                if len(data) >= HEAD_BYTES:
                    break
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError(f"cannot be read: {reason}", where=show_path(path)) from None
        source.problems.clear()
        encoding, skip = sniff_encoding(data)
        source.head = codecs.getincrementaldecoder(encoding)("replace").decode(data[skip:])
        return source

    def _bytes(self, size: int) -> Iterator[bytes]:
        """The file's bytes in pieces, decompressed; a damaged or cut gzip file gives what it still holds."""
        with self.path.open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            if not packed:
                while data := raw.read(size):
                    yield data
                return
            unpack = zlib.decompressobj(wbits=31)
            left = b""
            unpacked = 0
            while True:
                left = left or raw.read(size)
                if not left:
                    self.problems.append("the compressed file ends early")
                    return
                try:
                    data = unpack.decompress(left, size)
                except zlib.error as error:
                    self.problems.append(f"the compressed file is damaged: {error}")
                    return
                if data:
                    yield data
                unpacked += len(data)
                if unpacked > _BOMB_BYTES and unpacked > _BOMB_RATIO * raw.tell():
                    self.problems.append(f"unpacks to more than {_BOMB_RATIO} times its size; the rest is not read")
                    return
                left = unpack.unconsumed_tail
                if unpack.eof:
                    left = unpack.unused_data or raw.read(size)
                    if not left.startswith(b"\x1f\x8b"):
                        return
                    unpack = zlib.decompressobj(wbits=31)

    def chunks(self, size: int = _CHUNK) -> Iterator[str]:
        """The whole text in pieces; damaged bytes become U+FFFD, which is noted, as is a damaged end."""
        read = 0
        decoder: codecs.IncrementalDecoder | None = None
        damaged = False
        for data in self._pieces(size):
            skip = 0
            if decoder is None:
                encoding, skip = sniff_encoding(data)
                decoder = codecs.getincrementaldecoder(encoding)("replace")
            read += len(data)
            text = decoder.decode(data[skip:], final=not data)
            if "\ufffd" in text and not damaged:
                damaged = True
                self.problems.append("holds damaged characters; they are shown as U+FFFD")
            if text:
                yield text
            if read > MAX_BYTES:
                self.problems.append(f"is larger than {MAX_BYTES // 1024**3} GB; the rest is not read")
                return

    def _pieces(self, size: int) -> Iterator[bytes]:
        """The bytes, and an empty piece at their end, by which a decoder knows it."""
        try:
            yield from self._bytes(size)
        except OSError as error:
            self.problems.append(f"cannot be read to its end: {error.strerror}")
        yield b""

    def text(self) -> str:
        """The whole text."""
        return "".join(self.chunks())


@dataclass(slots=True)
class Piece:
    """One element of a JSON array, or one of several JSON values in a row.

    Attributes:
        index: Its position, from 0.
        value: The parsed value.
    """

    index: int
    value: Any


class JsonStream:
    """Reads the elements of a JSON array, or JSON values in a row, one at a time.

    What stands before a syntax error is kept; the error is put into the source's problems, and ``complete`` is False.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._chunks = source.chunks()
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._decoder = json.JSONDecoder()
        self.complete = True
        self.is_array = False

    def __iter__(self) -> Iterator[Piece]:
        """Yields the elements; never raises for content."""
        self.is_array = self._peek() == "["
        if self.is_array:
            self._at += 1
        index = 0
        while True:
            char = self._peek()
            if index and self.is_array and char == ",":
                self._at += 1
                char = self._peek()
            if self.is_array and char == "]":
                self._at += 1
                if self._peek():
                    self._stop("something follows the end of the list")
                return
            if not char:
                if self.is_array:
                    self._stop("the text ends early; the file looks truncated")
                return
            found, value = self._value()
            if not found:
                return
            yield Piece(index, value)
            index += 1

    def _more(self, least: int) -> bool:
        """Reads on, at least that many characters; what is done with is let go."""
        self._line += self._buffer.count("\n", 0, self._at)
        parts = [self._buffer[self._at :]]
        self._at = 0
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
            self._at = end
            return True, value

    def _stop(self, what: str) -> None:
        line = self._line + self._buffer.count("\n", 0, self._at)
        column = self._at - (self._buffer.rfind("\n", 0, self._at) + 1) + 1
        self._source.problems.append(f"line {line}, column {column}: {what}")
        self.complete = False
