"""What a sweep is going to do, before it does anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.config import Settings
from judge.engine.alignment.source import JOURNAL, read_journal
from judge.engine.options import RunOptions, parse_modules
from judge.engine.sweep.estimate import estimate
from judge.engine.sweep.expand import expand
from judge.engine.sweep.inputs import AgentInputs, SweepInputs
from judge.engine.sweep.shared import SharedWorkspaces
from judge.results import Cell, CellPlan, CostEstimate, SweepJudge, SweepSpec
from judge.schemas import Judgment, Setting, Usage, VerdictValue

CELLS = "cells"
ASKED = frozenset({SweepJudge.AGENT, SweepJudge.LLM})


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """All cells with what they need.

    Attributes:
        cells: In the order they run.
        spent: What earlier starts of this sweep used.
    """

    cells: tuple[CellPlan, ...]
    spent: Usage

    @property
    def total(self) -> CostEstimate:
        """The estimates together; an unknown cost makes the sum unknown."""
        parts = [item.estimate for item in self.cells]
        costs = [item.cost for item in parts if item.calls]
        cost = None if None in costs else sum(value for value in costs if value is not None)
        return CostEstimate(
            calls=sum(item.calls for item in parts), tokens=sum(item.tokens for item in parts), cost=cost
        )


def options_of(cell: Cell, spec: SweepSpec, settings: Settings) -> RunOptions:
    """How a cell's requirements are judged."""
    return RunOptions(
        judge=cell.judge.value,
        setting=cell.setting or Setting.GRAY_BOX,
        modules=parse_modules(cell.modules),
        gate=spec.gate,
        concurrency=settings.concurrency,
        ignore=spec.ignore,
        max_output_tokens=settings.max_output_tokens,
    )


def plan_sweep(
    spec: SweepSpec, inputs: SweepInputs, out: Path, settings: Settings, library: SharedWorkspaces, *, fresh: bool
) -> SweepPlan:
    """Looks at what is there and what is done already, and estimates the rest.

    Args:
        spec: The sweep.
        inputs: What it works on.
        out: Its folder, which may not exist yet.
        settings: For models.
        library: Keeps the workspaces that the estimate looked at.
        fresh: Whether verdicts from before are not used.

    Raises:
        ConfigError: There is no such model.
    """
    cells = []
    spent = Usage()
    for cell in expand(spec):
        latest, used = ({}, Usage()) if fresh else _before(out / CELLS / cell.name / JOURNAL)
        spent = spent + used
        cells.append(_plan(cell, spec, inputs.agents[cell.agent], latest, settings, library))
    return SweepPlan(tuple(cells), spent)


def _before(path: Path) -> tuple[Mapping[tuple[str, int], Judgment], Usage]:
    """The verdicts of an earlier start, and what all of its lines used."""
    if not path.is_file():
        return {}, Usage()
    notes: list[str] = []
    lines = list(read_journal(path, notes))
    return {(item.task, item.requirement_id): item for item in lines}, sum((item.usage for item in lines), Usage())


def _plan(
    cell: Cell,
    spec: SweepSpec,
    agent: AgentInputs,
    latest: Mapping[tuple[str, int], Judgment],
    settings: Settings,
    library: SharedWorkspaces,
) -> CellPlan:
    tasks = [item.task for item in agent.plans]
    absent = agent.why_absent(cell.setting)
    if cell.judge is SweepJudge.HUMAN:
        place = agent.raters.get(cell.rater, agent.labels)
        absent = "" if place is not None and place.exists() else f"no labels: {place}"
    keys = [(task.name, item.requirement_id) for task in tasks for item in task.requirements]
    done = sum(1 for key in keys if key in latest and latest[key].verdict is not VerdictValue.ERROR)
    found = CostEstimate()
    if cell.judge in ASKED and not absent:
        options = options_of(cell, spec, settings)
        found = estimate(cell, agent.tasks_for(options), len(keys) - done, options, settings.models, library)
    return CellPlan(
        cell=cell,
        tasks=len(tasks),
        requirements=len(keys),
        finished=done,
        absent=absent,
        missing_tasks=agent.missing,
        estimate=found,
    )


def members_of(cell: Cell, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that a majority is made of: the other judges of the same agent in the same setting.

    Of the module sets of one model only the largest votes, so that an ablation does not outvote the others.
    """
    found: dict[tuple[SweepJudge, str], Cell] = {}
    for other in cells:
        if other.agent != cell.agent or other.setting != cell.setting or other.judge is SweepJudge.MAJORITY:
            continue
        key = (other.judge, other.model)
        if key not in found or len(other.modules) > len(found[key].modules):
            found[key] = other
    return list(found.values())
