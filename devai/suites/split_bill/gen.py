"""Inputs of the bill problem."""

from random import Random


def table(size, seed):
    """A long table with different shares."""
    random = Random(seed)
    return [random.randrange(10**6, 10**7), [random.randrange(1, 1000) for _ in range(size)]]
