"""The gates with most visitors."""

from collections import Counter


def busiest_gates(visits: list[str], count: int) -> list[str]:
    """Find the busiest gates.

    Args:
        visits: The gate of each visitor.
        count: How many gates are wanted.

    Raises:
        ValueError: The count is negative.
    """
    if count < 0:
        raise ValueError("the count is negative")
    return [gate for gate, _ in Counter(visits).most_common(count)]
