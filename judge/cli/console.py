"""What goes to the terminal: results to stdout, everything else to stderr, names never taken for markup."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from judge.text import json_printable, printable

if TYPE_CHECKING:
    from rich.console import Console


def show(text: str = "") -> None:
    """Prints one part of a result on stdout."""
    typer.echo(printable(text))


def say(text: str) -> None:
    """Prints one line for the user on stderr; a stderr that cannot be written never ends a run."""
    with suppress(OSError):
        typer.echo(printable(text), err=True)


def show_json(value: Any) -> None:
    """Prints a result as one JSON document on stdout; NaN, which JSON has not, becomes null."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, default=str, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=2, default=str)
    typer.echo(json_printable(text))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value


def console(*, stderr: bool = False) -> Console:
    """A rich console that treats every text as text: no markup, no emoji codes, no highlighting."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the library would end the process with a code of its own

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 200
    return Plain(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=not stream.isatty(), width=width)
