"""Files of a bounded size, and their lines: what is no regular file, or too long, is refused before it is read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

MAX_WHOLE = 64 * 1024 * 1024
"""Bytes of a file that is read at once."""
MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line."""


def read_whole(path: Path, limit: int = MAX_WHOLE) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: It cannot be read, is a pipe or a device, or is larger than ``limit``.
    """
    with os.fdopen(_open(path), "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // (1024 * 1024)} MB", str(path))
    return data


def read_lines(path: Path, limit: int = MAX_LINE) -> Iterator[bytes]:
    """The lines of a regular file with their line feeds; of a line that is longer than ``limit``, its start.

    Raises:
        OSError: It cannot be read, or is a pipe or a device.
    """
    with os.fdopen(_open(path), "rb") as stream:
        while line := stream.readline(limit):
            rest = line
            while len(rest) == limit and not rest.endswith(b"\n"):
                rest = stream.readline(limit)
            yield line if rest is line or not rest.endswith(b"\n") else line + b"\n"


def _open(path: Path) -> int:
    # Without waiting: a pipe that nobody writes to would otherwise be opened for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return descriptor
