"""What a run tells while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from judge.schemas import Judgment, Usage, VerdictValue


class Progress(Protocol):
    """Receives events on the event loop's thread; must return at once."""

    def started(self, tasks: int, requirements: int, before: Mapping[VerdictValue, int]) -> None:
        """The run begins: how many tasks and requirements, and the verdicts from before that stay."""
        ...

    def task_started(self, name: str) -> None:
        """Work on a task begins."""
        ...

    def judged(self, judgment: Judgment, usage: Usage) -> None:
        """A verdict is on disk; ``usage`` is that of the whole run so far."""
        ...

    def task_finished(self, name: str) -> None:
        """Every requirement of a task has its verdict; not told of one that was interrupted."""
        ...

    def note(self, text: str) -> None:
        """Something the user should know, one line."""
        ...


class Silent:
    """Progress for those who do not look."""

    def started(self, tasks: int, requirements: int, before: Mapping[VerdictValue, int]) -> None:
        """Ignored."""

    def task_started(self, name: str) -> None:
        """Ignored."""

    def judged(self, judgment: Judgment, usage: Usage) -> None:
        """Ignored."""

    def task_finished(self, name: str) -> None:
        """Ignored."""

    def note(self, text: str) -> None:
        """Ignored."""
