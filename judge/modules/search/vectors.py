"""Rows of numbers: made of length 1, and kept on disk by the content they were made of."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from judge.modules.search.embeddings import Encoder

Vectors: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

_WAIT = 5.0
_LARGEST = 2 * 1024**3
"""Bytes from which a file of kept vectors does not grow."""
_ASKED = 500
_LEAST = 1e-12


def unit(rows: Vectors) -> Vectors:
    """Rows of length 1; what is not finite counts as 0."""
    clean = np.nan_to_num(np.asarray(rows, dtype=np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(clean, axis=1, keepdims=True)
    return np.asarray(clean / np.maximum(lengths, _LEAST), dtype=np.float32)


class KeptEncoder:
    """Makes only the vectors that are not on disk yet. Texts themselves are not kept, only their hashes."""

    def __init__(self, inner: Encoder, folder: Path) -> None:
        """Wraps an encoder.

        Args:
            inner: Makes vectors.
            folder: Where they are kept, one file an encoder; a folder that cannot be written is done without.
        """
        self._inner = inner
        self._file = folder / f"{hashlib.sha256(inner.id.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.sqlite3"

    @property
    def id(self) -> str:
        """That of the encoder."""
        return self._inner.id

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, of length 1 each.

        Raises:
            ProviderError: A server did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        keys = [_key(text, query) for text in texts]
        known = await asyncio.to_thread(self._load, keys)
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
        if missing:
            rows = await self._inner.encode([text for _, text in missing], query=query)
            made = {key: row for (key, _), row in zip(missing, rows, strict=True)}
            sizes = {row.size for row in known.values()}
            if sizes and sizes != {rows.shape[1]}:  # the model behind a name has changed
                rows = await self._inner.encode(list(texts), query=query)
                await asyncio.to_thread(self._save, dict(zip(keys, rows, strict=True)))
                return rows
            await asyncio.to_thread(self._save, made)
            known |= made
        return np.stack([known[key] for key in keys])

    def _load(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        if not self._file.is_file():
            return found
        try:
            with self._open() as connection:
                for start in range(0, len(keys), _ASKED):
                    some = list(dict.fromkeys(keys[start : start + _ASKED]))
                    marks = ",".join("?" * len(some))
                    for key, data in connection.execute(f"SELECT key, data FROM vectors WHERE key IN ({marks})", some):
                        found[key] = np.frombuffer(data, dtype="<f4").astype(np.float32)
        except (sqlite3.Error, ValueError, TypeError, OSError):
            return {}  # a damaged or busy file only costs time
        sizes = {row.size for row in found.values()}
        sound = all(row.size and bool(np.isfinite(row).all()) for row in found.values())
        return found if len(sizes) <= 1 and sound else {}

    def _save(self, rows: dict[str, Vectors]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if self._file.is_file() and self._file.stat().st_size > _LARGEST:
                return
            with self._open() as connection, connection:
                connection.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, data BLOB NOT NULL)")
                values = [(key, row.astype("<f4").tobytes()) for key, row in rows.items()]
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values)
        except (sqlite3.Error, OSError):
            return  # a folder that is full, read-only or busy only costs time

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._file, timeout=_WAIT)) as connection:
            yield connection


def _key(text: str, query: bool) -> str:
    return hashlib.sha256(f"{'q' if query else 'p'}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
