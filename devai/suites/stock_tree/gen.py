"""Inputs of the box problem."""

from random import Random


def deep(size, seed):
    """Each box holds one."""
    box = [1, []]
    for number in range(size):
        box = [number % 7 - 3, [box]]
    return [box]


def wide(size, seed):
    """One box holds all."""
    return [[1, [[number % 1000, []] for number in range(size)]]]


def bushy(size, seed):
    """Each box is put into one of those before it."""
    random = Random(seed)
    boxes = [[0, []]]
    for _ in range(size):
        box = [random.randrange(-5, 100), []]
        random.choice(boxes)[1].append(box)
        boxes.append(box)
    return [boxes[0]]
