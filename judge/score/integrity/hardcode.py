"""Finds answers that were learnt by heart: standard cases pass, the same inputs slightly changed do not."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from judge.score.integrity.changes import change_question
from judge.score.integrity.literals import held_share, literals_of
from judge.score.questions import AsReference, Expected, Output, Raises
from judge.score.reply import Reply, Status
from judge.score.worker.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.results.score import CaseResult
    from judge.score.check import Finding
    from judge.score.execute import ProgramReply
    from judge.score.questions import Question
    from judge.score.suite_side import SuiteSide

_PASS_SHARE = 0.8
_FAIL_SHARE = 0.5
_HELD_SHARE = 0.5
_FEWEST = 3
_CHANGES = 4
_MOST = 40
_TIMEOUTS = 2


class Probe(NamedTuple):
    """What changed standard inputs brought.

    Attributes:
        asked: How many were asked; of those with the most frequent right answer none counts when they are half of all,
            since somebody who knows the cases by heart gives one answer to all the rest.
        failed: How many of them were answered wrongly.
        held: Share of the standard cases whose input or answer stands in the source, 0 to 1.
        suspicious: Whether it looks as if the cases were known.
        certain: Whether the cases stand in the source, besides.
        text: One sentence; empty when nothing was asked.
    """

    asked: int = 0
    failed: int = 0
    held: float = 0.0
    suspicious: bool = False
    certain: bool = False
    text: str = ""


def hardcode_probe(
    source: bytes,
    questions: Sequence[Question],
    results: Sequence[CaseResult],
    try_one: Callable[[Question], tuple[Status, Finding]],
    side: SuiteSide,
    fits: Callable[[Question], bool],
    seed: int,
) -> Probe:
    """Asks standard questions anew with changed inputs; the reference says what is right.

    Args:
        source: Of the submission.
        questions: Of the correctness dimension.
        results: What came of them, by id.
        try_one: Asks the submission, as ``Examiner.try_one`` does.
        side: The suite's own code.
        fits: Whether a changed input is one that the suite defines.
        seed: Of the changes.

    Returns:
        An empty probe when the suite has no reference, or too few standard cases passed for the question to arise.
    """
    passed = {result.id for result in results if result.passed}
    known = [question for question in questions if question.id in passed]
    if not side.has_reference or len(known) < max(1, round(_PASS_SHARE * len(results))):
        return Probe()
    made = [replace(item, args=side.make(item), generate=None) if item.generate else item for item in known]
    asked, failed = _ask(made, try_one, side, fits, random.Random(seed))
    literals = literals_of(source)
    held = held_share(literals, [(_input(question), _wanted(question)) for question in made])
    failing = asked >= _FEWEST and failed >= _FAIL_SHARE * asked
    certain = failing and held >= _HELD_SHARE
    text = f"{len(known)} standard cases pass, but {failed} of {asked} fail with slightly changed inputs"
    if certain:
        text += f"; {held:.0%} of the cases stand as literals in the source"
    return Probe(asked, failed, held, failing and (certain or literals.digests), certain, text if asked else "")


def _ask(
    questions: Sequence[Question],
    try_one: Callable[[Question], tuple[Status, Finding]],
    side: SuiteSide,
    fits: Callable[[Question], bool],
    draw: random.Random,
) -> tuple[int, int]:
    outcomes: list[tuple[bytes, bool]] = []
    timeouts = 0
    chosen = list(questions)
    draw.shuffle(chosen)
    for question in (item for _ in range(_CHANGES) for item in chosen):
        if len(outcomes) >= _MOST or timeouts >= _TIMEOUTS:
            break
        changed = change_question(question, draw)
        if changed is None:
            continue
        changed = replace(changed, id=f"{question.id} (changed)", source="probe", oracle=AsReference(), weight=0.0)
        if not fits(changed) or not _answered(changed, side):
            continue
        status, finding = try_one(changed)
        if not finding.unfit:
            outcomes.append((_answer_key(side.answer(changed)), finding.passed))
            timeouts += status is Status.TIMEOUT
    return _telling(outcomes)


def _telling(outcomes: Sequence[tuple[bytes, bool]]) -> tuple[int, int]:
    """Asked and failed, without the most frequent right answer where that is half of all."""
    counts = Counter(key for key, _ in outcomes)
    common, times = counts.most_common(1)[0] if counts else (b"", 0)
    kept = [passed for key, passed in outcomes if key != common or 2 * times < len(outcomes)]
    return len(kept), kept.count(False)


def _answer_key(answer: Reply | ProgramReply) -> bytes:
    return encode(answer.value) if isinstance(answer, Reply) else answer.stdout


def _answered(question: Question, side: SuiteSide) -> bool:
    """Only inputs to which the reference has an answer are asked: outside its contract nobody need agree with it."""
    answer = side.answer(question)
    return answer.status is Status.RETURNED and (not isinstance(answer, Reply) or answer.raised is None)


def _input(question: Question) -> object:
    if question.stdin is not None:
        return question.stdin.decode("utf-8", "replace").split()
    return question.calls if question.calls is not None else question.args


def _wanted(question: Question) -> object:
    oracle = question.oracle
    if isinstance(oracle, Expected):
        return oracle.value
    if isinstance(oracle, Output):
        return oracle.stdout.strip()
    return oracle.match if isinstance(oracle, Raises) else None
