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
        "--workspace",
        "-w",
        help="Folder with one workspace per task, named like the task; for a single task also the workspace itself.",
        metavar="FOLDER",
    ),
]
Trajectories = Annotated[
    Path | None,
    typer.Option(
        "--trajectories",
        "-t",
        help="Folder with one trajectory per task; for a single task also a file.",
        metavar="PATH",
    ),
]
ModelSpec = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="openai:MODEL, anthropic:MODEL, scripted:FILE (tests), or openai-compatible:SERVER/MODEL with a server of "
        "judge.toml.",
        metavar="SPEC",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Server to ask instead of the provider's own, for example http://127.0.0.1:8000/v1; needs a model.",
        metavar="URL",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", help="The judge.toml to read; by default the nearest one here or in a folder above.", metavar="FILE"
    ),
]
Setting = Annotated[
    str | None,
    typer.Option(
        "--setting",
        help="black-box: the workspace alone; gray-box: with the trajectory, the default when --trajectories is given.",
        metavar="NAME",
    ),
]
Modules = Annotated[
    str | None,
    typer.Option(
        "--modules",
        help="What gathers evidence for a model, separated by commas: graph, locate, read, retrieve, ask by "
        "default; search, memory and planning on top of these.",
        metavar="NAMES",
    ),
]
Search = Annotated[
    str | None,
    typer.Option("--search", help="How texts are ranked: bm25 (default), embeddings or fuzzy.", metavar="METHOD"),
]
Embeddings = Annotated[
    str | None,
    typer.Option(
        "--embeddings",
        help="What makes embeddings: folder:PATH (a local model), openai:MODEL or openai-compatible:SERVER/MODEL.",
        metavar="SPEC",
    ),
]
DropSteps = Annotated[
    str | None,
    typer.Option(
        "--drop-steps",
        help="Which steps of a long trajectory are given up first: beginning (default), middle or end.",
        metavar="PART",
    ),
]
CutSteps = Annotated[
    str | None,
    typer.Option(
        "--cut-steps", help="Which part of a long step is cut: beginning, middle (default) or end.", metavar="PART"
    ),
]
Redact = Annotated[
    bool | None,
    typer.Option(
        "--redact/--no-redact", help="Mask secrets before text leaves the machine (default), or leave them in."
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", help="Only tasks whose name fits, such as '01_*'; may be repeated.", metavar="PATTERN"),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="No tasks whose name fits, such as '*_Draft'; may be repeated.", metavar="PATTERN"),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", help="Files to leave out of workspaces, as in .gitignore; may be repeated.", metavar="PATTERN"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
JudgeKind = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="agent (modules and a model; the default with a model), llm (the whole workspace in one prompt) or rules "
        "(offline; the default without).",
        metavar="NAME",
    ),
]
Gate = Annotated[
    bool | None,
    typer.Option(
        "--gate/--no-gate", help="Do not judge a requirement whose prerequisite is not met; it counts as unmet."
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency", "-c", help="Requirements in work at the same time; 8 by default.", min=1, metavar="NUMBER"
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Run folder; by default the newest one in runs/ that fits, else a new runs/<time>-<model>.",
        metavar="FOLDER",
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over; an earlier run in the folder is moved to <out>.old-N.")
]
Details = Annotated[
    bool, typer.Option("--details", help="Print every verdict with its criterion and reason, not only of one task.")
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        "--fail-under", help="Exit with 1 when the share of requirements met, 0 to 1, is below this.", metavar="SHARE"
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", help="Stop before the run costs more than so many US dollars.", metavar="DOLLARS"),
]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", help="Stop before the run uses more tokens than this.", metavar="NUMBER")
]
