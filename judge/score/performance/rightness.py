"""Whether the output of a timed call is right: fast garbage is worth nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.score import compare
from judge.score.check import check
from judge.score.questions import Expected, Properties, Question
from judge.score.reply import Reply, Status

if TYPE_CHECKING:
    from judge.score.suite.model import Suite
    from judge.score.suite_side import SuiteSide
    from judge.score.values import Value


def _no_more(question: Question, entry: str) -> Reply:
    """Further questions are not asked here."""
    return Reply(Status.ENGINE, detail=f"{question.id} {entry} is not asked")


class Rightness:
    """Holds timed outputs against the reference's and the suite's properties.

    Properties that relate several answers are left to the edge cases: here the submission is not asked again.

    Args:
        suite: Rules of comparing, checker and properties.
        side: Runs a checker of the suite.
        with_reference: Whether the reference answered the same inputs.
        in_place: Whether outputs are pairs of the output and the arguments afterwards.
    """

    def __init__(self, suite: Suite, side: SuiteSide, *, with_reference: bool, in_place: bool) -> None:
        """Reads which properties can be checked."""
        self._suite, self._side = suite, side
        self._reference, self._in_place = with_reference, in_place
        self._properties = tuple(
            name for name in suite.edge_cases.properties if name.partition(":")[0] not in compare.RELATION_NAMES
        )

    def reason(self, args: tuple[Value, ...], value: Value, wanted: Value | None) -> str:
        """Why an output is wrong, one sentence; empty when it is right or nothing can be said.

        Args:
            args: The input.
            value: The output.
            wanted: What the reference gave.
        """
        if self._in_place:
            if not isinstance(value, list) or len(value) != 2:
                return "the call gave no output"
            if self._reference and isinstance(wanted, list):
                verdict = compare.equal(value[1], wanted[1], self._suite.compare)
                if not verdict.ok:
                    return f"the arguments afterwards differ: {verdict.reason}"
                wanted = wanted[0]
            value = value[0]
        if self._reference:
            found = self._check(Expected(wanted), args, value)
            if found:
                return found
        return self._check(Properties(self._properties), args, value) if self._properties else ""

    def _check(self, oracle: Expected | Properties, args: tuple[Value, ...], value: Value) -> str:
        question = Question("timed", "timed", "", 1.0, oracle, self._suite.compare, args=args)
        reply = Reply(Status.RETURNED, value)
        finding = check(question, reply, self._suite, self._side, _no_more)
        return "" if finding.passed or finding.unfit else finding.reason or "it is not what is expected"
