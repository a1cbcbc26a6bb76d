"""How scores are written, the same in every format."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from judge.results.score import CaseResult, Dimension, Interval, PerformanceResult, ScoreReport, SubmissionReport
from judge.text import plural

NAMES = {
    "correctness": "Correctness",
    "edge_cases": "Edge cases",
    "performance": "Performance",
    "quality": "Code quality",
}
ITEMS = {
    "docstring": "Docstrings",
    "hints": "Type hints",
    "naming": "Names",
    "complexity": "Complexity",
    "length": "Length",
    "branching": "Branching",
    "returns": "Returns",
}
SANDBOXES = {
    "bubblewrap": "bubblewrap",
    "namespaces": "kernel namespaces",
    "restricted": "limits and system call filter, no namespaces",
    "none": "none: the code ran unprotected",
}
NONE = "–"


def number(value: float) -> str:
    """Points with one decimal; what is not full is never shown as full, what is not nothing never as nothing.

    >>> number(99.97), number(0.02), number(100.0), number(72.25)
    ('99.9', '0.1', '100.0', '72.2')
    """
    if 99.9 < value < 100:
        return "99.9"
    return "0.1" if 0 < value < 0.1 else f"{value:.1f}"


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def points(part: Dimension | None) -> str:
    """Points of a dimension and what it could bring, or a dash."""
    if part is None or part.value is None:
        return NONE
    return f"{number(part.points)} / {part.weight:.3g}"


def part_of(item: SubmissionReport, name: str) -> Dimension | None:
    """A dimension by its name."""
    return next((part for part in item.dimensions if part.name == name), None)


def names_of(report: ScoreReport) -> list[str]:
    """The dimensions of a report, those that are known in their usual order."""
    found = dict.fromkeys(part.name for item in report.submissions for part in item.dimensions)
    return [name for name in NAMES if name in found] + [name for name in found if name not in NAMES]


def dimension(name: str) -> str:
    """The name of a dimension as a title."""
    return NAMES.get(name, name)


def failed(item: SubmissionReport) -> list[CaseResult]:
    """The cases that did not pass."""
    return [case for case in item.cases if not case.passed]


def passed(item: SubmissionReport) -> str:
    """How many cases passed."""
    return f"{len(item.cases) - len(failed(item)):,} of {plural(len(item.cases), 'case')} passed"


def ranked(report: ScoreReport) -> list[SubmissionReport]:
    """The submissions, the best first; what could not be scored last."""
    return sorted(report.submissions, key=lambda item: (bool(item.error), -item.total))


def headline(report: ScoreReport) -> str:
    """The scores of all submissions in a few words."""
    totals = scored(report)
    if not report.submissions:
        return "no submissions"
    if not totals:
        return "could not be scored"
    if len(report.submissions) == 1:
        return f"{number(totals[0])} of 100"
    missing = len(report.submissions) - len(totals)
    text = f"{plural(len(report.submissions), 'submission')}, best {number(max(totals))}, "
    text += f"median {number(median(totals))}"
    return f"{text}, {missing} not scored" if missing else text


def scored(report: ScoreReport) -> list[float]:
    """The totals of the submissions that could be scored."""
    return [item.total for item in report.submissions if not item.error]


def flagged(items: Sequence[SubmissionReport]) -> bool:
    """Whether cheating was certain anywhere."""
    return any(flag.certain for item in items for flag in item.flags)


def ratio(value: float) -> str:
    """A ratio of times.

    >>> ratio(1.0), ratio(0.0312), ratio(12.34), ratio(1024.0)
    ('1.00×', '0.031×', '12.3×', '1,024×')
    """
    if 0.1 <= value < 10:
        return f"{value:.2f}×"
    return f"{value:.2g}×" if value < 10 else f"{value:.1f}×" if value < 100 else f"{value:,.0f}×"


def interval(value: Interval) -> str:
    """A median with its interval."""
    return (
        f"{ratio(value.median)} the reference, {100 * value.confidence:.3g}% interval "
        f"{ratio(value.low)} to {ratio(value.high)}"
    )


def speed(result: PerformanceResult) -> list[str]:
    """What was found out about speed, one sentence each."""
    lines = []
    for name, value in (("CPU time", result.cpu), ("Wall time", result.wall)):
        if value is not None:
            lines.append(f"{name}: {interval(value)}.")
    if result.penalised:
        which = {"cpu": "CPU time", "wall": "wall time"}.get(result.by, result.by)
        lines.append(f"Slower than allowed by {which}: the whole interval lies above baseline and tolerance.")
    elif result.inconclusive:
        lines.append("Inconclusive: the interval is too wide, so nothing was deducted.")
    growth = result.growth
    if growth is not None:
        verb = "grows faster with size than" if growth.faster else "grows with size like"
        lines.append(
            f"Cost {verb} the reference: exponents differ by {growth.excess:+.2f} "
            f"({growth.low:+.2f} to {growth.high:+.2f})."
        )
    if result.wrong:
        lines.append(f"Wrong while timed: {result.wrong}")
    if result.baseline == "stored":
        lines.append(
            f"Held against a stored baseline: {ratio(result.baseline_cpu)} the CPU time of the reference "
            "is full speed, the upper end of its interval."
        )
    if result.baseline == "calibration":
        lines.append("Weak baseline: measured against calibration loops, not against a reference.")
    return lines
