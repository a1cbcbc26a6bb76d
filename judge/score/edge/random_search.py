"""Random inputs for a submission, counted by kind, with one shrunken counterexample for each kind that fails."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from judge.score.compare import show
from judge.score.edge.generate import RandomSource
from judge.score.edge.identity import identity
from judge.score.edge.shape import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.score.edge.generate import Drawn
    from judge.score.edge.inputs import EdgeInput
    from judge.score.edge.signature import Signature
    from judge.score.suite.model import LoadedSuite
    from judge.score.values import Value

_TRIES_AN_EXAMPLE = 10
_SHRINKING = 800
"""Questions for making counterexamples smaller, shared by all kinds that fail."""
_LEAST_SHRINKING = 60
_MOST_PROPOSALS = 400
_MOST_LARGE_PROPOSALS = 60
"""Smaller forms looked at for one kind; a large one has thousands, and is never small."""
_TEXT = 20_000


class Verdict(StrEnum):
    """What came of one input."""

    PASS = "pass"
    FAIL = "fail"
    DROP = "drop"
    """The suite does not define the input, so nobody is judged by it."""
    UNASKED = "unasked"
    """Not asked any more, since too much time was used before; it counts as failed, and nothing is made smaller."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one input, with texts for people."""

    verdict: Verdict
    reason: str = ""
    expected: str = ""
    actual: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The smallest input found that fails, of one kind."""

    category: str
    args: tuple[Value, ...]
    kwargs: dict[str, Value]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RandomResult:
    """What a search brought.

    Attributes:
        asked: Kind -> inputs that were asked and not dropped.
        passed: Kind -> of these, right.
        counterexamples: One for each kind that failed, in the order of the kinds.
        dropped: Inputs outside of what the suite defines.
        first_failure: Number of the first input that failed, from 1, dropped ones not counted; None when none did.
        notes: What kept the search from being complete, one sentence each.
    """

    asked: dict[str, int]
    passed: dict[str, int]
    counterexamples: tuple[Found, ...] = ()
    dropped: int = 0
    first_failure: int | None = None
    notes: tuple[str, ...] = ()


def find_counterexamples(
    check: Callable[[tuple[Value, ...], dict[str, Value]], Outcome],
    suite: LoadedSuite,
    signature: Signature,
    seed: int,
    *,
    wall_s: float | None = None,
    source: RandomSource | None = None,
) -> RandomResult:
    """Asks random inputs, the same for a seed whatever the answers, then shrinks what failed.

    Args:
        check: Asks one input and judges the answer.
        suite: Its domains, and how many examples.
        signature: Of the target.
        seed: Of all that is drawn.
        wall_s: Seconds at most, shrinking included; the suite's ``suite_wall_s`` when None.
        source: Inputs drawn before with the same suite, signature and seed; saves drawing them for each submission.

    Raises:
        InputError: A domain cannot be read, or nothing can be drawn.
    """
    source = source or RandomSource(suite, signature, seed)
    if source.why_none:
        return RandomResult({}, {}, notes=(source.why_none,))
    limit = suite.suite.limits.suite_wall_s if wall_s is None else wall_s
    search = _Search(check, source, time.monotonic() + limit)
    search.ask(suite.suite.edge_cases.random.examples)
    return RandomResult(
        asked={kind: search.asked[kind] for kind in CATEGORIES if kind in search.asked},
        passed={kind: search.passed[kind] for kind in CATEGORIES if kind in search.passed},
        counterexamples=search.shrunken(),
        dropped=search.dropped,
        first_failure=search.first_failure,
        notes=tuple(search.notes),
    )


@dataclass(slots=True)
class _Search:
    check: Callable[[tuple[Value, ...], dict[str, Value]], Outcome]
    source: RandomSource
    deadline: float
    asked: dict[str, int] = field(default_factory=dict)
    passed: dict[str, int] = field(default_factory=dict)
    failing: dict[str, tuple[Drawn, Outcome]] = field(default_factory=dict)
    dropped: int = 0
    first_failure: int | None = None
    notes: list[str] = field(default_factory=list)

    def ask(self, examples: int) -> None:
        """Asks so many inputs, fewer when there are no more or time is up."""
        count = 0
        if examples < 1:
            return
        for drawn in self.source.inputs():
            if time.monotonic() > self.deadline:
                self.notes.append(f"the time for random inputs was used up after {count} of {examples}")
                return
            count += self._one(drawn, count)
            if count >= examples:
                return
            if count + self.dropped >= examples * _TRIES_AN_EXAMPLE:
                self.notes.append(
                    f"of {count + self.dropped} random inputs only {count} were within what the suite defines"
                )
                return

    def _one(self, drawn: Drawn, before: int) -> int:
        """Asks one; 1 when it counts, 0 when it is dropped."""
        outcome = self.check(drawn.input.args, dict(drawn.input.kwargs))
        if outcome.verdict is Verdict.DROP:
            self.dropped += 1
            return 0
        kind = drawn.input.category
        self.asked[kind] = self.asked.get(kind, 0) + 1
        self.passed[kind] = self.passed.get(kind, 0) + (outcome.verdict is Verdict.PASS)
        if outcome.verdict is Verdict.FAIL:
            self.first_failure = self.first_failure or before + 1
            self.failing.setdefault(kind, (drawn, outcome))
        return 1

    def shrunken(self) -> tuple[Found, ...]:
        """One counterexample for each kind that failed, as small as it could be made."""
        kinds = [kind for kind in CATEGORIES if kind in self.failing]
        share = max(_LEAST_SHRINKING, _SHRINKING // max(len(kinds), 1))
        return tuple(self._shrink(kind, share) for kind in kinds)

    def _shrink(self, kind: str, questions: int) -> Found:
        from judge.score.edge.draws import shrink

        drawn, outcome = self.failing[kind]
        smallest = _Smallest(self.check, self.deadline, kind, questions)
        smallest.note(drawn.input, outcome)
        shrink(
            self.source.strategy(),
            self.source.size,
            drawn.seed,
            drawn.place,
            lambda values: smallest.fails(self.source.input_of(values)),
        )
        best, why = smallest.best
        return Found(kind, best.args, best.kwargs, why)


class _Smallest:
    """Asks what Hypothesis proposes, each input once, and keeps the smallest that fails."""

    def __init__(self, check: Callable[..., Outcome], deadline: float, kind: str, questions: int) -> None:
        self._check, self._deadline, self._kind, self._left = check, deadline, kind, questions
        self._proposals = _MOST_LARGE_PROPOSALS if kind == "large" else _MOST_PROPOSALS
        self._known: dict[bytes, bool] = {}
        self._size: tuple[Any, ...] | None = None
        self.best: tuple[EdgeInput, Outcome]

    def note(self, found: EdgeInput, outcome: Outcome) -> None:
        """Takes note of an input that fails."""
        self._known[identity((found.args, found.kwargs))] = True
        text = show((found.args, found.kwargs), _TEXT)
        size = (len(text), text)
        if self._size is None or size < self._size:
            self._size, self.best = size, (found, outcome)

    def fails(self, found: EdgeInput) -> bool:
        """Whether an input of the same kind fails.

        Raises:
            Stop: No more may be asked.
        """
        from judge.score.edge.draws import Stop

        self._proposals -= 1
        if self._proposals < 0:
            raise Stop
        if found.category != self._kind:
            return False
        key = identity((found.args, found.kwargs))
        if key not in self._known:
            if self._left <= 0 or time.monotonic() > self._deadline:
                raise Stop
            self._left -= 1
            outcome = self._check(found.args, dict(found.kwargs))
            if outcome.verdict is Verdict.UNASKED:
                raise Stop
            self._known[key] = outcome.verdict is Verdict.FAIL
            if self._known[key]:
                self.note(found, outcome)
        return self._known[key]
