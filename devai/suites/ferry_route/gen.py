"""Inputs of the ferry problem."""

from random import Random


def sea(size, seed):
    """Each island has ferries to a few others; the first and the last are asked for."""
    random = Random(seed)
    names = [f"i{number:05}" for number in range(size)]
    fares = {
        name: {names[random.randrange(size)]: random.randrange(1, 100) for _ in range(4)} | {names[(place + 1) % size]: 90}
        for place, name in enumerate(names)
    }
    return [fares, names[0], names[-1]]


def line(size, seed):
    """One island after the other."""
    names = [f"i{number:05}" for number in range(size)]
    return [{a: {b: 1} for a, b in zip(names, names[1:])}, names[0], names[-1]]
