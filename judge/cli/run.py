"""``judge run``: judges the requirements of tasks and writes verdicts into a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from judge.cli import model_options as models
from judge.cli import options as shared
from judge.errors import ConfigError, ExitCode, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.cli.inputs import Inputs
    from judge.cli.result import Shown
    from judge.config import Settings
    from judge.engine import Judge, Prepared, RunOptions
    from judge.models import Model
    from judge.schemas import RunHeader

RUNS = Path("runs")


def run(
    tasks: shared.SomeTasks = None,
    workspace: shared.Workspaces = None,
    trajectories: shared.Trajectories = None,
    setting: shared.Setting = None,
    only: shared.Only = None,
    exclude: shared.Exclude = None,
    ignore: shared.Ignore = None,
    judge: shared.JudgeKind = None,
    votes: shared.Votes = None,
    tie: shared.Tie = None,
    strictness: shared.Strictness = None,
    gate: shared.Gate = None,
    modules: shared.Modules = None,
    search: shared.Search = None,
    embeddings: shared.Embeddings = None,
    drop_steps: shared.DropSteps = None,
    cut_steps: shared.CutSteps = None,
    redact: shared.Redact = None,
    model: models.Models = None,
    base_url: models.BaseUrl = None,
    api: models.Api = None,
    effort: models.Effort = None,
    batch: models.Batch = None,
    cache: models.Cache = None,
    cache_dir: models.CacheDir = None,
    warm: models.Warm = None,
    estimate: models.Estimate = False,
    attack_report: shared.AttackReport = False,
    max_cost: models.MaxCost = None,
    max_tokens: models.MaxTokens = None,
    run_deadline: models.MaxTime = None,
    concurrency: models.Concurrency = None,
    requests_per_minute: models.RequestsPerMinute = None,
    tokens_per_minute: models.TokensPerMinute = None,
    max_retries: models.MaxRetries = None,
    timeout: models.Timeout = None,
    deadline: models.Deadline = None,
    prices: models.Prices = None,
    out: shared.Out = None,
    fresh: shared.Fresh = False,
    details: shared.Details = False,
    costs: shared.Costs = False,
    fail_under: shared.FailUnder = None,
    config: shared.Config = None,
    as_json: shared.AsJson = False,
) -> None:
    """Judge the requirements of tasks and write verdicts into a run folder.

    With --model a model decides; without one the offline rules do. Run again with the same arguments to continue:
    finished verdicts are kept, what failed or is missing is judged.

    Exit codes: 0 everything was judged, 1 below --fail-under, 2 bad input, 3 provider failure, 4 budget reached,
    5 some requirements could not be judged or the time was over, 130 interrupted.

    With --attack-report built-in attacks are judged instead of tasks; --only and --exclude name attacks or channels.

    --json prints: run, header, exit_code, stopped, totals, usage, costs (purposes, models, tasks), tasks (name, error,
    totals, verdicts), invalid. With --estimate: requirements, calls, most_calls, tokens, cached, answers, cost,
    most_cost, seconds, sampled.
    """
    given = shared.settings_given(locals())
    from judge.cli.choose import resolve
    from judge.cli.inputs import load_inputs
    from judge.cli.result import Shown

    check_fail_under(fail_under)
    settings = resolve(given, config)
    if attack_report:
        _alone(TASKS=tasks, workspace=workspace, trajectories=trajectories, fail_under=fail_under)
        code = _measure_attacks(settings, only, exclude, fresh, warm, estimate, as_json)
        if code != ExitCode.OK:
            raise typer.Exit(int(code))
        return
    if not tasks:
        raise InputError("no tasks were named", where="TASKS", hint="name task files or folders, such as devai/tasks")
    inputs = load_inputs(
        tasks,
        workspace=workspace,
        trajectories=trajectories,
        setting=settings.setting,
        only=only or (),
        exclude=exclude or (),
    )
    work = _estimate if estimate else _run
    code = work(settings, inputs, fresh, warm, Shown(fail_under, details, costs, as_json))
    if code != ExitCode.OK:
        raise typer.Exit(int(code))


def _alone(**given: object) -> None:
    """Refuses what an attack report brings itself.

    Raises:
        InputError: Something of it was given.
    """
    for name, value in given.items():
        if value:
            option = name if name.isupper() else f"--{name.replace('_', '-')}"
            raise InputError("brings its own tasks and workspaces", where="--attack-report", hint=f"leave {option} out")


def _measure_attacks(
    settings: Settings,
    only: Sequence[str] | None,
    exclude: Sequence[str] | None,
    fresh: bool,
    warm: bool | None,
    estimate: bool,
    as_json: bool,
) -> ExitCode:
    from judge.cli.attack import attack_report

    return attack_report(
        settings,
        only=only or (),
        exclude=exclude or (),
        fresh=fresh,
        warm=warm,
        estimate=estimate,
        as_json=as_json,
    )


def _run(settings: Settings, inputs: Inputs, fresh: bool, warm: bool | None, shown: Shown) -> ExitCode:
    from judge.cli.choose import RULES_LINE, judge_kind, make_judge, model_line, open_models
    from judge.cli.console import say
    from judge.cli.progress import open_progress
    from judge.cli.result import show_result
    from judge.engine import RunFolder, prepare
    from judge.engine.run import run as run_engine

    kind = judge_kind(settings)
    models = open_models(kind, settings)
    options = run_options(kind, settings, inputs, models, warm)
    judge = make_judge(kind, models, options, settings)
    if kind == "rules" and not settings.judge and not settings.model:
        say(f"judge: {RULES_LINE}")
    _check_trust(settings, inputs)
    _warn(settings, inputs)
    prepared = prepare(inputs.plans, options)
    path, header = place(settings, judge, prepared, options, fresh)
    _refuse_inside(path, inputs)
    with RunFolder(path, header, fresh=fresh) as folder:
        for note in folder.notes:
            say(f"judge: {note}")
        if kind != "rules":
            say(f"judge: {model_line(settings)}")
        if options.batch:
            judge = make_judge(kind, open_models(kind, settings, batches=path / "batches"), options, settings)
        judge.book(folder.spent())
        with open_progress() as progress:
            result = run_engine(prepared, judge, options, folder, progress)
    code = result.exit_code(shown.fail_under)
    if inputs.invalid and code in {ExitCode.OK, ExitCode.GATE_FAILED}:
        code = ExitCode.INCOMPLETE
    show_result(result, inputs, path, code, shown)
    return code


def place(
    settings: Settings, judge: Judge, prepared: Sequence[Prepared], options: RunOptions, fresh: bool
) -> tuple[Path, RunHeader]:
    """The folder of a run, which may not exist yet, and its header.

    Args:
        settings: For ``--out``.
        judge: Who judges.
        prepared: The tasks.
        options: How.
        fresh: Whether a new folder is wanted.
    """
    from judge.engine import build_header, choose_folder, model_names

    header = build_header(prepared, options, model=model_names(judge), prompts=judge.prompts())
    return settings.out or choose_folder(RUNS, header, fresh=fresh), header


def _estimate(settings: Settings, inputs: Inputs, fresh: bool, warm: bool | None, shown: Shown) -> ExitCode:
    """Tells what a run would need; nothing is sent, and nothing is written."""
    from judge.cli.console import show, show_json
    from judge.cli.estimated import estimate_lines, estimate_run

    _check_trust(settings, inputs)
    _warn(settings, inputs)
    found, options = estimate_run(settings, inputs, fresh, warm)
    if shown.as_json:
        show_json(found.to_json())
    else:
        for line in estimate_lines(found, options):
            show(line)
    return ExitCode.OK


def run_options(
    kind: str, settings: Settings, inputs: Inputs, models: Sequence[Model] = (), warm: bool | None = None
) -> RunOptions:
    """How requirements are judged.

    Args:
        kind: The judge.
        settings: What the user decided.
        inputs: For the setting.
        models: Who is asked.
        warm: Whether prompt caches are filled first; None to go by the server.

    Raises:
        ConfigError: Settings that do not go together.
    """
    from judge.cli.choose import panel, strategies_of, writings_of
    from judge.engine import RunOptions, parse_modules
    from judge.engine.prices import keeps_prompts

    asked = kind != "rules"
    if warm is None:
        warm = asked and any(keeps_prompts(spec, settings.models) for spec in panel(settings))
    return RunOptions(
        judge=kind,
        setting=inputs.setting,
        modules=parse_modules(settings.modules),
        gate=settings.gate,
        concurrency=settings.concurrency,
        strategies=strategies_of(settings),
        ignore=settings.ignore,
        max_output_tokens=settings.max_output_tokens,
        panel=tuple(model.id for model in models),
        votes=settings.votes if asked else 1,
        tie=settings.tie,
        strictness=settings.strictness,
        warm=asked and not settings.batch and warm,
        batch=asked and settings.batch,
        max_seconds=settings.run_deadline,
        writings=writings_of(settings),
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
