"""Inputs of the names problem."""

from random import Random


def register(size, seed):
    """Short names of few letters, so that many belong together."""
    random = Random(seed)
    return [["".join(random.choices("abcdefgh", k=random.randrange(5, 9))) for _ in range(size)]]
