"""What earlier runs found out about files, by what is in them, in one database in the user's cache folder.

Keys are hashes of content and of the analysis itself, so that a workspace can only ever give what stands for its own
content, and another version of the program finds nothing. Values are JSON. The cache is a convenience: one that is
damaged, locked, foreign or not writable is done without, and told about once.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

MAX_SIZE = 256 * 1024 * 1024
"""Bytes of values that are kept."""
MAX_VALUE = 64 * 1024 * 1024
"""Bytes of the largest single value."""
_NAME = "facts-1.sqlite"
_WAIT = 2.0
"""Seconds to wait for another process."""
_DAY = 86_400
_MANY = 500
_PASSING = ("locked", "busy", "readonly", "read-only", "unable to open", "full", "I/O")
"""What SQLite says when the database itself may be well."""
_TABLE = (
    "CREATE TABLE IF NOT EXISTS facts "
    "(key TEXT PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL, sum INTEGER NOT NULL, value BLOB NOT NULL)"
)


class GraphCache:
    """A bounded store of values by key.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     cache = GraphCache(Path(folder) / "graph")
        ...     cache.save({"key": b"[1]"})
        ...     cache.load(["key", "other"])
        {'key': b'[1]'}
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] | None = None, max_size: int = MAX_SIZE) -> None:
        """Nothing is opened or created yet.

        Args:
            folder: Where the database lies or is to be created.
            tell: Called with one line, at most once, when the cache cannot be used.
            max_size: Bytes of values that are kept.
        """
        self._folder = folder
        self._path = folder / _NAME
        self._tell = tell
        self._max_size = max_size

    def load(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that are known and whole."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, bytes] = {}
        if wanted and self._path.exists():
            self._use(lambda database: self._fetch(database, wanted, found))
        return found

    def save(self, values: Mapping[str, bytes]) -> None:
        """Keep values; the longest unused ones make room."""
        kept = {key: value for key, value in values.items() if len(value) <= min(MAX_VALUE, self._max_size // 2)}
        if kept:
            self._use(lambda database: self._store(database, kept), create=True)

    def _fetch(self, database: sqlite3.Connection, wanted: list[str], found: dict[str, bytes]) -> None:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
            return  # another process is about to make it
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            query = f"SELECT key, sum, value FROM facts WHERE key IN ({','.join('?' * len(some))})"
            for key, checksum, value in database.execute(query, some):
                if isinstance(value, bytes) and zlib.crc32(value) == checksum:
                    found[key] = value
        now = int(time.time())
        with suppress(sqlite3.OperationalError), database:  # not to write does no harm
            database.executemany(  # to the day, so that most runs write nothing
                "UPDATE facts SET used = ? WHERE key = ? AND used < ?", [(now, key, now - _DAY) for key in found]
            )

    def _store(self, database: sqlite3.Connection, values: Mapping[str, bytes]) -> None:
        now = int(time.time())
        rows = [(key, now, len(value), zlib.crc32(value), value) for key, value in values.items()]
        with database:
            database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?)", rows)
        self._prune(database)

    def _prune(self, database: sqlite3.Connection) -> None:
        (total,) = database.execute("SELECT coalesce(sum(size), 0) FROM facts").fetchone()
        if total <= self._max_size:
            return
        doomed = []
        for key, size in database.execute("SELECT key, size FROM facts ORDER BY used, rowid"):
            if total <= self._max_size * 3 // 4:
                break
            doomed.append((key,))
            total -= size
        with database:
            database.executemany("DELETE FROM facts WHERE key = ?", doomed)
        database.execute("PRAGMA incremental_vacuum").fetchall()

    def _use(self, work: Callable[[sqlite3.Connection], None], create: bool = False) -> None:
        """Do something with the database; what fails is told and forgotten."""
        try:
            if create:
                self._create()
            self._check()
            with closing(sqlite3.connect(self._path, timeout=_WAIT)) as database:
                if create:
                    database.execute("PRAGMA auto_vacuum = INCREMENTAL")
                    database.execute("PRAGMA synchronous = OFF")  # what a crash damages is thrown away and made again
                    database.execute(_TABLE)
                work(database)
        except sqlite3.OperationalError as error:
            if any(word in str(error) for word in _PASSING):
                self._give_up(str(error))
            else:
                self._discard(str(error))
        except sqlite3.DatabaseError as error:
            self._discard(str(error))
        except OSError as error:
            self._give_up(error.strerror or str(error))

    def _create(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._path.exists():
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))

    def _check(self) -> None:
        """Refuse what others could have written.

        Raises:
            OSError: The folder or the file is not ours alone.
        """
        for path in (self._folder, self._path):
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode) and path == self._path:
                raise OSError("the file is a link")
            status = path.stat()
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                raise OSError(f"others may write to {path}")

    def _discard(self, why: str) -> None:
        """Throw a damaged database away; the next run starts a new one."""
        try:
            for suffix in ("", "-journal", "-wal", "-shm"):
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
        except OSError:
            why += ", and cannot be removed"
        self._give_up(why)

    def _give_up(self, why: str) -> None:
        tell, self._tell = self._tell, None
        if tell is not None:
            tell(f"the cache of facts in {self._folder} cannot be used: {why}")
