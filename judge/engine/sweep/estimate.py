"""What a cell will cost, from prompts that are built and not sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.config import ModelSettings, Secret
from judge.engine.cases import for_requirement, open_case
from judge.engine.evidence import Pipeline
from judge.engine.options import RunOptions
from judge.engine.plan import Prepared
from judge.errors import ConfigError, JudgeError
from judge.results import Cell, CostEstimate, SweepJudge
from judge.schemas import Setting, Usage

if TYPE_CHECKING:
    from judge.engine.sweep.shared import SharedWorkspaces
    from judge.models import LedgerModel, Request
    from judge.modules.base import Case

_TASKS = 3
_EACH = 2
_ANSWER = 300
"""Tokens of a usual answer."""
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


def model_to_price(spec: str, settings: ModelSettings) -> LedgerModel:
    """A model that is never asked: for its price and context window, which need no key.

    Raises:
        ConfigError: There is no such provider or server.
    """
    from judge.models import open_model

    unlimited = replace(settings, max_cost=None, max_tokens=None)
    try:
        return open_model(spec, unlimited)
    except ConfigError:
        return open_model(spec, replace(unlimited, keys={**dict.fromkeys(_KEYS, Secret("none")), **settings.keys}))


def estimate(
    cell: Cell,
    prepared: Sequence[Prepared],
    requirements: int,
    options: RunOptions,
    settings: ModelSettings,
    library: SharedWorkspaces,
) -> CostEstimate:
    """Calls, tokens and cost of judging so many requirements, from a sample of prompts.

    One call a requirement is counted; repairs and searches for files come on top, equal prompts of other cells are
    asked only once.

    Args:
        cell: The cell.
        prepared: Its tasks.
        requirements: How many are still to be judged.
        options: How.
        settings: For the model.
        library: Where the workspaces of the sample are kept for the run.

    Raises:
        ConfigError: There is no such model.
    """
    model = model_to_price(cell.model, settings)

    async def work() -> CostEstimate:
        try:
            return await _estimate(cell, prepared, requirements, options, model, library)
        finally:
            await model.close()

    return asyncio.run(work())


async def _estimate(
    cell: Cell,
    prepared: Sequence[Prepared],
    requirements: int,
    options: RunOptions,
    model: LedgerModel,
    library: SharedWorkspaces,
) -> CostEstimate:
    sizes: list[int] = []
    usable = [item for item in prepared if item.workspace is not None and not item.error]
    for item in usable[:: max(1, len(usable) // _TASKS)][:_TASKS] if requirements else ():
        try:
            case = _open(item, options, library)
            for requirement in item.task.requirements[:: max(1, len(item.task.requirements) // _EACH)][:_EACH]:
                request = await _request(cell, for_requirement(case, requirement), options, model)
                sizes.append(_tokens(request, model.id))
        except JudgeError:
            continue  # the run itself will record what is wrong with it
    mean = sum(sizes) / len(sizes) if sizes else 0.0
    tokens, answers = round(mean * requirements), _ANSWER * requirements
    cost = model.cost_of(Usage(calls=requirements, input_tokens=tokens, output_tokens=answers)) if requirements else 0.0
    return CostEstimate(calls=requirements, tokens=tokens + answers, cost=cost, sampled=len(sizes))


def _open(item: Prepared, options: RunOptions, library: SharedWorkspaces) -> Case:
    assert item.workspace is not None  # the caller takes only those
    trajectory = None
    if options.setting is Setting.GRAY_BOX and item.plan.trajectory is not None:
        from judge.trajectories import load_trajectory

        trajectory = load_trajectory(item.plan.trajectory)
    return open_case(
        item.task,
        item.workspace,
        trajectory=trajectory,
        setting=options.setting,
        bounds=options.bounds,
        strategies=options.strategies,
        parts=library.parts(item.workspace),
    )


async def _request(cell: Cell, case: Case, options: RunOptions, model: LedgerModel) -> Request:
    from judge.fence import Fence
    from judge.modules.ask import WholePrompt, build_request
    from judge.modules.whole import whole_workspace

    shown = replace(case, model=model)
    if cell.judge is SweepJudge.LLM:
        evidence = whole_workspace(case)
        return WholePrompt().build(shown, evidence, Fence.new(), options.max_output_tokens).request
    found = await Pipeline(options.modules).gather(case)  # without a model: nothing is asked
    return build_request(shown, found, Fence.new(), options.max_output_tokens).request


def _tokens(request: Request, name: str) -> int:
    from judge.tokens import count

    return sum(count(message.text, name) for message in request.messages)
