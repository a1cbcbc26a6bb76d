"""``judge majority``: the majority of the verdicts of finished runs, as a run of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, ExitCode, InputError
from judge.text import plural

if TYPE_CHECKING:
    from judge.engine.panel import Panel

_LEAST = 2


def majority(
    panel: Annotated[
        list[str],
        typer.Argument(
            help="Two or more run folders, or folders of DevAI JSON with verdicts; NAME=PATH names one.",
            metavar="RUN",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Run folder; by default a new runs/<time>-majority.", metavar="FOLDER"),
    ] = None,
    tie: Annotated[
        str, typer.Option("--tie", help="What a tie means: error or unsatisfied; never satisfied.", metavar="NAME")
    ] = "error",
    fresh: shared.Fresh = False,
    details: shared.Details = False,
    fail_under: shared.FailUnder = None,
    as_json: shared.AsJson = False,
) -> None:
    """Take the majority of the verdicts of finished runs, as a run folder of its own.

    ERROR and missing verdicts are no votes. The runs must have judged the same tasks and workspaces. Nothing is asked:
    what the panel cost is in its runs. `judge align` and `judge report` read the result like any run.

    Exit codes: 0 everything is decided, 1 below --fail-under, 2 bad input, 5 some requirements are not decided.

    --json prints the same document as `judge run`.
    """
    from judge.cli.console import say
    from judge.cli.inputs import Inputs
    from judge.cli.result import Shown, show_result
    from judge.cli.run import RUNS, check_fail_under
    from judge.engine import RunFolder, choose_folder
    from judge.engine.alignment import parse_spec
    from judge.engine.judges_majority import majority_judgments, panel_header, record
    from judge.engine.panel import read_panel
    from judge.engine.plan import TaskPlan
    from judge.engine.votes import Tie

    check_fail_under(fail_under)
    if len(panel) < _LEAST:
        raise ConfigError("a majority needs two runs or more", where="RUN", hint="judge majority RUN RUN RUN")
    try:
        chosen = Tie(tie)
    except ValueError:
        raise ConfigError(f"is {tie!r}", where="--tie", hint="error or unsatisfied") from None
    found = read_panel([parse_spec(text) for text in panel])
    for note in found.notes:
        say(f"judge: warning: {note}")
    for line in _missing(found):
        say(f"judge: warning: {line}")
    header = panel_header(found, "majority", chosen)
    path = out or choose_folder(RUNS, header, fresh=fresh)
    _refuse_inside(path, panel)
    with RunFolder(path, header, fresh=fresh) as folder:
        for note in folder.notes:
            say(f"judge: {note}")
        result = record(found, majority_judgments(found, chosen), folder)
    plans = tuple(TaskPlan(task) for task in found.tasks)
    inputs = Inputs(plans, (), path, None, found.setting)
    code = result.exit_code(fail_under)
    show_result(result, inputs, path, code, Shown(fail_under, details, as_json=as_json))
    if code != ExitCode.OK:
        raise typer.Exit(int(code))


def _missing(panel: Panel) -> list[str]:
    """Runs that did not reach every requirement that another one judged."""
    keys = {(task.name, item.requirement_id) for task in panel.tasks for item in task.requirements}
    counts = {member.name: len(keys - set(member.verdicts)) for member in panel.members}
    return [
        f"{name} has no verdict on {number} of {plural(len(keys), 'requirement')}"
        for name, number in counts.items()
        if number
    ]


def _refuse_inside(path: Path, panel: list[str]) -> None:
    from judge.engine.alignment import parse_spec

    target = path.resolve()
    for text in panel:
        place = parse_spec(text).path.resolve()
        if target == place or place in target.parents:
            raise InputError(f"lies inside {place}, a run of the panel", where=str(path), hint="choose another --out")
