"""``judge stats``: what agents used and left behind, on average."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared
from judge.errors import ConfigError

if TYPE_CHECKING:
    from judge.engine.stats import AgentData
    from judge.report.alignment import Table
    from judge.results import Mean, StatsReport


def stats(
    workspaces: Annotated[
        list[str] | None,
        typer.Argument(
            help="Folders with one workspace per task, as AGENT=FOLDER or FOLDER; or the official DevAI repository.",
            metavar="WORKSPACES",
        ),
    ] = None,
    trajectories: Annotated[
        list[str] | None,
        typer.Option(
            "--trajectories",
            "-t",
            help="Folder of trajectories, as AGENT=FOLDER; FOLDER alone for the only agent; may be repeated.",
            metavar="PATH",
        ),
    ] = None,
    as_json: shared.AsJson = False,
) -> None:
    """Show what agents used and left behind, as averages per task.

    Cost, time, steps and tokens come from trajectories; files and lines of code from workspaces. What a trajectory does
    not say of every step is unknown and in no average; the number of tasks behind each average stands beside it.

    --json prints: schema_version, version, agents (agent, workspaces, trajectories, and value, n, unknown of cost,
    seconds, steps, tokens, files, code_files, lines, lines_per_file), notes.
    """
    from judge.cli.console import say, show, show_json
    from judge.engine.stats import measure_agents
    from judge.report.alignment.plain import render

    agents = _agents(workspaces or [], trajectories or [])
    report = measure_agents(agents)
    if as_json:
        show_json(report.model_dump(mode="json"))
    else:
        show(render(_table(report)))
    for note in report.notes:
        say(f"judge: note: {note}")


def _agents(workspaces: list[str], trajectories: list[str]) -> list[AgentData]:
    from judge.engine.stats import AgentData, from_layout, subfolders, trajectory_files

    found: dict[str, AgentData] = {}
    for text in workspaces:
        agent, path = _named(text)
        official = [] if agent else from_layout(path)
        for item in official:
            found[item.agent] = item
        if not official:
            name = agent or path.resolve().name
            if name in found:
                raise ConfigError(f"the agent {name} is given twice", where=text, hint="AGENT=FOLDER names it")
            found[name] = AgentData(name, workspaces=subfolders(path))
    for text in trajectories:
        agent, path = _named(text)
        if not agent and len(found) > 1:
            raise ConfigError("which agent's it is cannot be told", where="--trajectories", hint=f"AGENT={text}")
        name = agent or next(iter(found), path.resolve().stem)
        found.setdefault(name, AgentData(name)).trajectories.update(trajectory_files(path))
    if not found:
        raise ConfigError("nothing to look at", where="WORKSPACES", hint="judge stats AGENT=FOLDER -t AGENT=FOLDER")
    return list(found.values())


def _named(text: str) -> tuple[str, Path]:
    """``AGENT=PATH`` taken apart; a path that exists is taken as it is, even with ``=`` in it."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists() or not name.strip() or not path:
        return "", Path(text)
    return name.strip(), Path(path)


def _table(report: StatsReport) -> Table:
    from judge.report.alignment.table import table

    def cell(mean: Mean, form: str) -> str:
        if mean.value is None:
            return "unknown"
        of = f"/{mean.n + mean.unknown}" if mean.unknown else ""
        return f"{format(mean.value, form)} ({mean.n}{of})"

    rows = (
        (
            item.agent,
            cell(item.cost, ".4f"),
            cell(item.seconds, ".1f"),
            cell(item.steps, ".1f"),
            cell(item.tokens, ",.0f"),
            cell(item.files, ".1f"),
            cell(item.code_files, ".1f"),
            cell(item.lines, ".1f"),
            cell(item.lines_per_file, ".1f"),
        )
        for item in report.agents
    )
    columns = "<agent|cost, $|time, s|steps|tokens|files|code files|lines of code|lines per code file"
    note = "Averages per task; in brackets the number of tasks behind each, of those that could say."
    return table("What agents used and left behind", columns, rows, note=note)
