"""How numbers of an alignment are written; every output uses these, so that they all say the same."""

from __future__ import annotations

from judge.results import Estimate

NONE = "-"


def percent(value: float | None) -> str:
    """A share in percent."""
    return NONE if value is None else f"{100 * value:.2f}%"


def points(value: float | None) -> str:
    """A difference of shares in percentage points."""
    return NONE if value is None else f"{100 * value:.2f}"


def signed(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    return NONE if value is None else f"{100 * value:+.2f}"


def number(value: float | None) -> str:
    """A coefficient."""
    return NONE if value is None else f"{value:.3f}"


def share(estimate: Estimate) -> str:
    """A share with its interval."""
    return f"{percent(estimate.value)}{_interval(estimate, 100, '.2f')}"


def shift(estimate: Estimate) -> str:
    """A difference without sign, with its interval, in points."""
    return f"{points(estimate.value)}{_interval(estimate, 100, '.2f')}"


def difference(estimate: Estimate) -> str:
    """A signed difference with its interval, in points."""
    return f"{signed(estimate.value)}{_interval(estimate, 100, '+.2f')}"


def coefficient(estimate: Estimate) -> str:
    """A coefficient with its interval."""
    return f"{number(estimate.value)}{_interval(estimate, 1, '.3f')}"


def probability(value: float) -> str:
    """A p-value."""
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def of(part: int, whole: int) -> str:
    """Counts."""
    return f"{part}/{whole}"


def _interval(estimate: Estimate, scale: float, form: str) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    return f" [{format(scale * estimate.low, form)}, {format(scale * estimate.high, form)}]"
