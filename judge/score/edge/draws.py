"""Runs Hypothesis: seeded draws and shrinking; without its database, deadlines, health checks or files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.errors import InputError
from judge.score.quiet import warned

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

    from judge.score.edge.spec import Spec
    from judge.score.values import Value

_BACKEND = "judge-seeded"
_PROVIDER = "judge.score.edge.provider.SeededProvider"


class Stop(BaseException):
    """Ends a run of Hypothesis at once; no Exception, so that it is not taken for a failure of the test."""


class _Failure(Exception):
    """Tells Hypothesis that an input is a counterexample."""


def draw(spec: Spec, count: int, seed: int) -> list[Value]:
    """Values of a set, the same for a seed everywhere.

    Raises:
        InputError: Nothing can be drawn.
    """
    from judge.score.edge.strategies import strategy

    return collect(strategy(spec), count, seed)


def collect(strategy: SearchStrategy[Any], count: int, seed: int) -> list[Any]:
    """At most so many draws, in order, repetitions among them.

    Raises:
        InputError: Nothing can be drawn.
    """
    found: list[Any] = []
    _run(strategy, found.append, count, seed, shrink=False)
    return found


def shrink(strategy: SearchStrategy[Any], count: int, seed: int, place: int, fails: Callable[[Any], bool]) -> None:
    """Draws again as `collect` did, takes the draw at a place as the counterexample, and makes it smaller.

    Args:
        strategy: As it was.
        count: As it was.
        seed: As it was.
        place: Which draw failed, from 0.
        fails: Whether a smaller one fails too; it keeps the smallest for itself, and may raise `Stop`.
    """
    seen = -1

    def test(drawn: Any) -> None:
        nonlocal seen
        seen += 1
        if seen >= place and fails(drawn):
            raise _Failure

    try:
        _run(strategy, test, count, seed, shrink=True)
    except (_Failure, Stop):
        return


def _run(strategy: SearchStrategy[Any], test: Callable[[Any], None], count: int, seed: int, *, shrink: bool) -> None:
    import hypothesis
    from hypothesis.errors import HypothesisException
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS.setdefault(_BACKEND, _PROVIDER)
    phases = (hypothesis.Phase.generate, hypothesis.Phase.shrink) if shrink else (hypothesis.Phase.generate,)
    settings = hypothesis.settings(
        max_examples=max(count, 1),
        phases=phases,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
        print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        stateful_step_count=1,
        backend=_BACKEND,
    )

    def once(drawn: Any) -> None:
        test(drawn)

    try:
        hypothesis.seed(seed)(settings(hypothesis.given(strategy)(once)))()
    except HypothesisException as error:
        if not shrink:
            raise InputError(f"no values can be drawn: {error}", hint="correct the domain") from error


def load_tables() -> None:
    """Has Hypothesis make its tables of Unicode while it believes that it has nowhere to write them.

    Only patterns and categories of characters need them, and they take a second.
    """
    from hypothesis import configuration
    from hypothesis import strategies as st

    with warned():  # one thread at a time also sets the folder
        before = getattr(configuration, "__hypothesis_home_directory", None)
        configuration.set_hypothesis_home_dir(Path(os.devnull) / "hypothesis")
        try:
            st.characters(codec="utf-8").validate()
        finally:
            configuration.set_hypothesis_home_dir(before)
