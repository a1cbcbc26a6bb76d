"""A trajectory file or folder as the formats see it: decompressed, decoded, and read piece by piece."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from judge.errors import InputError
from judge.jsontext import show_path, sniff_encoding
from judge.trajectories.unpack import read_bytes

HEAD_BYTES = 256 * 1024
MAX_BYTES = 2 * 1024**3
_CHUNK = 1024 * 1024
_MAX_LINE = 256 * 1024 * 1024
_MAX_NAMES = 20_000
_MAX_LEVELS = 6


@dataclass(slots=True)
class Source:
    """One file, or one folder, that may hold trajectories.

    Attributes:
        path: The file or folder.
        head: The first characters of a file, decoded and decompressed, for telling the format; empty for a folder.
        is_folder: Whether it is a folder; its files are reached by ``names`` and ``file``.
        problems: What was wrong with the bytes, filled while they are read; shared with the files of a folder.
    """

    path: Path
    head: str = ""
    is_folder: bool = False
    problems: list[str] = field(default_factory=list)
    whole: bool = False
    """Whether ``head`` is the whole text."""
    redact: bool = True
    """Whether secrets are masked in the steps that are made of it."""

    @classmethod
    def open(cls, path: Path) -> Source:
        """Opens a regular file, plain, gzip or Zstandard, or a folder.

        Raises:
            InputError: It is not there, neither a file nor a folder, or not readable.
        """
        source = cls(path)
        try:
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                os.scandir(path).close()
                source.is_folder = True
                return source
            if not stat.S_ISREG(mode):
                raise InputError("is not a regular file", where=show_path(path))
            data = b""
            source.whole = True
            for chunk in read_bytes(path, HEAD_BYTES, source.problems):
                data += chunk
                if len(data) >= HEAD_BYTES:
                    source.whole = False
                    break
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError(f"cannot be read: {reason}", where=show_path(path)) from None
        source.problems.clear()
        encoding, skip = sniff_encoding(data)
        source.head = codecs.getincrementaldecoder(encoding)("replace").decode(data[skip:])
        return source

    def names(self) -> tuple[str, ...]:
        """The regular files of a folder, some levels deep, relative with ``/``, sorted; links are not followed."""
        found: list[str] = []
        if self.is_folder:
            for place, folders, files in os.walk(self.path):
                level = Path(place).relative_to(self.path)
                folders[:] = sorted(f for f in folders if f not in {".git", "node_modules", "__pycache__"})
                if len(level.parts) >= _MAX_LEVELS:
                    folders.clear()
                found += [(level / name).as_posix() for name in sorted(files)]
                if len(found) >= _MAX_NAMES:
                    break
        return tuple(sorted(found)[:_MAX_NAMES])

    def file(self, name: str) -> Source | None:
        """A file beside or inside: of a folder by its relative name, of a file a neighbour; None when it is not there.

        Names that lead out of the place, links and special files give None.
        """
        base = self.path if self.is_folder else self.path.parent
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if not parts or ".." in parts or PurePosixPath(name).is_absolute():
            return None
        path = base.joinpath(*parts)
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                return None
            opened = Source.open(path)
        except (OSError, ValueError, InputError):
            return None
        opened.problems = self.problems
        opened.redact = self.redact
        return opened

    def chunks(self, size: int = _CHUNK) -> Iterator[str]:
        """The whole text in pieces; damaged bytes become U+FFFD, which is noted, as is a damaged end."""
        decoder: codecs.IncrementalDecoder | None = None
        damaged = False
        for data in self._pieces(size):
            skip = 0
            if decoder is None:
                encoding, skip = sniff_encoding(data)
                decoder = codecs.getincrementaldecoder(encoding)("replace")
            text = decoder.decode(data[skip:], final=not data)
            if not damaged and not text.isascii() and "\ufffd" in text:
                damaged = True
                self.note_damaged()
            if text:
                yield text

    def note_damaged(self) -> None:
        """Notes, once, that the file holds bytes that are no text."""
        line = "holds damaged characters; they are shown as U+FFFD"
        if line not in self.problems:
            self.problems.append(line)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that hold something, numbered from 1, as UTF-8 bytes without line end, whatever the encoding."""
        rest: list[bytes] = []
        size = number = 0
        for data in self._utf8():
            start = 0
            while (end := data.find(b"\n", start)) >= 0:
                rest.append(data[start:end])
                start, number = end + 1, number + 1
                line = rest[0] if len(rest) == 1 else b"".join(rest)
                rest, size = [], 0
                if line.strip(b" \t\r\0"):
                    yield number, line
            if start < len(data):
                rest.append(data[start:])
                size += len(data) - start
            if size > _MAX_LINE:
                self.problems.append(f"line {number + 1} is longer than {_MAX_LINE >> 20} MB; the rest is not read")
                return
        line = b"".join(rest)
        if line.strip(b" \t\r\0"):
            yield number + 1, line

    def text_lines(self) -> Iterator[str]:
        """All lines of a text file, without line ends; damaged characters are replaced and noted."""
        rest = ""
        for text in self.chunks():
            *whole, rest = (rest + text).split("\n")
            yield from (_plain(line) for line in whole)
            if len(rest) > _MAX_LINE:
                self.problems.append(f"a line is longer than {_MAX_LINE >> 20} MB; the rest is not read")
                return
        if rest.strip("\0"):
            yield _plain(rest)

    def text(self) -> str:
        """The whole text."""
        return "".join(self.chunks())

    def _utf8(self) -> Iterator[bytes]:
        pieces = self._pieces(_CHUNK)
        first = next(pieces, b"")
        encoding, skip = sniff_encoding(first)
        if encoding == "utf-8":
            yield first[skip:]
            yield from pieces
            return
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        yield decoder.decode(first[skip:], final=not first).encode("utf-8", "replace")
        for data in pieces:
            yield decoder.decode(data, final=not data).encode("utf-8", "replace")

    def _pieces(self, size: int) -> Iterator[bytes]:
        """The bytes, and an empty piece at their end, by which a decoder knows it."""
        read = 0
        try:
            for data in read_bytes(self.path, size, self.problems):
                yield data
                read += len(data)
                if read > MAX_BYTES:
                    self.problems.append(f"is larger than {MAX_BYTES // 1024**3} GB; the rest is not read")
                    break
        except OSError as error:
            self.problems.append(f"cannot be read to its end: {error.strerror}")
        yield b""


def _plain(line: str) -> str:
    """A line without its end, and without the NULs that a crash leaves in a file."""
    return line.removesuffix("\r").replace("\0", "") if "\0" in line else line.removesuffix("\r")
