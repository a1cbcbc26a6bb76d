"""The module ``ask``: one requirement, one structured answer, every quote looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from judge.errors import BudgetExceeded, JudgeError, ProviderError
from judge.modules.ask.citations import all_found, verify_citations
from judge.modules.ask.request import Built, build_request, templates
from judge.modules.base import Case
from judge.schemas import Citation, Evidence, Judgment, VerdictValue

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.models import ParsedVerdict

_RAW = 4_000
_PENALTY = 0.5


class Builder(Protocol):
    """Builds the request for a verdict."""

    def __call__(
        self, case: Case, evidence: Sequence[Evidence], fence: Fence, max_output_tokens: int, *, share: float = 1.0
    ) -> Built:
        """The request; ``share`` is the part of the model's context that may be used."""
        ...


class Ask:
    """Asks the model of a case; what is the same for all requirements of a task is worded the same every time."""

    name = "ask"

    def __init__(
        self, *, max_output_tokens: int = 2048, fence: Fence | None = None, builder: Builder = build_request
    ) -> None:
        """Makes a module for one task or many.

        Args:
            max_output_tokens: Upper bound on the answer.
            fence: Wraps untrusted text; share it over a run, so that shared prompts can be cached.
            builder: Words the prompt; that of the agent judge by default.
        """
        from judge.fence import Fence as New

        self._fence = fence or New.new()
        self._limit = max_output_tokens
        self._build = builder

    def build(self, case: Case, evidence: Sequence[Evidence]) -> Built:
        """The request that would be sent.

        Args:
            case: The requirement.
            evidence: What the modules found, the workspace map first.

        Returns:
            The request, with what was noticed while building it.
        """
        return self._build(case, evidence, self._fence, self._limit)

    async def judge(self, case: Case, evidence: Sequence[Evidence]) -> tuple[Judgment, JudgeError | None]:
        """The verdict of the case's model.

        Args:
            case: The requirement; its model is asked.
            evidence: What the modules found.

        Returns:
            The verdict, and the error behind it when it is ERROR. An outage, a refusal or an answer without a clear
            verdict is ERROR, never UNSATISFIED.

        Raises:
            BudgetExceeded: The run's limit is reached.
        """
        from judge.models import ContextOverflow, UnusableAnswer, ask_verdict

        built = self.build(case, evidence)
        blank = _blank(case, built)
        if case.model is None:
            error = ProviderError("there is no model to ask")
            return _error(blank, error), error
        try:
            try:
                parsed, usage = await ask_verdict(case.model, built.request, _repair)
            except ContextOverflow:
                built = self._build(case, evidence, self._fence, self._limit, share=_PENALTY)
                parsed, usage = await ask_verdict(case.model, built.request, _repair)
        except BudgetExceeded:
            raise
        except UnusableAnswer as error:
            raw = "\n---\n".join(error.answers)[:_RAW]
            return _error(blank, error).model_copy(update={"raw_answer": raw, "usage": error.usage}), error
        except JudgeError as error:
            return _error(blank, error), error
        return _judgment(case, blank, parsed, evidence).model_copy(update={"usage": usage}), None


def _blank(case: Case, built: Built) -> Judgment:
    return Judgment(
        task=case.task.name,
        requirement_id=case.requirement.requirement_id,
        verdict=VerdictValue.ERROR,
        reason="",
        confidence=0.0,
        injection=tuple(built.injection),
        redacted=tuple(built.redacted),
        judge="agent",
        model=case.model.id if case.model is not None else "",
        prompt_hash=built.prompt_hash,
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
