"""Files that are either the old version or the new one, also when the process is killed between."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomic(path: Path, data: bytes) -> None:
    """Writes a file through a temporary neighbour, flushed to disk before it takes the name.

    Args:
        path: Target; its folder must exist.
        data: The whole content.

    Raises:
        OSError: The file system refused.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def remove_leftovers(folder: Path) -> None:
    """Removes what was half written in a folder when a process was killed; only for who has its lock.

    Raises:
        OSError: The file system refused.
    """
    for leftover in folder.glob(".*.tmp"):
        leftover.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder survive a power cut, where the system can do that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some network file systems cannot sync folders; the file itself is synced
    finally:
        os.close(descriptor)
