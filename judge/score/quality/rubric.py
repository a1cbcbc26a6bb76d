"""The criteria with their weights, and what weights, exemptions and a reviewer's values make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING

from judge.results.score import QualityItem
from judge.text import one_line

if TYPE_CHECKING:
    from judge.score.suite.model import Override, Quality

WEIGHTS = {
    "docstring": 0.20,
    "hints": 0.20,
    "naming": 0.15,
    "complexity": 0.20,
    "length": 0.10,
    "branching": 0.05,
    "returns": 0.10,
}
"""The criteria in the order in which they are shown, and their shares where a suite says nothing."""


def shares(quality: Quality, absent: frozenset[str]) -> dict[str, float]:
    """The share of each criterion, together 1; all 0 when nothing is left to judge.

    Args:
        quality: Weights and exemptions of the suite.
        absent: Criteria for which the file holds nothing to judge.
    """
    raw = {name: float(quality.weights.get(name, weight)) for name, weight in WEIGHTS.items()}
    kept = {name: 0.0 if name in quality.exempt or name in absent else weight for name, weight in raw.items()}
    whole = fsum(kept.values())
    return {name: weight / whole if whole else 0.0 for name, weight in kept.items()}


def items(
    values: Mapping[str, tuple[float, tuple[str, ...]]], weights: Mapping[str, float], overrides: Sequence[Override]
) -> tuple[QualityItem, ...]:
    """The criteria as they are reported; of several overrides of one criterion the last holds.

    Args:
        values: Name -> value and reasons, as measured.
        weights: Name -> share.
        overrides: Values of human reviewers for this submission.
    """
    chosen = {item.item: item for item in overrides}
    found = []
    for name in WEIGHTS:
        value, reasons = values[name]
        override = chosen.get(name)
        found.append(
            QualityItem(
                name=name,
                weight=weights[name],
                value=value if override is None else override.value,
                reasons=reasons,
                overridden_from=None if override is None else value,
                author="" if override is None else one_line(override.author),
                override_reason="" if override is None else one_line(override.reason, 1_000),
            )
        )
    return tuple(found)


def total(found: Sequence[QualityItem]) -> float:
    """The weighted sum, 0 to 1."""
    return min(1.0, max(0.0, fsum(item.weight * item.value for item in found)))
