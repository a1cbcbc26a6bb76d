"""``judge validate``: checks files and says everything that is wrong with them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared

if TYPE_CHECKING:
    from judge.cli.validation import Report


class Kind(StrEnum):
    """What a file is checked as."""

    AUTO = "auto"
    TASK = "task"
    TRAJECTORY = "trajectory"
    LABELS = "labels"


def validate(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files or folders: tasks, trajectories, labels, or the official data.", metavar="PATH"),
    ],
    kind: Annotated[
        Kind, typer.Option("--kind", "-k", help="What the files are; auto goes by their content.")
    ] = Kind.AUTO,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", help="Tasks to compare labels with; where they differ is a warning.", metavar="PATH"),
    ] = None,
    as_json: shared.AsJson = False,
) -> None:
    """Check task, trajectory and label files; list all problems.

    Prints one line a problem, with file, JSON path and what is expected, then a summary. Exit code 0 when all files
    are valid (there may be warnings), else 2.

    --json prints: valid, summary, files (path, kind, valid, counts, problems, warnings).
    """
    from judge.cli.console import show, show_json
    from judge.cli.validation import check_paths
    from judge.errors import ExitCode

    report = check_paths(paths, None if kind is Kind.AUTO else kind.value, tasks)
    if as_json:
        show_json(report.as_json())
    else:
        for line in _lines(report):
            show(line)
        show(report.summary())
    if not report.valid:
        raise typer.Exit(int(ExitCode.BAD_INPUT))


def _lines(report: Report) -> list[str]:
    from judge.tasks import show_path

    lines = []
    for file in report.files:
        name = show_path(file.path)
        lines += [f"{name}: {problem}" for problem in file.problems]
        lines += [f"{name}: warning: {warning}" for warning in file.warnings]
    return lines
