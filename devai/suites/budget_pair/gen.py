"""Inputs of the voucher problem."""

from random import Random


def without_pair(size, seed):
    """Odd prices and an odd amount: the search goes to the end."""
    random = Random(seed)
    return [[random.randrange(-10**6, 10**6) * 2 + 1 for _ in range(size)], 7]


def timed(size, seed):
    """No pair, so that all of the list is looked at."""
    return without_pair(size, seed)
