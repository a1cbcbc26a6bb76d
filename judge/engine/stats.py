"""Statistics of agents, from their workspaces and trajectories."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from statistics import fmean

from judge import __version__
from judge.bounded import read_whole
from judge.errors import InputError, JudgeError
from judge.jsontext import show_path
from judge.readers.plain import CODE
from judge.results import AgentStats, Mean, StatsReport
from judge.schemas import Step, Trajectory
from judge.tasks.layout import json_files
from judge.text import split_lines

_LONGEST = 8 * 1024 * 1024
_NOTEBOOK = ".ipynb"


@dataclass(slots=True)
class AgentData:
    """Where an agent's data is.

    Attributes:
        agent: Its name.
        workspaces: Workspace folders by task name.
        trajectories: Trajectory files by task name.
    """

    agent: str
    workspaces: dict[str, Path] = field(default_factory=dict)
    trajectories: dict[str, Path] = field(default_factory=dict)


def subfolders(folder: Path) -> dict[str, Path]:
    """The workspaces in a folder of workspaces: its visible folders.

    Raises:
        InputError: It is no folder, cannot be listed or holds no folders.
    """
    if not folder.is_dir():
        raise InputError("is no folder", where=show_path(folder), hint="name a folder with one workspace per task")
    try:
        found = {item.name: item for item in sorted(folder.iterdir()) if item.is_dir() and item.name[:1] != "."}
    except OSError as error:
        raise InputError(f"cannot be listed: {error.strerror or error}", where=show_path(folder)) from error
    if "workspaces" in found:
        hint = f"name {show_path(folder / 'workspaces')}"
        raise InputError(
            "holds a folder workspaces, and is no folder of workspaces", where=show_path(folder), hint=hint
        )
    usable = {name: path for name, path in found.items() if not _is_of_tasks(path)}
    if not usable:
        what = "holds folders of task files or labels, and no workspaces" if found else "holds no workspaces"
        raise InputError(what, where=show_path(folder), hint="one folder per task")
    return usable


def _is_of_tasks(folder: Path) -> bool:
    """Whether a folder holds nothing but tasks or labels: JSON files, the first of which has requirements."""
    files = []
    with os.scandir(folder) as items:
        for item in items:
            if item.name[:1] == ".":
                continue
            if not item.name.endswith(".json") or not item.is_file(follow_symlinks=False):
                return False
            files.append(item.path)
    if not files:
        return False
    try:
        value = json.loads(read_whole(Path(min(files)), _LONGEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("requirements"), list)


def trajectory_files(path: Path) -> dict[str, Path]:
    """The trajectories in a folder, by the name of the file, or the one file itself.

    Raises:
        InputError: There are none.
    """
    found = {path.stem: path} if path.is_file() else {item.stem: item for item in json_files(path)}
    if not found:
        raise InputError("holds no trajectories", where=show_path(path), hint="name a folder of trajectory files")
    return found


def measure_agents(agents: Sequence[AgentData]) -> StatsReport:
    """Averages per agent; what cannot be read is noted and unknown.

    Args:
        agents: Where their data is.
    """
    notes: list[str] = []
    rows = tuple(_agent(item, notes) for item in agents)
    return StatsReport(version=__version__, agents=rows, notes=tuple(notes))


def _agent(data: AgentData, notes: list[str]) -> AgentStats:
    steps = [item for path in data.trajectories.values() if (item := _trajectory(path, notes)) is not None]
    sizes = [found for path in data.workspaces.values() if (found := _workspace(path, notes)) is not None]
    lost_steps, lost_sizes = len(data.trajectories) - len(steps), len(data.workspaces) - len(sizes)

    def used(pick: Callable[[Step], float | None]) -> Mean:
        return _mean([_sum(pick, item) for item in steps], lost_steps)

    def left(pick: Callable[[_Size], float | None]) -> Mean:
        return _mean([pick(item) for item in sizes], lost_sizes)

    return AgentStats(
        agent=data.agent,
        workspaces=len(data.workspaces),
        trajectories=len(data.trajectories),
        cost=used(lambda step: step.usage.cost),
        seconds=used(lambda step: step.usage.step_execution_time),
        steps=_mean([float(len(item.steps)) for item in steps], lost_steps),
        tokens=used(_tokens),
        files=left(lambda size: size.files),
        code_files=left(lambda size: size.code_files),
        lines=left(lambda size: size.lines),
        lines_per_file=left(lambda size: size.lines / size.code_files if size.code_files else None),
    )


def _trajectory(path: Path, notes: list[str]) -> Trajectory | None:
    from judge.trajectories import load_trajectory

    try:
        found = load_trajectory(path)
    except JudgeError as error:
        notes.append(str(error))
        return None
    return found


def _sum(pick: Callable[[Step], float | None], trajectory: Trajectory) -> float | None:
    """The sum over the steps of the agent; unknown when it is unknown of one of them, or when there are none."""
    own = [step for step in trajectory.steps if step.thought or step.action or pick(step) is not None]
    values = [pick(step) for step in own]
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _tokens(step: Step) -> float | None:
    given, made = step.usage.input_tokens, step.usage.output_tokens
    return None if given is None or made is None else given + made


@dataclass(frozen=True, slots=True)
class _Size:
    files: int
    code_files: int
    lines: int


def _workspace(root: Path, notes: list[str]) -> _Size | None:
    from judge.workspace import Workspace

    try:
        workspace = Workspace.open(root)
    except JudgeError as error:
        notes.append(str(error))
        return None
    if not workspace.complete:
        notes.append(f"{show_path(root)}: not all of it was listed; its numbers are too small")
    code = [entry for entry in workspace.files if _is_code(entry.path)]
    lines = 0
    for entry in code:
        text = workspace.read_text(entry, _LONGEST)
        if text.problem or text.truncated:
            notes.append(f"{show_path(root)}: {entry.path}: {text.problem or 'too long, only its start is counted'}")
        lines += sum(1 for line in split_lines(text.text) if line.strip())
    return _Size(len(workspace.files), len(code), lines)


def _is_code(path: str) -> bool:
    """Whether a file is code by its name; notebooks are not: their lines are those of JSON."""
    place = PurePosixPath(path.lower())
    return (place.suffix or place.name) in CODE and place.suffix != _NOTEBOOK


def _mean(values: Iterable[float | None], lost: int) -> Mean:
    listed = list(values)
    known = [value for value in listed if value is not None]
    return Mean(value=fmean(known) if known else None, n=len(known), unknown=len(listed) - len(known) + lost)


def from_layout(folder: Path) -> list[AgentData]:
    """The agents of the official layout in or below a folder; none when it is not that.

    Args:
        folder: The repository's root, ``benchmark/`` or ``benchmark/devai/``.
    """
    from judge.tasks import find_layout

    layout = find_layout(folder)
    if layout is None:
        return []
    found: dict[str, AgentData] = {}
    for kind, parts, read in (
        ("workspaces", layout.workspaces, subfolders),
        ("trajectories", layout.trajectories, trajectory_files),
    ):
        for agent, path in parts.items():
            try:
                _put(found.setdefault(agent, AgentData(agent)), kind, read(path))
            except InputError:
                continue  # an empty folder of an agent whose data is not public
    return [item for item in found.values() if item.workspaces or item.trajectories]


def _put(data: AgentData, kind: str, found: Mapping[str, Path]) -> None:
    (data.workspaces if kind == "workspaces" else data.trajectories).update(found)
