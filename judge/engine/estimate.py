"""What a run will need, from prompts that are built and not sent: calls, tokens, cost, time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from judge.config import ModelSettings
from judge.engine.cases import for_requirement, open_case
from judge.engine.judges_agent import AgentJudge
from judge.engine.judges_llm import LlmJudge
from judge.engine.options import RunOptions
from judge.engine.plan import Prepared
from judge.errors import JudgeError
from judge.fence import Fence
from judge.schemas import Setting, Usage

if TYPE_CHECKING:
    from judge.engine.cases import Library
    from judge.models import OpenModel, Request
    from judge.modules.base import Case

_ANSWER, _LONG_ANSWER = 300, 2_000
"""Tokens of a usual answer, and of a long one with thoughts before it."""
_QUESTION = 1_500
"""Tokens of a question that a module has of its own, such as which files to look at."""
_SECONDS = 4.0
"""A guess: what one call takes."""
_CACHEABLE, _STEP = 1_024, 128
_WRITES = "anthropic:"
"""Providers that charge for what is put into their cache."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is expected.

    Attributes:
        requirements: How many are to be judged.
        calls: When every answer can be used and votes agree.
        most_calls: When votes do not agree.
        tokens: Prompt tokens of ``calls`` that are paid in full.
        cached: Prompt tokens of ``calls`` that the provider's cache serves.
        answers: Tokens of the answers.
        cost: US dollars for ``calls`` with the cache; None when a price is unknown.
        most_cost: For ``most_calls`` with no cache and long answers.
        seconds: A guess of the time; None when calls wait for a batch.
        sampled: How many prompts were built to tell.
    """

    requirements: int = 0
    calls: int = 0
    most_calls: int = 0
    tokens: int = 0
    cached: int = 0
    answers: int = 0
    cost: float | None = 0.0
    most_cost: float | None = 0.0
    seconds: float | None = 0.0
    sampled: int = 0

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {name: getattr(self, name) for name in Estimate.__slots__}


def estimate(
    prepared: Sequence[Prepared],
    pending: Mapping[str, int],
    options: RunOptions,
    models: Sequence[OpenModel],
    settings: ModelSettings,
    *,
    library: Library | None = None,
    tasks: int = 6,
) -> Estimate:
    """Estimates a run from the prompts of some of its tasks.

    Repairs of answers come on top; answers that are kept from before cost nothing.

    Args:
        prepared: The tasks.
        pending: Requirements that are still to be judged, by task name.
        options: How they are judged.
        models: Who is asked; closed at the end.
        settings: For the limits on calls and tokens a minute.
        library: Where the workspaces of the sample are kept for the run.
        tasks: How many tasks are looked at.
    """

    async def work() -> Estimate:
        try:
            sizes = await _sizes(prepared, pending, options, models, library, tasks)
        finally:
            for model in models:
                await model.close()
        return _estimate(sizes, [number for number in pending.values() if number], options, models, settings)

    return asyncio.run(work())


@dataclass(frozen=True, slots=True)
class _Size:
    """Tokens of the prompts of one task: of what all begin with, and of each one's own part on average."""

    shared: int
    own: float
    prompts: int
    questions: int


async def _sizes(
    prepared: Sequence[Prepared],
    pending: Mapping[str, int],
    options: RunOptions,
    models: Sequence[OpenModel],
    library: Library | None,
    tasks: int,
) -> list[_Size]:
    usable = [item for item in prepared if item.workspace and not item.error and pending.get(item.task.name)]
    # Nothing is sent, so the markers may be known: the same run is estimated alike every time.
    judge = (LlmJudge if options.judge == "llm" else AgentJudge)(models, options, fence=Fence.new(b"estimate"))
    found = []
    for item in usable[:: max(1, -(-len(usable) // tasks))]:
        case = await asyncio.to_thread(_open, item, options, library)
        try:
            cases = [for_requirement(case, requirement) for requirement in item.task.requirements]
            session = judge.session()
            found.append(_size(await session.draft(cases), models[0].id, session.questions))
        except JudgeError:
            continue  # the run itself will record what is wrong with it
        finally:
            if library is None:
                case.documents.close()
    return found


def _open(item: Prepared, options: RunOptions, library: Library | None) -> Case:
    assert item.workspace is not None  # the caller takes only those
    trajectory = None
    if options.setting is Setting.GRAY_BOX and item.plan.trajectory is not None:
        from judge.trajectories import load_trajectory

        trajectory = load_trajectory(item.plan.trajectory, redact=options.strategies.redact)
    return open_case(
        item.task,
        item.workspace,
        trajectory=trajectory,
        setting=options.setting,
        bounds=options.bounds,
        strategies=options.strategies,
        parts=library.parts(item.workspace) if library is not None else None,
    )


def _size(requests: Sequence[Request], name: str, questions: int) -> _Size:
    from judge.tokens import count

    shared = sum(count(message.text, name) for message in requests[0].messages[:-1])
    own = fmean(count(request.messages[-1].text, name) for request in requests)
    return _Size(shared, own, len(requests), questions)


def _estimate(
    sizes: Sequence[_Size],
    pending: Sequence[int],
    options: RunOptions,
    models: Sequence[OpenModel],
    settings: ModelSettings,
) -> Estimate:
    if not pending or not sizes:
        return Estimate(requirements=sum(pending))
    shared, own = round(fmean(size.shared for size in sizes)), fmean(size.own for size in sizes)
    turns = [model for _ in range(options.votes) for model in models]
    few = turns[: len(turns) // 2 + 1]
    least = [(model, _usage(model, few.count(model), pending, shared, own)) for model in models]
    most = [(model, _dear(turns.count(model), pending, shared, own)) for model in models]
    rate = sum(size.questions for size in sizes) / sum(size.prompts for size in sizes)
    asked = _questions(round(rate * sum(pending)))
    least, most = [*least, (models[0], asked)], [*most, (models[0], asked)]
    whole = sum((usage for _, usage in least), Usage())
    return Estimate(
        requirements=sum(pending),
        calls=whole.calls,
        most_calls=sum(usage.calls for _, usage in most),
        tokens=whole.input_tokens + whole.cache_write_tokens,
        cached=whole.cache_read_tokens,
        answers=whole.output_tokens,
        cost=_cost(least),
        most_cost=_cost(most),
        seconds=None if options.batch else _seconds(whole, options, settings),
        sampled=sum(size.prompts for size in sizes),
    )


def _usage(model: OpenModel, turns: int, pending: Sequence[int], shared: int, own: float) -> Usage:
    """Of a model's calls, when each task's shared part is paid in full once."""
    calls = turns * sum(pending)
    kept = 0 if shared < _CACHEABLE else shared if model.id.startswith(_WRITES) else shared // _STEP * _STEP
    firsts = min(calls, len(pending))
    read = (calls - firsts) * kept
    written = firsts * kept if model.id.startswith(_WRITES) else 0
    return Usage(
        calls=calls,
        input_tokens=round(calls * (shared + own)) - read - written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=calls * _ANSWER,
    )


def _questions(number: int) -> Usage:
    """Of the questions that modules have; the first model answers them."""
    return Usage(calls=number, input_tokens=number * _QUESTION, output_tokens=number * _ANSWER)


def _dear(turns: int, pending: Sequence[int], shared: int, own: float) -> Usage:
    calls = turns * sum(pending)
    return Usage(calls=calls, input_tokens=round(calls * (shared + own)), output_tokens=calls * _LONG_ANSWER)


def _cost(parts: Sequence[tuple[OpenModel, Usage]]) -> float | None:
    costs = [model.cost_of(usage) for model, usage in parts if usage.calls]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _seconds(usage: Usage, options: RunOptions, settings: ModelSettings) -> float:
    """A guess: as many calls side by side as are allowed, or the pace that limits allow."""
    tokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens
    paces = [usage.calls * _SECONDS / min(options.concurrency, max(1, usage.calls))]
    if settings.requests_per_minute:
        paces.append(60.0 * usage.calls / settings.requests_per_minute)
    if settings.tokens_per_minute:
        paces.append(60.0 * tokens / settings.tokens_per_minute)
    return round(max(paces) + (_SECONDS if options.warm else 0.0), 1)
