"""Inputs of the rain problem."""

from random import Random


def rain(size, seed):
    """A square of about so many cells, and a radius that grows with it."""
    random = Random(seed)
    side = max(2, round(size**0.5))
    return [[[random.randrange(100) for _ in range(side)] for _ in range(side)], side // 3]
