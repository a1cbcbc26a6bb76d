"""Who gives verdicts: what all judges have in common, and the offline rules judge."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.errors import JudgeError
from judge.modules.base import Case
from judge.schemas import Citation, Evidence, EvidenceKind, Judgment, Usage, VerdictValue

if TYPE_CHECKING:
    from judge.models import Model


_LONGEST_CRITERION = 32_000
"""Characters. No criterion is that long; taking one apart takes some seconds then."""


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

    async def open(self, cases: Sequence[Case], pending: Sequence[int]) -> bool:
        """Looks at the whole task before any of its requirements is judged.

        Args:
            cases: All requirements of the task.
            pending: The ids of those that will be judged.

        Returns:
            Whether the first requirement had better be judged before the others start, because they then find in
            the provider's cache what they share with it.
        """
        ...

    async def judge(self, case: Case) -> Outcome:
        """The verdict on one requirement.

        Raises:
            BudgetExceeded: Nothing more may be asked, and nothing was.
        """
        ...


class Judge(Protocol):
    """Gives verdicts; ``name`` and ``model`` go into every one of them."""

    @property
    def name(self) -> str:
        """``agent``, ``llm`` or ``rules``."""
        ...

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that are asked; none for the rules judge."""
        ...

    def hold(self) -> AbstractContextManager[object]:
        """Says, while it is open, that somebody is at work who may still ask the models; for batches."""
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
    models = ()

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

    def hold(self) -> AbstractContextManager[object]:
        """Nothing to do: nobody is asked."""
        return nullcontext()


class _RulesSession:
    def __init__(self, decide: Callable[[Case], Judgment], turn: asyncio.Lock) -> None:
        self._decide = decide
        self._turn = turn

    async def open(self, cases: Sequence[Case], pending: Sequence[int]) -> bool:
        """Nothing to do: each requirement is judged on its own."""
        return False

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


def model_names(judge: Judge) -> str:
    """The models of a judge as one text: what goes into the header and into verdicts."""
    return " + ".join(model.id for model in judge.models)


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
