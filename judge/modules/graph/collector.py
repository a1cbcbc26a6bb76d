"""No garbage collections while a big graph is built."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 300_000
"""Objects from which it pays to spare the collector a look at all of them."""
_OVERDUE = 1_500_000
"""Objects that were spared, after which one full collection is due before more are made."""


class _Patience:
    """Counts who wants it, because the collector belongs to the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._enabled = False
        self._spared = 0

    def enter(self, another: bool) -> None:
        with self._lock:
            if self._users == 0:
                self._enabled = gc.isenabled()
                if another and self._enabled and self._spared > _OVERDUE:
                    gc.collect()  # graphs that were dropped since hold themselves, and nothing else would find them
                    self._spared = 0
                gc.disable()
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._enabled:
                made = gc.get_count()[0]
                if made > _MANY and gc.get_freeze_count() == 0:
                    # What was built lives on. Freezing and thawing makes it old at no cost; otherwise the next
                    # collections would look at each of its objects three times before they leave it alone.
                    gc.freeze()
                    gc.unfreeze()
                    self._spared += made
                gc.enable()


_patience = _Patience()


@contextmanager
def no_collections(another: bool = False) -> Iterator[None]:
    """Within the block the garbage collector rests: millions of objects are made, and none of them is garbage.

    It would take two thirds of the time on big workspaces.

    Args:
        another: Whether another graph is begun, so that graphs which were dropped before may be looked for first.
    """
    _patience.enter(another)
    try:
        yield
    finally:
        _patience.leave()
