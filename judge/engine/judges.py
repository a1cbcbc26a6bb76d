"""Who gives verdicts: the agent judge (modules and a model) and the offline rules judge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.engine.breaker import Breaker, is_outage
from judge.engine.evidence import Pipeline
from judge.engine.meter import Metered
from judge.errors import JudgeError, ProviderError
from judge.fence import Fence
from judge.modules.base import Case
from judge.schemas import Citation, Evidence, EvidenceKind, Judgment, Usage, VerdictValue

if TYPE_CHECKING:
    from judge.engine.options import RunOptions
    from judge.models import Ledger, Model
    from judge.modules.ask import Ask


_LONGEST_CRITERION = 8_000
"""Characters. No criterion is that long, and taking one apart takes time that grows with the square of its length."""


class Outcome(NamedTuple):
    """A verdict with what it rests on.

    Attributes:
        judgment: The verdict; ERROR with its reason when there could be none.
        evidence: What the judge was shown.
        failure: The error behind an ERROR, when it was one of ours.
    """

    judgment: Judgment
    evidence: Sequence[Evidence] = ()
    failure: JudgeError | None = None


class Session(Protocol):
    """Judges the requirements of one task."""

    async def judge(self, case: Case) -> Outcome:
        """The verdict on one requirement.

        Raises:
            BudgetExceeded: Nothing more may be asked.
        """
        ...


class Judge(Protocol):
    """Gives verdicts; ``name`` and ``model`` go into every one of them."""

    @property
    def name(self) -> str:
        """``agent``, ``llm`` or ``rules``."""
        ...

    @property
    def model(self) -> Model | None:
        """The model that is asked, or None."""
        ...

    def prompts(self) -> Mapping[str, str]:
        """Prompt id -> content hash, for the run header."""
        ...

    def session(self) -> Session:
        """What judges one task; holds what is the same for all its requirements."""
        ...

    def book(self, spent: Usage) -> None:
        """Counts what the run used before it was continued against its limits."""
        ...


class RulesJudge:
    """The offline judge."""

    name = "rules"
    model = None

    def __init__(self, decide: Callable[[Case], Judgment] | None = None) -> None:
        """Takes the deciding function.

        Args:
            decide: Given a case, a verdict; the rules of this program when None.
        """
        self._decide = decide
        self._turn = asyncio.Lock()

    def prompts(self) -> Mapping[str, str]:
        """None: no model is asked."""
        return {}

    def session(self) -> Session:
        """What judges one task; code is analysed once for all its requirements."""
        if self._decide is not None:
            return _RulesSession(self._decide, self._turn)
        from judge.rules import LiveCache, judge_requirement

        cache = LiveCache()
        return _RulesSession(lambda case: judge_requirement(case, cache), self._turn)

    def book(self, spent: Usage) -> None:
        """Nothing to do: it costs nothing."""


class _RulesSession:
    def __init__(self, decide: Callable[[Case], Judgment], turn: asyncio.Lock) -> None:
        self._decide = decide
        self._turn = turn

    async def judge(self, case: Case) -> Outcome:
        """Decides in a worker thread, one at a time: it is pure computation, which more threads do not speed up."""
        length = len(case.requirement.criteria)
        if length > _LONGEST_CRITERION:
            what = f"the criterion has {length:,} characters, more than the {_LONGEST_CRITERION:,} that the rules read"
            return Outcome(error_judgment(case, what))
        async with self._turn:
            judgment = await asyncio.to_thread(self._decide, case)
        return Outcome(judgment, [_cited(item) for item in judgment.citations])


def _cited(item: Citation) -> Evidence:
    place = f"step {item.step}" if item.step is not None else f"{item.path}:{item.line}" if item.line else item.path
    return Evidence(
        module="rules",
        kind=EvidenceKind.STEP if item.step is not None else EvidenceKind.FILE,
        title=place or "workspace",
        text=item.quote,
        path=item.path,
        line=item.line,
        end_line=item.end_line,
        step=item.step,
    )


class AgentJudge:
    """Modules gather evidence, then a model is asked."""

    name = "agent"

    def __init__(
        self, model: Model, options: RunOptions, ledger: Ledger | None = None, fence: Fence | None = None
    ) -> None:
        """Takes an open model.

        Args:
            model: Who is asked.
            options: Modules, output bound and concurrency.
            ledger: Where the model's calls are booked, when they have limits.
            fence: Wraps untrusted text; shared by runs whose equal prompts should be equal byte for byte.
        """
        self._model = model
        self._ledger = ledger
        self._options = options
        self._breaker = Breaker(max(6, 2 * options.concurrency))
        self._fence = fence or Fence.new()

    @property
    def model(self) -> Model:
        """The model that is asked."""
        return self._model

    def prompts(self) -> Mapping[str, str]:
        """The templates a verdict depends on."""
        from judge.modules.ask import prompt_hashes

        return prompt_hashes()

    def session(self) -> Session:
        """A pipeline for one task."""
        from judge.modules.ask import Ask

        ask = Ask(max_output_tokens=self._options.max_output_tokens, fence=self._fence)
        return ModelSession(self._model, Pipeline(self._options.modules).gather, ask, self._breaker)

    def book(self, spent: Usage) -> None:
        """Counts what the run used before it was continued against its limits."""
        if self._ledger is not None and spent.calls:
            self._ledger.add("earlier", self._model.id, spent, spent.cost or 0.0)


class ModelSession:
    """Judges the requirements of one task with a model."""

    def __init__(
        self, model: Model, gather: Callable[[Case], Awaitable[Sequence[Evidence]]], ask: Ask, breaker: Breaker
    ) -> None:
        """Takes what a verdict is made with.

        Args:
            model: Who is asked.
            gather: Finds the evidence.
            ask: Words the question and reads the answer.
            breaker: Ends the asking when the provider is down.
        """
        self._model = model
        self._gather = gather
        self._ask = ask
        self._breaker = breaker

    async def judge(self, case: Case) -> Outcome:
        """The verdict on one requirement.

        Raises:
            BudgetExceeded: Nothing more may be asked.
        """
        closed = self._breaker.why_open()
        if closed:
            return Outcome(error_judgment(case, closed), failure=ProviderError(closed))
        meter = Metered(self._model)
        outcome = await self._judge(replace(case, model=meter))
        if isinstance(outcome.failure, ProviderError) and is_outage(outcome.failure):
            self._breaker.failed(outcome.failure)
        else:
            self._breaker.succeeded()
        return outcome._replace(judgment=outcome.judgment.model_copy(update={"usage": meter.usage}))

    async def _judge(self, case: Case) -> Outcome:
        try:
            evidence = await self._gather(case)
        except ProviderError as error:
            return Outcome(error_judgment(case, str(error)), failure=error)
        judgment, failure = await self._ask.judge(case, evidence)
        return Outcome(judgment, evidence, failure)


def error_judgment(case: Case, message: str) -> Judgment:
    """A verdict ERROR with its one-line reason."""
    return Judgment(
        task=case.task.name,
        requirement_id=case.requirement.requirement_id,
        verdict=VerdictValue.ERROR,
        reason="",
        confidence=0.0,
        error=" ".join(message.split()),
    )
