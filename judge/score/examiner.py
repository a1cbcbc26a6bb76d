"""Puts questions to one submission, within its time, and writes down what came of each."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.results.score import CaseResult
from judge.score import compare
from judge.score.check import Finding, check
from judge.score.execute import Program, Worker, run_program
from judge.score.reply import Reply, Status
from judge.score.suite_side import ask

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge.score.execute import ProgramReply
    from judge.score.questions import Question
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import Suite
    from judge.score.suite_side import SuiteSide

_MOST_TIMEOUTS = 3
"""Time-outs after which a submission is not asked any more."""
_TEXT = 400


class EngineFault(Exception):
    """A fault of ours while a submission was asked; it is an error, never a point lost."""


class Examiner:
    """One submission under examination; close it when done.

    Attributes:
        replies: Every reply, in order of asking, for those who look for signs of cheating.
        timeouts: Questions that were not answered in time, over all that was asked since it was last set.
    """

    def __init__(self, program: Program, suite: Suite, side: SuiteSide, sandbox: Sandbox, hash_seed: int = 0) -> None:
        """Starts no worker yet.

        Args:
            program: The submission.
            suite: What it is asked.
            side: The suite's own code.
            sandbox: Where the submission runs.
            hash_seed: Of its interpreter.
        """
        self._program, self._suite, self._side, self._sandbox = program, suite, side, sandbox
        self._hash_seed = hash_seed
        self._worker: Worker | None = None
        self._deadline = time.monotonic() + suite.limits.suite_wall_s
        self.replies: list[Reply | ProgramReply] = []
        self.timeouts = 0

    def close(self) -> None:
        """Ends the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def __enter__(self) -> Examiner:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Ends the worker."""
        self.close()

    def examine(self, questions: Iterable[Question]) -> list[CaseResult]:
        """Asks one tier; after a few time-outs, those of earlier tiers too, the rest is not asked and fails.

        Raises:
            EngineFault: The machinery failed.
            InputError: A generator of the suite failed.
        """
        results: list[CaseResult] = []
        for question in questions:
            if self.too_slow or self.out_of_time:
                why = f"{self.timeouts} time-outs before" if self.too_slow else "its time for the suite is used up"
                results.append(_result(question, Status.TIMEOUT, Finding(False, reason=f"not asked: {why}")))
                continue
            made = replace(question, args=self._side.make(question)) if question.generate else question
            status, finding = self.try_one(made)
            if finding.unfit:
                continue
            results.append(_result(made, status, finding))
        return results

    @property
    def too_slow(self) -> bool:
        """Whether it timed out so often that nothing more is asked."""
        return self.timeouts >= _MOST_TIMEOUTS

    @property
    def out_of_time(self) -> bool:
        """Whether the time of the suite is used up."""
        return time.monotonic() > self._deadline

    @property
    def seconds_left(self) -> float:
        """Seconds until the time of the suite is used up; never less than 0."""
        return max(0.0, self._deadline - time.monotonic())

    def try_one(self, question: Question) -> tuple[Status, Finding]:
        """Asks one question.

        Raises:
            EngineFault: The machinery failed.
        """
        reply = self.put(question)
        if reply.status is Status.ENGINE:
            raise EngineFault(reply.detail or "the worker could not be run")
        finding = check(question, reply, self._suite, self._side, self._again)
        return reply.status, finding

    def put(self, question: Question) -> Reply | ProgramReply:
        """Puts one question to the submission and keeps the reply; its answer is not judged."""
        reply: Reply | ProgramReply
        if self._program.kind == "program":
            limits = self._suite.limits
            reply = run_program(self._sandbox, self._program, question.stdin or b"", question.argv, limits)
        else:
            reply = self._again(question, "")
        self.replies.append(reply)
        self.timeouts += reply.status is Status.TIMEOUT
        return reply

    def _again(self, question: Question, entry: str) -> Reply:
        if self._worker is None:
            self._worker = Worker.start(self._sandbox, self._program, self._suite.limits, self._hash_seed)
        if entry:
            return self._worker.call(question.args, dict(question.kwargs), entry=entry)
        return ask(self._worker, question, self._program.kind, after=True)


def _result(question: Question, status: Status, finding: Finding) -> CaseResult:
    return CaseResult(
        id=question.id,
        source=question.source,
        category=question.category,
        weight=question.weight,
        passed=finding.passed,
        status=status.value,
        input=show_input(question),
        expected=finding.expected,
        actual=finding.actual,
        reason="" if finding.passed else finding.reason,
        mutated=finding.mutated,
    )


def show_input(question: Question) -> str:
    """The input of a question as people would write it, cut."""
    if question.stdin is not None:
        text = question.stdin.decode("utf-8", "replace")
        return " ".join([repr(text[:_TEXT]), *question.argv])[:_TEXT]
    if question.calls is not None:
        start = f"({_arguments(question.init or (), {})})"
        return "; ".join([start, *(f"{name}({_arguments(args, kwargs)})" for name, args, kwargs in question.calls)])[
            :_TEXT
        ]
    return _arguments(question.args, dict(question.kwargs))[:_TEXT]


def _arguments(args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    parts = [compare.show(value, _TEXT) for value in args]
    return ", ".join(parts + [f"{name}={compare.show(value, _TEXT)}" for name, value in kwargs.items()])
