"""Signs of cheating that timing shows."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.performance.pairs import Record

IDLE_S = 0.005
"""CPU seconds outside of the timed windows, per sample, that nobody asks about."""

_IDLE_FACTOR = 5.0
_MOST_EVIDENCE = 20


def signs_of(record: Record, *, timed_wrong: bool) -> tuple[str, ...]:
    """The signs, as ``kind: what was seen`` or as the worker's own evidence.

    Args:
        record: What was timed.
        timed_wrong: Whether a timed call was answered wrongly and the same question, asked plainly, rightly.
    """
    signs = list(record.evidence)[:_MOST_EVIDENCE]
    if timed_wrong:
        signs.append("timing: a timed call was answered wrongly, the same question asked plainly was answered rightly")
    idle = works_outside(record.idle_s, record.ruler_idle_s)
    if idle:
        signs.append(f"background: used {idle * 1000:.0f} ms CPU outside of each timed call")
    return tuple(signs)


def works_outside(candidate: Sequence[float], ruler: Sequence[float]) -> float:
    """CPU seconds that a submission uses while it should wait, when that is more than the ruler's own; else 0.

    Reading the inputs costs CPU outside of the windows too, the same on both sides, so the ruler says what is usual.
    The median over all samples is held against it: one hiccup is no sign.

    Args:
        candidate: CPU seconds outside of the window, of each sample.
        ruler: The same of the reference; empty when it was not given the same inputs.
    """
    if not candidate or not ruler:
        return 0.0
    used = median(candidate)
    return used if used > max(IDLE_S, _IDLE_FACTOR * median(ruler)) else 0.0
