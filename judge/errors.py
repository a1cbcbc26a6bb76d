"""The errors a user can meet: each prints as one line and knows its exit code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command."""

    OK = 0
    GATE_FAILED = 1
    BAD_INPUT = 2
    PROVIDER = 3
    BUDGET = 4
    INCOMPLETE = 5
    INTERRUPTED = 130


class JudgeError(Exception):
    """Base of all errors that are the user's to see: what is wrong, where, and what to do.

    Attributes:
        what: What went wrong, one clause.
        where: File, JSON path, option or server concerned; empty when there is none.
        hint: What the user can do about it; empty when nothing helps.
        exit_code: The exit code of a command that ends with this error.
    """

    exit_code: ExitCode = ExitCode.BAD_INPUT

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """The whole error on one line: ``where: what (hint)``."""
        line = f"{self.where}: {self.what}" if self.where else self.what
        line = f"{line} ({self.hint})" if self.hint else line
        return " ".join(line.split())


class InputError(JudgeError):
    """A file, folder or argument that cannot be used as it is."""


class ConfigError(JudgeError):
    """A setting that is missing, unknown or out of range."""


class ProviderError(JudgeError):
    """A model provider that did not answer usably; never a verdict.

    Attributes:
        retryable: Whether the same call may succeed later.
        status: The HTTP status, when there was one.
    """

    exit_code = ExitCode.PROVIDER

    def __init__(
        self, what: str, *, where: str = "", hint: str = "", retryable: bool = False, status: int | None = None
    ) -> None:
        super().__init__(what, where=where, hint=hint)
        self.retryable = retryable
        self.status = status


class BudgetExceeded(JudgeError):
    """The run's limit on cost or tokens is reached; finished work is kept."""

    exit_code = ExitCode.BUDGET


class RunIncomplete(JudgeError):
    """Some requirements could not be judged."""

    exit_code = ExitCode.INCOMPLETE
