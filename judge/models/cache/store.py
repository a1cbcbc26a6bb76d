"""The file that replies are kept in: SQLite, shared by processes, readable by its owner alone, bounded in size."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
import weakref
from pathlib import Path
from typing import NamedTuple

NAME = "responses.sqlite3"
DEFAULT_BYTES = 512 * 1024 * 1024
"""The file is kept below this size; what was not used for longest goes first."""
_BUSY = 5.0
_TOUCH = 86_400.0
_CHECK_EVERY = 500
_ROOM = 0.8
_SCHEMA_VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, server TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL,
    tokens INTEGER NOT NULL, cost REAL, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON replies (used);
"""


class StoreError(Exception):
    """The file cannot be used, and why in one clause."""


class ModelStats(NamedTuple):
    """Kept replies of one model on one server; ``cost`` is what they did cost, None when that is unknown."""

    model: str
    server: str
    entries: int
    size: int
    tokens: int
    cost: float | None
    oldest: float
    newest: float


class CacheStats(NamedTuple):
    """What is kept; ``size`` is that of the file, bytes."""

    path: Path
    size: int
    models: tuple[ModelStats, ...]


class ReplyStore:
    """Replies by key. Safe for several threads and processes.

    Args:
        folder: Where the file lies; made when it is not there.
        max_bytes: Size that is kept by and by.
    """

    def __init__(self, folder: Path, max_bytes: int = DEFAULT_BYTES) -> None:
        self.path = folder / NAME
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._puts = 0

    def get(self, key: str) -> bytes | None:
        """The body kept under a key; None when there is none.

        Raises:
            StoreError: The file cannot be used.
        """
        with self._lock, _Errors():
            connection = self._open()
            row = connection.execute("SELECT body, used FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            now = time.time()
            if abs(now - row[1]) > _TOUCH:
                connection.execute("UPDATE replies SET used = ? WHERE key = ?", (now, key))
            return bytes(row[0])

    def put(self, key: str, model: str, server: str, body: bytes, *, tokens: int, cost: float | None) -> None:
        """Keeps a body under a key; one that is there already is replaced.

        Raises:
            StoreError: The file cannot be used.
        """
        with self._lock, _Errors():
            now = time.time()
            row = (key, model, server, now, now, tokens, cost, body)
            self._open().execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._puts += 1
            if self._puts % _CHECK_EVERY == 1:
                self._shrink(self._max_bytes)

    def prune(self, *, older_than: float | None = None, max_bytes: int | None = None) -> int:
        """Drops replies and gives the space back.

        Args:
            older_than: Seconds since the last use; None for no limit.
            max_bytes: Size of the file to get below; None for no limit.

        Returns:
            How many were dropped.

        Raises:
            StoreError: The file cannot be used.
        """
        with self._lock, _Errors():
            if not self.path.exists():
                return 0
            connection = self._open()
            gone = 0
            if older_than is not None:
                gone += connection.execute("DELETE FROM replies WHERE used < ?", (time.time() - older_than,)).rowcount
            if max_bytes is not None:
                gone += self._shrink(max_bytes)
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return gone

    def clear(self) -> None:
        """Removes the file, whatever state it is in.

        Raises:
            StoreError: It cannot be removed.
        """
        self.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            try:
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(f"cannot be removed: {error.strerror}") from error

    def stats(self) -> CacheStats:
        """What is kept.

        Raises:
            StoreError: The file cannot be used.
        """
        with self._lock, _Errors():
            if not self.path.exists():
                return CacheStats(self.path, 0, ())
            rows = self._open().execute(
                "SELECT model, server, COUNT(*), SUM(LENGTH(body)), SUM(tokens), "
                "CASE WHEN COUNT(cost) = COUNT(*) THEN SUM(cost) END, MIN(created), MAX(created) "
                "FROM replies GROUP BY model, server ORDER BY COUNT(*) DESC, model, server"
            )
            models = tuple(ModelStats(*row) for row in rows)
            files = [self.path.with_name(self.path.name + suffix) for suffix in ("", "-wal")]
            return CacheStats(self.path, sum(file.stat().st_size for file in files if file.exists()), models)

    def close(self) -> None:
        """Closes the file; it is opened again when needed."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_owner(self.path)
        connection = sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in {0, _SCHEMA_VERSION}:
                raise StoreError(f"was written by another version of this program (format {version})")
            connection.executescript(_TABLE)
            connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        weakref.finalize(self, connection.close)
        return connection

    def _shrink(self, max_bytes: int) -> int:
        connection = self._open()
        gone = 0
        while (used := _used(connection)) > max_bytes:
            (count,) = connection.execute("SELECT COUNT(*) FROM replies").fetchone()
            if not count:
                break
            # Leaves some room, so that this is not needed again at once.
            drop = max(1, int(count * (1 - _ROOM * max_bytes / used)))
            oldest = "DELETE FROM replies WHERE key IN (SELECT key FROM replies ORDER BY used LIMIT ?)"
            gone += connection.execute(oldest, (drop,)).rowcount
        return gone


def _used(connection: sqlite3.Connection) -> int:
    page, count, free = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
    )
    return int(page * (count - free))


def _check_owner(path: Path) -> None:
    """Makes the file for its owner alone; refuses one that somebody else may have written verdicts into."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        if path.is_symlink():
            raise StoreError("is a link, which might lead anywhere") from error
        raise
    try:
        found = os.fstat(descriptor)
        if hasattr(os, "geteuid") and os.geteuid() not in {0, found.st_uid}:
            raise StoreError("belongs to another user")
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise StoreError("may be written by other users")
    finally:
        os.close(descriptor)
    folder = path.parent.stat().st_mode
    if folder & stat.S_IWOTH and not folder & stat.S_ISVTX:
        raise StoreError("lies in a folder that everybody may write to")


class _Errors:
    """Turns what the system and SQLite raise into a StoreError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise StoreError(error.strerror or type(error).__name__) from error
        if isinstance(error, sqlite3.Error):
            raise StoreError(" ".join(str(error).split()) or type(error).__name__) from error
