"""From arguments to tasks with their workspaces and trajectories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from judge.engine.plan import TaskPlan
from judge.engine.workspaces import find_workspaces
from judge.errors import ConfigError, InputError
from judge.schemas import Setting
from judge.text import plural

if TYPE_CHECKING:
    from judge.tasks import InvalidTask, LoadedTask


_LISTED = 20


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the arguments name.

    Attributes:
        plans: The selected tasks with their folders.
        invalid: Selected tasks that cannot be judged.
        workspaces: The folder of workspaces.
        trajectories: The folder (or file) of trajectories, or None.
        setting: Black-box or gray-box.
        warnings: Lines for the user.
    """

    plans: tuple[TaskPlan, ...]
    invalid: tuple[InvalidTask, ...]
    workspaces: Path
    trajectories: Path | None
    setting: Setting
    warnings: tuple[str, ...] = ()


def load_inputs(
    paths: Sequence[Path],
    *,
    workspace: Path | None,
    trajectories: Path | None,
    setting: str,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Inputs:
    """Loads tasks, chooses among them and finds what belongs to each.

    Args:
        paths: Task files, folders, or the official repository.
        workspace: What ``--workspace`` names; None to go by the official layout.
        trajectories: What ``--trajectories`` names, or None.
        setting: ``black-box``, ``gray-box`` or empty to go by whether there are trajectories.
        only: Patterns of task names; none means all.
        exclude: Patterns of task names.

    Returns:
        The selected tasks.

    Raises:
        InputError: Nothing is left to judge, or a path is not there.
        ConfigError: Options that do not go together.
    """
    from judge.tasks import load_tasks

    loaded = load_tasks(paths)
    workspace, trajectories = _by_layout(paths, workspace, trajectories, setting)
    wanted = _filter(only, exclude)
    tasks = [item for item in loaded.tasks if wanted(item.task.name)]
    invalid = [item for item in loaded.invalid if wanted(item.name or item.path.stem)]
    if not tasks:
        raise _nothing(loaded.tasks, invalid, only, exclude)
    if trajectories is not None and not trajectories.exists():
        raise InputError("no such file or folder", where=str(trajectories), hint="--trajectories names it")
    chosen = _setting(setting, trajectories)
    names = [item.task.name for item in tasks]
    known = [item.task.name for item in loaded.tasks]
    folders = find_workspaces(workspace, names, known)
    lost: list[str] = []
    steps = _trajectories(trajectories, names, lost) if chosen == Setting.GRAY_BOX else {}
    places = {name: found.path for name, found in folders.items()}
    missing = _why_missing(workspace) if len(names) == 1 and not folders else ""
    plans = tuple(TaskPlan(one.task, places.get(one.task.name), steps.get(one.task.name), missing) for one in tasks)
    notes = [found.note for found in folders.values() if found.note]
    warnings = (*_warnings(loaded.warnings, tasks, plans, chosen, trajectories), *lost, *notes)
    return Inputs(plans, tuple(invalid), workspace, trajectories, chosen, warnings)


def _why_missing(workspace: Path) -> str:
    """What a user should know of a folder in which the workspace of a single task was not found."""
    if any(workspace.iterdir()):
        return ""
    hint = "put what the agent made into it, or name the folder that holds it with --workspace"
    return str(InputError("no workspace: the folder is empty", where=str(workspace), hint=hint))


def _by_layout(
    paths: Sequence[Path], workspace: Path | None, trajectories: Path | None, setting: str
) -> tuple[Path, Path | None]:
    """Fills in what was not given from the official layout around the tasks."""
    if workspace is not None:
        return workspace, trajectories
    from judge.tasks import find_layout

    layout = find_layout(paths[0]) if len(paths) == 1 and paths[0].is_dir() else None
    agents = dict(layout.workspaces) if layout is not None else {}
    if not agents:
        raise ConfigError("is needed", where="--workspace", hint="name the folder that holds one workspace per task")
    if len(agents) > 1:
        choices = " or ".join(str(path) for path in list(agents.values())[:4])
        raise ConfigError("is needed, because there are several agents", where="--workspace", hint=f"name {choices}")
    (agent, folder), *_ = agents.items()
    if trajectories is None and layout is not None and setting != Setting.BLACK_BOX:
        trajectories = layout.trajectories.get(agent)
    return folder, trajectories


def _filter(only: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    def wanted(name: str) -> bool:
        taken = not only or any(_fits(name, pattern) for pattern in only)
        return taken and not any(_fits(name, pattern) for pattern in exclude)

    return wanted


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern) or fnmatchcase(name.casefold(), pattern.casefold())


def _nothing(
    tasks: Sequence[LoadedTask], invalid: Sequence[InvalidTask], only: Sequence[str], exclude: Sequence[str]
) -> InputError:
    if len(invalid) > 1:
        from judge.cli.console import say

        # An error is one line; which files are broken, and how, is one line each above it.
        for item in invalid[:_LISTED]:
            say(f"judge: {_first_problem(item)}")
        if len(invalid) > _LISTED:
            say(f"judge: and {plural(len(invalid) - _LISTED, 'more file')}")
        return InputError(
            f"none of {plural(len(invalid), 'task')} can be judged", hint="judge validate lists every problem"
        )
    if invalid:
        first = invalid[0]
        more = f" and {len(first.problems) - 1} more" if len(first.problems) > 1 else ""
        return InputError(
            f"no task can be judged: {first.problems[0]}{more}",
            where=str(first.path),
            hint="judge validate lists every problem",
        )
    given = [f"--only {pattern}" for pattern in only] + [f"--exclude {pattern}" for pattern in exclude]
    example = f"; the first of {len(tasks)} is {tasks[0].task.name}" if tasks else ""
    return InputError(f"no task is left{example}", where=" ".join(given), hint="patterns match whole task names")


def _first_problem(item: InvalidTask) -> str:
    more = f" and {len(item.problems) - 1} more" if len(item.problems) > 1 else ""
    return f"{item.path}: {item.problems[0]}{more}"


def _setting(setting: str, trajectories: Path | None) -> Setting:
    if not setting:
        return Setting.GRAY_BOX if trajectories is not None else Setting.BLACK_BOX
    try:
        chosen = Setting(setting)
    except ValueError:
        raise ConfigError(f"is {setting!r}", where="--setting", hint="black-box or gray-box") from None
    if chosen == Setting.GRAY_BOX and trajectories is None:
        raise ConfigError("gray-box needs trajectories", where="--setting", hint="give --trajectories")
    return chosen


def _trajectories(source: Path | None, names: Sequence[str], notes: list[str]) -> Mapping[str, Path]:
    if source is None:
        return {}
    from judge.trajectories import find_trajectories

    found = find_trajectories(source, names, notes)
    if source.is_file() and not found and names:
        if len(names) > 1:
            raise ConfigError(
                f"is one file for {len(names)} tasks, and holds none under their names",
                where="--trajectories",
                hint="name a folder, or choose one task",
            )
        return {names[0]: source}
    return found


def _warnings(
    general: Sequence[str],
    tasks: Sequence[LoadedTask],
    plans: Sequence[TaskPlan],
    setting: Setting,
    trajectories: Path | None,
) -> list[str]:
    lines = list(general)
    lines += [f"{item.task.name}: {warning}" for item in tasks for warning in item.warnings]
    without = [plan.task.name for plan in plans if plan.workspace is not None and plan.trajectory is None]
    if setting == Setting.BLACK_BOX and trajectories is not None:
        lines.append("the setting is black-box, so the trajectories are not looked at")
    if setting == Setting.GRAY_BOX and without:
        shown = ", ".join(without[:3]) + (f" and {len(without) - 3} more" if len(without) > 3 else "")
        lines.append(f"no trajectory for {len(without)} of the tasks, judged from the workspace alone: {shown}")
    return lines
