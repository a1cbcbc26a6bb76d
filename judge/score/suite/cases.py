"""What must hold for each case: one input, one oracle, nothing of another kind of target."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature
from typing import Any

from judge.score.suite.construct import Constructed
from judge.score.suite.parameters import mismatch

ORACLES = ("expected", "raises", "property", "reference", "stdout")
_OF_OTHERS = {
    "function": ("calls", "init", "stdin", "argv", "stdout", "exit"),
    "class": ("args", "kwargs", "generate", "stdin", "argv", "stdout", "exit"),
    "program": ("args", "kwargs", "generate", "init", "calls", "expected", "raises", "match"),
}
_INPUT = {
    "function": (("args", "kwargs", "generate"), "args: [...] ([] for none), kwargs or generate"),
    "class": (("calls",), "calls: [[method, [arguments]], ...]"),
    "program": (("stdin", "argv"), "stdin or argv"),
}


class Asked:
    """What a suite asks for, as far as its text shows.

    Attributes:
        kind: ``function``, ``class`` or ``program``.
        signature: Parameters of the function or the constructor; None when unknown.
        methods: Methods of the class; None when there may be others.
        checker: Whether the suite has a checker, which needs no other oracle.
        reference: Whether there is a reference.
    """

    def __init__(self, kind: str, checker: bool, reference: bool) -> None:
        self.kind = kind
        self.checker = checker
        self.reference = reference
        self.signature: Signature | None = None
        self.methods: dict[str, Signature | None] | None = None


def check_cases(document: Constructed, cases: Any, asked: Asked) -> None:
    """Adds what is wrong with each case."""
    if not isinstance(cases, list):
        return
    seen: dict[str, int] = {}
    for index, case in enumerate(cases):
        if not isinstance(case, dict):
            continue
        at = ("cases", index)
        name = case.get("id")
        if isinstance(name, str) and name:
            if name in seen:
                document.problem((*at, "id"), f"the id {name!r} is already that of cases[{seen[name]}]")
            seen.setdefault(name, index)
        for check in _CHECKS:
            check(document, at, case, asked)


def _input(document: Constructed, at: tuple[str, int], case: dict[Any, Any], asked: Asked) -> None:
    keys, wanted = _INPUT[asked.kind]
    if not any(key in case for key in keys):
        document.problem(at, f"has no input: a {asked.kind} expects {wanted}")
    if "generate" in case and "args" in case:
        document.problem((*at, "args"), "stands beside generate, which makes the arguments: keep one of them", key=True)
    for key in _OF_OTHERS[asked.kind]:
        if key in case:
            owner = next(kind for kind, others in _OF_OTHERS.items() if key not in others)
            document.problem((*at, key), f"belongs to a {owner}; the target is a {asked.kind}", key=True)


def _oracle(document: Constructed, at: tuple[str, int], case: dict[Any, Any], asked: Asked) -> None:
    present = [key for key in ORACLES if key in case and not (key == "reference" and case[key] is False)]
    own = case.get("compare")
    checker = asked.checker if not isinstance(own, dict) or "checker" not in own else bool(own["checker"])
    usable = ", ".join(key for key in ORACLES if key not in _OF_OTHERS[asked.kind])
    if not present and not checker:
        document.problem(at, f"has no oracle: exactly one of {usable}")
    elif len(present) > 1:
        document.problem((*at, present[1]), f"has {len(present)} oracles ({', '.join(present)}): keep one", key=True)
    if case.get("reference") is True and not asked.reference:
        document.problem((*at, "reference"), "there is no reference to ask: add reference: {file: reference.py}")
    if "match" in case and "raises" not in case and "match" not in _OF_OTHERS[asked.kind]:
        document.problem((*at, "match"), "is a pattern for the message of raises, which this case has not", key=True)
    for key in ("raises", "property"):
        if key in case and case[key] in ("", []):
            document.problem((*at, key), "is empty")


def _arguments(document: Constructed, at: tuple[str, int], case: dict[Any, Any], asked: Asked) -> None:
    if asked.kind == "function" and asked.signature and ("args" in case or "kwargs" in case):
        path = (*at, "args" if "args" in case else "kwargs")
        _fit(document, path, asked.signature, case.get("args") or [], case.get("kwargs") or {}, case)


def _calls(document: Constructed, at: tuple[str, int], case: dict[Any, Any], asked: Asked) -> None:
    if asked.kind != "class":
        return
    if asked.signature and "init" in case:
        _fit(document, (*at, "init"), asked.signature, case["init"], {}, case)
    calls = case.get("calls")
    if not isinstance(calls, list):
        return
    if not calls:
        document.problem((*at, "calls"), "is empty: expects at least one [method, [arguments]]")
    expected = case.get("expected")
    if "expected" in case and (not isinstance(expected, list) or len(expected) != len(calls)):
        given = f"{len(expected)}" if isinstance(expected, list) else "no list"
        document.problem(
            (*at, "expected"), f"expects a list of one output for each of the {len(calls)} calls, not {given}"
        )
    for number, call in enumerate(calls):
        if isinstance(call, list) and call and isinstance(call[0], str):
            _call(document, (*at, "calls", number), call, asked, case)


def _call(document: Constructed, path: Any, call: list[Any], asked: Asked, case: dict[Any, Any]) -> None:
    if asked.methods is None:
        return
    if call[0] not in asked.methods:
        document.problem(path, f"the reference has no method {call[0]!r}")
        return
    signature = asked.methods[call[0]]
    if signature is not None:
        args = call[1] if len(call) > 1 else []
        kwargs = call[2] if len(call) > 2 else {}
        _fit(document, path, signature, args, kwargs, case)


def _fit(document: Constructed, path: Any, signature: Signature, args: Any, kwargs: Any, case: dict[Any, Any]) -> None:
    if not isinstance(args, list) or not isinstance(kwargs, dict) or not all(isinstance(key, str) for key in kwargs):
        return
    if "TypeError" in str(case.get("raises", "")):
        return
    if reason := mismatch(signature, args, kwargs):
        document.problem(path, f"does not fit the signature: {reason}")


_CHECKS: tuple[Callable[[Constructed, tuple[str, int], dict[Any, Any], Asked], None], ...] = (
    _input,
    _oracle,
    _arguments,
    _calls,
)
