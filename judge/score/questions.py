"""Questions: one input each, with the oracle that tells the right answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from judge.score.suite.model import Case, Compare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.score.reply import Raised
    from judge.score.suite.model import Generate, Suite
    from judge.score.values import Value

MethodCall: TypeAlias = "tuple[str, tuple[Value, ...], dict[str, Value]]"


@dataclass(frozen=True, slots=True)
class Expected:
    """The answer is this value; and the arguments must be these afterwards, if that is said."""

    value: Value
    args_after: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class Raises:
    """The answer is an exception of this type whose message matches."""

    type_name: str
    match: str = ""


@dataclass(frozen=True, slots=True)
class Properties:
    """The answer has all of these properties."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsReference:
    """The answer is what the reference gives, and has these properties.

    Attributes:
        properties: Named properties or ``file.py:function`` beside the reference.
        declared: When given, the exceptions that a suite declares: an input on which the reference raises any other is
            outside what it defines, and nobody is judged by it.
    """

    properties: tuple[str, ...] = ()
    declared: frozenset[str] | None = None

    def defines(self, raised: Raised) -> bool:
        """Whether an exception of the reference is an answer; of written cases it always is."""
        if self.declared is None:
            return True
        return any(name in self.declared or name.rpartition(".")[2] in self.declared for name in raised.types[:1])


@dataclass(frozen=True, slots=True)
class Output:
    """The answer of a program: its output and exit code."""

    stdout: str
    exit: int = 0


Oracle: TypeAlias = Expected | Raises | Properties | AsReference | Output


@dataclass(frozen=True, slots=True)
class Question:
    """One input with its oracle.

    Attributes:
        id: Name within its source.
        source: ``written``, ``boundary`` or ``random``.
        category: Kind of edge case; empty for standard cases.
        weight: Weight among its fellows.
        oracle: What tells the right answer.
        compare: How the answer is held against it.
        args: Positional arguments of the function.
        kwargs: Its keyword arguments.
        init: Arguments of the class; None for the suite's.
        calls: Calls of methods, in order; None for a function.
        stdin: Input of a program; None for anything else.
        argv: Arguments of a program.
        generate: Who makes ``args``, when they are made.
    """

    id: str
    source: str
    category: str
    weight: float
    oracle: Oracle
    compare: Compare
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict)
    init: tuple[Value, ...] | None = None
    calls: tuple[MethodCall, ...] | None = None
    stdin: bytes | None = None
    argv: tuple[str, ...] = ()
    generate: Generate | None = None


def written_questions(suite: Suite, tier: str) -> list[Question]:
    """The written cases of one tier.

    Args:
        suite: The suite.
        tier: ``standard`` or ``edge``.
    """
    found = []
    for number, case in enumerate(suite.cases, start=1):
        if case.tier == tier:
            found.append(_question(case, case.id or f"case {number}", suite))
    return found


def _question(case: Case, name: str, suite: Suite) -> Question:
    calls = None
    if case.calls is not None:
        calls = tuple((call[0], tuple(call[1]), dict(call[2]) if len(call) > 2 else {}) for call in case.calls)
    program = suite.target.kind == "program"
    return Question(
        id=name,
        source="written",
        category=case.category or ("edge" if case.tier == "edge" else ""),
        weight=case.weight,
        oracle=_oracle(case),  # without any, the checker of the rules decides alone
        compare=suite.rules(case),
        args=tuple(case.args or ()),
        kwargs=dict(case.kwargs),
        init=tuple(case.init) if case.init is not None else tuple(suite.target.init),
        calls=calls,
        stdin=(case.stdin or "").encode("utf-8", "surrogateescape") if program else None,
        argv=tuple(case.argv),
        generate=case.generate,
    )


def _oracle(case: Case) -> Oracle:
    if case.stdout is not None:
        return Output(case.stdout, case.exit)
    if case.raises:
        return Raises(case.raises, case.match)
    if case.reference:
        return AsReference(tuple(case.properties))
    if case.has_expected:
        return Expected(case.expected, tuple(case.expected_args) if case.expected_args is not None else None)
    if case.expected_args is not None:
        return Expected(None, tuple(case.expected_args))
    return Properties(tuple(case.properties))
