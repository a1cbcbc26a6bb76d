"""Sandboxes of every level that this machine has, and short ways to run code in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest

from judge.errors import InputError
from judge.score.execute import Program, Worker
from judge.score.sandbox import Level, Sandbox, open_sandbox
from judge.score.suite.model import Limits

Start = Callable[..., Worker]


@cache
def opened(level: Level) -> Sandbox | str:
    """The sandbox of a level, or why there is none."""
    try:
        return open_sandbox(level=level)
    except InputError as error:
        return str(error)


def need(level: Level) -> Sandbox:
    sandbox = opened(level)
    if isinstance(sandbox, str):
        pytest.skip(sandbox)
    return sandbox


def _levels(*levels: Level) -> list[Any]:
    """The short run tries the strongest level and none; the whole suite tries all."""
    middle = (Level.NAMESPACES, Level.RESTRICTED)
    return [pytest.param(item, id=item.value, marks=[pytest.mark.slow] if item in middle else []) for item in levels]


@pytest.fixture(params=_levels(*Level))
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each level in turn."""
    return need(request.param)


@pytest.fixture(params=_levels(Level.BUBBLEWRAP, Level.NAMESPACES, Level.RESTRICTED))
def isolated(request: pytest.FixtureRequest) -> Sandbox:
    """Each level that isolates, where it keeps all its promises."""
    sandbox = need(request.param)
    broken = [name for name, holds in sandbox.barriers.items() if not holds]
    if broken:
        pytest.skip(f"level {sandbox.level.value} has no barrier for {', '.join(broken)} here")
    return sandbox


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a worker on source text; it is closed after the test."""
    with ExitStack() as stack:

        def start(sandbox: Sandbox, source: str | bytes, entry: str = "f", **more: Any) -> Worker:
            limits = more.pop("limits", None) or Limits(cpu_s=2, wall_s=10, memory_mb=256)
            data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
            files = {"answer.py": data, **more.pop("files", {})}
            kind = more.pop("kind", "function")
            started = {name: more.pop(name) for name in ("hash_seed", "restarts") if name in more}
            program = Program(files, "answer.py", entry, kind, **more)
            return stack.enter_context(Worker.start(sandbox, program, limits, **started))

        yield start
