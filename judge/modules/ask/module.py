"""The module ``ask``: one requirement, one structured answer, every quote looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from judge.errors import BudgetExceeded, JudgeError, ProviderError
from judge.modules.ask.citations import all_found, verify_citations
from judge.modules.ask.request import Built, Wording, build_request, templates
from judge.modules.ask.shared import Shared, share
from judge.modules.base import Case
from judge.schemas import Citation, Evidence, Judgment, VerdictValue

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.models import ParsedVerdict

_RAW = 4_000
_PENALTY = 0.5
_SHARED = 0.4
"""Share of a model's context that evidence shared by a task may fill."""


class Builder(Protocol):
    """Builds the request for a verdict."""

    def __call__(
        self,
        case: Case,
        evidence: Sequence[Evidence],
        fence: Fence,
        wording: Wording,
        *,
        shared: Shared | None = None,
        share: float = 1.0,
    ) -> Built:
        """The request; ``share`` is the part of the model's context that may be used."""
        ...


class Ask:
    """Asks the model of a case; what is the same for all requirements of a task is worded the same every time."""

    name = "ask"

    def __init__(
        self,
        *,
        max_output_tokens: int = 2048,
        strictness: str = "literal",
        temperature: float | None = 0.0,
        fence: Fence | None = None,
        builder: Builder = build_request,
    ) -> None:
        """Makes a module for one task.

        Args:
            max_output_tokens: Upper bound on the answer.
            strictness: ``literal`` or ``intent``: how closely the work must follow the words of the criterion.
            temperature: Of the answers; None leaves it to the server.
            fence: Wraps untrusted text; share it over a run, so that shared prompts can be cached.
            builder: Words the prompt; that of the agent judge by default.
        """
        from judge.fence import Fence as New

        self._fence = fence or New.new()
        self._wording = Wording(max_output_tokens, strictness, temperature)
        self._build = builder
        self._shared = Shared()

    def plan(self, case: Case, evidence: Sequence[Sequence[Evidence]]) -> None:
        """Chooses what all requirements of a task are shown, once, in the part of the prompt that a cache keeps.

        Args:
            case: Any requirement of the task; its model's context bounds what is shared.
            evidence: That of every requirement. The same evidence leads to the same choice.
        """
        most = case.bounds.read_tokens + case.bounds.retrieve_tokens
        if case.model is not None and case.model.context_tokens > 0:
            most = min(most, int(case.model.context_tokens * _SHARED))
        self._shared = share(evidence, most)

    def build(self, case: Case, evidence: Sequence[Evidence]) -> Built:
        """The request that would be sent.

        Args:
            case: The requirement.
            evidence: What the modules found, the workspace map first.

        Returns:
            The request, with what was noticed while building it.
        """
        return self._build(case, evidence, self._fence, self._wording, shared=self._shared)

    def unasked(self, case: Case, error: JudgeError) -> Judgment:
        """The verdict ERROR of a model that is not asked.

        Args:
            case: The requirement.
            error: Why.
        """
        return _error(_blank(case, None), error)

    async def judge(
        self, case: Case, evidence: Sequence[Evidence], vote: int = 0
    ) -> tuple[Judgment, JudgeError | None]:
        """The verdict of the case's model.

        Args:
            case: The requirement; its model is asked.
            evidence: What the modules found.
            vote: Number of the vote, from 0: the same question asked again.

        Returns:
            The verdict, and the error behind it when it is ERROR. An outage, a refusal or an answer without a clear
            verdict is ERROR, never UNSATISFIED.

        Raises:
            BudgetExceeded: The run's limit is reached.
        """
        from judge.models import ContextOverflow, UnusableAnswer, ask_verdict

        if case.model is None:
            error = ProviderError("there is no model to ask")
            return self.unasked(case, error), error
        built = self.build(case, evidence)
        blank = _blank(case, built)
        try:
            try:
                parsed, usage = await ask_verdict(case.model, replace(built.request, vote=vote), _repair)
            except ContextOverflow:
                # With less of everything, and nothing that only other requirements need.
                built = self._build(case, evidence, self._fence, self._wording, share=_PENALTY)
                blank = blank.model_copy(update={"prompt_hash": built.prompt_hash})
                parsed, usage = await ask_verdict(case.model, replace(built.request, vote=vote), _repair)
        except BudgetExceeded:
            raise
        except UnusableAnswer as error:
            raw = "\n---\n".join(error.answers)[:_RAW]
            return _error(blank, error).model_copy(update={"raw_answer": raw, "usage": error.usage}), error
        except JudgeError as error:
            return _error(blank, error), error
        shown = [*evidence, *self._shared.items]
        return _judgment(case, blank, parsed, shown).model_copy(update={"usage": usage}), None


def _blank(case: Case, built: Built | None) -> Judgment:
    return Judgment(
        task=case.task.name,
        requirement_id=case.requirement.requirement_id,
        verdict=VerdictValue.ERROR,
        reason="",
        confidence=0.0,
        injection=tuple(built.injection) if built is not None else (),
        redacted=tuple(built.redacted) if built is not None else (),
        judge="agent",
        model=case.model.id if case.model is not None else "",
        prompt_hash=built.prompt_hash if built is not None else "",
    )


def _error(blank: Judgment, error: JudgeError) -> Judgment:
    return blank.model_copy(update={"error": str(error)})


def _judgment(case: Case, blank: Judgment, parsed: ParsedVerdict, evidence: Sequence[Evidence]) -> Judgment:
    from judge.fence import unfence

    quoted = [_plain(item, unfence(item.quote)) for item in parsed.citations]
    citations = verify_citations(case, quoted, evidence)
    looked = [item for item in citations if item.verified is not None]
    wrong = sum(1 for item in looked if not item.verified)
    trust = 1.0 - _PENALTY * wrong / len(looked) if looked else 1.0
    return blank.model_copy(
        update={
            "verdict": parsed.verdict,
            "reason": parsed.reason,
            "confidence": round(parsed.confidence * trust, 4),
            "votes": (parsed.verdict,),
            "citations": citations,
            "citations_verified": all_found(citations),
        }
    )


def _plain(item: Citation, quote: str) -> Citation:
    return item.model_copy(update={"quote": quote})


def prompt_hashes() -> Mapping[str, str]:
    """Template id -> content hash, for the run header.

    Raises:
        InputError: A template is missing.
    """
    return {prompt.id: prompt.hash for prompt in templates()}


def _repair(why: str) -> str:
    from judge.prompts import load_prompt

    return load_prompt("repair").render(why=why)
