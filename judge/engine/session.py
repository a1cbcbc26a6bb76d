"""Judges the requirements of one task with models: evidence of all of them first, then one question each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.engine.judges import Outcome, error_judgment
from judge.engine.meter import Meter, Metered, Unasked
from judge.engine.voting import Voter, Voting
from judge.errors import BudgetExceeded, ProviderError
from judge.models.listening import listening
from judge.models.wrapper import ModelWrapper
from judge.modules.base import Case
from judge.schemas import Evidence, Judgment

if TYPE_CHECKING:
    from judge.models import Model, Reply, Request
    from judge.modules.ask import Ask

Gather = Callable[[Case], Awaitable[Sequence[Evidence]]]
_LOOKED_AT = 64
"""Requirements of one task whose evidence decides what all of them are shown; more of them decide nothing else."""
_AT_ONCE = 4
_LEAST = 2
_WORTH = 3
"""Requirements from which on waiting for a first answer is worth while."""
_CACHEABLE = 1_024
"""Tokens. No provider keeps a shorter prefix."""


class ModelSession:
    """Judges the requirements of one task with one model or a panel.

    Attributes:
        questions: Requirements whose modules have a question of their own, as far as was looked.
    """

    def __init__(
        self,
        voters: Sequence[Voter],
        voting: Voting,
        gather: Gather,
        ask: Ask,
        *,
        warm: bool = False,
        remembers: bool = False,
    ) -> None:
        """Takes what a verdict is made with.

        Args:
            voters: Who is asked; the first also by modules that have a question of their own.
            voting: Asks for votes.
            gather: Finds the evidence.
            ask: Words the question and reads the answer.
            warm: Whether the first requirement is judged alone, so that the others find its prefix in the cache.
            remembers: Whether evidence depends on verdicts that came before.
        """
        self._voters = voters
        self._voting = voting
        self._gather = gather
        self._ask = ask
        self._warm = warm
        self._remembers = remembers
        self._known: dict[int, Sequence[Evidence]] = {}
        self._first = False
        self._early = Meter()  # calls before any requirement's turn; the first one that is judged takes them over
        self.questions = 0

    async def open(self, cases: Sequence[Case], pending: Sequence[int]) -> bool:
        """Gathers evidence for the task as a whole and chooses what all requirements are shown.

        Args:
            cases: All requirements of the task: also of those that have a verdict, so that a continued run words its
                prompts as the first one did.
            pending: The ids of those that will be judged.

        Returns:
            Whether the first one had better be judged before the others start.
        """
        looked = cases if len(cases) <= _LOOKED_AT else cases[:: -(-len(cases) // _LOOKED_AT)]
        turn = asyncio.Semaphore(_AT_ONCE)

        async def one(case: Case) -> Sequence[Evidence]:
            async with turn:
                return await self._look(case, case.requirement.requirement_id in pending)

        if len(cases) < _LEAST:
            return False  # nothing is shared
        evidence = await asyncio.gather(*(one(case) for case in looked))
        front = self._front(looked[0], None)
        await asyncio.to_thread(self._ask.plan, front, evidence)
        self._first = self._warm and len(pending) >= _WORTH and self._is_cacheable(front, evidence[0])
        return self._first

    async def draft(self, cases: Sequence[Case]) -> list[Request]:
        """The questions on all requirements as they would be put, with nothing asked.

        Args:
            cases: All requirements of the task.

        Raises:
            JudgeError: Evidence cannot be gathered.
        """
        await self.open(cases, [case.requirement.requirement_id for case in cases])
        drafts = []
        for case in cases:
            evidence = self._known.pop(case.requirement.requirement_id, None)
            if evidence is None:
                evidence = await self._gather(replace(case, model=None))
            drafts.append(self._ask.build(self._front(case, None), evidence).request)
        return drafts

    async def _look(self, case: Case, wanted: bool) -> Sequence[Evidence]:
        """Evidence that needs no model; kept when it is all there is."""
        probe = Unasked(_eyes(self._voters))
        with listening(self._early.add):
            try:
                found = await self._gather(replace(case, model=probe))
            except Exception:  # noqa: BLE001 - the requirement's own turn comes to the same error, and records it
                found = await self._without_model(case)
                wanted = False
        self.questions += probe.wanted
        if wanted and not probe.wanted and not self._remembers:
            self._known[case.requirement.requirement_id] = found
        return found

    async def _without_model(self, case: Case) -> Sequence[Evidence]:
        try:
            return await self._gather(replace(case, model=None))
        except Exception:  # noqa: BLE001 - as above: nothing of this requirement is shared
            return ()

    def _is_cacheable(self, case: Case, evidence: Sequence[Evidence]) -> bool:
        from judge.tokens import count

        built = self._ask.build(case, evidence)
        return sum(count(message.text) for message in built.request.messages[:-1]) >= _CACHEABLE

    async def judge(self, case: Case) -> Outcome:
        """The verdict on one requirement.

        A run may reach its limit, or be stopped, between the calls for one requirement. Then the verdict is an ERROR
        that holds what they used, so that every call that was paid is in the run folder; a continued run counts it
        against its limits and judges the requirement again. Answers that the response cache keeps are not asked for
        again then; without the cache they are.

        Raises:
            BudgetExceeded: Nothing more may be asked, and nothing was asked yet.
        """
        meter = Meter()
        meter.take(self._early)
        closed = [voter.breaker.why_open() for voter in self._voters]
        if all(closed):
            return Outcome(self._metered(error_judgment(case, closed[0]), meter), failure=ProviderError(closed[0]))
        try:
            with listening(meter.add):
                return await self._judge(case, meter)
        except BudgetExceeded as error:
            if not meter.usage.calls:
                raise
            return Outcome(self._unfinished(case, meter, str(error)), failure=error)
        except asyncio.CancelledError:
            if not meter.usage.calls:
                raise
            # The run is ending and has given its reason; this task has nothing left to do but to be recorded.
            return Outcome(self._unfinished(case, meter, "the run was stopped before it was decided"))

    async def _judge(self, case: Case, meter: Meter) -> Outcome:
        gently, self._first = self._first, False
        evidence = self._known.pop(case.requirement.requirement_id, None)
        if evidence is None:
            try:
                evidence = await self._gather(self._front(case, meter))
            except ProviderError as error:
                self._voters[0].breaker.saw(error)
                return Outcome(self._metered(error_judgment(case, str(error)), meter), failure=error)
        judgment, failure = await self._voting.judge(case, evidence, self._ask, meter, gently=gently)
        return Outcome(self._metered(judgment, meter), evidence, failure)

    def _unfinished(self, case: Case, meter: Meter, why: str) -> Judgment:
        return self._metered(error_judgment(case, f"not finished: {why}"), meter)

    def _metered(self, judgment: Judgment, meter: Meter) -> Judgment:
        parts = meter.parts
        plain = len(self._voters) == 1 and all(part.purpose == "judge" for part in parts)
        return judgment.model_copy(update={"usage": meter.usage, "spent": () if plain else parts})

    def _front(self, case: Case, meter: Meter | None) -> Case:
        """The case with the model that modules ask, and that bounds what all are shown."""
        model = _eyes(self._voters)
        return replace(case, model=Metered(model, meter) if meter is not None else model)


def _eyes(voters: Sequence[Voter]) -> Model:
    """The first model, with the eyes of all and the room of the one that has least."""
    models = [voter.model for voter in voters]
    return models[0] if len(models) == 1 else _Panel(models)


class _Panel(ModelWrapper):
    """The first of several models, as modules see it."""

    def __init__(self, models: Sequence[Model]) -> None:
        super().__init__(models[0])
        self._models = models

    @property
    def sees_images(self) -> bool:
        """Whether any of them sees; what does not is told that there was a picture."""
        return any(model.sees_images for model in self._models)

    @property
    def context_tokens(self) -> int:
        """The least that is known, tokens."""
        return min((model.context_tokens for model in self._models if model.context_tokens > 0), default=0)

    async def complete(self, request: Request) -> Reply:
        """Asks the first one."""
        return await self._inner.complete(request)
