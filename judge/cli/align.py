"""``judge align``: measures judges against human labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, ExitCode, InputError

if TYPE_CHECKING:
    from judge.report.alignment import Table
    from judge.results import AlignmentReport

_PACKAGES = ("krippendorff", "numpy", "scipy", "sklearn")
_SEEDS = 2**32


def align(
    judged: Annotated[
        list[str],
        typer.Argument(
            help="Run folders, or folders of DevAI JSON with verdicts; NAME=PATH or AGENT/NAME=PATH gives names.",
            metavar="JUDGED",
        ),
    ],
    labels: Annotated[
        list[str] | None,
        typer.Option(
            "--labels",
            "-l",
            help="Labels, as DIR or AGENT=DIR: one for all, one per agent, or one per JUDGED in their order.",
            metavar="DIR",
        ),
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option(
            "--rater",
            help="One person's labels, as NAME=DIR or AGENT/NAME=DIR; without --labels their majority is the label.",
            metavar="NAME=DIR",
        ),
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks",
            help="Tasks whose texts and prerequisites count instead of those beside the labels.",
            metavar="PATH",
        ),
    ] = None,
    resamples: Annotated[
        int, typer.Option("--resamples", help="Resamples for intervals; 0 for none.", min=0, metavar="N")
    ] = 2000,
    seed: Annotated[
        int, typer.Option("--seed", help="Seed of the resampling.", min=0, max=_SEEDS - 1, metavar="N")
    ] = 0,
    rows: Annotated[
        int, typer.Option("--rows", help="Rows of a long table on the terminal; 0 for all.", min=0, metavar="N")
    ] = 10,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Also write the tables here.", metavar="FILE")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write a page with tables and curves here.", metavar="FILE")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            help="Exit 1 when a judge's alignment is below this; ERROR and no verdict count as wrong.",
            metavar="RATE",
        ),
    ] = None,
    as_json: shared.AsJson = False,
) -> None:
    """Measure how well judges agree with human labels.

    Verdicts and labels are matched by task name and requirement id, with a check on the text; what differs is listed.
    Agent and judge are read from paths such as judgment/AGENT/JUDGE.

    --json prints: schema_version, version, level, resamples, seed, agents (agent, labels, judges, comparisons,
    agreements, drift), notes. All shares are from 0 to 1.
    """
    from judge.cli.console import say, show_json

    if fail_under is not None and not 0 <= fail_under <= 1:
        raise ConfigError(f"is {fail_under:g}", where="--fail-under", hint="a share from 0 to 1, such as 0.9")
    check_packages("judge align")
    report = _measure(judged, labels or [], rater or [], tasks, resamples, seed)
    _write(report, markdown, html)
    if as_json:
        show_json(report.model_dump(mode="json"))
    else:
        _show(report, rows)
    below = list(_below(report, fail_under))
    for line in below:
        say(f"judge: {line}")
    if below:
        raise typer.Exit(int(ExitCode.GATE_FAILED))


def check_packages(command: str) -> None:
    """Refuses to start without the packages that measure.

    Raises:
        ConfigError: One is not installed.
    """
    from importlib.util import find_spec

    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"needs packages that are not installed: {', '.join(missing)}",
            where=command,
            hint="pip install 'judge[align]'",
        )


def _measure(
    judged: list[str], labels: list[str], raters: list[str], tasks: Path | None, resamples: int, seed: int
) -> AlignmentReport:
    from judge.engine.alignment import Request, align, parse_spec
    from judge.metrics.sampling import Sampling

    return align(
        Request(
            judged=[parse_spec(text) for text in judged],
            labels=[parse_spec(text, bare="agent") for text in labels],
            raters=[parse_spec(text) for text in raters],
            tasks=tasks,
            sampling=Sampling(resamples=resamples, seed=seed),
        )
    )


def _write(report: AlignmentReport, markdown: Path | None, html: Path | None) -> None:
    from judge.atomic import write_atomic
    from judge.report.alignment import alignment_html, alignment_markdown

    for path, draw in ((markdown, alignment_markdown), (html, alignment_html)):
        if path is None:
            continue
        try:
            write_atomic(path, draw(report).encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(path)) from error


def _show(report: AlignmentReport, limit: int) -> None:
    from judge.cli.console import console, show
    from judge.report.alignment import alignment_text, settings_line, tables

    if not console().is_terminal:
        show(alignment_text(report, limit))
        return
    print_tables([item.first(limit) for item in tables(report)])
    show(settings_line(report))
    for note in report.notes:
        show(f"note: {note}")


def print_tables(items: Sequence[Table]) -> None:
    """Prints tables on a terminal, each cut by columns into ones that fit its width."""
    from judge.cli.console import console

    screen = console()
    for item in items:
        for part in item.fitting(screen.width):
            screen.print(_rich(part))
        screen.print()


def _rich(item: Table) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    from judge.text import printable

    drawn = RichTable(
        title=Text(item.title, style="bold"),
        caption=Text(item.note) if item.note else None,
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for head, left in zip(item.heads, item.left, strict=True):
        drawn.add_column(Text(head), justify="left" if left else "right", overflow="fold", no_wrap=not left)
    for row in item.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn


def _below(report: AlignmentReport, gate: float | None) -> list[str]:
    """What fails the gate; raters and majorities are not judged by it."""
    if gate is None:
        return []
    lines = []
    for agent in report.agents:
        for judge in agent.judges:
            value = judge.alignment_of_all.value
            if judge.kind == "judge" and (value is None or value < gate):
                name = f"{judge.name} on {agent.agent}" if agent.agent else judge.name
                lines.append(f"below the gate: {name} agrees on {value or 0:.2%}, --fail-under {gate:.2%}")
    return lines
