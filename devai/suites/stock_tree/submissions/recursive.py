"""Heaviest ways by recursion, which ends at a thousand boxes."""

from typing import Any


def heaviest_path(box: list[Any]) -> int:
    """Return the largest sum of weights on a way inwards.

    Args:
        box: Weight and content.
    """
    weight, inner = box
    return weight + max((heaviest_path(one) for one in inner), default=0)
