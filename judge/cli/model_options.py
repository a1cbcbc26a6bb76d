"""Options on models: which one, how it is asked, and what it may cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judge.cli.options import LIMITS, MODEL

_SPEC = (
    "openai:MODEL, anthropic:MODEL, scripted:FILE (tests), or openai-compatible:SERVER/MODEL with a server of "
    "judge.toml"
)
ModelSpec = Annotated[
    str | None, typer.Option("--model", "-m", help=f"{_SPEC}.", metavar="SPEC", rich_help_panel=MODEL)
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help=f"{_SPEC}; several make a panel, whose majority decides.",
        metavar="SPEC",
        rich_help_panel=MODEL,
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        help="Server to ask instead of the provider's own, for example http://127.0.0.1:8000/v1; needs a model.",
        metavar="URL",
        rich_help_panel=MODEL,
    ),
]
Api = Annotated[
    str | None,
    typer.Option(
        "--api",
        help="Which API of an openai: model is used: auto (default), chat or responses.",
        metavar="NAME",
        rich_help_panel=MODEL,
    ),
]
Effort = Annotated[
    str | None,
    typer.Option(
        "--effort",
        help="How much a reasoning model thinks: minimal, low, medium or high; its own default when not given.",
        metavar="NAME",
        rich_help_panel=MODEL,
    ),
]
Batch = Annotated[
    bool | None,
    typer.Option(
        "--batch/--no-batch",
        help="Send calls through the provider's batch API: half the price, answers within a day; an interrupted run "
        "goes on with the same batches.",
        rich_help_panel=MODEL,
    ),
]
Cache = Annotated[
    bool | None,
    typer.Option(
        "--cache/--no-cache",
        help="Keep answers on disk and use them again for the same question (default), or not.",
        rich_help_panel=MODEL,
    ),
]
CacheDir = Annotated[
    Path | None,
    typer.Option("--cache-dir", help="Folder of the kept answers.", metavar="FOLDER", rich_help_panel=MODEL),
]
Warm = Annotated[
    bool | None,
    typer.Option(
        "--warm/--no-warm",
        help="Judge one requirement of each task before its others start, so that the provider's prompt cache serves "
        "them what they share; the default for OpenAI's and Anthropic's own servers.",
        rich_help_panel=MODEL,
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(
        "--prices", help="File of prices that go before the built-in ones.", metavar="FILE", rich_help_panel=LIMITS
    ),
]
Estimate = Annotated[
    bool,
    typer.Option(
        "--estimate",
        help="Print the calls, tokens, cost and time that the run would need, and end; nothing is sent.",
        rich_help_panel=LIMITS,
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        help="Stop before the run costs more than so many US dollars.",
        metavar="DOLLARS",
        rich_help_panel=LIMITS,
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        help="Stop before the run uses more tokens than this.",
        metavar="NUMBER",
        rich_help_panel=LIMITS,
    ),
]
MaxTime = Annotated[
    float | None,
    typer.Option(
        "--max-time",
        "--run-deadline",
        help="Stop the run after so many seconds, with exit code 5; finished work is kept.",
        metavar="SECONDS",
        rich_help_panel=LIMITS,
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        "-c",
        help="Requirements in work at the same time; 8 by default.",
        min=1,
        metavar="NUMBER",
        rich_help_panel=LIMITS,
    ),
]
RequestsPerMinute = Annotated[
    int | None,
    typer.Option(
        "--requests-per-minute",
        help="Calls a minute at most; without it the limits that the server tells are kept.",
        metavar="NUMBER",
        rich_help_panel=LIMITS,
    ),
]
TokensPerMinute = Annotated[
    int | None,
    typer.Option("--tokens-per-minute", help="Tokens a minute at most.", metavar="NUMBER", rich_help_panel=LIMITS),
]
MaxRetries = Annotated[
    int | None,
    typer.Option(
        "--max-retries",
        help="Repetitions of a failed call; 8 by default, 0 for none.",
        metavar="NUMBER",
        rich_help_panel=LIMITS,
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        help="Time for one attempt of a call; 180 by default.",
        metavar="SECONDS",
        rich_help_panel=LIMITS,
    ),
]
Deadline = Annotated[
    float | None,
    typer.Option(
        "--deadline",
        help="Time for one call with all its repetitions; 900 by default.",
        metavar="SECONDS",
        rich_help_panel=LIMITS,
    ),
]
