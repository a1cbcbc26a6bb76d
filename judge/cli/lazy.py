"""Commands that are imported only when they run or when their own help is shown."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from judge.cli.panels import PanelCommand

if TYPE_CHECKING:
    from collections.abc import Mapping


class CommandSpec(NamedTuple):
    """Where a command lives and what the overview says of it.

    Attributes:
        module: Dotted module, imported on first use.
        attribute: A function (one command) or a ``typer.Typer`` (a group of commands) in it.
        help: One line for ``judge --help``.
    """

    module: str
    attribute: str
    help: str


COMMANDS: Mapping[str, CommandSpec] = {
    "run": CommandSpec("judge.cli.run", "run", "Judge the requirements of tasks and write verdicts into a run folder."),
    "majority": CommandSpec("judge.cli.majority", "majority", "Take the majority of the verdicts of finished runs."),
    "evidence": CommandSpec("judge.cli.evidence", "evidence", "Show what the prompt of a requirement would hold."),
    "graph": CommandSpec("judge.cli.graph", "graph", "Show the graph of a workspace, or export it."),
    "ask": CommandSpec("judge.cli.ask", "ask", "Ask a model a question about a workspace."),
    "report": CommandSpec("judge.cli.report", "report", "Write a report on runs: HTML, Markdown, JUnit, CSV, JSON."),
    "score": CommandSpec("judge.cli.score", "score", "Score functions, classes and programs from 0 to 100."),
    "validate": CommandSpec(
        "judge.cli.validate", "validate", "Check task, trajectory and label files; list all problems."
    ),
    "trajectory": CommandSpec(
        "judge.cli.trajectory", "trajectory", "Detect, show and convert trajectories of many agents."
    ),
    "align": CommandSpec("judge.cli.align", "align", "Measure how well judges agree with human labels."),
    "sweep": CommandSpec("judge.cli.sweep", "sweep", "Judge every combination of a file and measure them together."),
    "stats": CommandSpec("judge.cli.stats", "stats", "Show what agents used and left behind, on average."),
    "devai": CommandSpec("judge.cli.devai", "devai", "Download the official DevAI data set."),
    "cache": CommandSpec("judge.cli.cache", "cache", "Show, shrink or empty the cache of answers."),
    "doctor": CommandSpec("judge.cli.doctor", "doctor", "Show what is set up and which model would be used."),
}


class LazyGroup(TyperGroup):
    """A group whose overview is a table and whose members are imported one by one."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself; imports its module."""
        spec = COMMANDS.get(cmd_name)
        return None if spec is None else load_command(cmd_name, spec)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments name; for one that is not there, the ones it may be meant to be."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name.lower(), COMMANDS, n=2, cutoff=0.6)
            hint = f"did you mean {' or '.join(near)}?" if near else f"the commands are {', '.join(COMMANDS)}"
            ctx.fail(f"no such command {name!r}: {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The overview, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, spec.help) for name, spec in COMMANDS.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Completes command names from the table, without importing any."""
        stub = TyperGroup(name=self.name, params=self.params)
        stub.commands.update({name: TyperCommand(name, help=spec.help) for name, spec in COMMANDS.items()})
        real, ctx.command = ctx.command, stub
        try:
            return stub.shell_complete(ctx, incomplete)
        finally:
            ctx.command = real


def load_command(name: str, spec: CommandSpec) -> Any:
    """Imports a command's module and builds the command.

    Args:
        name: Name on the command line.
        spec: Where it lives.

    Returns:
        A command object that the command line library runs.
    """
    target = getattr(import_module(spec.module), spec.attribute)
    if isinstance(target, typer.Typer):
        group = typer.main.get_command(target)
        group.name = name
        return group
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name=name, cls=PanelCommand, help=None)(target)
    return typer.main.get_command(app)
