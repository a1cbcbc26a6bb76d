"""Small drawing functions: a square chart of shares from 0 to 1, and what is put on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

SIDE = 300
LEFT, TOP, RIGHT, BOTTOM = 52, 14, 14, 44
COLORS = 8
"""So many colours the style sheet knows, as classes ``c0`` to ``c7``."""

_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

Point = tuple[float, float]


def place(x: float, y: float) -> Point:
    """Coordinates of a point of the chart in the drawing.

    >>> place(0, 0)
    (52.0, 314.0)
    """
    return (LEFT + SIDE * x, TOP + SIDE * (1 - y))


def drawing(title: str, parts: Iterable[str]) -> str:
    """The drawing as one element that can stand in a page."""
    width, height = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def axes(across: str, up: str) -> str:
    """Frame, grid, numbers and names of the axes."""
    parts = []
    for tick in _TICKS:
        (x, y), (far, top) = place(tick, 0), (LEFT + SIDE, TOP)
        _, level = place(0, tick)
        parts.append(f'<path class="grid" d="M{x:g} {y:g}V{top}M{LEFT} {level:g}H{far}"/>')
        parts.append(f'<text class="tick" x="{x:g}" y="{y + 16:g}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{level + 4:g}" text-anchor="end">{tick:g}</text>')
    middle, low = place(0.5, 0)
    height = TOP + SIDE / 2
    parts.append(f'<text class="axis" x="{middle:g}" y="{low + 36:g}" text-anchor="middle">{escape(across)}</text>')
    parts.append(
        f'<text class="axis" x="14" y="{height:g}" text-anchor="middle" transform="rotate(-90 14 {height:g})">'
        f"{escape(up)}</text>"
    )
    parts.append(f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}"/>')
    return "".join(parts)


def line(points: Sequence[Point], style: str, title: str = "") -> str:
    """A line through points of the chart."""
    if not points:
        return ""
    spots = (place(x, y) for x, y in points)
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in spots)
    return f'<path class="line {style}" d="M{path}">{_title(title)}</path>'


def bar(low: float, high: float, value: float, style: str, title: str = "") -> str:
    """A bar from the bottom up to a value."""
    left, top = place(low, value)
    right, base = place(high, 0)
    return (
        f'<rect class="bar {style}" x="{left + 1:.2f}" y="{top:.2f}" width="{max(right - left - 2, 0):.2f}"'
        f' height="{base - top:.2f}">{_title(title)}</rect>'
    )


def mark(point: Point, shape: str, style: str, title: str = "") -> str:
    """A mark at a point of the chart: ``circle``, ``square``, ``diamond`` or ``cross``."""
    return _mark(*place(*point), shape, style, title)


def sample(shape: str, style: str, *, with_line: bool) -> str:
    """A small drawing of a mark, with a line when it has one, for a legend."""
    stroke = f'<path class="line {style}" d="M1 8H27"/>' if with_line else ""
    return f'<svg width="28" height="16" aria-hidden="true">{stroke}{_mark(14, 8, shape, style)}</svg>'


def _mark(x: float, y: float, shape: str, style: str, title: str = "") -> str:
    half = 5
    paths = {
        "square": f"M{x - half:.2f} {y - half:.2f}h{2 * half}v{2 * half}h-{2 * half}z",
        "diamond": f"M{x:.2f} {y - half - 1:.2f}l6 6l-6 6l-6 -6z",
        "cross": f"M{x - half:.2f} {y - half:.2f}l10 10m0 -10l-10 10",
    }
    if shape in paths:
        return f'<path class="mark {shape} {style}" d="{paths[shape]}">{_title(title)}</path>'
    return f'<circle class="mark {style}" cx="{x:.2f}" cy="{y:.2f}" r="{half}">{_title(title)}</circle>'


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""
