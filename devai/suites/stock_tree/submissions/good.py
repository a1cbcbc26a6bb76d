"""Heaviest ways, level by level."""

from typing import Any


def heaviest_path(box: list[Any]) -> int:
    """Return the largest sum of weights on a way inwards.

    Args:
        box: Weight and content.
    """
    best: int | None = None
    level = [(box[0], box[1])]
    while level:
        following = []
        for total, content in level:
            if not content and (best is None or total > best):
                best = total
            following.extend((total + weight, inner) for weight, inner in content)
        level = following
    return best if best is not None else 0
