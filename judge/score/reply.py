"""What a worker claims about one question; the judge decides what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.score.values import Value


class Status(StrEnum):
    """How a call ended."""

    RETURNED = "returned"
    RAISED = "raised"
    TIMEOUT = "timeout"
    """CPU or wall limit; the whole process group was killed."""
    MEMORY = "memory"
    CRASHED = "crashed"
    """The worker ended without a reply: a signal, ``os._exit``, or a closed pipe."""
    OUTPUT = "output"
    """More output than allowed, or a reply that cannot be decoded."""
    LOAD = "load"
    """The submission could not be imported, or has no such name."""
    ENGINE = "engine"
    """A fault of ours; never counted against a submission."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: its own type first, then its bases, and its message, cut."""

    types: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    Attributes:
        status: How it ended.
        value: The output, when it returned; for a class the list of the outputs of its calls.
        raised: The exception, when it raised.
        args_after: Positional and keyword arguments after the call as (args, kwargs), when asked for and it returned.
        stdout: What the call printed, cut to the limit.
        cpu_s: CPU seconds read from outside.
        wall_s: Seconds round the pipe.
        detail: One line for people: signal, limit, traceback's last line.
        evidence: Signs of cheating that the worker or the sandbox saw, such as ``audit: os.fork``.
    """

    status: Status
    value: Value = None
    raised: Raised | None = None
    args_after: tuple[tuple[Value, ...], dict[str, Value]] | None = None
    stdout: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    detail: str = ""
    evidence: tuple[str, ...] = ()
