"""What an earlier run kept of a whole workspace, each kind under a key of its own, fetched when it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from judge.modules.graph.cache_codec import CodecError, decode, encode, revive
from judge.modules.graph.deferred import Lead
from judge.modules.graph.facts import Definition, FileAccess, Import
from judge.modules.graph.rows import Rows

if TYPE_CHECKING:
    from judge.modules.graph.cache import GraphCache

LISTS: dict[str, Any] = {
    "definitions": tuple[Definition, ...],
    "imports": tuple[Import, ...],
    "accesses": tuple[FileAccess, ...],
}


class Lists:
    """Definitions, imports and file accesses of the files, fetched when the first of them is asked for."""

    def __init__(self, cache: GraphCache, key: str) -> None:
        self._cache = cache
        self._key = f"{key}-lists"
        self._lock = threading.Lock()
        self._plain: dict[str, dict[str, object]] | None = None

    def take(self, path: str, name: str) -> Any:
        """A list of a file, once.

        Raises:
            CodecError: What is stored is something else.
            KeyError: It is not there any more.
        """
        with self._lock:
            if self._plain is None:
                self._plain = {}
                stored = decode(dict[str, object], self._cache.load([self._key])[self._key])
                for place, lists in stored.items():
                    if isinstance(lists, list) and len(lists) == len(LISTS):
                        self._plain[place] = dict(zip(LISTS, lists, strict=True))
            found = self._plain[path].pop(name)
        return revive(LISTS[name], found)


class RowsStore:
    """Nodes and edges, from the cache or made once and stored."""

    def __init__(self, cache: GraphCache, key: str, make: Callable[[], Rows]) -> None:
        self._cache = cache
        self._key = f"{key}-rows"
        self._make = make

    def __call__(self) -> Rows:
        """All of them."""
        known = self._cache.load([self._key]).get(self._key)
        if known is not None:
            try:
                return Rows.from_plain(decode(object, known))
            except (CodecError, KeyError, TypeError, ValueError, IndexError):
                pass
        rows = self._make()
        keep(self._cache, self._key, rows.to_plain())
        return rows


class LeadsStore:
    """Calls that lead into the workspace, by the path of their file, fetched when the first of them is asked for."""

    def __init__(self, cache: GraphCache, key: str) -> None:
        self._cache = cache
        self._key = f"{key}-leads"
        self._lock = threading.Lock()
        self._plain: dict[str, object] | None = None

    def __call__(self, path: str) -> tuple[Lead, ...] | None:
        """Those of a file; None when they were not kept."""
        with self._lock:
            if self._plain is None:
                self._plain = {}
                with suppress(CodecError, KeyError):
                    self._plain = decode(dict[str, object], self._cache.load([self._key])[self._key])
        try:
            return tuple(
                Lead(int(line), str(to), bool(live)) for line, to, live in cast("list[Any]", self._plain[path])
            )
        except (KeyError, TypeError, ValueError):
            return None


def keep(cache: GraphCache, key: str, value: object) -> None:
    """Keep a value that is plain data; others are worked out again."""
    try:
        cache.save({key: encode(value)})
    except CodecError:
        return
