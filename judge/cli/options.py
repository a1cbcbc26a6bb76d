"""Options that several commands share, each defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Tasks = Annotated[
    list[Path],
    typer.Argument(help="Task files, folders of them, or the official DevAI repository.", metavar="TASKS"),
]
Workspaces = Annotated[
    Path | None,
    typer.Option(
        "--workspace", "-w", help="Folder with one workspace per task name; for a single task, the workspace itself."
    ),
]
Trajectories = Annotated[
    Path | None,
    typer.Option("--trajectories", "-t", help="Folder with one trajectory per task; for a single task also a file."),
]
ModelSpec = Annotated[
    str | None, typer.Option("--model", "-m", help="openai:NAME, anthropic:NAME or scripted:FILE.", metavar="SPEC")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="OpenAI-compatible server to ask instead of the provider's own.")
]
Config = Annotated[Path | None, typer.Option("--config", help="A judge.toml; else the nearest one upward is read.")]
Setting = Annotated[
    str | None,
    typer.Option(
        "--setting",
        help="black-box (workspace alone) or gray-box (with trajectory); gray-box when --trajectories is given.",
    ),
]
Modules = Annotated[
    str | None, typer.Option("--modules", help="Evidence modules, separated by commas.", metavar="NAMES")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", help="Only tasks whose name matches this pattern; may be repeated.")
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", help="No tasks whose name matches this pattern; may be repeated.")
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Files to leave out of workspaces, as in .gitignore; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
JudgeKind = Annotated[str | None, typer.Option("--judge", help="agent (modules and a model) or rules (offline).")]
Gate = Annotated[
    bool | None, typer.Option("--gate/--no-gate", help="Do not judge a requirement whose prerequisite failed.")
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", "-c", help="Requirements in work at the same time.", min=1)
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Run folder; default runs/<time>-<model>.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over; an earlier run in the folder is moved to <out>.old-N.")
]
FailUnder = Annotated[
    float | None,
    typer.Option("--fail-under", help="Exit 1 when the share of requirements met is below this.", metavar="SHARE"),
]
MaxCost = Annotated[float | None, typer.Option("--max-cost", help="Stop before the run costs more, US$.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="Stop before the run uses more tokens.")]
