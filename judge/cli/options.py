"""Options that several commands share, each defined once, in the panels of the help that they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

WORK = "What is judged"
JUDGE = "How it is judged"
EVIDENCE = "Evidence"
MODEL = "Model"
LIMITS = "Cost, time and limits"
OUTPUT = "Output"

Tasks = Annotated[
    list[Path],
    typer.Argument(help="Task files, folders of them, or the official DevAI repository.", metavar="TASKS"),
]
SomeTasks = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Task files, folders of them, or the official DevAI repository.", metavar="TASKS", show_default=False
    ),
]
AttackReport = Annotated[
    bool,
    typer.Option(
        "--attack-report",
        help="Judge no tasks: measure how often built-in attacks move the verdict of this judge.",
        rich_help_panel=JUDGE,
    ),
]
Workspaces = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        help="Folder with one workspace per task, named like the task; for a single task also the workspace itself.",
        metavar="FOLDER",
        rich_help_panel=WORK,
    ),
]
Trajectories = Annotated[
    Path | None,
    typer.Option(
        "--trajectories",
        "-t",
        help="Folder with one trajectory per task; for a single task also a file.",
        metavar="PATH",
        rich_help_panel=WORK,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        help="Only tasks whose name fits, such as '01_*'; may be repeated.",
        metavar="PATTERN",
        rich_help_panel=WORK,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        help="No tasks whose name fits, such as '*_Draft'; may be repeated.",
        metavar="PATTERN",
        rich_help_panel=WORK,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        help="Files to leave out of workspaces, as in .gitignore; may be repeated.",
        metavar="PATTERN",
        rich_help_panel=WORK,
    ),
]
Setting = Annotated[
    str | None,
    typer.Option(
        "--setting",
        help="black-box: the workspace alone; gray-box: with the trajectory, the default when --trajectories is given.",
        metavar="NAME",
        rich_help_panel=WORK,
    ),
]
JudgeKind = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="agent (modules and a model; the default with a model), llm (the whole workspace in one prompt) or rules "
        "(offline; the default without).",
        metavar="NAME",
        rich_help_panel=JUDGE,
    ),
]
Votes = Annotated[
    int | None,
    typer.Option(
        "--votes",
        help="How often each model is asked at most, an odd number; asking stops when the majority is clear. 1 by "
        "default.",
        metavar="NUMBER",
        rich_help_panel=JUDGE,
    ),
]
Tie = Annotated[
    str | None,
    typer.Option(
        "--tie",
        help="What a tie of several models is: error (default) or unsatisfied.",
        metavar="NAME",
        rich_help_panel=JUDGE,
    ),
]
Strictness = Annotated[
    str | None,
    typer.Option(
        "--strictness",
        help="literal (default): criteria as they are written; intent: trivial deviations that clearly do what a "
        "criterion is for are accepted.",
        metavar="NAME",
        rich_help_panel=JUDGE,
    ),
]
Gate = Annotated[
    bool | None,
    typer.Option(
        "--gate/--no-gate",
        help="Do not judge a requirement whose prerequisite is not met; it counts as unmet.",
        rich_help_panel=JUDGE,
    ),
]
Modules = Annotated[
    str | None,
    typer.Option(
        "--modules",
        help="What gathers evidence for a model, separated by commas: graph, locate, read, retrieve, ask by "
        "default; search, memory and planning on top of these.",
        metavar="NAMES",
        rich_help_panel=EVIDENCE,
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        "--search",
        help="How texts are ranked: bm25 (default), embeddings or fuzzy.",
        metavar="METHOD",
        rich_help_panel=EVIDENCE,
    ),
]
Embeddings = Annotated[
    str | None,
    typer.Option(
        "--embeddings",
        help="What makes embeddings: folder:PATH (a local model), openai:MODEL or openai-compatible:SERVER/MODEL.",
        metavar="SPEC",
        rich_help_panel=EVIDENCE,
    ),
]
DropSteps = Annotated[
    str | None,
    typer.Option(
        "--drop-steps",
        help="Which steps of a long trajectory are given up first: beginning (default), middle or end.",
        metavar="PART",
        rich_help_panel=EVIDENCE,
    ),
]
CutSteps = Annotated[
    str | None,
    typer.Option(
        "--cut-steps",
        help="Which part of a long step is cut: beginning, middle (default) or end.",
        metavar="PART",
        rich_help_panel=EVIDENCE,
    ),
]
Redact = Annotated[
    bool | None,
    typer.Option(
        "--redact/--no-redact",
        help="Mask secrets before text leaves the machine (default), or leave them in.",
        rich_help_panel=EVIDENCE,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Run folder; by default the newest one in runs/ that fits, else a new runs/<time>-<model>.",
        metavar="FOLDER",
        rich_help_panel=OUTPUT,
    ),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh", help="Start over; an earlier run in the folder is moved to <out>.old-N.", rich_help_panel=OUTPUT
    ),
]
Details = Annotated[
    bool,
    typer.Option(
        "--details",
        help="Print every verdict with its criterion and reason, not only of one task, and the costs.",
        rich_help_panel=OUTPUT,
    ),
]
Costs = Annotated[
    bool,
    typer.Option("--costs", help="Print what the run used, by purpose, model and task.", rich_help_panel=OUTPUT),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        "--fail-under",
        help="Exit with 1 when the share of requirements met, 0 to 1, is below this.",
        metavar="SHARE",
        rich_help_panel=OUTPUT,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of text.", rich_help_panel=OUTPUT)
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="The judge.toml to read; by default the nearest one here or in a folder above.",
        metavar="FILE",
        rich_help_panel=OUTPUT,
    ),
]


def settings_given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command that are settings, as ``load_settings`` takes them.

    Args:
        values: All parameters of the command by name: those called like a setting are taken.

    Returns:
        Setting -> value; None and empty lists are not given.
    """
    from dataclasses import fields

    from judge.config import Settings

    known = {item.name for item in fields(Settings)}
    given = {name: value for name, value in values.items() if name in known}
    return {name: (tuple(value) or None) if isinstance(value, list) else value for name, value in given.items()}
