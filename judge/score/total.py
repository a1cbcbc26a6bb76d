"""From results to points: shares within a dimension, weights of dimensions, the cap for cheating."""

from __future__ import annotations

from collections import defaultdict
from math import fsum
from typing import TYPE_CHECKING

from judge.results.score import CategoryResult, Dimension

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judge.results.score import CaseResult, Flag
    from judge.score.suite.model import Integrity, Shares, Weights

NAMES = ("correctness", "edge_cases", "performance", "quality")
"""The dimensions, in the order in which they are shown."""


def share(results: Iterable[CaseResult]) -> float | None:
    """The weighted share of cases that passed, 0 to 1; None without a case."""
    cases = list(results)
    whole = fsum(case.weight for case in cases)
    return fsum(case.weight for case in cases if case.passed) / whole if cases else None


def count_categories(results: Iterable[CaseResult]) -> tuple[CategoryResult, ...]:
    """How many cases of each category of each source were asked and passed, in the order of the cases."""
    counts: dict[tuple[str, str], list[int]] = {}
    for case in results:
        entry = counts.setdefault((case.source, case.category), [0, 0])
        entry[0] += 1
        entry[1] += case.passed
    return tuple(CategoryResult(source=s, category=c, asked=n, passed=p) for (s, c), (n, p) in counts.items())


def edge_value(shares_by_category: Mapping[tuple[str, str], float], shares: Shares) -> float | None:
    """The value of the edge dimension: the sources by their shares, in each the mean over its categories.

    A category is one voice, however many inputs it holds, so hundreds of easy inputs cannot dilute one failure.

    Args:
        shares_by_category: (source, category) -> share that passed, 0 to 1.
        shares: Weight of each source; a source without a category is left out and the rest renormalised.

    Returns:
        0 to 1; None when nothing was asked.
    """
    by_source: defaultdict[str, list[float]] = defaultdict(list)
    for (source, _), value in shares_by_category.items():
        by_source[source].append(value)
    weights = {source: float(getattr(shares, source)) for source in by_source}
    whole = fsum(weights.values())
    if not whole:
        return None
    return fsum(weights[source] * fsum(values) / len(values) for source, values in by_source.items()) / whole


def to_points(
    values: Mapping[str, float | None], weights: Weights, reasons: Mapping[str, str]
) -> tuple[Dimension, ...]:
    """Weighs the dimensions to 100 points.

    Args:
        values: Name of a dimension -> 0 to 1, or None when it could not be measured.
        weights: Weights of the suite, any non-negative numbers.
        reasons: Name -> why it was not measured, or what limits it.

    Returns:
        All four; one that was not measured has weight 0, and the others share its points in proportion.
    """
    measured = {name: float(getattr(weights, name)) for name in NAMES if values.get(name) is not None}
    whole = fsum(measured.values())
    dimensions = []
    for name in NAMES:
        value = values.get(name)
        weight = 100 * measured[name] / whole if name in measured and whole else 0.0
        points = weight * value if value is not None else 0.0
        dimensions.append(Dimension(name=name, weight=weight, value=value, points=points, reason=reasons.get(name, "")))
    return tuple(dimensions)


def total(dimensions: Sequence[Dimension], flags: Iterable[Flag], integrity: Integrity) -> tuple[float, float]:
    """The total and the same before a cap, both 0 to 100.

    Args:
        dimensions: All four.
        flags: What was seen; only a certain one changes the score.
        integrity: What the suite does about cheating.
    """
    uncapped = round(min(100.0, max(0.0, fsum(item.points for item in dimensions))), 6)
    if integrity.on_cheating == "report" or not any(flag.certain for flag in flags):
        return uncapped, uncapped
    return (0.0 if integrity.on_cheating == "zero" else min(uncapped, integrity.cap)), uncapped
