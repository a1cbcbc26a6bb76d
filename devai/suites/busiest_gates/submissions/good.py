"""Counts visitors, then sorts gates."""


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
    seen: dict[str, int] = {}
    for gate in visits:
        seen[gate] = seen.get(gate, 0) + 1
    return sorted(seen, key=lambda gate: (-seen[gate], gate))[:count]
