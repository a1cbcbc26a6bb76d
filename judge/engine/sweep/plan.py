"""What a sweep is going to do, before it does anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.config import DEFAULT_MODULES, Settings
from judge.engine.alignment.source import JOURNAL, read_journal
from judge.engine.estimate import estimate
from judge.engine.options import RunOptions, parse_modules
from judge.engine.plan import Prepared
from judge.engine.prices import keeps_prompts, models_to_price
from judge.engine.sweep.expand import expand
from judge.engine.sweep.inputs import AgentInputs, SweepInputs
from judge.engine.sweep.shared import SharedWorkspaces
from judge.modules.base import Strategies
from judge.results import Cell, CellPlan, CostEstimate, SweepJudge, SweepSpec
from judge.schemas import Judgment, Setting, Usage, VerdictValue

CELLS = "cells"
_TASKS = 3
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
        return CostEstimate(
            calls=sum(item.calls for item in parts),
            tokens=sum(item.tokens for item in parts),
            cached=sum(item.cached for item in parts),
            cost=_sum([item.cost for item in parts if item.calls]),
            most_cost=_sum([item.most_cost for item in parts if item.calls]),
            sampled=sum(item.sampled for item in parts),
        )


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def options_of(cell: Cell, spec: SweepSpec, settings: Settings) -> RunOptions:
    """How a cell's requirements are judged."""
    search = spec.embeddings or "" if cell.search == "embeddings" else ""
    return RunOptions(
        judge=cell.judge.value,
        setting=cell.setting or Setting.GRAY_BOX,
        modules=parse_modules(cell.modules),
        gate=spec.gate,
        concurrency=settings.concurrency,
        strategies=Strategies(cell.search, search, cell.truncation.drop, cell.truncation.cut, settings.redact),
        ignore=spec.ignore,
        max_output_tokens=settings.max_output_tokens,
        votes=cell.votes,
        strictness=cell.strictness,
        warm=keeps_prompts(cell.model, settings.models),
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
    done = sum(1 for key in keys if _decided(latest.get(key)))
    found = CostEstimate()
    if cell.judge in ASKED and not absent:
        options = options_of(cell, spec, settings)
        left = Counter(name for name, number in keys if not _decided(latest.get((name, number))))
        found = _expected(cell, agent.tasks_for(options), left, options, settings, library)
    return CellPlan(
        cell=cell,
        tasks=len(tasks),
        requirements=len(keys),
        finished=done,
        absent=absent,
        missing_tasks=agent.missing,
        estimate=found,
    )


def _decided(judgment: Judgment | None) -> bool:
    return judgment is not None and judgment.verdict is not VerdictValue.ERROR


def _expected(
    cell: Cell,
    prepared: Sequence[Prepared],
    left: Mapping[str, int],
    options: RunOptions,
    settings: Settings,
    library: SharedWorkspaces,
) -> CostEstimate:
    """What a cell will need; equal prompts of other cells are asked only once, which is not counted on."""
    models = models_to_price([cell.model], settings.models)
    found = estimate(prepared, left, options, models, settings.models, library=library, tasks=_TASKS)
    return CostEstimate(
        calls=found.calls,
        tokens=found.tokens + found.cached + found.answers,
        cached=found.cached,
        cost=found.cost,
        most_cost=found.most_cost,
        sampled=found.sampled,
    )


def members_of(cell: Cell, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that a majority is made of: the other judges of the same agent in the same setting.

    Of the cells of one model only one votes, so that an ablation does not outvote the others: that with the usual
    modules, else with most of them; of several such cells the first.
    """
    found: dict[tuple[SweepJudge, str], Cell] = {}
    for other in cells:
        if other.agent != cell.agent or other.setting != cell.setting or other.judge is SweepJudge.MAJORITY:
            continue
        key = (other.judge, other.model)
        if key not in found or _weight(other) > _weight(found[key]):
            found[key] = other
    return list(found.values())


def _weight(cell: Cell) -> tuple[bool, int]:
    return cell.modules == DEFAULT_MODULES, len(cell.modules)
