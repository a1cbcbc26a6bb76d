"""Steps that must be seen whatever their words: who last made a file in question, and what ran it last."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from judge.modules.retrieve.tables import measures_in
from judge.trajectories.actions import Effect
from judge.trajectories.outcomes import Outcome

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.modules.retrieve.tables import Tables
    from judge.schemas import Evidence
    from judge.trajectories import FileEvent, FileHistory

_NAMED = 0.85
_LOCATED = 0.5
_TOUCHED = frozenset({Effect.WRITTEN, Effect.EDITED, Effect.MOVED, Effect.REMOVED})
_WRITERS = 3
_RUNS = 2
_STAND_INS = 4
_TEST_RUNS = 2
_TESTS = re.compile(r"\btest(?:s|ed|ing)?\b|\bsuite\b|\bcoverage\b", re.IGNORECASE)
_REACHED = 50


def needed_steps(case: Case, tables: Tables, found: Sequence[Evidence]) -> dict[int, str]:
    """Step number -> why it is needed, the most telling first.

    Args:
        case: The requirement.
        tables: The trajectory.
        found: What ``locate`` found, with scores; missing paths are in its notes.
    """
    steps: dict[int, str] = {}
    history = tables.history
    named, located = paths_in_question(found)
    for path in named:
        _last_change(history, path, steps)
        if path not in case.graph.files:
            for writer in _writers(case, history, path):
                _last_runs(history, writer, steps, _RUNS)
        else:
            for script in _runners(case, history, path):
                _last_runs(history, script, steps, 1)
    for path in located:
        if path in case.graph.files:
            _last_runs(history, path, steps, 1)
        _last_change(history, path, steps)
    _last_tests(case, tables, [*named, *located], steps)
    _last_prints(case, tables, steps)
    for path in named:
        if path not in case.graph.files:
            _last_look(history, path, steps)
    return steps


def only_wrote(history: FileHistory, step: int, events: Sequence[FileEvent], shown: Callable[[str], bool]) -> str:
    """The files that a step changed, when it ran nothing and each of them is shown whole as it is now; else nothing.

    Args:
        history: What happened to every file.
        step: Number of the step.
        events: What happened in it.
        shown: Whether a file is shown whole.
    """
    changes = [event for event in events if event.effect in _TOUCHED]
    if not changes or any(run.step == step for run in history.runs):
        return ""
    for event in changes:
        last = history.last_write(event.path)
        if event.failed or not event.certain or last is None or last.step != step or not shown(event.path):
            return ""
    return ", ".join(dict.fromkeys(event.path for event in changes))


def touched(history: FileHistory, paths: Sequence[str]) -> dict[int, list[str]]:
    """Step number -> which of some files it changed, removed or ran."""
    steps: dict[int, list[str]] = {}
    for path in dict.fromkeys(paths):
        for number in dict.fromkeys(event.step for event in history.events(path) if _counts(event)):
            steps.setdefault(number, []).append(path)
    return steps


def _counts(event: FileEvent) -> bool:
    return not event.failed and (event.effect in _TOUCHED or event.effect is Effect.EXECUTED)


def paths_in_question(found: Sequence[Evidence]) -> tuple[list[str], list[str]]:
    """Files the criterion names (there or missing), and the others that are read because of them."""
    named: list[str] = []
    located: list[str] = []
    for item in found:
        missing, score = item.facts.get("missing"), item.facts.get("score")
        if isinstance(missing, str):
            named.append(missing)
        elif item.module == "locate" and item.path is not None and isinstance(score, (int, float)):
            if score >= _NAMED:
                named.append(item.path)
            elif score >= _LOCATED:
                located.append(item.path)
    if not named and not located:  # nothing was named: the files that fit best stand in
        best = [item for item in found if item.module == "locate" and item.path and item.facts.get("score")]
        located = [item.path or "" for item in best[:_STAND_INS]]
    return named, located


def _writers(case: Case, history: FileHistory, path: str) -> list[str]:
    """Code that makes a file, as far as the code itself tells; else code that was written with its name in it."""
    known = [source for source, _ in case.graph.writers(path)]
    known = known or [event.path for event in reversed(history.writers_named(path)) if event.path in case.graph.files]
    return list(dict.fromkeys(known))[:_WRITERS]


def _runners(case: Case, history: FileHistory, path: str) -> list[str]:
    """A script itself, or the scripts that ran with it when it was only imported."""
    if history.runs_of(path):
        return [path]
    seen = {path}
    near = [path]
    while near and len(seen) < _REACHED:
        near = [
            by for one in near if one in case.graph.files for by in case.graph.files[one].imported_by if by not in seen
        ]
        seen.update(near)
        ran = [one for one in dict.fromkeys(near) if history.runs_of(one)]
        if ran:
            return ran[:_WRITERS]
    return []


def _last_change(history: FileHistory, path: str, steps: dict[int, str]) -> None:
    """The last step that gave the file content, and the last one that changed or removed it at all."""
    events = [event for event in history.events(path) if event.effect in _TOUCHED and not event.failed]
    if events:
        gone = events[-1].effect is Effect.REMOVED
        steps.setdefault(events[-1].step, f"last to {'remove' if gone else 'change'} `{path}`")
    last = history.last_write(path)
    if last is not None:
        steps.setdefault(last.step, f"last to write `{path}`")
    if last is not None and last.source and last.source != path:
        source = history.last_write(last.source)  # a copy or move: where it came from
        if source is not None:
            steps.setdefault(source.step, f"last to write `{last.source}`, from which `{path}` comes")


def _last_runs(history: FileHistory, path: str, steps: dict[int, str], number: int) -> None:
    """The last runs of a script, and the last one that ended well: later ones may have used other arguments."""
    runs = [run for run in history.runs_of(path) if run.outcome is not Outcome.NOT_RUN]
    for run in reversed(runs[-number:]):
        steps.setdefault(run.step, f"last run of `{path}`" if run is runs[-1] else f"late run of `{path}`")
    good = [run for run in runs if run.outcome is Outcome.OK]
    if good:
        steps.setdefault(good[-1].step, f"last run of `{path}` without an error")


def _last_look(history: FileHistory, path: str, steps: dict[int, str]) -> None:
    """The last step that looked at a named file since it was last written: what the agent saw, and thought of it."""
    looks = [event.step for event in history.events(path) if event.effect is Effect.READ and not event.failed]
    last = history.last_write(path)
    if looks and (last is None or looks[-1] >= last.step):
        steps.setdefault(looks[-1], f"last to look at `{path}`")


def _last_tests(case: Case, tables: Tables, paths: Sequence[str], steps: dict[int, str]) -> None:
    """The last run of tests, when the criterion is about tests or tests use a file in question."""
    if not tables.tests:
        return
    about = bool(_TESTS.search(case.requirement.criteria))
    if not about and not any(_is_tested(case, path) for path in paths):
        return
    numbers = [tables.trajectory.steps[position].step for position in tables.tests]
    for number in reversed(numbers[-(_TEST_RUNS if about else 1) :]):
        steps.setdefault(number, "last run of the tests" if number == numbers[-1] else "late run of tests")


def _is_tested(case: Case, path: str) -> bool:
    from judge.modules.graph.kinds import EntryKind

    code = case.graph.files.get(path)
    by = code.imported_by if code is not None else ()
    return any(case.graph.entries.get(one) is EntryKind.TEST for one in (path, *by))


def _last_prints(case: Case, tables: Tables, steps: dict[int, str]) -> None:
    """The last step that printed a measure of the criterion with a number."""
    for measure in sorted(measures_in(case.requirement.criteria)):
        holders = [position for position, names in enumerate(tables.prints) if measure in names]
        if holders:
            steps.setdefault(tables.trajectory.steps[holders[-1]].step, f"last to print {measure}")
