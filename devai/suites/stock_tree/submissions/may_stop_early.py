"""Stops where a way gets lighter."""

from typing import Any


def heaviest_path(box: list[Any]) -> int:
    """Return the largest sum of weights on a way inwards."""
    best = 0
    waiting = [(0, box)]
    while waiting:
        outside, (weight, inner) = waiting.pop()
        best = max(best, outside + weight)
        waiting.extend((outside + weight, one) for one in inner)
    return best
