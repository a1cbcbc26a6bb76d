"""What the cells of a sweep work on: tasks, and each agent's workspaces, trajectories and labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from judge.engine.options import RunOptions
from judge.engine.plan import Prepared, TaskPlan, prepare
from judge.engine.workspaces import find_workspaces
from judge.errors import InputError
from judge.jsontext import show_path
from judge.results import AgentSpec, SweepSpec
from judge.schemas import Setting, Task


@dataclass(slots=True)
class AgentInputs:
    """One agent's work.

    Attributes:
        spec: What the sweep file says of it.
        plans: The tasks that have a workspace.
        missing: Names of tasks that have none.
        labels: Folder of labels, or None.
        raters: Name -> folder of labels.
        absent: Why nothing of it can be judged, or empty.
        prepared: The tasks, listed and hashed at the first use.
    """

    spec: AgentSpec
    plans: tuple[TaskPlan, ...]
    missing: tuple[str, ...] = ()
    labels: Path | None = None
    raters: Mapping[str, Path] = field(default_factory=dict)
    absent: str = ""
    prepared: list[Prepared] | None = None

    def why_absent(self, setting: Setting | None) -> str:
        """Why it cannot be judged in a setting, or empty."""
        if self.absent or setting is not Setting.GRAY_BOX:
            return self.absent
        return "" if any(plan.trajectory for plan in self.plans) else "no trajectories"

    def tasks_for(self, options: RunOptions) -> list[Prepared]:
        """Its tasks for one cell; workspaces are listed and hashed once, and shared by all cells.

        Args:
            options: For the ignore patterns and the setting.
        """
        if self.prepared is None:
            self.prepared = prepare(self.plans, options)
        if options.setting is Setting.GRAY_BOX:
            return [replace(item) for item in self.prepared]
        return [_without_trajectory(item) for item in self.prepared]


def _without_trajectory(item: Prepared) -> Prepared:
    inputs = {key: value for key, value in item.inputs.items() if not key.startswith("trajectory:")}
    return replace(item, plan=replace(item.plan, trajectory=None), inputs=inputs)


@dataclass(frozen=True, slots=True)
class SweepInputs:
    """Everything that a sweep file names.

    Attributes:
        tasks: The chosen tasks.
        agents: By name, in the order of the file.
        notes: What a user should know, one sentence each.
    """

    tasks: tuple[Task, ...]
    agents: Mapping[str, AgentInputs]
    notes: tuple[str, ...] = ()


def load_sweep_inputs(spec: SweepSpec, base: Path) -> SweepInputs:
    """Finds what a sweep file names; what an agent lacks is noted, not fatal.

    Args:
        spec: The sweep.
        base: The folder of the file, which its paths are relative to.

    Raises:
        InputError: There are no tasks.
    """
    from judge.tasks import load_tasks

    loaded = load_tasks([_at(base, path) for path in spec.tasks])
    wanted = _filter(spec.only, spec.exclude)
    tasks = [item.task for item in loaded.tasks if wanted(item.task.name)]
    notes = [f"task {item.name or show_path(item.path)} is invalid and left out" for item in loaded.invalid]
    if not tasks:
        raise InputError("no task is left", where="tasks", hint="see only: and exclude: in the sweep file")
    known = [item.task.name for item in loaded.tasks]
    agents = {}
    for agent in spec.agents:
        found = _agent(spec, agent, base, tasks, known)
        agents[agent.name] = found
        if found.absent:
            notes.append(f"{agent.name}: {found.absent}")
        elif found.missing:
            shown = ", ".join(found.missing[:2]) + (", …" if len(found.missing) > 2 else "")
            notes.append(f"{agent.name}: no workspace for {len(found.missing)} of {len(tasks)} tasks ({shown})")
    return SweepInputs(tuple(tasks), agents, tuple(notes))


def _agent(spec: SweepSpec, agent: AgentSpec, base: Path, tasks: Sequence[Task], known: Sequence[str]) -> AgentInputs:
    names = [task.name for task in tasks]
    labels = agent.labels or spec.labels
    found = AgentInputs(
        agent,
        (),
        labels=_at(base, labels) if labels else None,
        raters={name: _at(base, path) for name, path in agent.raters.items()},
    )
    try:
        folders = find_workspaces(_at(base, agent.workspaces), names, known)
    except InputError as error:
        found.absent = f"no workspaces: {error.where} {error.what}"
        return found
    steps = _trajectories(_at(base, agent.trajectories), names) if agent.trajectories else {}
    found.plans = tuple(
        TaskPlan(task, folders[task.name].path, steps.get(task.name)) for task in tasks if task.name in folders
    )
    found.missing = tuple(name for name in names if name not in folders)
    if not found.plans:
        found.absent = f"no workspaces of these tasks in {show_path(_at(base, agent.workspaces))}"
    return found


def _at(base: Path, path: str) -> Path:
    """A path of the sweep file, without ``..`` in the middle, which nobody likes to read."""
    return Path(os.path.normpath(base / path))


def _trajectories(path: Path, names: Sequence[str]) -> Mapping[str, Path]:
    from judge.trajectories import find_trajectories

    return find_trajectories(path, names) if path.is_dir() else {}


def _filter(only: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    def fits(name: str, pattern: str) -> bool:
        return fnmatchcase(name.casefold(), pattern.casefold())

    def wanted(name: str) -> bool:
        taken = not only or any(fits(name, pattern) for pattern in only)
        return taken and not any(fits(name, pattern) for pattern in exclude)

    return wanted
