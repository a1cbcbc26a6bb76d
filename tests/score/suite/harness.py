"""Runs the bundled suites' own code without a sandbox: it is ours. Only for tests."""

from __future__ import annotations

import asyncio
import copy
import inspect
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from judge.score.compare import PROPERTIES, equal, relation, same_exception, stdout_equal
from judge.score.reply import Raised
from judge.score.suite import Case, LoadedSuite

SECONDS = 3.0
"""Of one call; then the alarm's handler raises."""
Outcome = tuple[str, Any, Any]
"""``returned`` or ``raised``, the value or exception, and the arguments afterwards."""


def _late(number: int, frame: object) -> None:
    raise TimeoutError("took too long")


@contextmanager
def _bounded() -> Iterator[None]:
    """Ends what takes too long, and gives the alarm back to whoever had set it."""
    handler = signal.signal(signal.SIGALRM, _late)
    before, _ = signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, before)
        signal.signal(signal.SIGALRM, handler)


def module(path: Path) -> ModuleType:
    """The module of a file."""
    found = ModuleType(path.stem)
    found.__dict__["__name__"] = path.stem
    exec(compile(path.read_bytes(), str(path), "exec"), found.__dict__)
    return found


def arguments(loaded: LoadedSuite, case: Case) -> tuple[list[Any], dict[str, Any]]:
    """What a case asks with."""
    if case.generate:
        maker = getattr(module(loaded.path.parent / case.generate.file), case.generate.func)
        return list(maker(*case.generate.params, seed=case.generate.seed)), case.kwargs
    return list(case.args or []), case.kwargs


def ask(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Outcome:
    """Calls with copies."""
    args, kwargs = _copied(args), copy.deepcopy(kwargs)
    try:
        with _bounded():
            value = function(*args, **kwargs)
            if inspect.isawaitable(value):
                value = asyncio.run(_await(value))
    except Exception as error:  # noqa: BLE001 - whatever a submission raises is its answer
        return "raised", Raised(tuple(kind.__qualname__ for kind in type(error).__mro__), str(error)), None
    return "returned", value, (args, kwargs)


def _copied(value: Any) -> Any:
    """A copy of lists of any depth; what is in them stays."""
    if not isinstance(value, list):
        return copy.deepcopy(value)
    copied: list[Any] = list(value)
    waiting = [copied]
    while waiting:
        inside = waiting.pop()
        for place, item in enumerate(inside):
            if isinstance(item, list):
                inside[place] = list(item)
                waiting.append(inside[place])
            else:
                inside[place] = copy.deepcopy(item)
    return copied


async def _await(value: Any) -> Any:
    return await value


def wrong(loaded: LoadedSuite, path: Path) -> list[str]:
    """Ids of the written cases that a file gets wrong."""
    suite = loaded.suite
    if suite.target.kind == "program":
        return [case.id for case in suite.cases if not _program_right(loaded, case, path)]
    try:
        found = module(path)
    except Exception:  # noqa: BLE001 - a file that cannot be loaded is wrong in all
        return [case.id for case in suite.cases]
    reference = module(loaded.path.parent / "reference.py")
    return [case.id for case in suite.cases if not _right(loaded, case, found, reference)]


def _program_right(loaded: LoadedSuite, case: Case, path: Path) -> bool:
    def run(file: Path) -> tuple[bytes, int]:
        command = [sys.executable, "-X", "utf8", "-I", str(file), *case.argv]
        done = subprocess.run(command, input=(case.stdin or "").encode(), capture_output=True, check=False, timeout=30)
        return done.stdout, done.returncode

    output, code = run(path)
    if case.reference:
        text, wanted = run(loaded.path.parent / "reference.py")
        return code == wanted and stdout_equal(output, text.decode(), loaded.suite.rules(case)).ok
    return code == case.exit and stdout_equal(output, case.stdout or "", loaded.suite.rules(case)).ok


def _calls(found: ModuleType, loaded: LoadedSuite, case: Case) -> Outcome:
    init = case.init if case.init is not None else loaded.suite.target.init

    def run() -> list[Any]:
        made = getattr(found, loaded.suite.target.entry)(*init)
        return [getattr(made, name)(*args, **(more[0] if more else {})) for name, args, *more in case.calls or []]

    return ask(run, [], {})


def _right(loaded: LoadedSuite, case: Case, found: ModuleType, reference: ModuleType) -> bool:
    suite, rules = loaded.suite, loaded.suite.rules(case)
    entry = suite.target.entry
    args, kwargs = arguments(loaded, case)
    if suite.target.kind == "class":
        status, value, _ = _calls(found, loaded, case)
        after = None
    else:
        status, value, after = ask(getattr(found, entry, None), args, kwargs)
    if case.raises:
        return status == "raised" and same_exception(value, case.raises, case.match, rules).ok
    if status != "returned" or (after is not None and not equal(after, (args, kwargs), rules).ok):
        return False
    if case.properties:
        return all(_holds(loaded, name, found, (args, kwargs), value) for name in case.properties)
    expected = case.expected
    if case.reference:
        expected = ask(getattr(reference, entry), args, kwargs)[1]
    if rules.checker:
        file, name = rules.checker.split(":")
        return bool(getattr(module(loaded.path.parent / file), name)(args, kwargs, value, expected))
    return equal(value, expected, rules).ok


def _holds(loaded: LoadedSuite, name: str, found: ModuleType, given: Any, value: Any) -> bool:
    args, kwargs = given
    if name in PROPERTIES:
        return PROPERTIES[name](tuple(args), kwargs, value)
    if kind := relation(name):
        follow = kind.follow_up(tuple(args), kwargs, value)
        if follow is None:
            return True
        function = getattr(found, follow.entry or loaded.suite.target.entry)
        second = ask(function, list(follow.args), follow.kwargs)
        return second[0] == "returned" and kind.holds(tuple(args), value, second[1], loaded.suite.compare).ok
    file, function = name.split(":")
    return bool(getattr(module(loaded.path.parent / file), function)(args, kwargs, value))
