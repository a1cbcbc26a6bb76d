"""Holds one answer against the oracle of its question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from judge.score import compare
from judge.score.execute import ProgramReply
from judge.score.questions import AsReference, Expected, Output, Properties, Raises
from judge.score.reply import Reply, Status
from judge.score.suite.model import Compare
from judge.score.values import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.score.questions import Question
    from judge.score.suite.model import Suite
    from judge.score.suite_side import SuiteSide

Again: TypeAlias = "Callable[[Question, str], Reply]"
"""Puts a further question to the same submission, to the entry of that name (empty: the suite's)."""

_TEXT = 400
_EXACT = Compare()


class Finding(NamedTuple):
    """What an answer is worth.

    Attributes:
        passed: Whether it is right.
        expected: The right answer as text, cut.
        actual: The answer as text, cut.
        reason: Why it is wrong, one sentence.
        mutated: Whether the call changed arguments that it must leave alone.
        unfit: Whether the input is outside what the reference defines, so that nothing can be said.
    """

    passed: bool
    expected: str = ""
    actual: str = ""
    reason: str = ""
    mutated: bool = False
    unfit: bool = False


def check(question: Question, reply: Reply | ProgramReply, suite: Suite, side: SuiteSide, again: Again) -> Finding:
    """Decides whether an answer is right.

    Args:
        question: What was asked.
        reply: What came back.
        suite: The suite.
        side: Its own code.
        again: Puts further questions to the submission.
    """
    if isinstance(reply, ProgramReply):
        return _program(question, reply, side)
    actual = describe(reply)
    if reply.status not in (Status.RETURNED, Status.RAISED):
        return Finding(False, _wanted(question, side), actual, reply.detail or f"ended with {reply.status.value}")
    finding = _by_oracle(question, reply, suite, side, again)
    if finding.passed and suite.inputs.mutation == "forbid" and _changed(question, reply):
        return finding._replace(passed=False, mutated=True, reason="the call changed its arguments")
    return finding


def describe(reply: Reply) -> str:
    """A reply as people read it, cut."""
    if reply.status is Status.RETURNED:
        return compare.show(reply.value, _TEXT)
    if reply.raised is not None:
        name = reply.raised.types[0] if reply.raised.types else "an exception"
        return f"{name}: {reply.raised.message}"[:_TEXT] if reply.raised.message else name
    return reply.detail or reply.status.value


def _changed(question: Question, reply: Reply) -> bool:
    if reply.args_after is None:
        return False
    args, kwargs = reply.args_after
    rules = _EXACT
    return not (
        compare.equal(tuple(args), tuple(question.args), rules).ok
        and compare.equal(dict(kwargs), dict(question.kwargs), rules).ok
    )


def _by_oracle(question: Question, reply: Reply, suite: Suite, side: SuiteSide, again: Again) -> Finding:
    oracle = question.oracle
    if isinstance(oracle, Expected):
        return _expected(question, reply, oracle, side)
    if isinstance(oracle, Raises):
        return _raises(reply, oracle.type_name, oracle.match, question)
    if isinstance(oracle, Properties):
        return _properties(question, reply, oracle.names, side, again)
    if isinstance(oracle, AsReference):
        return _as_reference(question, reply, oracle, suite, side, again)
    return Finding(False, actual=describe(reply), reason="the case asks for the output of a program")


def _expected(question: Question, reply: Reply, oracle: Expected, side: SuiteSide) -> Finding:
    expected, actual = compare.show(oracle.value, _TEXT), describe(reply)
    if reply.status is Status.RAISED:
        return Finding(False, expected, actual, "it raised instead of returning")
    if question.compare.checker:
        return _checker(question, reply, oracle.value, side, expected)
    verdict = compare.equal(reply.value, oracle.value, question.compare)
    if verdict.ok and oracle.args_after is not None:
        after = tuple(reply.args_after[0]) if reply.args_after else ()
        verdict = compare.equal(after, oracle.args_after, question.compare)
        if not verdict.ok:
            expected, actual = compare.show(oracle.args_after, _TEXT), compare.show(after, _TEXT)
            return Finding(False, expected, actual, f"the arguments afterwards differ: {verdict.reason}")
    return Finding(verdict.ok, expected, actual, verdict.reason)


def _checker(question: Question, reply: Reply, expected: object, side: SuiteSide, shown: str) -> Finding:
    answer = side.call(question.compare.checker, (question.args, dict(question.kwargs), plain(reply.value), expected))
    actual = describe(reply)
    if answer.status is Status.RETURNED:
        good = answer.value is True
        return Finding(good, shown, actual, "" if good else f"{question.compare.checker} says it is wrong")
    return Finding(False, shown, actual, f"{question.compare.checker} failed: {describe(answer)}", unfit=True)


def _raises(reply: Reply, type_name: str, match: str, question: Question) -> Finding:
    wanted = f"{type_name} matching {match!r}" if match else type_name
    actual = describe(reply)
    if reply.raised is None:
        return Finding(False, wanted, actual, "it returned instead of raising")
    verdict = compare.same_exception(reply.raised, type_name, match, question.compare)
    return Finding(verdict.ok, wanted, actual, verdict.reason)


def _properties(question: Question, reply: Reply, names: tuple[str, ...], side: SuiteSide, again: Again) -> Finding:
    actual = describe(reply)
    wanted = ", ".join(names)
    if reply.status is Status.RAISED:
        return Finding(False, wanted, actual, "it raised instead of returning")
    for name in names:
        why, unfit = _lacks(name, question, reply, side, again)
        if why:
            return Finding(False, name, actual, why, unfit=unfit)
    if question.compare.checker:
        return _checker(question, reply, None, side, wanted)
    return Finding(True, wanted, actual)


def _lacks(name: str, question: Question, reply: Reply, side: SuiteSide, again: Again) -> tuple[str, bool]:
    """Why an answer has not a property, empty when it has; and whether nothing can be said."""
    args, kwargs = question.args, dict(question.kwargs)
    relation = compare.relation(name)
    if relation is not None:
        follow_up = relation.follow_up(args, kwargs, plain(reply.value))
        if follow_up is None:
            return "", False
        second = again(replace(question, args=follow_up.args, kwargs=follow_up.kwargs), follow_up.entry)
        if second.status is not Status.RETURNED:
            return f"asked again to see whether it is {name}, it gave {describe(second)}", False
        verdict = relation.holds(args, plain(reply.value), plain(second.value), question.compare)
        return ("" if verdict.ok else verdict.reason or f"the answer is not {name}"), False
    if name in compare.PROPERTIES:
        holds = compare.PROPERTIES[name](args, kwargs, reply.value)
        return ("" if holds else f"the answer is not {name.replace('_', ' ')}"), False
    answer = side.call(name, (args, kwargs, plain(reply.value)))
    if answer.status is not Status.RETURNED:
        return f"{name} failed: {describe(answer)}", True
    return ("" if answer.value is True else f"{name} says it is wrong"), False


def _as_reference(
    question: Question, reply: Reply, oracle: AsReference, suite: Suite, side: SuiteSide, again: Again
) -> Finding:
    reference = side.answer(question)
    if isinstance(reference, ProgramReply) or reference.status not in (Status.RETURNED, Status.RAISED):
        return Finding(False, actual=describe(reply), reason="the reference gave no answer", unfit=True)
    expected = describe(reference)
    if reference.raised is not None:
        if not oracle.defines(reference.raised):
            return Finding(False, expected, describe(reply), "the reference raises what is not declared", unfit=True)
        return _raises(reply, reference.raised.types[0], "", question)._replace(expected=expected)
    finding = _expected(question, reply, Expected(reference.value, _in_place(question, reference, suite)), side)
    if finding.passed and oracle.properties:
        return _properties(question, reply, oracle.properties, side, again)
    return finding


def _in_place(question: Question, reference: Reply, suite: Suite) -> tuple[object, ...] | None:
    """Where the reference works in place, its arguments afterwards are part of the answer."""
    if suite.inputs.mutation == "forbid" or reference.args_after is None or not _changed(question, reference):
        return None
    return tuple(reference.args_after[0])


def _wanted(question: Question, side: SuiteSide) -> str:
    oracle = question.oracle
    if isinstance(oracle, Expected):
        return compare.show(oracle.value, _TEXT)
    if isinstance(oracle, Raises):
        return oracle.type_name
    if isinstance(oracle, AsReference):
        reference = side.answer(question)
        return "" if isinstance(reference, ProgramReply) else describe(reference)
    return ", ".join(oracle.names) if isinstance(oracle, Properties) else ""


def _program(question: Question, reply: ProgramReply, side: SuiteSide) -> Finding:
    oracle = question.oracle
    actual = reply.stdout.decode("utf-8", "replace")[:_TEXT]
    if isinstance(oracle, AsReference):
        reference = side.answer(question)
        if not isinstance(reference, ProgramReply) or reference.status is not Status.RETURNED:
            return Finding(False, actual=actual, reason="the reference gave no answer", unfit=True)
        wanted, code = reference.stdout, reference.exit_code
    elif isinstance(oracle, Output):
        wanted, code = oracle.stdout.encode("utf-8", "surrogateescape"), oracle.exit
    else:
        return Finding(False, actual=actual, reason="the case asks for a value, not for the output of a program")
    expected = wanted.decode("utf-8", "replace")[:_TEXT]
    if reply.status is not Status.RETURNED:
        return Finding(False, expected, actual, reply.detail or f"ended with {reply.status.value}")
    if reply.exit_code != code:
        error = reply.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        said = f": {error}" if error else ""
        return Finding(False, expected, actual, f"exit code {reply.exit_code}, not {code}{said}")
    verdict = compare.stdout_equal(reply.stdout, wanted, question.compare)
    return Finding(verdict.ok, expected, actual, verdict.reason)
