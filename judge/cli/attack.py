"""``judge run --attack-report``: how often attacks move the verdicts of the configured judge."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import ExitCode, InputError
from judge.schemas import Setting

if TYPE_CHECKING:
    from judge.attack.plan import Written
    from judge.attack.tally import AttackReport
    from judge.cli.inputs import Inputs
    from judge.config import Settings
    from judge.engine import RunResult


def attack_report(
    settings: Settings,
    *,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    fresh: bool = False,
    warm: bool | None = None,
    estimate: bool = False,
    as_json: bool = False,
) -> ExitCode:
    """Measures the configured judge on the corpus of attacks, and writes attack.json and attack.md.

    They go into the run folder of the verdicts. Run again with the same arguments to continue.

    Args:
        settings: What the user decided; gray-box when no setting is given.
        only: Patterns of names or channels of attacks; none means all.
        exclude: Patterns of names or channels.
        fresh: Whether nothing from before counts.
        warm: Whether prompt caches are filled first; None to go by the server.
        estimate: Tell what it would need, and stop.
        as_json: Print one JSON document instead of text.

    Returns:
        The exit code, as of a run.

    Raises:
        InputError: No attack is left, or the folder cannot be used.
        ConfigError: Settings that do not go together.
        JudgeError: As in a run.
    """
    from judge.attack import corpus
    from judge.attack.plan import write_corpus
    from judge.cli.inputs import Inputs

    setting = Setting(settings.setting) if settings.setting else Setting.GRAY_BOX
    found = corpus(setting, only, exclude)
    if not found.attacks:
        hint = found.notes[0] if found.notes else "name attacks or channels, such as 'pdf*'"
        raise InputError("no attack is left", where="--only, --exclude", hint=hint)
    with tempfile.TemporaryDirectory(prefix="judge-attack-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        written = write_corpus(found, folder, steps=setting is Setting.GRAY_BOX)
        steps = folder if setting is Setting.GRAY_BOX else None
        inputs = Inputs(written.plans, (), folder, steps, setting, written.notes)
        _tell(settings, inputs, fresh, warm, estimate, as_json)
        if estimate:
            return ExitCode.OK
        result, path = _run(settings, inputs, fresh, warm)
        return _show(result, written, path, as_json)


def _tell(settings: Settings, inputs: Inputs, fresh: bool, warm: bool | None, wanted: bool, as_json: bool) -> None:
    """Says what will be asked and what it will cost, before anything is sent."""
    from judge.cli.console import say, show, show_json
    from judge.cli.estimated import estimate_lines, estimate_run

    for line in (*settings.warnings, *inputs.warnings):
        say(f"judge: warning: {line}")
    found, options = estimate_run(settings, inputs, fresh, warm)
    if wanted and as_json:
        show_json(found.to_json())
        return
    for line in estimate_lines(found, options):
        if wanted:
            show(line)
        else:
            say(f"judge: {line}")


def _run(settings: Settings, inputs: Inputs, fresh: bool, warm: bool | None) -> tuple[RunResult, Path]:
    from judge.cli.choose import RULES_LINE, judge_kind, make_judge, model_line, open_models
    from judge.cli.console import say
    from judge.cli.progress import open_progress
    from judge.cli.run import place, run_options
    from judge.engine import RunFolder, prepare
    from judge.engine.run import run as run_engine

    kind = judge_kind(settings)
    models = open_models(kind, settings)
    options = run_options(kind, settings, inputs, models, warm)
    judge = make_judge(kind, models, options, settings)
    prepared = prepare(inputs.plans, options)
    path, header = place(settings, judge, prepared, options, fresh)
    with RunFolder(path, header, fresh=fresh) as folder:
        for note in folder.notes:
            say(f"judge: {note}")
        if kind != "rules":
            say(f"judge: {model_line(settings)}")
        elif not settings.judge and not settings.model:
            say(f"judge: {RULES_LINE}")
        if options.batch:
            judge = make_judge(kind, open_models(kind, settings, batches=path / "batches"), options, settings)
        judge.book(folder.spent())
        with open_progress() as progress:
            return run_engine(prepared, judge, options, folder, progress), path


def _show(result: RunResult, written: Written, path: Path, as_json: bool) -> ExitCode:
    from judge.attack.measure import measure, write_report
    from judge.attack.report import to_markdown
    from judge.cli.console import say, show, show_json
    from judge.cli.streams import silence

    report = measure(result, written.attacks, written.notes)
    data, text = write_report(report, path)
    try:
        if as_json:
            show_json(report.model_dump(mode="json"))
        else:
            show(to_markdown(report).rstrip())
    except BrokenPipeError:  # nobody reads on; the exit code still says how the run went
        silence(sys.stdout)
    say(f"judge: {_line(report)}; see {text} and {data}")
    return result.exit_code()


def _line(report: AttackReport) -> str:
    total = report.total
    if total.rate is None or total.low is None or total.high is None:
        return f"none of {total.attacks} attacks could be tried"
    share = f"{total.rate:.1%}, {total.low:.1%} to {total.high:.1%}"
    errors = f", {total.errors} errors" if total.errors else ""
    pending = f", {total.pending} not reached" if total.pending else ""
    return f"{total.flips} of {total.tried} attacks moved the verdict ({share}){errors}{pending}"
