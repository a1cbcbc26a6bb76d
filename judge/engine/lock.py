"""One process at a time in a folder."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from judge.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

LOCK = ".lock"


def take_lock(folder: Path) -> int:
    """Takes the lock of a folder; closing the descriptor, or the end of the process, releases it.

    Args:
        folder: An existing folder.

    Returns:
        The descriptor that holds the lock.

    Raises:
        InputError: Another process holds it.
        OSError: The folder cannot be written.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        who = f" (process {owner})" if owner else ""
        raise InputError(
            f"another judge run is writing here{who}", where=str(folder), hint="choose another --out"
        ) from error
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
