"""Several votes on one requirement: of one model asked several times, or of a panel of models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.engine.breaker import Breaker, is_outage
from judge.engine.meter import Meter, Metered
from judge.engine.votes import Count, Tie, pooled, spokesman, standing
from judge.errors import JudgeError, ProviderError
from judge.modules.base import Case
from judge.schemas import Ballot, Evidence, Judgment, VerdictValue

if TYPE_CHECKING:
    from judge.models import Model
    from judge.modules.ask import Ask

Answer = tuple[Judgment, JudgeError | None]


@dataclass(frozen=True, slots=True)
class Voter:
    """A model with a vote.

    Attributes:
        model: The model.
        breaker: Ends the asking when its provider is down.
    """

    model: Model
    breaker: Breaker


class _Given(NamedTuple):
    """A vote that was asked for."""

    model: str
    vote: int
    judgment: Judgment
    failure: JudgeError | None


class Voting:
    """Asks for as many votes as decide a requirement, and no more."""

    def __init__(self, voters: Sequence[Voter], votes: int, tie: Tie) -> None:
        """Takes who votes.

        Args:
            voters: The models; not none.
            votes: How often each of them is asked at most.
            tie: What as many votes for as against mean.
        """
        # Turn by turn: so that the first votes, which often decide, are those of different models.
        self._order = [(voter, vote) for vote in range(votes) for voter in voters]
        self._tie = tie

    async def judge(
        self, case: Case, evidence: Sequence[Evidence], ask: Ask, meter: Meter, *, gently: bool = False
    ) -> Answer:
        """The verdict of the majority of all votes.

        Args:
            case: The requirement.
            evidence: What is shown.
            ask: Words the question and reads the answers.
            meter: Where calls are booked.
            gently: Ask the first vote alone, so that the next ones find its prompt in the provider's cache.

        Returns:
            The verdict, and the error behind it when it is ERROR. A vote that cannot be given is never one for or
            against; without a majority of all votes the verdict is ERROR, or what the option says for a tie.

        Raises:
            BudgetExceeded: Nothing more may be asked, and it is not decided.
        """
        given: list[_Given] = []
        while (count := self._standing(given)).verdict is None:
            wanted = 1 if gently and not given else count.needed
            wave = self._order[len(given) : len(given) + wanted]
            answers = await asyncio.gather(
                *(_vote(voter, vote, case, evidence, ask, meter) for voter, vote in wave), return_exceptions=True
            )
            failed = [item for item in answers if isinstance(item, BaseException)]
            given += [item for item in answers if not isinstance(item, BaseException)]
            if failed and self._standing(given).verdict is None:
                raise failed[0]
        if len(self._order) == 1:
            return given[0].judgment, given[0].failure
        return self._join(given, count.verdict or VerdictValue.ERROR, count.tied)

    def _standing(self, given: Sequence[_Given]) -> Count:
        return standing([item.judgment.verdict for item in given], len(self._order), self._tie)

    def _join(self, given: Sequence[_Given], verdict: VerdictValue, tied: bool) -> Answer:
        ballots = [item.judgment for item in given]
        failures = [item.failure for item in given if item.failure is not None]
        fields: dict[str, Any] = {
            "verdict": verdict,
            "votes": tuple(item.verdict for item in ballots),
            "ballots": tuple(map(_ballot, given)),
            "injection": tuple(dict.fromkeys(chain.from_iterable(item.injection for item in ballots))),
            "redacted": tuple(dict.fromkeys(chain.from_iterable(item.redacted for item in ballots))),
        }
        if verdict == VerdictValue.ERROR:
            why = "the votes are tied" if tied else f"no majority of {len(self._order)} votes"
            detail = f"{_told(ballots)}{f'; {failures[0]}' if failures else ''}"
            raw = "\n---\n".join(item.raw_answer for item in ballots if item.raw_answer)
            update = {"error": f"{why}: {detail}", "reason": "", "confidence": 0.0, "citations": (), "raw_answer": raw}
            blank = ballots[0].model_copy(update={**fields, **update, "citations_verified": None})
            outage = next((item for item in failures if is_outage(item)), failures[0] if failures else None)
            return blank, outage
        best = spokesman(ballots, verdict)
        reason = f"A tie counts as unmet ({_told(ballots)}). {best.reason}" if tied else best.reason
        return best.model_copy(update={**fields, "reason": reason, "confidence": pooled(ballots, verdict)}), None


async def _vote(voter: Voter, vote: int, case: Case, evidence: Sequence[Evidence], ask: Ask, meter: Meter) -> _Given:
    closed = voter.breaker.why_open()
    if closed:
        error = ProviderError(closed)
        return _Given(voter.model.id, vote, ask.unasked(replace(case, model=voter.model), error), error)
    judgment, failure = await ask.judge(replace(case, model=Metered(voter.model, meter)), evidence, vote)
    voter.breaker.saw(failure)
    return _Given(voter.model.id, vote, judgment, failure)


def _ballot(given: _Given) -> Ballot:
    item = given.judgment
    return Ballot(
        model=given.model,
        vote=given.vote,
        verdict=item.verdict,
        confidence=item.confidence,
        reason=item.reason,
        error=item.error,
    )


def _told(ballots: Sequence[Judgment]) -> str:
    counts = {value: sum(1 for item in ballots if item.verdict == value) for value in VerdictValue}
    return ", ".join(f"{number} {value.value}" for value, number in counts.items() if number)
