"""Inputs of the label problem."""

from random import Random


def book(size, seed):
    """Many words, some longer than the label."""
    random = Random(seed)
    words = ("x" * random.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 30)) for _ in range(size))
    return [" ".join(words), 20]
