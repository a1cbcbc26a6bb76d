"""Opens paths below a folder so that no link, however placed or swapped meanwhile, leads out of it.

Nothing is checked by path and opened later. Every component is opened relative to the folder before it, links are
never followed by the system but read and resolved here, and what was opened is looked at again through its descriptor.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge.workspace.entry import Skip

MAX_LINKS = 40
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY


class Refused(Exception):
    """A path that is not opened, with the reason."""

    def __init__(self, reason: Skip, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file or folder.

    Attributes:
        fd: Its descriptor, closed at the end of the ``with`` block.
        stat: What the descriptor points to.
        real: The path from the root with all links resolved.
    """

    fd: int
    stat: os.stat_result
    real: tuple[bytes, ...]

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder; otherwise it is a regular file."""
        return stat.S_ISDIR(self.stat.st_mode)


@dataclass(frozen=True, slots=True)
class Root:
    """The folder that is never left.

    Attributes:
        path: Absolute path with links resolved.
        alias: The absolute path as the user gave it.
        identity: Device and inode, so that a folder put in its place is noticed.
    """

    path: Path
    alias: Path
    identity: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> Root:
        """The root at that path.

        Raises:
            OSError: It is no folder or cannot be opened.
        """
        fd = os.open(path, _FOLDER)
        try:
            info = os.fstat(fd)
        finally:
            os.close(fd)
        return cls(Path(os.path.realpath(path)), Path(os.path.abspath(path)), (info.st_dev, info.st_ino))

    def inside(self, target: bytes) -> bytes | None:
        """An absolute link target as a path from the root; None when it lies outside."""
        for base in (os.fsencode(self.path), os.fsencode(self.alias)):
            base = base.rstrip(b"/") + b"/"
            if target.startswith(base) or target + b"/" == base:
                return target[len(base) :]
        return None

    @contextmanager
    def open(self, raw: bytes) -> Iterator[Opened]:
        """Opens a regular file or folder below the root; links are followed as long as they stay inside.

        Raises:
            Refused: It leads out, loops, is neither file nor folder, or cannot be opened.
        """
        walker = _Walker(self, raw)
        try:
            yield walker.run()
        finally:
            walker.close()


class _Walker:
    """One way from the root to a path, with one descriptor open at a time."""

    def __init__(self, root: Root, raw: bytes) -> None:
        self.root = root
        self.pending: deque[bytes] = deque(raw.split(b"/"))
        self.real: list[bytes] = []
        self.links = 0
        self.fd = -1

    def run(self) -> Opened:
        try:
            self._restart()
            while self.pending:
                part = self.pending.popleft()
                if part == b"..":
                    self._up()
                elif part not in {b"", b"."}:
                    self._step(part)
            return Opened(self.fd, os.fstat(self.fd), tuple(self.real))
        except FileNotFoundError:
            raise Refused(Skip.LINK_BROKEN if self.links else Skip.CHANGED, "it is not there") from None
        except (OSError, ValueError) as error:  # ValueError: a NUL in a path asked for
            raise Refused(Skip.UNREADABLE, getattr(error, "strerror", None) or str(error)) from None

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _restart(self) -> None:
        self.close()
        self.fd = os.open(self.root.path, _FOLDER)
        info = os.fstat(self.fd)
        if (info.st_dev, info.st_ino) != self.root.identity:
            raise Refused(Skip.CHANGED, "the workspace folder was replaced")
        self.real.clear()

    def _up(self) -> None:
        """Handles ``..``: from the root again, as the descriptor's own parent could have been moved outside."""
        if not self.real:
            raise Refused(Skip.LINK_OUTSIDE)
        self.pending.extendleft(reversed(self.real[:-1]))
        self._restart()

    def _step(self, part: bytes) -> None:
        mode = os.stat(part, dir_fd=self.fd, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            self._follow(os.readlink(part, dir_fd=self.fd))
            return
        last = not any(name not in {b"", b"."} for name in self.pending)
        if not stat.S_ISDIR(mode) and not last:
            raise Refused(Skip.LINK_BROKEN if self.links else Skip.CHANGED, "a file stands where a folder should")
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise Refused(Skip.SPECIAL, kind_of(mode))
        found = os.open(part, _FLAGS, dir_fd=self.fd)
        self.close()
        self.fd = found
        opened = os.fstat(found).st_mode
        if stat.S_IFMT(opened) != stat.S_IFMT(mode):
            raise Refused(Skip.CHANGED, "another kind of file took its place")
        self.real.append(part)

    def _follow(self, target: bytes) -> None:
        self.links += 1
        if self.links > MAX_LINKS:
            raise Refused(Skip.LINK_LOOP)
        if target.startswith(b"/"):
            below = self.root.inside(target)
            if below is None:
                raise Refused(Skip.LINK_OUTSIDE)
            self._restart()
            target = below
        self.pending.extendleft(reversed(target.split(b"/")))


def kind_of(mode: int) -> str:
    """What a file that is neither regular nor a folder is, in one word."""
    kinds = {
        stat.S_IFIFO: "FIFO",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
    }
    return kinds.get(stat.S_IFMT(mode), "special file")
