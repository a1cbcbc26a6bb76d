"""Answers that are more than one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.score.reply import Reply, Status

if TYPE_CHECKING:
    from judge.score.values import Value


@dataclass(frozen=True, slots=True)
class TimedReply:
    """A series of calls that were timed as one.

    Attributes:
        status: ``returned`` when every call was made, whatever it did; else why not.
        replies: One for each input; empty when the series failed.
        cpu_s: CPU seconds of the series, read from outside, with those of processes that it started.
        wall_s: Seconds of the series.
        idle_cpu_s: CPU seconds that other threads and processes of the worker used while it had nothing to do.
        detail: One line for people.
        evidence: Signs of cheating.
    """

    status: Status
    replies: tuple[Reply, ...] = ()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    idle_cpu_s: float = 0.0
    detail: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Value, ...]:
        """The output of each call; None for one that raised."""
        return tuple(reply.value for reply in self.replies)


@dataclass(frozen=True, slots=True)
class ProgramReply:
    """What a program did.

    Attributes:
        status: ``returned`` when it ended by itself, whatever its exit code.
        stdout: What it printed, cut to the limit.
        stderr: The end of what it wrote there.
        exit_code: Its exit code; -N when signal N ended it, None when it was stopped.
        cpu_s: CPU seconds, read from outside.
        wall_s: Seconds.
        detail: One line for people.
        evidence: Signs of cheating.
    """

    status: Status
    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    detail: str = ""
    evidence: tuple[str, ...] = ()
