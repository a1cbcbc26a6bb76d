"""What a finished run shows: a table per task, totals, and where the run folder is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.cli.console import console, show
from judge.cli.progress import spent
from judge.errors import ExitCode
from judge.text import plural, printable

if TYPE_CHECKING:
    from judge.cli.inputs import Inputs
    from judge.engine import RunResult, Share, TaskResult, Totals
    from judge.engine.stop import Stop

_SHOWN = 1000


def print_table(result: RunResult, inputs: Inputs, details: bool = False) -> None:
    """Prints one row a task and the totals on stdout.

    Args:
        result: The run.
        inputs: For tasks that could not be loaded.
        details: Whether to print every verdict also when there are several tasks.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console()
    table = Table(box=box.SIMPLE if screen.is_terminal else box.ASCII2, show_footer=False, pad_edge=False)
    table.add_column("Task", overflow="fold")
    for name in ("(I) met", "(D) met", "errors", "(T)"):
        table.add_column(name, justify="right", no_wrap=True)
    rows = [_row(item) for item in result.tasks]
    rows += [(broken.name or broken.path.name, "-", "-", "-", "-", "task is invalid") for broken in inputs.invalid]
    notes = any(row[-1] for row in rows)
    if notes:
        table.add_column("notes", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in (row if notes else row[:-1])))
    screen.print(table)
    for item in result.tasks if details or len(result.tasks) == 1 else ():
        if len(result.tasks) > 1:
            show(f"== {item.task.name}")
        _print_requirements(item)
    for line in summary(result.totals):
        show(line)


def _print_requirements(item: TaskResult) -> None:
    """Every verdict of a task, with its criterion and reason."""
    for requirement in item.task.requirements:
        verdict = item.verdicts.get(requirement.requirement_id)
        value = verdict.verdict.value if verdict is not None else "not reached"
        show(f"{requirement.requirement_id:3}  {value:11}  {_short(requirement.criteria)}")
        if verdict is not None and (verdict.error or verdict.reason):
            show(f"{'':16}  {_short(verdict.error or verdict.reason)}")
    show()


def _short(text: str) -> str:
    """The text on one line; the run folder holds all of it."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _row(item: TaskResult) -> tuple[str, ...]:
    counts = item.totals
    solved = counts.solved
    mark = "-" if not solved.of else "solved" if solved.met else "no"
    notes = [item.error] if item.error else []
    if counts.pending:
        notes.append(f"{counts.pending} not reached")
    wrong = sum(1 for verdict in item.verdicts.values() if verdict.citations_verified is False)
    if wrong:
        notes.append(f"{wrong} with a quote that was not found")
    hostile = sum(1 for verdict in item.verdicts.values() if verdict.injection)
    if hostile:
        notes.append(f"{hostile} with text that addresses the judge")
    errors = str(counts.errors) if counts.errors else ""
    return (item.task.name, _of(counts.independent), _of(counts.dependent), errors, mark, "; ".join(notes))


def _of(share: Share) -> str:
    return f"{share.met}/{share.of}" if share.of else "-"


def summary(counts: Totals) -> list[str]:
    """The totals as lines.

    Args:
        counts: Over all tasks.

    Returns:
        One line for each of (I), (D) and (T), and one for what could not be judged.
    """
    lines = [
        f"(I) requirements met                            {_share(counts.independent)}",
        f"(D) met with all direct prerequisites met       {_share(counts.dependent)}",
        f"(T) tasks with every requirement met            {_share(counts.solved)}",
    ]
    if counts.errors or counts.pending:
        rest = f", {counts.pending} not reached" if counts.pending else ""
        lines.append(f"not judged, and in no share above: {counts.errors} error{rest} of {counts.requirements}")
    return lines


def _share(share: Share) -> str:
    return f"{share.rate:7.2%}  ({share.met} of {share.of})" if share.rate is not None else "      -  (nothing judged)"


def final_lines(
    result: RunResult, inputs: Inputs, path: Path, code: ExitCode, fail_under: float | None, hint: bool = False
) -> Iterator[str]:
    """What to say at the very end, on stderr.

    Args:
        result: The run.
        inputs: For invalid tasks.
        path: The run folder.
        code: The exit code.
        fail_under: The gate, when there is one.
        hint: Whether to say where the single verdicts are, when they were not shown.

    Yields:
        Lines.
    """
    counts = result.totals
    missing = sum(1 for item in result.tasks if item.error == "no workspace")
    if missing:
        verb = "has" if missing == 1 else "have"
        yield f"{missing} of {plural(counts.tasks, 'task')} {verb} no workspace under {inputs.workspaces}"
    yield from _failures(result)
    if inputs.invalid:
        number = len(inputs.invalid)
        invalid = "1 invalid task was" if number == 1 else f"{number} invalid tasks were"
        yield f"{invalid} not judged (judge validate lists every problem)"
    rate = counts.independent.rate
    if code == ExitCode.GATE_FAILED and fail_under is not None:
        yield f"below the gate: {rate or 0:.2%} of the requirements are met, --fail-under {fail_under:.2%}"
    if result.usage_total.calls or result.usage_total.cached_calls:
        yield spent(result.usage_total)
    if result.stop.budget is not None:
        yield str(result.stop.budget)
    if result.stop.deadline and (result.totals.pending or result.totals.errors):
        yield "the time for the run is over (--max-time); run again with the same arguments to continue"
    if result.stop.interrupted:
        yield "interrupted; run again with the same arguments to continue"
    yield f"run folder: {path}"
    if hint and len(result.tasks) > 1:
        yield f"each verdict with its reason: the same command with --details, or {path / 'judgments'}"


def _failures(result: RunResult) -> Iterator[str]:
    """The commonest reasons of ERROR verdicts, except missing workspaces."""
    reasons: dict[str, int] = {}
    for item in result.tasks:
        for verdict in item.verdicts.values():
            if verdict.error and verdict.error != item.error:
                reasons[verdict.error] = reasons.get(verdict.error, 0) + 1
    for item in result.tasks:
        if item.error and item.error != "no workspace":
            yield f"{item.task.name}: {item.error}"
    for reason, number in sorted(reasons.items(), key=lambda pair: -pair[1])[:3]:
        yield f"{number} x ERROR: {reason}"


def to_json(result: RunResult, inputs: Inputs, path: Path, code: ExitCode) -> dict[str, Any]:
    """The run as one JSON value.

    Args:
        result: The run.
        inputs: For invalid tasks.
        path: The run folder.
        code: The exit code.

    Returns:
        The document that ``--json`` prints.
    """
    stop = result.stop
    return {
        "run": str(path),
        "header": result.header.model_dump(mode="json"),
        "exit_code": int(code),
        "stopped": _stopped(stop),
        "totals": result.totals.to_json(),
        "usage": result.usage_total.model_dump(mode="json"),
        "costs": result.costs.to_json(),
        "tasks": [_task_json(item) for item in result.tasks],
        "invalid": [
            {"name": item.name, "path": str(item.path), "problems": [str(problem) for problem in item.problems]}
            for item in inputs.invalid
        ],
    }


def _stopped(stop: Stop) -> str | None:
    if stop.interrupted:
        return "interrupted"
    if stop.budget is not None:
        return str(stop.budget)
    return "the time for the run is over" if stop.deadline else None


def _task_json(item: TaskResult) -> dict[str, Any]:
    verdicts = (item.verdicts.get(requirement.requirement_id) for requirement in item.task.requirements)
    return {
        "name": item.task.name,
        "error": item.error or None,
        "totals": item.totals.to_json(),
        "verdicts": [verdict.model_dump(mode="json") for verdict in verdicts if verdict is not None],
    }
