"""What the trajectory says of files in question that they do not say themselves: typed in, stale, removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge.trajectories.outcomes import Outcome

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.trajectories import FileHistory, Run

_FILES = 8
_LINE = 160
_FAILED = frozenset({Outcome.ERROR, Outcome.TIMEOUT, Outcome.KILLED})
_PROSE = (".md", ".rst", ".txt", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".html", ".css", ".sh", ".sql")
_RESULTS = ("results", "output", "outputs", "metrics", "logs", "reports", "figures", "predictions")


def states(case: Case, history: FileHistory, paths: Sequence[str]) -> list[str]:
    """One line for every file whose last state is worth a doubt; nothing for what was made as it should be.

    Args:
        case: The requirement.
        history: What happened to every file.
        paths: Files in question, there or not.
    """
    lines = []
    for path in list(dict.fromkeys(paths))[:_FILES]:
        notes = list(_code(history, path) if path in case.graph.files else _artefact(case, history, path))
        if notes:
            lines.append(f"{path}: {'; '.join(notes)}")
    return lines


def _code(history: FileHistory, path: str) -> Iterator[str]:
    if history.deleted(path):
        yield _gone(history, path)
    if history.never_executed(path) and history.last_write(path) is not None:
        yield "no step ran it"
        return
    run, last = history.run_after_write(path), history.last_write(path)
    if run is not None and run.outcome in _FAILED:
        yield f"its last run failed, in step {run.step}{_error(run)}"
    elif run is None and last is not None and history.runs_of(path):
        yield f"changed in step {last.step} and not run since"


def _artefact(case: Case, history: FileHistory, path: str) -> Iterator[str]:
    last = history.last_write(path)
    if history.deleted(path):
        yield _gone(history, path)
        return
    if last is None:
        return
    if history.hand_written(path) and _is_result(case, path):
        yield f"typed in by the agent in step {last.step}, not made by a program"
        return
    makers = list(dict.fromkeys(source for source, _ in case.graph.writers(path)))
    for maker in makers[:1]:
        changed = history.last_write(maker)
        if changed is not None and changed.order > last.order and history.run_after_write(maker) is None:
            yield f"made in step {last.step}, before {maker} was last changed in step {changed.step}"
    if history.crashed_after_write(path):
        yield f"the run that made it in step {last.step} failed"


def _gone(history: FileHistory, path: str) -> str:
    events = [event for event in history.events(path) if not event.failed]
    return f"removed in step {events[-1].step} and not made again" if events else "removed"


def _error(run: Run) -> str:
    return f": {run.error}"[:_LINE] if run.error else ""


def _is_result(case: Case, path: str) -> bool:
    """Whether a file should be the work of a program; prose, settings and what code only reads may be typed in."""
    folders = path.lower().split("/")[:-1]
    if any(folder in _RESULTS for folder in folders) or case.graph.writers(path):
        return True
    return not path.lower().endswith((*_PROSE, ".json")) and not case.graph.readers(path)
