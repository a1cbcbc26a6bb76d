"""The drawings of the page: bars, speed with its interval, growth, and the spread of scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from judge.report.markup import Child, Html, Value, element, join
from judge.report.score.words import number, ratio
from judge.results.score import Dimension, GrowthResult, Interval

_BAR = 100
_WIDE = 640
_LABEL = 190
_ROW = 22


def meter(value: float) -> Html:
    """A share as a bar."""
    filled: dict[str, Value] = {
        "class": "fill",
        "width": f"{_BAR * min(1.0, max(0.0, value)):.1f}",
        "height": 8,
        "rx": 2,
    }
    return _svg("share", _BAR, 8, element("rect", {"class": "track", "width": _BAR, "height": 8, "rx": 2}),
                element("rect", filled), stretched=True)  # fmt: skip


def stack(parts: Sequence[Dimension]) -> Html:
    """The points of all dimensions, one after the other, of 100."""
    pieces = [element("rect", {"class": "track", "width": _BAR, "height": 10})]
    at = 0.0
    for place, part in enumerate(parts):
        wide = max(0.0, min(part.points, _BAR - at))
        box: dict[str, Value] = {"class": f"d{place % 4}", "x": f"{at:.2f}", "width": f"{wide:.2f}", "height": 10}
        pieces.append(element("rect", box))
        at += wide
    return _svg("stack", _BAR, 10, *pieces, stretched=True)


def _svg(style: str, width: float, height: float, *inside: Child, stretched: bool = False, title: str = "") -> Html:
    box: dict[str, Value] = {"class": style, "viewBox": f"0 0 {width:g} {height:g}"}
    if stretched:
        box["preserveAspectRatio"] = "none"
    if title:
        box |= {"role": "img", "aria-label": title, "width": f"{width:g}", "height": f"{height:g}"}
    else:
        box["aria-hidden"] = "true"
    return element("svg", box, *inside)


def _text(x: float, y: float, text: str, anchor: str = "start", style: str = "tick") -> Html:
    return element("text", {"class": style, "x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}, text)


def _line(style: str, points: Iterable[tuple[float, float]]) -> Html:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return element("path", {"class": style, "d": f"M{path}"})


def _dot(style: str, x: float, y: float, title: str = "", radius: float = 4) -> Html:
    inside = element("title", None, title) if title else None
    return element("circle", {"class": style, "cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": radius}, inside)


class SpeedRow:
    """One line of the picture of speed.

    Attributes:
        label: What was measured.
        interval: Median with its interval.
        samples: The ratio of each pair.
        slow: Whether it costs points.
    """

    def __init__(self, label: str, interval: Interval, samples: Sequence[float] = (), *, slow: bool = False) -> None:
        self.label = label
        self.interval = interval
        self.samples = samples[:100]
        self.slow = slow


def speeds(rows: Sequence[SpeedRow], title: str, label: int = _LABEL) -> Html:
    """Ratios to the reference with their intervals, on a logarithmic axis; empty without rows.

    Args:
        rows: What is drawn, from the top.
        title: What it shows, for those who cannot see it.
        label: Width of the names on the left.
    """
    ends = [x for row in rows for x in (row.interval.low, row.interval.high, row.interval.median, *row.samples)]
    found = [x for x in ends if math.isfinite(x) and x > 0]
    if not found:
        return Html("")
    low, high = min(0.5, *found), max(2.0, *found)
    ticks = _ticks(low, high)
    first, last = math.log(min(low, ticks[0])), math.log(max(high, ticks[-1]))

    def across(value: float) -> float:
        clear = min(max(value, math.exp(first)), math.exp(last)) if value > 0 else math.exp(first)
        return label + (_WIDE - _LABEL - 36) * (math.log(clear) - first) / (last - first)

    height = len(rows) * _ROW + 8
    parts: list[Child] = []
    for tick in ticks:
        style = "one" if tick == 1 else "grid"
        parts.append(_line(style, [(across(tick), 4), (across(tick), height)]))
        parts.append(_text(across(tick), height + 15, _tick(tick), "middle"))
    for place, row in enumerate(rows):
        y = 4 + (place + 0.5) * _ROW
        style = "slow" if row.slow else "fine"
        words = f"{row.label}: {ratio(row.interval.median)}, {ratio(row.interval.low)} to {ratio(row.interval.high)}"
        parts.append(_text(label - 10, y + 4, _short(row.label), "end", "name"))
        parts += [_dot("sample", across(value), y, radius=2) for value in row.samples]
        parts.append(_line(f"span {style}", [(across(row.interval.low), y), (across(row.interval.high), y)]))
        parts.append(_dot(f"middle {style}", across(row.interval.median), y, words))
    return _svg("chart", _WIDE - _LABEL + label, height + 22, *parts, title=title)


def _short(label: str) -> str:
    return label if len(label) <= 26 else f"{label[:12]}…{label[-12:]}"


def _tick(value: float) -> str:
    return f"{value:,.0f}×" if value >= 1 else f"{value:.3g}×"


def _ticks(low: float, high: float) -> list[float]:
    """Powers of two or ten around a range, at most a dozen."""
    base = 2.0 if high / low <= 200 else 10.0
    start, end = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    step = max(1, math.ceil((end - start) / 12))
    powers = range(start, end + step, step)
    return sorted({base**power for power in powers} | {1.0})


def growth(result: GrowthResult, title: str) -> Html:
    """Time against size for reference and submission, both axes logarithmic; empty without times."""
    lines = [
        [(size, time) for size, time in zip(result.sizes, times, strict=False) if size > 0 and 0 < time < math.inf]
        for times in (result.reference_s, result.candidate_s)
    ]
    spots = [spot for line in lines for spot in line]
    if len(spots) < 2:
        return Html("")
    sizes, times = [math.log(x) for x, _ in spots], [math.log(y) for _, y in spots]
    left, top, wide, high = 64, 10, 380, 220

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log(x) - min(sizes)) / (max(sizes) - min(sizes) or 1)
        up = (math.log(y) - min(times)) / (max(times) - min(times) or 1)
        return left + wide * across, top + high * (1 - up)

    parts: list[Child] = [
        element("rect", {"class": "frame", "x": left, "y": top, "width": wide, "height": high}),
        _text(left + wide / 2, top + high + 36, "size of the input", "middle", "axis"),
    ]
    for size in dict.fromkeys((result.sizes[0], result.sizes[len(result.sizes) // 2], result.sizes[-1])):
        if size > 0:
            parts.append(_text(place(size, spots[0][1])[0], top + high + 17, f"{size:,}", "middle"))
    for value in dict.fromkeys((min(y for _, y in spots), max(y for _, y in spots))):
        parts.append(_text(left - 6, place(spots[0][0], value)[1] + 4, _seconds(value), "end"))
    styles = ("reference", "slow" if result.faster else "fine")
    for style, name, line in zip(styles, ("reference", "submission"), lines, strict=True):
        drawn = [place(x, y) for x, y in line]
        if drawn:
            parts.append(_line(f"curve {style}", drawn))
        parts += [
            _dot(f"middle {style}", *spot, f"{name}: {x:,} takes {_seconds(y)}")
            for spot, (x, y) in zip(drawn, line, strict=True)
        ]
    return _svg("chart", left + wide + 20, top + high + 44, *parts, title=title)


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def spread(rows: Sequence[tuple[str, Sequence[float]]], medians: dict[str, tuple[float, float, float]]) -> Html:
    """The scores of the samples of each model on a line from 0 to 100, with median and interval.

    Args:
        rows: Model and its scores.
        medians: Model -> median, low and high end.
    """
    height = len(rows) * _ROW + 8

    def across(value: float) -> float:
        return _LABEL + (_WIDE - _LABEL - 20) * min(100.0, max(0.0, value)) / 100

    parts: list[Child] = []
    for tick in range(0, 101, 20):
        parts.append(_line("grid", [(across(tick), 4), (across(tick), height)]))
        parts.append(_text(across(tick), height + 15, str(tick), "middle"))
    for index, (model, totals) in enumerate(rows):
        y = 4 + (index + 0.5) * _ROW
        parts.append(_text(_LABEL - 10, y + 4, _short(model or "all"), "end", "name"))
        parts.append(join(*_heaped(sorted(totals)[:1000], across, y)))
        if model in medians:
            middle, low, high = medians[model]
            words = f"{model or 'all'}: median {number(middle)}, {number(low)} to {number(high)}"
            parts.append(_line("span fine", [(across(low), y + 7), (across(high), y + 7)]))
            parts.append(_dot("middle fine", across(middle), y + 7, words, 3))
    return _svg("chart", _WIDE, height + 22, *parts, title="Scores of the samples of each model")


def _heaped(totals: Sequence[float], across: Callable[[float], float], y: float) -> list[Html]:
    """Dots; equal scores are heaped up a little, so that many look like many."""
    found, last, level = [], math.nan, 0
    for total in totals:
        x = across(total)
        level = level + 1 if abs(x - last) < 3 else 0
        found.append(_dot("sample", x, y - 2 - min(level, 4) * 2, number(total), 2.5))
        last = x
    return found
