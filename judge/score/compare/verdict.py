"""The outcome of one comparison."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """Whether an output is right.

    Attributes:
        ok: Whether it is.
        reason: Where and how it differs, such as ``[3].x: 4 is not 5``; empty when it is right.
    """

    ok: bool
    reason: str = ""


RIGHT = Verdict(True)
