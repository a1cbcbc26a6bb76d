"""Empties the boxes it looks at."""

from typing import Any


def heaviest_path(box: list[Any]) -> int:
    """Return the largest sum of weights on a way inwards."""
    sums = []
    waiting = [(0, box)]
    while waiting:
        outside, one = waiting.pop()
        total = outside + one[0]
        if not one[1]:
            sums.append(total)
        while one[1]:
            waiting.append((total, one[1].pop()))
    return max(sums)
