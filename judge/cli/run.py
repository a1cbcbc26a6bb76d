"""``judge run``: judges the requirements of tasks and writes verdicts into a run folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from judge.cli import options as shared
from judge.errors import ConfigError, ExitCode, InputError

if TYPE_CHECKING:
    from judge.cli.inputs import Inputs
    from judge.config import Settings
    from judge.engine import RunOptions, RunResult

RUNS = Path("runs")


def run(
    tasks: shared.Tasks,
    workspace: shared.Workspaces = None,
    trajectories: shared.Trajectories = None,
    model: shared.ModelSpec = None,
    base_url: shared.BaseUrl = None,
    judge: shared.JudgeKind = None,
    setting: shared.Setting = None,
    modules: shared.Modules = None,
    search: shared.Search = None,
    embeddings: shared.Embeddings = None,
    drop_steps: shared.DropSteps = None,
    cut_steps: shared.CutSteps = None,
    redact: shared.Redact = None,
    only: shared.Only = None,
    exclude: shared.Exclude = None,
    ignore: shared.Ignore = None,
    gate: shared.Gate = None,
    concurrency: shared.Concurrency = None,
    out: shared.Out = None,
    fresh: shared.Fresh = False,
    details: shared.Details = False,
    fail_under: shared.FailUnder = None,
    max_cost: shared.MaxCost = None,
    max_tokens: shared.MaxTokens = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Judge the requirements of tasks and write verdicts into a run folder.

    With --model a model decides; without one the offline rules do. Run again with the same arguments to continue:
    finished verdicts are kept, what failed or is missing is judged.

    Exit codes: 0 everything was judged, 1 below --fail-under, 2 bad input, 3 provider failure, 4 budget reached,
    5 some requirements could not be judged, 130 interrupted.

    --json prints: run, header, exit_code, stopped, totals, usage, tasks (name, error, totals, verdicts), invalid.
    """
    from judge.cli.choose import resolve
    from judge.cli.inputs import load_inputs

    check_fail_under(fail_under)
    flags = {"model": model, "base_url": base_url, "judge": judge, "setting": setting, "modules": modules, "gate": gate}
    chosen = {
        "search": search,
        "embeddings": embeddings,
        "drop_steps": drop_steps,
        "cut_steps": cut_steps,
        "redact": redact,
    }
    limits = {"concurrency": concurrency, "out": out, "max_cost": max_cost, "max_tokens": max_tokens}
    settings = resolve({**flags, **chosen, **limits, "ignore": tuple(ignore) if ignore else None}, config)
    inputs = load_inputs(
        tasks,
        workspace=workspace,
        trajectories=trajectories,
        setting=settings.setting,
        only=only or (),
        exclude=exclude or (),
    )
    code = _run(settings, inputs, fresh, _Shown(fail_under, details, as_json))
    if code != ExitCode.OK:
        raise typer.Exit(int(code))


class _Shown(NamedTuple):
    """How the result is shown, and the gate it is held against."""

    fail_under: float | None
    details: bool
    as_json: bool


def _run(settings: Settings, inputs: Inputs, fresh: bool, shown: _Shown) -> ExitCode:
    from judge.cli.choose import RULES_LINE, judge_kind, model_line, open_judge
    from judge.cli.console import say
    from judge.cli.progress import open_progress
    from judge.engine import RunFolder, build_header, choose_folder, prepare
    from judge.engine import run as run_engine

    kind = judge_kind(settings)
    options = _options(kind, settings, inputs)
    judge = open_judge(kind, settings, options)
    if kind == "rules" and not settings.judge and not settings.model:
        say(f"judge: {RULES_LINE}")
    _check_trust(settings, inputs)
    _warn(settings, inputs)
    prepared = prepare(inputs.plans, options)
    model_id = judge.model.id if judge.model is not None else ""
    header = build_header(prepared, options, model=model_id, prompts=judge.prompts())
    path = settings.out or choose_folder(RUNS, header, fresh=fresh)
    _refuse_inside(path, inputs)
    with RunFolder(path, header, fresh=fresh) as folder:
        for note in folder.notes:
            say(f"judge: {note}")
        if kind != "rules":
            say(f"judge: {model_line(settings)}")
        judge.book(folder.spent())
        with open_progress() as progress:
            result = run_engine(prepared, judge, options, folder, progress)
    code = result.exit_code(shown.fail_under)
    if inputs.invalid and code in {ExitCode.OK, ExitCode.GATE_FAILED}:
        code = ExitCode.INCOMPLETE
    show_result(result, inputs, path, code, fail_under=shown.fail_under, details=shown.details, as_json=shown.as_json)
    return code


def _options(kind: str, settings: Settings, inputs: Inputs) -> RunOptions:
    from judge.cli.choose import strategies_of
    from judge.engine import RunOptions, parse_modules

    return RunOptions(
        judge=kind,
        setting=inputs.setting,
        modules=parse_modules(settings.modules),
        gate=settings.gate,
        concurrency=settings.concurrency,
        strategies=strategies_of(settings),
        ignore=settings.ignore,
        max_output_tokens=settings.max_output_tokens,
    )


def check_fail_under(value: float | None) -> None:
    """Refuses a gate that is no share.

    Raises:
        ConfigError: It is not from 0 to 1.
    """
    if value is not None and not 0 <= value <= 1:
        raise ConfigError(f"is {value:g}", where="--fail-under", hint="a share from 0 to 1, such as 0.8")


def _check_trust(settings: Settings, inputs: Inputs) -> None:
    """A judge.toml inside a judged workspace was written by the one who is judged."""
    for plan in inputs.plans:
        if plan.workspace is not None:
            settings.check_trusted(plan.workspace)


def _warn(settings: Settings, inputs: Inputs) -> None:
    from judge.cli.console import say

    for line in (*settings.warnings, *inputs.warnings):
        say(f"judge: warning: {line}")
    for task in inputs.invalid:
        name = task.name or task.path.name
        for problem in task.problems:
            say(f"judge: warning: task {name} is not judged: {task.path}: {problem}")


def _refuse_inside(path: Path, inputs: Inputs) -> None:
    """Nothing is ever written into a judged workspace."""
    target = path.resolve()
    for plan in inputs.plans:
        if plan.workspace is None:
            continue
        root = plan.workspace.resolve()
        if target == root or root in target.parents:
            raise InputError(
                f"lies inside the judged workspace {plan.workspace}", where=str(path), hint="choose an --out elsewhere"
            )


def show_result(
    result: RunResult,
    inputs: Inputs,
    path: Path,
    code: ExitCode,
    *,
    fail_under: float | None,
    details: bool,
    as_json: bool,
) -> None:
    """Shows a run: the result on stdout, what else there is to say on stderr.

    Args:
        result: The run.
        inputs: What was judged.
        path: The run folder.
        code: The exit code.
        fail_under: The gate, when there is one.
        details: Whether every verdict is printed.
        as_json: Whether one JSON document is printed instead.
    """
    from judge.cli.console import say, show_json
    from judge.cli.streams import silence
    from judge.cli.table import final_lines, print_table, to_json

    try:
        if as_json:
            show_json(to_json(result, inputs, path, code))
        else:
            print_table(result, inputs, details)
    except BrokenPipeError:  # nobody reads on; the exit code still says how the run went
        silence(sys.stdout)
    hint = not (as_json or details)
    for line in final_lines(result, inputs, path, code, fail_under, hint):
        say(f"judge: {line}")
