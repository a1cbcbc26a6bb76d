"""What the walk reports: files, folders, what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


class Skip(StrEnum):
    """Why a path is not among the readable files."""

    IGNORED = "ignored"
    LINK_OUTSIDE = "link leaves the workspace"
    LINK_BROKEN = "dangling link"
    LINK_LOOP = "link loop"
    SPECIAL = "not a regular file"
    UNREADABLE = "unreadable"
    TOO_DEEP = "too deep"
    TOO_MANY = "too many files"
    TOO_SLOW = "time limit reached"
    CHANGED = "changed while it was read"


@dataclass(frozen=True, slots=True)
class Entry:
    r"""One regular file (or a link to one inside the workspace).

    Attributes:
        path: Workspace-relative, ``/``-separated, valid Unicode and unique: bytes that are no UTF-8, control and
            formatting characters are written ``\xNN`` or ``\uNNNN`` and a backslash is doubled, so a name can never
            break a line.
        raw: The path as the file system has it, relative to the root.
        size: Bytes.
        mtime_ns: Modification time, nanoseconds since the epoch.
        link: Whether the path is (or goes through) a symbolic link.
    """

    path: str
    raw: bytes
    size: int
    mtime_ns: int = 0
    link: bool = False

    @property
    def name(self) -> str:
        """Last part of the path."""
        last = self.path[self.path.rfind("/") + 1 :]
        return last if last not in {"", "."} else PurePosixPath(self.path).name

    @property
    def suffix(self) -> str:
        """Lower-cased extension with its dot, or an empty string."""
        name = self.name
        dot = name.rfind(".")
        return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was left out, with the reason."""

    path: str
    reason: Skip
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes read from a file, at most as many as were asked for.

    Attributes:
        data: The bytes; empty when the file could not be opened.
        size: Size of the whole file, bytes.
        truncated: Whether the file is longer than ``data``.
        problem: What went wrong (unreadable, vanished, changed meanwhile), one clause; empty when nothing did.
        tail: The last bytes of a truncated file, when they were asked for.
    """

    data: bytes
    size: int
    truncated: bool
    problem: str = ""
    tail: bytes = b""


@dataclass(frozen=True, slots=True)
class Text:
    r"""Decoded text of a file.

    Attributes:
        text: Decoded, newlines normalised to ``\n``, BOM removed, NUL shown as ``\ufffd``.
        encoding: The encoding that was used.
        lossy: Whether some bytes could not be decoded.
        truncated: Whether the file is longer than what was read.
        binary: Whether the bytes do not look like text at all; ``text`` is then empty.
        problem: What went wrong while reading, one clause; empty when nothing did.
    """

    text: str
    encoding: str
    lossy: bool = False
    truncated: bool = False
    binary: bool = False
    problem: str = ""
