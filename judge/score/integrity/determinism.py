"""Asks the same questions again, in another order and with another hash seed, and says what was answered otherwise."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from judge.score import compare
from judge.score.execute import Worker
from judge.score.questions import Properties
from judge.score.reply import Reply, Status
from judge.score.suite_side import ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.execute import Program
    from judge.score.questions import Question
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import Suite
    from judge.score.suite_side import SuiteSide

_MOST = 100
_EXPLAINED = 3
_TIMEOUTS = 2
_SECONDS = 15.0
_TEXT = 120
_ANSWERS = (Status.RETURNED, Status.RAISED)


class Difference(NamedTuple):
    """One question that was answered in two ways.

    Attributes:
        question: Its id.
        cause: ``state`` (an earlier case left something behind), ``hash seed``, ``chance``, or empty when it was not
            looked into.
        text: One sentence.
    """

    question: str
    cause: str
    text: str


_CAUSES = {
    "state": "an earlier case changes the answer",
    "hash seed": "the answer depends on the hash seed",
    "chance": "the answer changes from run to run",
    "": "the answers differ between runs",
}


def determinism(
    program: Program,
    sandbox: Sandbox,
    suite: Suite,
    questions: Sequence[Question],
    side: SuiteSide,
    seed: int,
    runs: int = 2,
) -> tuple[Difference, ...]:
    """Runs the questions several times in fresh workers and compares the answers.

    Questions with several right answers (properties, a checker) are left out, and so are programs, which start anew
    for each question.

    Args:
        program: The submission.
        sandbox: Where it runs.
        suite: What it is asked.
        questions: At most a hundred of them are asked.
        side: Makes generated arguments.
        seed: Of order and hash seeds.
        runs: At least two, or nothing is compared.
    """
    if program.kind == "program" or runs < 2:
        return ()
    draw = random.Random(seed)
    chosen = [item for item in questions if not isinstance(item.oracle, Properties) and not item.compare.checker]
    if len(chosen) > _MOST:
        chosen = [chosen[index] for index in sorted(draw.sample(range(len(chosen)), _MOST))]
    made = [replace(item, args=side.make(item), generate=None) if item.generate else item for item in chosen]
    asking = _Asking(program, sandbox, suite, time.monotonic() + _SECONDS)
    first_seed = draw.randrange(1, 2**32)
    first = asking.run(made, first_seed)
    found: dict[str, Difference] = {}
    for _ in range(runs - 1):
        other_seed = draw.randrange(1, 2**32)
        order = list(range(len(made)))
        draw.shuffle(order)
        shuffled = asking.run([made[index] for index in order], other_seed)
        for place, index in enumerate(order):
            question, one, two = made[index], first[index], shuffled[place]
            if question.id in found or _same(one, two, question):
                continue
            cause = asking.cause(question, one, first_seed, other_seed) if len(found) < _EXPLAINED else ""
            found[question.id] = _difference(question, cause, one, two)
    return tuple(found.values())


class _Asking:
    """Asks one submission in fresh workers until the time is up."""

    def __init__(self, program: Program, sandbox: Sandbox, suite: Suite, deadline: float) -> None:
        self._program, self._sandbox, self._suite, self._deadline = program, sandbox, suite, deadline

    def run(self, questions: Sequence[Question], hash_seed: int) -> list[Reply | None]:
        """The replies in order; None where there was no time to ask."""
        replies: list[Reply | None] = []
        timeouts = 0
        with Worker.start(self._sandbox, self._program, self._suite.limits, hash_seed) as worker:
            for question in questions:
                if timeouts >= _TIMEOUTS or time.monotonic() > self._deadline:
                    replies.append(None)
                    continue
                reply = ask(worker, question, self._program.kind, after=False)
                timeouts += reply.status is Status.TIMEOUT
                replies.append(reply)
        return replies

    def cause(self, question: Question, known: Reply | None, first_seed: int, other_seed: int) -> str:
        """Why a question was answered in two ways."""
        alone, again = self.run([question], first_seed)[0], self.run([question], first_seed)[0]
        if alone is None or again is None:
            return ""
        if not _same(alone, again, question):
            return "chance"
        other = self.run([question], other_seed)[0]
        if not _same(alone, other, question):
            return "hash seed"
        return "state"


def _same(one: Reply | None, two: Reply | None, question: Question) -> bool:
    """Whether two replies agree; one that is no answer (a limit, a crash) says nothing."""
    if one is None or two is None or one.status not in _ANSWERS or two.status not in _ANSWERS:
        return True
    if one.status is not two.status:
        return False
    if one.raised is not None and two.raised is not None:
        return one.raised.types[:1] == two.raised.types[:1]
    return compare.equal(two.value, one.value, question.compare).ok


def _difference(question: Question, cause: str, one: Reply | None, two: Reply | None) -> Difference:
    texts = [_show(reply) for reply in (one, two)]
    return Difference(question.id, cause, f"{question.id}: {_CAUSES[cause]}: {texts[0]}, then {texts[1]}")


def _show(reply: Reply | None) -> str:
    if reply is None:
        return "nothing"
    if reply.raised is not None:
        return reply.raised.types[0] if reply.raised.types else "an exception"
    return compare.show(reply.value, _TEXT)
