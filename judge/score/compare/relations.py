"""Properties that need a second answer of the submission, such as ``idempotent``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from judge.score.compare.properties import Arguments
from judge.score.compare.verdict import RIGHT, Verdict
from judge.score.compare.walk import equal
from judge.score.suite.model import Compare
from judge.score.values import Subclassed, Value


class FollowUp(NamedTuple):
    """The second question.

    Attributes:
        args: Its positional arguments.
        kwargs: Its keyword arguments.
        entry: The function to ask instead of the suite's entry; empty for that.
    """

    args: Arguments
    kwargs: dict[str, Value]
    entry: str = ""


class Relation(NamedTuple):
    """How two answers of one submission hang together.

    Attributes:
        name: As written in the suite.
        follow_up: (args, kwargs, first output) -> the second question; None when the input has none, then it holds.
        holds: (args, first output, second output, rules) -> whether they fit.
    """

    name: str
    follow_up: Callable[[Arguments, Mapping[str, Value], Value], FollowUp | None]
    holds: Callable[[Arguments, Value, Value, Compare], Verdict]


RELATION_NAMES = ("idempotent", "commutative", "monotone", "roundtrip:NAME")
"""As a suite writes them; ``roundtrip:decode`` asks ``decode`` of the same submission for the first argument."""


def relation(name: str) -> Relation | None:
    """The relation of that name, or None when there is none."""
    kind, _, entry = name.partition(":")
    if kind == "roundtrip" and entry.isidentifier():
        return Relation(name, lambda args, kwargs, output: FollowUp((output,), {}, entry), _returns_input)
    return {
        "idempotent": Relation(name, _ask_again, _same_answer),
        "commutative": Relation(name, _swapped, _same_answer),
        "monotone": Relation(name, _raised, _not_smaller),
    }.get(name)


def _ask_again(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> FollowUp:
    """The output takes the place of the first argument, wherever that stood."""
    if args or not kwargs:
        return FollowUp((output, *args[1:]), dict(kwargs))
    return FollowUp((), {**kwargs, next(iter(kwargs)): output})


def _swapped(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> FollowUp | None:
    return FollowUp((args[1], args[0], *args[2:]), dict(kwargs)) if len(args) > 1 else None


def _raised(args: Arguments, kwargs: Mapping[str, Value], output: Value) -> FollowUp | None:
    if not args or type(args[0]) not in (int, float) or args[0] + 1 == args[0]:
        return None
    return FollowUp((args[0] + 1, *args[1:]), dict(kwargs))


def _same_answer(args: Arguments, first: Value, second: Value, rules: Compare) -> Verdict:
    found = equal(second, first, rules)
    return found if found.ok else Verdict(False, f"the second answer differs from the first: {found.reason}")


def _returns_input(args: Arguments, first: Value, second: Value, rules: Compare) -> Verdict:
    if not args:
        return RIGHT
    found = equal(second, args[0], rules)
    return found if found.ok else Verdict(False, f"the way back does not give the input: {found.reason}")


def _not_smaller(args: Arguments, first: Value, second: Value, rules: Compare) -> Verdict:
    first, second = (value.value if type(value) is Subclassed else value for value in (first, second))
    try:
        rises = first <= second
    except (TypeError, RecursionError):
        return Verdict(False, "the two answers cannot be put in order")
    return RIGHT if rises else Verdict(False, "a larger input gave a smaller answer")
