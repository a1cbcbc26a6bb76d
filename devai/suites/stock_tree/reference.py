"""What a box of boxes weighs."""

from typing import Any


def heaviest_path(box: list[Any]) -> int:
    """Find the heaviest way inwards.

    Args:
        box: Its weight and the boxes in it.

    Returns:
        The sum of the weights along that way.
    """
    sums = []
    waiting = [(0, box)]
    while waiting:
        outside, (weight, inner) = waiting.pop()
        if inner:
            waiting.extend((outside + weight, one) for one in inner)
        else:
            sums.append(outside + weight)
    return max(sums)
