"""Finds the right gates, in the wrong order; takes a negative count for one from the end."""

from collections import Counter


def busiest_gates(visits: list[str], count: int) -> list[str]:
    """Return the busiest gates."""
    ranked = sorted(Counter(visits).items(), key=lambda item: item[1])
    return [gate for gate, _ in ranked[-count:]] if count else []
