"""Calls that wait for their result, found by id or, where there is none, by tool and arguments."""

from __future__ import annotations

from collections import deque


class OpenCalls:
    """Calls of a run that records a call and its execution apart from one another."""

    def __init__(self) -> None:
        self._alike: dict[tuple[str, str], deque[str]] = {}
        self._named: dict[str, deque[str]] = {}
        self._waiting: set[str] = set()

    def add(self, id: str, tool: str, arguments: str = "") -> None:
        """Notes a call.

        Args:
            id: Its id.
            tool: The tool's name.
            arguments: Its arguments as text, the same for the same arguments.
        """
        self._waiting.add(id)
        self._alike.setdefault((tool, arguments), deque()).append(id)
        self._named.setdefault(tool, deque()).append(id)

    def take(self, tool: str, arguments: str = "", *, given: str = "") -> str:
        """The id of the call that was executed, which waits no longer; empty when there is none.

        Args:
            tool: The tool that was executed.
            arguments: What it was given.
            given: The id that the execution names; then no other call is meant.
        """
        if given:
            found = given if given in self._waiting else ""
        else:
            found = self._oldest(self._alike.get((tool, arguments))) or self._oldest(self._named.get(tool))
        self._waiting.discard(found)
        return found

    def _oldest(self, calls: deque[str] | None) -> str:
        while calls:
            if calls[0] in self._waiting:
                return calls[0]
            calls.popleft()
        return ""
