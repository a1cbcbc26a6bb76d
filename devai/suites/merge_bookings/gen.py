"""Inputs of the booking problem."""

from random import Random


def year(size, seed):
    """Short bookings spread over a long time."""
    random = Random(seed)
    starts = [random.randrange(size * 60) for _ in range(size)]
    return [[[start, start + random.randrange(1, 90)] for start in starts]]
