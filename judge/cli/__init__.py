"""The command line program."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Annotated, Any, NoReturn

import typer

from judge.cli import streams
from judge.cli.lazy import LazyGroup
from judge.errors import ExitCode, JudgeError
from judge.text import printable

__all__ = ["build_app", "main"]

_PATIENCE = 100_000
"""Objects that may be made before the next look for garbage."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from judge import __version__

        typer.echo(f"judge {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something unexpected fails.")] = False,
) -> None:
    """Agent-as-a-Judge: decides, requirement by requirement, whether an agent did what it was asked.

    Exit codes: 0 ok, 1 gate failed, 2 bad input or usage, 3 provider failure, 4 budget reached, 5 incomplete run,
    130 interrupted.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(int(ExitCode.BAD_INPUT))


def build_app() -> Any:
    """The command tree; no command's module is imported yet."""
    app = typer.Typer(
        name="judge",
        cls=LazyGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    return typer.main.get_command(app)


def _report(error: BaseException, debug: bool) -> int:
    """Prints an error as one line, or the help of a group without a command, and says which exit code it means."""
    code: int
    if type(error).__name__ == "NoArgsIsHelpError":  # the library of the command line keeps this class to itself
        with suppress(OSError):
            print(printable(str(error)), file=sys.stderr)  # noqa: T201
        return int(ExitCode.BAD_INPUT)
    if isinstance(error, JudgeError):
        line, code = str(error), int(error.exit_code)
    elif hasattr(error, "format_message"):  # a usage error of the command line library
        context = getattr(error, "ctx", None)
        hint = f" (try '{context.command_path} --help')" if context is not None else ""
        line, code = " ".join(str(error.format_message()).split()) + hint, int(ExitCode.BAD_INPUT)
    elif isinstance(error, OSError) and error.errno is not None:  # a full disk, a folder that was removed meanwhile
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        line, code = f"{place}{error.strerror or error}", int(ExitCode.BAD_INPUT)
    else:
        text = " ".join(str(error).split())
        line = f"{type(error).__name__}: {text}" if text else type(error).__name__
        if not debug:
            line += " (this is a defect of judge; `judge --debug …` shows where)"
        code = int(ExitCode.GATE_FAILED)
    if debug:
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    with suppress(OSError):  # nobody can be told
        print(f"judge: error: {printable(line)}", file=sys.stderr)  # noqa: T201
    return code


def _leave(code: int) -> NoReturn:
    """Ends the process with that code."""
    if streams.finish() and code == ExitCode.OK:
        code = int(ExitCode.BAD_INPUT)
    if code == ExitCode.INTERRUPTED:
        os._exit(code)  # worker threads that still read or compute must not hold up the exit
    sys.exit(code)


def _be_patient() -> None:
    """Looks for garbage seldom: what a command loads and makes mostly stays until its end."""
    gc.set_threshold(_PATIENCE)
    atexit.register(gc.freeze)  # nor is there a last look when all is given back anyway


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the program and exits the process with one of the documented codes.

    Args:
        arguments: Command line without the program name; the process's own when None.
    """
    argv = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in takewhile(lambda word: word.startswith("-"), argv)
    streams.prepare()
    _be_patient()
    try:
        result = build_app()(args=argv, prog_name="judge", standalone_mode=False)
        code = result if isinstance(result, int) else 0
    except KeyboardInterrupt:
        code = int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        streams.silence(sys.stdout)
        code = 0
    except Exception as error:  # noqa: BLE001 - the process boundary: everything becomes one line
        code = int(ExitCode.INTERRUPTED) if isinstance(error, typer.Abort) else _report(error, debug)
    _leave(code)
