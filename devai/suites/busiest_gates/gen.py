"""Inputs of the gates problem."""

from random import Random


def fair(size, seed):
    """Many gates; half of the visitors use few of them."""
    random = Random(seed)
    gates = [f"gate {number}" for number in range(size // 2)]
    return [[random.choice(gates if random.random() < 0.5 else gates[:20]) for _ in range(size)], 10]
