"""Knows when everything that may still ask is waiting for an answer: then a batch is as large as it gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class _Hold:
    """One piece of work; ``waiting`` counts its calls that wait, those of the pieces inside it included."""

    __slots__ = ("parent", "waiting")

    def __init__(self, parent: _Hold | None) -> None:
        self.parent = parent
        self.waiting = 0


class Holds:
    """The pieces of work that are under way.

    Args:
        changed: Is called when one begins, ends, or begins or ends to wait.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._open: set[_Hold] = set()
        self._current: ContextVar[_Hold | None] = ContextVar("hold", default=None)

    @property
    def all_wait(self) -> bool:
        """Whether there is work, and all of it waits."""
        return bool(self._open) and all(hold.waiting for hold in self._open)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Says that something is at work that may still ask; tasks that are made inside belong to it."""
        hold = _Hold(self._current.get())
        token = self._current.set(hold)
        self._open.add(hold)
        self._changed()
        try:
            yield
        finally:
            self._open.discard(hold)
            self._current.reset(token)
            self._changed()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Says that the piece of work around it waits."""
        chain = []
        hold = self._current.get()
        while hold is not None:
            chain.append(hold)
            hold = hold.parent
        for hold in chain:
            hold.waiting += 1
        self._changed()
        try:
            yield
        finally:
            for hold in chain:
                hold.waiting -= 1
            self._changed()
