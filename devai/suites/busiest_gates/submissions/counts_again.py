"""Counts the list again for each gate."""


def busiest_gates(visits: list[str], count: int) -> list[str]:
    """Return the busiest gates.

    Args:
        visits: One gate for each visitor.
        count: The number of gates to return.

    Raises:
        ValueError: The count is negative.
    """
    if count < 0:
        raise ValueError("cannot return fewer than no gates")
    return sorted(set(visits), key=visits.count, reverse=True)[:count]
