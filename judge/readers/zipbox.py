"""Zip files opened with care: no bombs, no more members and bytes than the bounds allow."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

from judge.readers.document import Limits, ReaderProblem, Source, State

_MAX_MEMBERS = 300_000
_FREE = 4 * 1024 * 1024
"""Members that unpack to less than this may be packed as tightly as they like."""


class Window(io.RawIOBase):
    """The head and the tail of a file as a seekable stream; reading what lies between fails."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._head = source.data
        self._tail = source.tail
        self._size = source.size if source.truncated else len(source.data)
        self._position = 0

    def seekable(self) -> bool:
        """Always."""
        return True

    def readable(self) -> bool:
        """Always."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Moves the position."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise OSError("before the beginning")
        self._position = base + offset
        return self._position

    def tell(self) -> int:
        """The position."""
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Bytes from the position on; ``OSError`` when they are not at hand."""
        end = self._size if size is None or size < 0 else min(self._size, self._position + size)
        if self._position >= end:
            return b""
        if end <= len(self._head):
            data = self._head[self._position : end]
        elif self._position >= self._size - len(self._tail):
            start = self._size - len(self._tail)
            data = self._tail[self._position - start : end - start]
        else:
            raise OSError("outside of what was read of the file")
        self._position = end
        return data

    def readinto(self, buffer: Any) -> int:
        """Fills a buffer from the position on, as libraries in C want it."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class ZipBox:
    """The members of a zip file.

    Raises:
        ReaderProblem: When made from something that is no whole zip file, or is a bomb.
    """

    def __init__(self, source: Source, limits: Limits) -> None:
        try:
            self._zip = zipfile.ZipFile(Window(source))
            self.infos = self._zip.infolist()
        except (
            zipfile.BadZipFile,
            OSError,
            ValueError,
            NotImplementedError,
            UnicodeError,
            OverflowError,
            IndexError,
        ) as error:
            raise ReaderProblem(f"damaged or cut zip: {error}") from None
        self.comment = self._zip.comment.decode("utf-8", "replace")
        self.names = [info.filename for info in self.infos]
        self.unpacked = sum(info.file_size for info in self.infos)
        self._limits = limits
        self._left = max(limits.max_bytes * 4, _FREE)
        if len(self.infos) > _MAX_MEMBERS:
            raise ReaderProblem(f"{len(self.infos)} members, more than are looked at", State.UNREADABLE)

    def check_bomb(self) -> None:
        """Refuses a file whose directory promises far more than it can hold.

        Raises:
            ReaderProblem: It is a bomb.
        """
        for info in self.infos:
            self._check(info)
        packed = max(1, sum(info.compress_size for info in self.infos))
        if self.unpacked > _FREE and self.unpacked > packed * self._limits.max_expansion:
            raise ReaderProblem(_bomb(self._limits), State.UNREADABLE)

    def has(self, name: str) -> bool:
        """Whether there is such a member."""
        return name in self._zip.NameToInfo

    def size(self, name: str) -> int:
        """Unpacked size of a member as the directory says; 0 when there is none."""
        info = self._zip.NameToInfo.get(name)
        return info.file_size if info else 0

    def read(self, name: str, limit: int = 16 * 1024 * 1024) -> bytes:
        """The first bytes of a member.

        Raises:
            ReaderProblem: It is not there, damaged, encrypted or a bomb.
        """
        info = self._zip.NameToInfo.get(name)
        if info is None:
            raise ReaderProblem(f"no {name} in it")
        self._check(info)
        limit = min(limit, self._left)
        try:
            with self._zip.open(info) as file:
                data = file.read(limit)
                if len(data) < limit:
                    file.read(1)  # reaching the end checks the sum
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, IndexError) as error:
            raise ReaderProblem(f"damaged member {name}: {error}") from None
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or an unknown compression
            raise ReaderProblem(f"{name}: {error}", State.UNREADABLE) from None
        self._left -= len(data)
        if self._left <= 0:
            raise ReaderProblem(_bomb(self._limits), State.UNREADABLE)
        return data

    def _check(self, info: zipfile.ZipInfo) -> None:
        allowed = max(_FREE, max(1, info.compress_size) * self._limits.max_expansion)
        if info.file_size > allowed:
            raise ReaderProblem(_bomb(self._limits), State.UNREADABLE)


def _bomb(limits: Limits) -> str:
    return f"unpacks to more than {limits.max_expansion} times its size"


def is_zip(data: bytes) -> bool:
    """Whether bytes begin as a zip file does."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))
