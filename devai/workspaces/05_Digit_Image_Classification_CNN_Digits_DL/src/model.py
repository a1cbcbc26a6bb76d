"""The network: a chain of equal blocks, one for each pair of neighbouring widths."""
from itertools import pairwise

from torch import nn

WIDTHS = (1, 12, 24)


def block(inside, outside):
    return nn.Sequential(nn.LazyConv2d(outside, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))


def build(classes=10, widths=WIDTHS):
    body = [block(a, b) for a, b in pairwise(widths)]
    return nn.Sequential(*body, nn.Flatten(), nn.LazyLinear(classes))
