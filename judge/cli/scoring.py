"""The work behind ``judge score``: scores, shows the table, writes the reports."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from judge.cli.console import console, say, show, show_json
from judge.errors import ExitCode, InputError
from judge.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from judge.engine.scoring import Progress, ScoreFolder
    from judge.results.score import ScoreReport, SubmissionReport
    from judge.score import Baseline, LoadedSuite, Prepared, ScoreOptions, Submission
    from judge.score.suite.model import Override

_WIDTH = 1_000
"""Characters of what is printed of one case."""
_WIDE = 1.3
"""High over low from which on the interval of a baseline is worth a warning."""


class Wanted(NamedTuple):
    """The arguments of ``judge score SUITE SUBMISSION...``."""

    suite: Path
    paths: tuple[Path, ...]
    out: Path | None
    fail_under: float | None
    performance: bool
    sandbox: Literal["required", "best", "none"]
    seed: int | None
    jobs: int | None
    overrides: Path | None
    fresh: bool
    details: bool
    as_json: bool


def run(wanted: Wanted) -> ExitCode:
    """Scores, shows and writes.

    Args:
        wanted: What the user asked for.

    Returns:
        How the command ends.

    Raises:
        InputError: A suite, submission or folder cannot be used.
    """
    from judge.cli.score import load, proven
    from judge.cli.scoring_table import show_table
    from judge.engine.names import slug
    from judge.engine.scoring import ScoreFolder
    from judge.report.score import write_reports
    from judge.score import ScoreOptions, assemble, find_submissions, load_overrides, prepare

    loaded = load(wanted.suite)
    submissions = find_submissions(wanted.paths)
    reviews = load_overrides(wanted.overrides) if wanted.overrides is not None else ()
    for line in _unmatched(reviews, submissions, wanted.overrides):
        say(f"judge: warning: {line}")
    box = proven(wanted.sandbox)
    prepared = prepare(loaded, box, wanted.seed)
    for note in prepared.notes:
        say(f"judge: note: {note}")
    options = ScoreOptions(performance=wanted.performance, overrides=reviews)
    out = wanted.out or Path("runs") / f"score-{slug(loaded.suite.problem)}"
    with ScoreFolder(out, fresh=wanted.fresh) as folder:
        for note in folder.notes:
            say(f"judge: warning: {note}")
        reports = _scored(prepared, submissions, options, folder, wanted.jobs or os.cpu_count() or 1)
        if reports is None:
            return ExitCode.INTERRUPTED
        report = assemble(prepared, reports, *_of_models(reports))
        written = write_reports(report, out)
    if wanted.as_json:
        show_json(report.model_dump(mode="json"))
    else:
        show_table(report, wanted.details)
    say(f"judge: written to {out}: {', '.join(written)}")
    return _end(report, wanted.fail_under)


def _scored(
    prepared: Prepared, submissions: Sequence[Submission], options: ScoreOptions, folder: ScoreFolder, jobs: int
) -> tuple[SubmissionReport, ...] | None:
    """Scores all; None when the user stopped it, which is said with what is kept."""
    from judge.engine.scoring import score_all

    kept = 0
    with _progress(len(submissions)) as progress:

        def moved(state: Progress) -> None:
            nonlocal kept
            kept = state.done
            progress(state)

        try:
            return score_all(prepared, submissions, options, folder, jobs, moved)
        except KeyboardInterrupt:
            pass
    say(
        f"judge: interrupted: {kept} of {len(submissions)} scored and kept; "
        "run again with the same arguments to continue"
    )
    return None


def _unmatched(reviews: Sequence[Override], submissions: Sequence[Submission], file: Path | None) -> Iterator[str]:
    """One warning for each submission that a reviewer names and that is not scored."""
    from judge.near import did_you_mean

    known = dict.fromkeys(name for item in submissions for name in (item.name, item.path.name))
    for name in dict.fromkeys(item.submission for item in reviews):
        if name not in known:
            hint = did_you_mean(name, known, f"scored: {', '.join(list(known)[:5])}")
            yield one_line(f"{file}: no submission is called {name}, so its override changes nothing ({hint})", _WIDTH)


def _end(report: ScoreReport, fail_under: float | None) -> ExitCode:
    failed = [item for item in report.submissions if item.error]
    for item in failed:
        say(f"judge: error: {item.submission} could not be scored: {item.error}")
    if fail_under is not None:
        below = [item for item in report.submissions if not item.error and item.total < fail_under]
        if below:
            worst = min(below, key=lambda item: item.total)
            many = "1 submission is" if len(below) == 1 else f"{len(below)} submissions are"
            say(f"judge: {many} below {fail_under:g}; the lowest is {worst.submission} with {worst.total:.1f}")
            return ExitCode.GATE_FAILED
    return ExitCode.INCOMPLETE if failed else ExitCode.OK


def _of_models(reports: Sequence[SubmissionReport]) -> tuple[list[Any], list[Any]]:
    """pass@k and the spread of totals of each model with several samples."""
    from judge.metrics.pass_at_k import model_pass_at_k, summarize
    from judge.score import samples_by_model, solves

    groups = samples_by_model(reports)
    rates = [model_pass_at_k(name, [solves(item) for item in items]) for name, items in groups.items()]
    return rates, [summarize(name, [item.total for item in items]) for name, items in groups.items()]


@contextmanager
def _progress(whole: int) -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal; elsewhere one line for each tenth."""
    import sys

    if not sys.stderr.isatty():
        yield _plain(whole)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=whole)

        def moved(state: Progress) -> None:
            last = f"{state.last.submission}: {state.last.total:.1f}" if state.last is not None else "scoring"
            bar.update(task, completed=state.done, description=last[:60])

        yield moved


def _plain(whole: int) -> Callable[[Progress], None]:
    step = max(1, whole // 10)

    def moved(state: Progress) -> None:
        if state.last is None and state.before:
            say(f"judge: {state.before} of {whole} submissions are finished from before")
        elif state.last is not None and (state.done % step == 0 or state.done == whole):
            say(f"judge: {state.done}/{whole} submissions, last {state.last.submission}: {state.last.total:.1f}")

    return moved


def generated(loaded: LoadedSuite, sandbox: Any, seed: int | None, out: Path | None, as_json: bool) -> None:
    """Shows the generated edge cases with the reference's answers, or writes them as YAML."""
    from judge.score import generated_cases, prepare, to_yaml

    prepared = prepare(loaded, sandbox, seed)
    for note in prepared.notes:
        say(f"judge: note: {note}")
    cases = generated_cases(prepared)
    if out is not None:
        _write(out, to_yaml(cases))
        say(f"judge: {len(cases)} cases written to {out}")
    elif as_json:
        rows = [{"id": c.id, "category": c.category, "input": c.input, "expected": c.expected} for c in cases]
        show_json({"suite": loaded.suite.problem, "dropped": prepared.dropped, "cases": rows})
    else:
        for case in cases:
            show(f"{case.id:<14} {case.category:<10} {one_line(f'({case.input}) -> {case.expected}', _WIDTH)}")
        show(f"{len(cases)} cases; {prepared.dropped} inputs dropped that the suite does not define")


def recorded(
    loaded: LoadedSuite, sandbox: Any, solution: Path | None, out: Path | None, seed: int | None, as_json: bool
) -> None:
    """Records the baseline of speed and says where it was written."""
    from judge.score import (
        Answers,
        SuiteSide,
        baseline_path,
        find_submissions,
        program_of,
        record_baseline,
        write_baseline,
    )

    with SuiteSide(loaded, sandbox, Answers()) as side:
        reference = side.reference_program() if side.has_reference else None
    if solution is not None:
        chosen = program_of(find_submissions([solution])[0], loaded.suite)
    elif reference is not None:
        chosen = reference
    else:
        raise InputError("the suite has no reference to time", where=str(loaded.path), hint="name a solution")
    path = out or baseline_path(loaded) or loaded.path.parent / "baseline.json"
    number = loaded.suite.edge_cases.random.seed if seed is None else seed
    baseline = record_baseline(sandbox, loaded, chosen, reference, number)
    write_baseline(baseline, path)
    _warn_of_width(baseline)
    if as_json:
        show_json(baseline.model_dump(mode="json"))
        return
    low, high = baseline.cpu.low, baseline.cpu.high
    show(f"{path}: {baseline.cpu.median:.3f} of the CPU time of the reference ({low:.3f} to {high:.3f})")
    if loaded.suite.performance.baseline == "":
        say(f"judge: note: the suite does not name it yet; add performance.baseline: {path.name}")


def _warn_of_width(baseline: Baseline) -> None:
    low, high = baseline.cpu.low, baseline.cpu.high
    if high > _WIDE * low:
        say(
            f"judge: warning: the interval is wide ({low:.3f} to {high:.3f}), and its upper end is what counts: "
            f"submissions up to {high / low:.1f} times as slow would keep all points; end other programs and record "
            "it again, or raise performance.iterations or performance.inputs.size in the suite"
        )


def compared(before: Path, after: Path, as_json: bool) -> None:
    """Shows two scorings side by side."""
    from judge.report.score import compare_reports, comparison_text

    comparison = compare_reports(_read(before), _read(after))
    if as_json:
        show_json(comparison.model_dump(mode="json"))
    else:
        show(comparison_text(comparison))


def _read(path: Path) -> ScoreReport:
    from pydantic import ValidationError

    from judge.bounded import read_whole
    from judge.results.score import ScoreReport

    file = path / "score.json" if path.is_dir() else path
    try:
        return ScoreReport.model_validate_json(read_whole(file))
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", where=str(file), hint="name a score.json"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"is no report of judge score: {place}: {first['msg']}", where=str(file)) from error


def _write(path: Path, text: str) -> None:
    from judge.atomic import write_atomic

    try:
        write_atomic(path, text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=str(path)) from error
