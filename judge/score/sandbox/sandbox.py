"""Which isolation this machine has, proven by trying to break it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.score.sandbox.level import Level


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A way to start workers.

    Attributes:
        level: How far they are isolated.
        barriers: Whether each barrier held when it was tried from inside: filesystem, writing, network, processes,
            memory, cpu, environment, signals, visibility, privileges.
        notes: What people should know, one sentence each.
    """

    level: Level
    barriers: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
