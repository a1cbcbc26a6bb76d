"""Places for nested boxes: a treemap, in which a bigger thing takes more room. The same boxes give the same places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from judge.report.graph_model import Box

WIDTH, HEIGHT = 1600.0, 1000.0
_HEADER, _MARGIN, _GAP = 22.0, 4.0, 2.0
_HEADER_SHARE, _MARGIN_SHARE = 0.16, 0.02
"""Of the smaller side of a box, where the fixed sizes would take too much of it."""


class Place(NamedTuple):
    """Left and top corner, width and height."""

    x: float
    y: float
    w: float
    h: float


def lay_out(boxes: Sequence[Box]) -> list[Place]:
    """The place of every box, each inside that of its parent.

    Args:
        boxes: Each after the one it lies in.
    """
    children: dict[int, list[int]] = {}
    sizes = [max(box.weight, 0.5) for box in boxes]
    for number, box in enumerate(boxes):
        children.setdefault(box.parent, []).append(number)
    for number in range(len(boxes) - 1, -1, -1):
        inner = children.get(number)
        if inner:
            sizes[number] = max(sizes[number], sum(sizes[child] for child in inner))
    places = [Place(0, 0, 0, 0)] * len(boxes)
    queue = [(-1, Place(0.0, 0.0, WIDTH, HEIGHT))]
    for number, room in queue:
        inner = children.get(number, [])
        inner.sort(key=lambda child: (-sizes[child], boxes[child].key))
        for child, place in zip(inner, _squarify([sizes[child] for child in inner], room), strict=True):
            places[child] = _shrunk(place)
            queue.append((child, _inside(places[child])))
    return places


def _shrunk(place: Place) -> Place:
    gap = min(_GAP, 0.06 * min(place.w, place.h))
    return Place(place.x + gap / 2, place.y + gap / 2, max(place.w - gap, 0.0), max(place.h - gap, 0.0))


def _inside(place: Place) -> Place:
    """The room for what a box holds, below its title."""
    side = min(place.w, place.h)
    margin, header = min(_MARGIN, _MARGIN_SHARE * side), min(_HEADER, _HEADER_SHARE * place.h)
    width, height = max(place.w - 2 * margin, 0.0), max(place.h - header - margin, 0.0)
    return Place(place.x + margin, place.y + header, width, height)


def _squarify(sizes: Sequence[float], room: Place) -> list[Place]:
    """Split a rectangle into parts of given sizes, largest first, each as near to a square as it can be."""
    total = sum(sizes)
    if not sizes or total <= 0:
        return []
    scale = room.w * room.h / total
    areas = [size * scale for size in sizes]
    found: list[Place] = []
    x, y, w, h = room
    start = 0
    while start < len(areas):
        side = min(w, h)
        stop, row = start + 1, areas[start]
        worst = _worst(areas[start], areas[start], row, side)
        while stop < len(areas):
            wider = _worst(areas[start], areas[stop], row + areas[stop], side)
            if wider > worst:
                break
            worst, row, stop = wider, row + areas[stop], stop + 1
        thick = row / side if side else 0.0
        along = x if w < h else y
        for area in areas[start:stop]:
            long = area / thick if thick else 0.0
            found.append(Place(along, y, long, thick) if w < h else Place(x, along, thick, long))
            along += long
        if w < h:
            y, h = y + thick, max(h - thick, 0.0)
        else:
            x, w = x + thick, max(w - thick, 0.0)
        start = stop
    return found


def _worst(largest: float, smallest: float, row: float, side: float) -> float:
    """The worst ratio of sides in a row of parts of that total area along a side."""
    if row <= 0 or smallest <= 0 or side <= 0:
        return float("inf")
    square = side * side
    return max(square * largest / (row * row), row * row / (square * smallest))
