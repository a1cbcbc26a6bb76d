"""Oracles that accept anything: a case that no answer fails says nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.score.check import check
from judge.score.questions import Properties
from judge.score.reply import Reply, Status

if TYPE_CHECKING:
    from judge.score.questions import Question
    from judge.score.suite.model import Suite
    from judge.score.suite_side import SuiteSide
    from judge.score.values import Value

_NONSENSE: tuple[Value, ...] = (None, "nonsense", -987654.5, ["nonsense"], {})
"""Answers that no problem wants all of."""


def accepts_anything(question: Question, suite: Suite, side: SuiteSide) -> bool:
    """Whether the oracle of a question takes every one of some nonsensical answers for right.

    Args:
        question: With a property or a checker; any other oracle compares with a value and is exact.
        suite: The suite.
        side: Its own code.
    """
    if not isinstance(question.oracle, Properties) and not question.compare.checker:
        return False
    return all(_accepted(question, answer, suite, side) for answer in _NONSENSE)


def _accepted(question: Question, answer: Value, suite: Suite, side: SuiteSide) -> bool:
    reply = Reply(Status.RETURNED, value=answer)
    finding = check(replace(question), reply, suite, side, lambda asked, entry: reply)
    return finding.passed
