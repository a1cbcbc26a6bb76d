"""The levels of isolation, strongest first."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """How far a worker is kept from the machine."""

    BUBBLEWRAP = "bubblewrap"
    """A root, processes, network and users of its own, set up by bwrap."""
    NAMESPACES = "namespaces"
    """The same, set up by ourselves."""
    RESTRICTED = "restricted"
    """On the machine's own root: limits, and where the system has them Landlock, a filter of calls, another user."""
    NONE = "none"
    """A process with a clean environment and limits of memory and time."""
