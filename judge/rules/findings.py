"""What a check of one claim yields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from judge.schemas import Citation


class State(StrEnum):
    """Whether a claim holds."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check.

    Attributes:
        claim: What was asked, in a few words.
        state: Whether it holds.
        because: The fact that decides, one clause.
        confidence: How sure this is, 0-1.
        citations: Where it stands.
    """

    claim: str
    state: State
    because: str
    confidence: float = 0.8
    citations: tuple[Citation, ...] = ()


def met(because: str, confidence: float = 0.8, *citations: Citation, claim: str = "") -> Finding:
    """A claim that holds."""
    return Finding(claim, State.MET, because, confidence, citations)


def unmet(because: str, confidence: float = 0.8, *citations: Citation, claim: str = "") -> Finding:
    """A claim that does not hold."""
    return Finding(claim, State.UNMET, because, confidence, citations)


def unknown(because: str, *citations: Citation, claim: str = "") -> Finding:
    """A claim that could not be checked."""
    return Finding(claim, State.UNKNOWN, because, 0.5, citations)


def all_of(findings: Iterable[Finding], claim: str = "") -> Finding:
    """Every part must hold: the surest failure decides, else the least sure success."""
    items = list(findings)
    if not items:
        return unknown("nothing to check", claim=claim)
    failed = [item for item in items if item.state is State.UNMET]
    if failed:
        worst = max(failed, key=lambda item: item.confidence)
        return replace(worst, claim=claim or worst.claim)
    good = [item for item in items if item.state is State.MET]
    if not good:
        return replace(items[0], claim=claim or items[0].claim)
    weakest = min(good, key=lambda item: item.confidence)
    citations = tuple(citation for item in good for citation in item.citations)[:6]
    because = "; ".join(dict.fromkeys(item.because for item in good))
    penalty = 0.9 if len(good) < len(items) else 1.0
    return Finding(claim or weakest.claim, State.MET, because, weakest.confidence * penalty, citations)


def any_of(findings: Iterable[Finding], claim: str = "") -> Finding:
    """One part is enough: the surest success decides, else the surest failure."""
    items = list(findings)
    if not items:
        return unknown("nothing to check", claim=claim)
    for state in (State.MET, State.UNMET, State.UNKNOWN):
        of_state = [item for item in items if item.state is state]
        if of_state:
            best = max(of_state, key=lambda item: item.confidence)
            return replace(best, claim=claim or best.claim)
    raise AssertionError("every finding has a state")
