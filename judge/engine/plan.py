"""What a run will judge: tasks with their workspaces and trajectories, hashed before anything starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from judge import __version__
from judge.engine.describe import describe
from judge.engine.header import MISSING, task_hash
from judge.engine.options import RunOptions
from judge.errors import JudgeError
from judge.schemas import RunHeader, Task

if TYPE_CHECKING:
    from judge.workspace import Workspace

_WORKERS = 4
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """One task of a run.

    Attributes:
        task: The task, its labels removed.
        workspace: Its folder, or None when there is none.
        trajectory: Its trajectory file, or None.
        missing: Why there is no workspace, where more is known than that.
    """

    task: Task
    workspace: Path | None = None
    trajectory: Path | None = None
    missing: str = ""


@dataclass(slots=True)
class Prepared:
    """A task whose inputs were looked at.

    Attributes:
        plan: What was planned.
        inputs: Input hashes for the run header.
        workspace: The listed workspace, or None when it is missing or unreadable.
        error: Why the task cannot be judged, or empty.
    """

    plan: TaskPlan
    inputs: Mapping[str, str] = field(default_factory=dict)
    workspace: Workspace | None = None
    error: str = ""

    @property
    def task(self) -> Task:
        """The task."""
        return self.plan.task


def prepare(plans: Sequence[TaskPlan], options: RunOptions) -> list[Prepared]:
    """Lists and hashes the inputs of every task; one that fails is kept with its error.

    Args:
        plans: The tasks.
        options: For the ignore patterns and the setting.

    Returns:
        One item a task, in the same order.
    """
    with ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="prepare") as pool:
        return list(pool.map(lambda plan: _prepare(plan, options), plans))


def _prepare(plan: TaskPlan, options: RunOptions) -> Prepared:
    name = plan.task.name
    inputs = {f"task:{name}": task_hash(plan.task), f"workspace:{name}": MISSING}
    prepared = Prepared(plan, inputs)
    if plan.workspace is None:
        prepared.error = plan.missing or "no workspace"
        return prepared
    try:
        from judge.workspace import WalkOptions, Workspace

        workspace = Workspace.open(plan.workspace, WalkOptions(ignore=options.ignore))
        inputs[f"workspace:{name}"] = workspace.digest()
        prepared.workspace = workspace
        if plan.trajectory is not None:
            from judge.trajectories import trajectory_digest

            inputs[f"trajectory:{name}"] = trajectory_digest(plan.trajectory)
    except JudgeError as error:
        prepared.error = str(error)
    except Exception as error:  # noqa: BLE001 - task boundary: the other tasks are judged all the same
        prepared.error = describe(error)
    return prepared


def build_header(
    prepared: Sequence[Prepared], options: RunOptions, *, model: str, prompts: Mapping[str, str]
) -> RunHeader:
    """The header of a run with these tasks and options.

    Args:
        prepared: The tasks.
        options: How they are judged.
        model: Model id; empty for the rules judge.
        prompts: Prompt id -> content hash.

    Returns:
        The header, dated now.
    """
    inputs: dict[str, str] = {}
    for item in prepared:
        inputs.update(item.inputs)
    return RunHeader(
        version=__version__,
        judge=options.judge,
        model=model,
        setting=options.setting,
        modules=options.modules if options.judge == "agent" else (),
        gate=options.gate,
        options=dict(options.recorded()),
        prompts=dict(prompts),
        inputs=inputs,
        created=datetime.now(UTC).astimezone().isoformat(timespec="seconds"),
    )
