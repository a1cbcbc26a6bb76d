"""A sign in the source that a submission may want more than to solve its problem."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple


class Attack(StrEnum):
    """What a sign points at; the kind of the flag."""

    SNOOPING = "snooping"
    """Searches frames, live objects or modules for what it should not know."""
    FILES = "files"
    """Reads files or the environment."""
    CLOCKS = "clocks"
    """Tampers with clocks."""
    TAMPERING = "tampering"
    """Replaces parts of the interpreter or of modules that others use."""
    EQUALITY = "equality"
    """Answers with objects that claim to equal everything."""
    PROCESSES = "processes"
    """Starts or ends processes, or leaves Python by native code."""
    NETWORK = "network"
    """Opens connections."""
    EXIT = "exit"
    """Ends the process to skip what would follow."""
    SIGNALS = "signals"
    """Resists being stopped."""
    DESCRIPTORS = "descriptors"
    """Writes to descriptors that it was not given."""
    BACKGROUND = "background"
    """Works outside the calls."""
    HIDDEN = "hidden"
    """Runs code that the source does not show."""
    HARDCODED = "hardcoded"
    """Knows the cases instead of the problem."""
    TIMING = "timing"
    """Behaves otherwise while it is timed."""
    NONDETERMINISM = "nondeterminism"
    """Answers the same question in different ways; a fault, not cheating."""


class Strength(IntEnum):
    """How much one sign says."""

    WEAK = 1
    """Common in honest code; only supports others."""
    STRONG = 2
    """Rare in honest code."""
    BEHAVIOUR = 3
    """It happens whenever the file is loaded."""


class Signal(NamedTuple):
    """One sign.

    Attributes:
        attack: What it points at.
        what: What was seen, such as ``os._exit``; equal signs count once.
        line: Where, from 1.
        strength: How much it says.
    """

    attack: Attack
    what: str
    line: int
    strength: Strength
