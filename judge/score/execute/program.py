"""What is run: a submission, or a file of the suite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Program:
    """Files and what to ask them.

    Attributes:
        files: Contents by name; names are relative, with ``/``.
        main: The file that is loaded or run.
        entry: The function or class asked for; empty for a program, or to load the file only.
        kind: What it is.
        asynchronous: Whether a coroutine that it returns is awaited.
        allow_imports: Top-level modules it may import; empty allows all that are there.
        deny_imports: Top-level modules it may not import.
    """

    files: Mapping[str, bytes]
    main: str
    entry: str
    kind: Literal["function", "class", "program"]
    asynchronous: bool = False
    allow_imports: tuple[str, ...] = ()
    deny_imports: tuple[str, ...] = ()

    def problem(self) -> str:
        """Why it cannot be run; empty when it can."""
        if self.main not in self.files:
            return f"there is no file {self.main!r}"
        for name in self.files:
            parts = name.split("/")
            if not name or "\0" in name or name.startswith("/") or any(part in ("", ".", "..") for part in parts):
                return f"no name for a file: {name!r}"
        return ""
