"""Counting votes: when a verdict is decided, and how sure it is. Pure functions.

The majority is that of all votes there are, given or not: what could not be asked or answered counts for neither side.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from judge.schemas import Judgment, VerdictValue

_DOUBT = 0.5
"""What a vote that could not be given says of either side."""
_SUREST = 0.99
"""Votes of models never make a verdict certain."""


class Tie(StrEnum):
    """What as many SATISFIED as UNSATISFIED votes mean; never SATISFIED."""

    ERROR = "error"
    UNSATISFIED = "unsatisfied"


class Count(NamedTuple):
    """How votes stand.

    Attributes:
        verdict: SATISFIED or UNSATISFIED when that is decided, ERROR when it cannot be any more, None while it is open.
        needed: While it is open: the least number of further votes that may decide it.
        tied: Whether all votes were given and the two sides have the same number.
    """

    verdict: VerdictValue | None
    needed: int = 0
    tied: bool = False


def standing(votes: Sequence[VerdictValue], total: int, tie: Tie) -> Count:
    """How the votes given so far stand.

    Args:
        votes: Those given.
        total: How many there are in all.
        tie: What a tie means.

    >>> standing([VerdictValue.SATISFIED], 3, Tie.ERROR)
    Count(verdict=None, needed=1, tied=False)
    """
    majority = total // 2 + 1
    sides = (VerdictValue.SATISFIED, VerdictValue.UNSATISFIED)
    for side in sides:
        if votes.count(side) >= majority:
            return Count(side)
    ahead = max(votes.count(side) for side in sides)
    left = total - len(votes)
    if ahead + left >= majority:
        return Count(None, needed=majority - ahead)
    if 2 * ahead == total and not left and VerdictValue.ERROR not in votes:
        return Count(VerdictValue.UNSATISFIED if tie is Tie.UNSATISFIED else VerdictValue.ERROR, tied=True)
    return Count(VerdictValue.ERROR)


def pooled(ballots: Sequence[Judgment], verdict: VerdictValue) -> float:
    """How sure a verdict is: the mean of the probability that each vote gives to it.

    A vote for it gives its confidence, one against it the rest to 1, and one that could not be given one half. So
    every vote against lowers it, and agreement alone does not raise it above what the votes themselves say: votes of
    one model share its errors.

    Args:
        ballots: The votes given; not none.
        verdict: The side that won.

    Returns:
        From 0 to 0.99, with four digits.
    """
    shares = [
        _DOUBT
        if item.verdict == VerdictValue.ERROR
        else item.confidence
        if item.verdict == verdict
        else 1.0 - item.confidence
        for item in ballots
    ]
    return round(min(_SUREST, sum(shares) / len(shares)), 4)


def spokesman(ballots: Sequence[Judgment], verdict: VerdictValue) -> Judgment:
    """The vote whose reason and citations stand for the verdict: the one with the best looked-up quotes.

    Args:
        ballots: The votes given; one of them for the verdict.
        verdict: The side that won.
    """
    side = [item for item in ballots if item.verdict == verdict]
    return max(side, key=_standing)


def _standing(ballot: Judgment) -> tuple[bool, int, float]:
    found = sum(1 for item in ballot.citations if item.verified)
    return ballot.citations_verified is not False, found, ballot.confidence
