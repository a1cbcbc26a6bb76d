"""Inputs of the kiln problem."""


def crowd(size, seed):
    """All at once."""
    return [[2] * size, size]


def timed(size, seed):
    """As many kilns as pots: a pot's time is all it takes."""
    return [[2 + seed % 2] * size, size]
