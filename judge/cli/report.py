"""``judge report``: verdicts as a page, a comment, or a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, InputError
from judge.text import plural

if TYPE_CHECKING:
    from judge.report import Report

_NAMES = ("html", "markdown", "junit", "csv", "json")


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Run folders, or files and folders of DevAI JSON with verdicts.", metavar="RUN..."),
    ],
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            "--labels", help="Label folder for all runs; or repeated, one for each run in their order.", metavar="DIR"
        ),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", "-f", help="html, markdown, junit, csv or json; may be repeated.", metavar="NAME"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File, or folder for several formats; - is stdout. Default: in the run folder.",
            metavar="PATH",
        ),
    ] = None,
    opening: Annotated[
        str, typer.Option("--open", help="Open the HTML in a browser: yes or no.", metavar="yes|no")
    ] = "no",
    as_json: shared.AsJson = False,
) -> None:
    """Write a report on runs: one self-contained HTML file, or Markdown, JUnit XML, CSV, JSON.

    Without --out the files go into the run folder; for several runs, and for judgments that are no run folder, into the
    current folder. --json prints: title, files (format, path), runs (name, source, counts, agreement, usage).
    """
    from judge.engine.reporting import load_report

    chosen = _formats(formats or ["html"])
    if opening not in {"yes", "no"}:
        raise ConfigError(f"is {opening!r}", where="--open", hint="yes or no")
    targets = _targets(chosen, out, runs)
    if not targets and as_json:
        raise ConfigError("cannot be used together", where="--out - and --json", hint="--format json prints all")
    made = load_report(runs, labels or ())
    if not targets:
        _print(made, chosen[0])
        return
    for name, path in targets.items():
        _write(path, _render(made, name))
    _tell(made, targets, as_json)
    if opening == "yes" and "html" in targets:
        import webbrowser

        webbrowser.open(targets["html"].resolve().as_uri())


def _formats(names: list[str]) -> list[str]:
    wanted = [{"md": "markdown", "xml": "junit"}.get(name.lower(), name.lower()) for name in names]
    for name in wanted:
        if name not in _NAMES:
            raise ConfigError(f"is {name!r}", where="--format", hint=f"one of {', '.join(_NAMES)}")
    return list(dict.fromkeys(wanted))


def _targets(chosen: list[str], out: Path | None, runs: list[Path]) -> dict[str, Path]:
    """Format -> file; empty for stdout."""
    from judge.report import FORMATS

    if out is not None and str(out) == "-":
        if len(chosen) > 1:
            raise ConfigError("takes one format", where="--out -", hint="name a folder for several")
        return {}
    if out is None:
        folder = runs[0] if len(runs) == 1 and (runs[0] / "run.json").is_file() else Path()
    elif len(chosen) == 1 and not out.is_dir() and (out.suffix or out.exists()):
        return {chosen[0]: out}
    else:
        folder = out
    return {name: folder / FORMATS[name].file for name in chosen}


def _render(made: Report, name: str) -> str:
    from judge.report import FORMATS

    return FORMATS[name].render(made)


def _print(made: Report, name: str) -> None:
    import sys

    data = _render(made, name).encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        stream.write(data)
        stream.flush()


def _write(path: Path, text: str) -> None:
    """Writes a whole file, or none."""
    from judge.atomic import write_atomic

    try:
        if path.is_dir():
            raise InputError("is a folder", where=str(path), hint="name a file")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=str(path)) from error


def _tell(made: Report, targets: dict[str, Path], as_json: bool) -> None:
    from judge.cli.console import show, show_json
    from judge.report.words import compared, described, part, percent, undecided

    if as_json:
        show_json(_summary(made, targets))
        return
    for run in made.runs:
        counts = run.counts
        size = f"{plural(counts.tasks, 'task')}, {plural(counts.requirements, 'requirement')}"
        show(f"{run.name} ({described(run)}): {size}")
        for title, share in (
            ("(I) requirements met", counts.independent),
            ("(D) met with all direct prerequisites met", counts.dependent),
            ("(D+) the same, with theirs too", counts.transitive),
            ("(T) tasks with every requirement met", counts.solved),
        ):
            show(f"  {title:42} {percent(share.rate):>8}  ({part(share)})")
        if undecided(counts):
            show(f"  not judged: {undecided(counts)}")
        if run.agreement is not None:
            show(f"  {'agreement with the labels':42} {percent(run.agreement.rate):>8}  ({compared(run.agreement)})")
        for note in run.notes:
            show(f"  note: {note}")
    for name, path in targets.items():
        show(f"{name}: {path}")


def _summary(made: Report, targets: dict[str, Path]) -> dict[str, Any]:
    keys = {"name", "source", "counts", "agreement", "usage", "notes"}
    return {
        "title": made.title,
        "files": [{"format": name, "path": str(path)} for name, path in targets.items()],
        "runs": [run.model_dump(mode="json", include=keys) for run in made.runs],
    }
