"""``judge trajectory``: what format a file is, what it holds, and the same as DevAI JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from judge.cli import options as shared
from judge.errors import ExitCode, InputError, JudgeError

app = typer.Typer(
    name="trajectory",
    help="Tell the format of agents' trajectories, show them, and convert them to DevAI JSON.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

trajectory = app
"""The name under which the table of commands knows it."""

Files = Annotated[
    list[Path],
    typer.Argument(help="Trajectories: files or folders; FILE#NAME for one of several in a file.", metavar="FILE..."),
]
FormatName = Annotated[
    str | None, typer.Option("--format", help="Read it as this format, whatever it looks like.", metavar="NAME")
]
NoRedact = Annotated[
    bool, typer.Option("--no-redact", help="Leave secrets, e-mail addresses and names of home folders as they are.")
]


@app.callback()
def _group() -> None:
    """Tell the format of agents' trajectories, show them, and convert them to DevAI JSON."""


@app.command("detect")
def detect(
    files: Files,
    as_json: shared.AsJson = False,
) -> None:
    """Tell which format each file or folder is, how sure that is, and why.

    Formats are told from the content, never from the name. Ends with 2 when one of the files is of no known format, or
    could be of several equally well.

    --json prints: a list of path, format (null when unknown), candidates (format, confidence, why), problem.
    """
    from judge.cli.console import show, show_json
    from judge.trajectories import choose_format
    from judge.trajectories import detect as candidates

    rows: list[dict[str, Any]] = []
    for path in files:
        row: dict[str, Any] = {"path": str(path), "format": None, "candidates": [], "problem": ""}
        try:
            row["candidates"] = [
                {"format": c.format.name, "confidence": c.match.confidence, "why": c.match.why}
                for c in candidates(path)
            ]
            row["format"] = choose_format(path).name
        except JudgeError as error:
            row["problem"] = str(error)
        rows.append(row)
    if as_json:
        show_json(rows)
    else:
        for row in rows:
            show("\n".join(_detected(row)))
    if any(row["format"] is None for row in rows):
        raise typer.Exit(ExitCode.BAD_INPUT)


def _detected(row: dict[str, Any]) -> list[str]:
    if row["format"] is None:
        return [row["problem"] if row["path"] in row["problem"] else f"{row['path']}: {row['problem']}"]
    first, *others = row["candidates"]
    lines = [f"{row['path']}: {first['format']} ({first['confidence']:.0%} sure: {first['why']})"]
    return lines + [f"  less likely: {c['format']} ({c['confidence']:.0%}: {c['why']})" for c in others]


@app.command("convert")
def convert(
    files: Files,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File for the result, or a folder when there are several; without it one result goes to stdout.",
            metavar="PATH",
        ),
    ] = None,
    format_name: FormatName = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there already.")] = False,
    no_redact: NoRedact = False,
) -> None:
    """Write trajectories as DevAI JSON, which judge run and other tools read.

    Of several files those that cannot be read are named and the others converted; the exit code is then 2.
    What is not recorded stays unknown: where the schema demands a number, 0 is written and usage_known says that it
    means nothing. A file that holds several trajectories gives one file each, in a folder.
    """
    from judge.cli.console import say
    from judge.cli.trajectory_files import Attempts, Writer
    from judge.trajectories import convert as read

    writer = Writer(out, several=len(files) > 1, force=force)
    attempts = Attempts(len(files))
    for path in files:
        with attempts.one(path):
            found = read(path, format_name, redact=not no_redact)
            first = next(found)
            second = next(found, None)
            for item in (first, second):
                if item is not None:
                    say(writer.write(path, item, alone=second is None))
            for item in found:
                say(writer.write(path, item, alone=False))
    attempts.end()


@app.command("show")
def show_trajectory(
    files: Files,
    report: Annotated[
        bool, typer.Option("--report", help="Count which types of records were used and which were skipped.")
    ] = False,
    steps: Annotated[
        str | None, typer.Option("--steps", help="Print these steps, such as 3, 10-20 or 30-.", metavar="A-B")
    ] = None,
    format_name: FormatName = None,
    no_redact: NoRedact = False,
    as_json: shared.AsJson = False,
) -> None:
    """Summarise trajectories: steps, tools, cost, tokens, files touched, failures.

    Of several files those that cannot be read are named and the others shown; the exit code is then 2.
    --json prints: a list with path, name, format, steps, prompts, actions, results, tools, agents, models, usage (value
    and source of input_tokens, output_tokens, cost, seconds), files (written, removed, ran), failures, problems; with
    --report also report, with --steps also trajectory (in DevAI's form); of a file that cannot be read, when there are
    several, path and problem.
    """
    from judge.cli.console import show, show_json
    from judge.cli.trajectory_files import Attempts
    from judge.cli.trajectory_text import as_data, describe
    from judge.trajectories import convert as read

    wanted = parse_steps(steps) if steps is not None else None
    rows: list[dict[str, Any]] = []
    blank = False
    attempts = Attempts(len(files))
    for path in files:
        with attempts.one(path):
            for item in read(path, format_name, redact=not no_redact):
                if as_json:
                    rows.append(as_data(path, item, report=report, steps=wanted))
                else:
                    if blank:
                        show()
                    blank = True
                    show(describe(path, item, report=report, steps=wanted))
    if as_json:
        show_json([*rows, *attempts.failed])
    attempts.end()


def parse_steps(text: str) -> tuple[int, int]:
    """The first and last number of a range such as ``3``, ``3-7``, ``-7`` or ``3-``.

    Raises:
        InputError: It is no such range.
    """
    first, dash, last = text.strip().partition("-")
    try:
        low = int(first) if first else 0
        high = int(last) if last else (low if not dash else 10**9)
    except ValueError:
        low, high = 1, 0
    if low > high or not (first or last):
        raise InputError(f'"{text}" is no range of steps', where="--steps", hint="such as 3, 10-20 or 30-")
    return low, high
