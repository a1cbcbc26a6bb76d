"""The offline judge: a criterion is taken apart into claims, each checked against the evidence."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from judge.modules.base import Case
from judge.rules.claims import findings_for
from judge.rules.criterion import parse_criterion
from judge.rules.evidence import Evidence, LiveCache
from judge.rules.findings import Finding, State
from judge.rules.wording import joined
from judge.schemas import Citation, Judgment, VerdictValue

MODEL = "rules"


def judge_requirement(case: Case, cache: LiveCache | None = None) -> Judgment:
    """Judges one requirement without a model; deterministic, no network, nothing is executed.

    Args:
        case: The requirement with its workspace and, in gray-box, its trajectory.
        cache: Shared between the requirements of a workspace, so that its code is analysed once.

    Returns:
        A judgment with the facts that decided as its reason, and the places as citations.
    """
    started = time.monotonic()
    evidence = Evidence.of(case, cache or LiveCache())
    criterion = parse_criterion(case.requirement.criteria, evidence.vocabulary)
    verdict, confidence, decisive = decide(findings_for(evidence, criterion))
    citations = _unique(citation for finding in decisive for citation in finding.citations)
    return Judgment(
        task=case.task.name,
        requirement_id=case.requirement.requirement_id,
        verdict=verdict,
        reason=_reason(verdict, decisive),
        confidence=round(confidence, 3),
        votes=(verdict,),
        citations=citations,
        citations_verified=True if any(citation.verified for citation in citations) else None,
        seconds=round(time.monotonic() - started, 4),
        judge="rules",
        model=MODEL,
    )


def decide(findings: Sequence[Finding]) -> tuple[VerdictValue, float, Sequence[Finding]]:
    """The verdict that findings support, its confidence, and the findings it rests on.

    One claim that fails decides for UNSATISFIED; without any claim that holds the doubt goes to UNSATISFIED as well.
    """
    failed = [finding for finding in findings if finding.state is State.UNMET]
    holding = [finding for finding in findings if finding.state is State.MET]
    open_claims = [finding for finding in findings if finding.state is State.UNKNOWN]
    if failed:
        ordered = sorted(failed, key=lambda finding: -finding.confidence)
        return VerdictValue.UNSATISFIED, ordered[0].confidence, ordered[:3]
    if not holding:
        return VerdictValue.UNSATISFIED, 0.5, open_claims[:3]
    confidence = min(finding.confidence for finding in holding) * (0.9 if open_claims else 1.0)
    return VerdictValue.SATISFIED, confidence, holding


def _reason(verdict: VerdictValue, decisive: Sequence[Finding]) -> str:
    if not decisive:
        return "Nothing in the workspace bears on this criterion."
    parts = list(dict.fromkeys(finding.because for finding in decisive))[:4]
    if verdict is VerdictValue.UNSATISFIED and all(finding.state is State.UNKNOWN for finding in decisive):
        asks = all(part.split(" ", 1)[0] in {"what", "whether", "which"} for part in parts)
        parts[0] = f"{'nothing tells' if asks else 'no evidence:'} {parts[0]}"
    return joined(parts)


def _unique(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    kept: dict[tuple[object, ...], Citation] = {}
    for citation in citations:
        looked_up = True if citation.quote else None
        kept.setdefault(
            (citation.path, citation.line, citation.step), citation.model_copy(update={"verified": looked_up})
        )
    return tuple(kept.values())[:8]
