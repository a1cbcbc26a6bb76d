"""Opens the best sandbox that this machine has, each barrier tried from inside first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from judge.errors import InputError
from judge.score.sandbox.bubblewrap import find_bwrap
from judge.score.sandbox.level import Level
from judge.score.sandbox.probing import ProbeError, try_barriers
from judge.score.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

_STRONG = (Level.BUBBLEWRAP, Level.NAMESPACES)
_NEEDED = (
    *("filesystem", "writing", "network", "processes", "memory", "cpu", "environment", "signals", "visibility"),
    "privileges",
)


def open_sandbox(wanted: Literal["required", "best", "none"] = "best", level: Level | None = None) -> Sandbox:
    """The strongest sandbox that works here.

    Args:
        wanted: ``required`` refuses anything below namespaces, and any barrier that does not hold; ``best`` takes what
            there is; ``none`` takes no isolation.
        level: This level and no other.

    Raises:
        InputError: There is none as wanted.
    """
    notes: list[str] = []
    for candidate in _candidates(wanted, level):
        try:
            barriers, found = try_barriers(candidate)
        except ProbeError as error:
            notes.append(f"{candidate.value} does not work here: {error}")
            continue
        broken = [name for name in _NEEDED if not barriers.get(name, False)]
        if broken and candidate in _STRONG and level is None:
            notes.append(f"{candidate.value} is not used: no barrier for {', '.join(broken)}")
            continue
        if wanted == "required" and broken:
            notes.append(f"{candidate.value}: no barrier for {', '.join(broken)}")
            continue
        return Sandbox(candidate, barriers, (*notes, *found, *_missing(candidate, broken)))
    raise InputError(
        "no sandbox as strong as wanted: " + ("; ".join(notes) or "namespaces need Linux"),
        hint="install bubblewrap, allow user namespaces, or run inside a container and say --sandbox best",
    )


def _candidates(wanted: str, level: Level | None) -> Iterator[Level]:
    if level is not None:
        if wanted != "required" or level in _STRONG:
            yield level
        return
    if wanted != "none" and sys.platform.startswith("linux"):
        if find_bwrap():
            yield Level.BUBBLEWRAP
        yield Level.NAMESPACES
    if wanted == "best":
        yield Level.RESTRICTED
    if wanted in ("best", "none"):
        yield Level.NONE


def _missing(level: Level, broken: list[str]) -> tuple[str, ...]:
    if not broken:
        return ()
    return (f"level {level.value} has no barrier for {', '.join(broken)}: run trusted submissions only",)
