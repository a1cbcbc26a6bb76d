"""``judge score``: the weighted 0-100 score of functions, classes and programs written by AI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from judge.cli import options as shared
from judge.cli.panels import PanelCommand
from judge.errors import ExitCode, InputError
from judge.text import plural

if TYPE_CHECKING:
    from judge.score import Sandbox

_MAIN = "submissions"


class _WithDefault(TyperGroup):
    """A group that scores submissions when the first argument is no command of its own.

    Attributes:
        default: The command that is meant then.
    """

    default = _MAIN

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named, or the scoring of submissions."""
        if args and args[0] not in self.commands:
            args = [_MAIN, *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Options may stand before the suite: ``judge score --json SUITE …``."""
        if args and args[0].startswith("-") and args[0] not in ("--help", "-h"):
            args = [_MAIN, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="score",
    cls=_WithDefault,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

score = app
"""The name under which the table of commands knows it."""

SuiteFile = Annotated[Path, typer.Argument(help="The suite, YAML.", metavar="SUITE")]
SandboxChoice = Annotated[
    Literal["required", "best", "none"],
    typer.Option(
        "--sandbox",
        help="required: only where a full sandbox is proven; best: the strongest level there is; none: no sandbox.",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", help="Of all that is drawn; the suite's by default.")]


@app.callback()
def _group() -> None:
    """Score functions, classes and programs written by AI, from 0 to 100.

    judge score SUITE SUBMISSION... scores files, or folders of them (a subfolder holds the samples of one model):
    correctness 40, edge cases 25, performance 20, code quality 15. `judge score submissions --help` shows its options.
    """


@app.command(_MAIN, cls=PanelCommand)
def submissions(
    suite: SuiteFile,
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Submissions: .py files, or folders; a subfolder holds one model's.", metavar="SUBMISSION..."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder of the reports; runs/score-<problem> by default.", metavar="FOLDER"),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", help="End with 1 when a total is below this.", metavar="POINTS", min=0, max=100),
    ] = None,
    performance: Annotated[
        bool, typer.Option("--performance/--no-performance", help="Whether speed is measured.")
    ] = True,
    sandbox: SandboxChoice = "best",
    seed: Seed = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Submissions examined at once; one per core by default.", min=1)
    ] = None,
    reviews: Annotated[
        Path | None,
        typer.Option("--overrides", help="YAML list of a reviewer's values for items of quality.", metavar="FILE"),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Score everything anew.")] = False,
    details: Annotated[bool, typer.Option("--details", help="Print every failed case and every point lost.")] = False,
    as_json: shared.AsJson = False,
) -> None:
    """Score submissions against a suite.

    Untrusted code runs in a sandbox; which level was proven is printed. Writes score.json, score.md, score.html,
    badge.svg, badge.json and junit.xml into the folder. Run again to continue: finished submissions are kept.

    Exit codes: 0 ok, 1 a total is below --fail-under, 2 bad input, 5 a submission could not be scored, 130 interrupted.

    --json prints score.json: schema_version, suite, sandbox, submissions (submission, total, dimensions, cases, flags,
    counterexamples, performance, quality, error), pass_at_k, models.
    """
    from judge.cli.scoring import Wanted, run

    wanted = Wanted(
        suite=suite,
        paths=tuple(paths),
        out=out,
        fail_under=fail_under,
        performance=performance,
        sandbox=sandbox,
        seed=seed,
        jobs=jobs,
        overrides=reviews,
        fresh=fresh,
        details=details,
        as_json=as_json,
    )
    code = run(wanted)
    if code != ExitCode.OK:
        raise typer.Exit(int(code))


@app.command("lint")
def lint(suite: SuiteFile, sandbox: SandboxChoice = "best", as_json: shared.AsJson = False) -> None:
    """Check a suite: every mistake with its line; then the reference must pass everything it is asked.

    Exit codes: 0 sound, 1 something was found, 2 the file cannot be used.

    --json prints: suite, problems and findings (line, column, message, hint, severity).
    """
    from judge.cli.console import show, show_json
    from judge.score import lint_suite

    loaded = load(suite)
    report = lint_suite(loaded, proven(sandbox))
    if as_json:
        show_json(
            {"suite": loaded.suite.problem, "ok": report.ok, "findings": [item.as_dict() for item in report.findings]}
        )
    else:
        for item in report.findings:
            show(f"{loaded.path}:{item}")
        state = "sound" if report.ok else "not sound"
        show(f"{loaded.path}: {state}, {report.asked} questions asked of the reference")
    if not report.ok:
        raise typer.Exit(int(ExitCode.GATE_FAILED))


@app.command("generate")
def generate(
    suite: SuiteFile,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the cases as YAML to this file.", metavar="FILE")
    ] = None,
    sandbox: SandboxChoice = "best",
    seed: Seed = None,
    as_json: shared.AsJson = False,
) -> None:
    """Show the edge cases that are generated from the signature, with the reference's answers; or write them as YAML.

    --json prints: suite, signature, dropped (inputs the suite does not define), cases (id, category, input, expected).
    """
    from judge.cli.scoring import generated

    generated(load(suite), proven(sandbox), seed, out, as_json)


@app.command("baseline")
def baseline(
    suite: SuiteFile,
    solution: Annotated[
        Path | None,
        typer.Argument(
            help="The solution whose speed is the baseline; the reference itself by default.", metavar="FILE"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where it is written; the suite says by default.", metavar="FILE")
    ] = None,
    sandbox: SandboxChoice = "best",
    seed: Seed = None,
    as_json: shared.AsJson = False,
) -> None:
    """Record the baseline of speed as a ratio to the reference, so that it holds on other machines.

    --json prints the baseline: ratio (median, low, high), iterations, loops, seeds, hashes, python, cpu.
    """
    from judge.cli.scoring import recorded

    recorded(load(suite), proven(sandbox), solution, out, seed, as_json)


@app.command("compare")
def compare(
    before: Annotated[Path, typer.Argument(help="A score.json, or the folder that holds it.", metavar="A")],
    after: Annotated[Path, typer.Argument(help="Another one.", metavar="B")],
    as_json: shared.AsJson = False,
) -> None:
    """Compare two scorings: submissions side by side, dimension by dimension, and the cases that changed.

    --json prints: a, b, submissions (submission, before, after, dimensions, cases).
    """
    from judge.cli.scoring import compared

    compared(before, after, as_json)


def load(path: Path) -> Any:
    """Reads a suite; every mistake on a line of its own."""
    from judge.cli.console import say
    from judge.score import SuiteError, load_suite

    try:
        loaded = load_suite(path)
    except SuiteError as error:
        for problem in error.problems:
            at = f"{problem.path}: " if problem.path else ""
            hint = f" ({problem.hint})" if problem.hint else ""
            say(f"{error.where or path}:{problem.line}:{problem.column}: {at}{problem.message}{hint}")
        raise InputError(
            f"cannot be used: {plural(len(error.problems), 'problem')}", where=error.where or str(path)
        ) from error
    for warning in loaded.warnings:
        say(f"judge: warning: {warning}")
    return loaded


def proven(wanted: Literal["required", "best", "none"]) -> Sandbox:
    """Opens the sandbox and says what a user should know of it."""
    from judge.cli.console import say
    from judge.score import open_sandbox

    box = open_sandbox(wanted)
    if wanted == "none":
        say("judge: warning: no sandbox: the code that is scored runs with your rights")
        return box
    for note in box.notes:
        say(f"judge: note: {note}")
    return box
