"""``judge sweep``: every combination of agents, settings, judges, models and module sets of one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli import model_options as models
from judge.cli import options as shared
from judge.errors import ConfigError, ExitCode, InputError
from judge.text import plural

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.engine.sweep import SweepPlan
    from judge.results import SweepReport, SweepSpec


def sweep(
    file: Annotated[Path, typer.Argument(help="The sweep file, YAML.", metavar="SWEEP")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder of the sweep; runs/sweep-<name> by default.", metavar="FOLDER"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan with the estimated calls, tokens and cost; run nothing.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over; earlier cells are moved to <cell>.old-N.")
    ] = False,
    concurrency: models.Concurrency = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            help="Stop before all cells together cost more US dollars.",
            metavar="DOLLARS",
            rich_help_panel=shared.LIMITS,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            help="Stop before all cells together use more tokens.",
            metavar="NUMBER",
            rich_help_panel=shared.LIMITS,
        ),
    ] = None,
    run_deadline: models.MaxTime = None,
    cache: models.Cache = None,
    cache_dir: models.CacheDir = None,
    base_url: models.BaseUrl = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Judge every combination of agents, settings, judges, models and module sets of a file, and measure them together.

    Each combination, a cell, is a run folder of its own in OUT/cells. Run again to continue: finished verdicts are
    kept. Results: OUT/sweep.json, sweep.md and sweep.html.

    Exit codes: 0 all cells are finished, 2 bad input, 3 provider failure, 4 budget reached, 5 some cells are absent or
    not finished, 130 interrupted.

    --json prints sweep.json: schema_version, version, name, agents, settings, cells (cell, state, why, run, counts,
    usage), alignment, baseline, usage, notes. With --dry-run: cells, total, spent.
    """
    from judge.cli.choose import resolve
    from judge.cli.console import say

    spec = _load(file)
    limit = spec.max_cost if max_cost is None else max_cost
    flags: dict[str, Any] = {
        "concurrency": concurrency,
        "max_cost": limit,
        "max_tokens": max_tokens,
        "run_deadline": run_deadline,
    }
    flags |= {"cache": cache, "cache_dir": cache_dir}
    first = spec.models[0] if spec.models else None
    settings = resolve({**flags, "base_url": base_url, "model": first}, config)
    for line in settings.warnings:
        say(f"judge: warning: {line}")
    if spec.labels or any(agent.labels for agent in spec.agents):
        from judge.cli.align import check_packages

        check_packages("judge sweep")
    code = _sweep(file, spec, out or Path("runs") / f"sweep-{spec.name}", settings, dry_run, fresh, as_json)
    if code != ExitCode.OK:
        raise typer.Exit(int(code))


def _load(file: Path) -> SweepSpec:
    from judge.cli.console import say
    from judge.engine.sweep import load_sweep

    loaded = load_sweep(file)
    if loaded.spec is None:
        for problem in loaded.problems:
            say(f"{file}: {problem}")
        raise InputError(f"cannot be used: {plural(len(loaded.problems), 'problem')}", where=str(file))
    return loaded.spec


def _sweep(
    file: Path, spec: SweepSpec, out: Path, settings: Settings, dry_run: bool, fresh: bool, as_json: bool
) -> ExitCode:
    from judge.cli.choose import writings_of
    from judge.cli.console import say, show, show_json
    from judge.cli.progress import open_progress
    from judge.engine.sweep import SharedWorkspaces, SweepRun, collect, load_sweep_inputs, plan_sweep, run_cells
    from judge.report.sweep import plan_text

    inputs = load_sweep_inputs(spec, file.parent)
    for note in inputs.notes:
        say(f"judge: note: {note}")
    library = SharedWorkspaces(writings_of(settings))
    try:
        plan = plan_sweep(spec, inputs, out, settings, library, fresh=fresh)
        text = plan_text(plan.cells, plan.total)
        if dry_run:
            if as_json:
                show_json(_plan_json(plan))
            else:
                show(text)
            return ExitCode.OK
        for line in text.splitlines():
            say(line)
        if all(item.absent for item in plan.cells):
            raise ConfigError("no cell can run", where=str(file), hint=plan.cells[0].absent)
        work = SweepRun(spec, inputs, out, settings, fresh, open_progress, lambda line: say(f"judge: {line}"))
        ran = run_cells(work, plan, library)
    finally:
        library.close()
    if ran.code == ExitCode.INTERRUPTED:
        say("judge: interrupted; run again with the same arguments to continue")
        return ran.code
    report = collect(spec, inputs, ran.cells, out)
    _write(report, out)
    if as_json:
        show_json(report.model_dump(mode="json"))
    else:
        _show(report)
    say(f"judge: sweep folder: {out} (sweep.json, sweep.md, sweep.html; runs in cells)")
    return ran.code


def _show(report: SweepReport) -> None:
    from judge.cli.align import print_tables
    from judge.cli.console import console, show
    from judge.report.sweep import sweep_notes, sweep_tables, sweep_text

    if not console().is_terminal:
        show(sweep_text(report))
        return
    print_tables(sweep_tables(report))
    for line in sweep_notes(report):
        show(line)


def _plan_json(plan: SweepPlan) -> dict[str, object]:
    return {
        "cells": [item.model_dump(mode="json") for item in plan.cells],
        "total": plan.total.model_dump(mode="json"),
        "spent": plan.spent.model_dump(mode="json"),
    }


def _write(report: SweepReport, out: Path) -> None:
    from judge.atomic import write_atomic
    from judge.report.sweep import sweep_html, sweep_markdown
    from judge.text import json_printable

    texts = {
        "sweep.json": json_printable(report.model_dump_json(indent=2)) + "\n",
        "sweep.md": sweep_markdown(report),
        "sweep.html": sweep_html(report),
    }
    for name, text in texts.items():
        try:
            write_atomic(out / name, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(out / name)) from error
