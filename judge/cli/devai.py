"""``judge devai``: the official data set."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli import options as shared
from judge.text import plural

if TYPE_CHECKING:
    from judge.tasks.fetch import Http, Progress

app = typer.Typer(
    name="devai",
    help="Download the official DevAI data set.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


devai = app
"""The name under which the table of commands knows it."""


class SourceName(StrEnum):
    """Where the data comes from."""

    GITHUB = "github"
    HUGGINGFACE = "huggingface"


@app.callback()
def _group() -> None:
    """Download the official DevAI data set."""


@app.command("fetch")
def fetch(
    destination: Annotated[Path, typer.Argument(help="Folder for the data; made when missing.", metavar="DEST")],
    source: Annotated[
        SourceName, typer.Option("--source", help="github has everything; huggingface has the tasks.")
    ] = SourceName.GITHUB,
    ref: Annotated[
        str | None, typer.Option("--ref", help="Branch, tag or commit; the main branch by default.", metavar="NAME")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Take it from a mirror at this address.", metavar="URL")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Download nothing; compare the folder with its checksums, offline.")
    ] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", help="Seconds without data before a retry.", min=0.1, metavar="SECONDS")
    ] = 30.0,
    as_json: shared.AsJson = False,
) -> None:
    """Download the data set, or go on where an earlier download stopped.

    Files that are there and right are kept. Every file is checked against the source's checksum and entered into
    devai-manifest.json.

    --json prints: commit, downloaded, kept, skipped; with --check: commit, files, problems.
    """
    from judge.tasks.fetch import Http

    if check:
        _check(destination, as_json)
    else:
        _fetch(destination, source.value, ref, base_url, Http(timeout=timeout), as_json)


def _check(folder: Path, as_json: bool) -> None:
    from judge.cli.console import show, show_json
    from judge.errors import ExitCode
    from judge.tasks.fetch import check

    manifest, problems = check(folder)
    if as_json:
        found = [{"path": p.path, "what": p.what, "expected": p.expected} for p in problems]
        show_json({"commit": manifest.commit, "files": len(manifest.files), "problems": found})
    else:
        for problem in problems:
            show(str(problem))
        show(f"{plural(len(manifest.files), 'file')} of {manifest.commit[:12]}, {len(problems)} missing or changed")
    if problems:
        raise typer.Exit(int(ExitCode.BAD_INPUT))


def _fetch(folder: Path, source: str, ref: str | None, base_url: str | None, http: Http, as_json: bool) -> None:
    from judge.cli.console import say, show, show_json
    from judge.tasks.fetch import fetch

    with _progress() as progress:
        done = fetch(folder, source=source, ref=ref, base_url=base_url, http=http, progress=progress)
    for path in done.skipped:
        say(f"judge: {path} is a link in the source and was left out")
    if as_json:
        result: dict[str, Any] = {"commit": done.commit, "downloaded": list(done.downloaded)}
        show_json({**result, "kept": list(done.kept), "skipped": list(done.skipped)})
        return
    show(
        f"{plural(len(done.downloaded), 'file')} downloaded, {len(done.kept)} already there, version {done.commit[:12]}"
    )
    show(f"tasks: {folder / 'benchmark' / 'devai' / 'instances'}")


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    from judge.cli.console import console

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bar(*columns, TimeRemainingColumn(), console=console(stderr=True), transient=True) as bar:
        yield _BarProgress(bar)


class _BarProgress:
    """Shows a download on a bar; rich's bars may be moved from any thread."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task = bar.add_task("looking up files", total=None)
        self._files = 0
        self._done = 0

    def start(self, files: int, size: int) -> None:
        """Sets the length of the bar."""
        self._files = files
        self._bar.update(self._task, total=size or None, description=f"0/{files} files")

    def received(self, size: int) -> None:
        """Moves the bar."""
        self._bar.advance(self._task, size)

    def done(self, path: str) -> None:
        """Counts a file."""
        self._done += 1
        self._bar.update(self._task, description=f"{self._done}/{self._files} files")
