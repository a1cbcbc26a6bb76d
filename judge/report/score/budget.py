"""What fits into the page: how long texts of cases may be, and how many cases of a submission are listed."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TypeAlias

from judge.results.score import CaseResult, ScoreReport

ROOM = 6_000_000
"""Characters for all cases together."""
_ROW = 190
"""About how much markup stands around the texts of a case."""
_LIMITS = (1_500, 600, 300, 150, 80, 40)
_LEAST = 20
_FIRST = 0.7
"""Share of the room that failed cases may take before the passed ones get any."""
_Sizes: TypeAlias = list[tuple[int, float]]
"""Length and growth of each text of a case."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds for one page.

    Attributes:
        text: Longest text of a cell, in characters.
        failed: Most failed cases listed of a submission.
        passed: Most passed cases listed of a submission.
    """

    text: int
    failed: int
    passed: int

    @classmethod
    def of(cls, report: ScoreReport, room: int = ROOM) -> Budget:
        """The widest bounds with which all cases stay within ``room``; failed ones come first."""
        failed = [_sizes(case) for item in report.submissions for case in item.cases if not case.passed]
        passed = [_sizes(case) for item in report.submissions for case in item.cases if case.passed]
        most = max((len(item.cases) for item in report.submissions), default=0)
        for limit in _LIMITS:
            if _cost(failed, limit) + _cost(passed, limit) <= room:
                return cls(limit, most, most)
        first = room * _FIRST
        costs = {limit: _cost(failed, limit) for limit in _LIMITS}
        limit = next((limit for limit in _LIMITS if costs[limit] <= first), _LIMITS[-1])
        count = max(1, len(report.submissions))
        share = most if costs[limit] <= first else max(_LEAST, _fitting(failed, limit, first, count))
        return cls(limit, share, _fitting(passed, limit, room - min(costs[limit], first), count))


def _fitting(cases: list[_Sizes], limit: int, room: float, submissions: int) -> int:
    """How many cases of each submission fit, as if all had as many."""
    return int(room * len(cases) / _cost(cases, limit) / submissions) if cases else 0


def _cost(cases: list[_Sizes], limit: int) -> float:
    return sum(
        _ROW + sum((length if length < limit else limit) * growth for length, growth in sizes) for sizes in cases
    )


def _sizes(case: CaseResult) -> _Sizes:
    texts = [text for text in (case.id, case.input, case.expected, case.actual, case.reason) if text]
    return [(len(text), _growth(text)) for text in texts]


def _growth(text: str) -> float:
    """How much longer a text becomes as markup, in bytes."""
    start = text[: _LIMITS[0]]
    if start.isalnum() and start.isascii():
        return 1.0
    return len(html.escape(start).encode("utf-8", "replace")) / len(start)
