"""Whether the axes of a plot that matplotlib drew as SVG hold something: it names the groups of its drawing."""

from __future__ import annotations

import re
from typing import Any

_AXES = re.compile(r"axes_\d+")
_BESIDE = re.compile(r"(?:matplotlib\.axis|text)_\d+")
_PLACE = re.compile(r"translate\(\s*[-\d.]+[\s,]+(-?\d{1,9}(?:\.\d{1,9})?)")
_HEIGHTS = re.compile(r"[ML]\s*[-\d.]+[\s,]+(-?\d{1,9}(?:\.\d{1,9})?)")
_PATCH = re.compile(r"patch_\d+")
_POINT = re.compile(r"[MLCQ]")


class SvgAxes:
    """Follows the elements of a drawing.

    Attributes:
        count: Axes that were seen.
        filled: Things drawn in them, of all axes.
    """

    def __init__(self) -> None:
        self.count = 0
        self.filled = 0
        self._depth = 0
        self._axes = 0
        self._patch = 0
        self._text = 0
        self._grounds = 0
        self._span = (0.0, 0.0)

    @property
    def empty(self) -> bool:
        """Whether there are axes and nothing is drawn in them."""
        return self.count > 0 and self.filled <= 0

    def start(self, tag: str, attrs: Any) -> None:
        """An element begins."""
        self._depth += 1
        name = str(attrs.get("id", "")) if tag == "g" else ""
        if self._axes and self._depth == self._axes + 1:
            if _PATCH.fullmatch(name):
                self._patch = self._depth
            elif name.startswith("text_"):
                self._text = self._depth
            elif not _BESIDE.fullmatch(name):
                self.filled += 1
        elif not self._axes and _AXES.fullmatch(name):
            self._axes = self._depth
            self._grounds = 1
            self.count += 1
        if self._text and self._depth == self._text + 1:
            place = _PLACE.search(str(attrs.get("transform", "")))
            self.filled += place is not None and self._span[0] < float(place.group(1)) < self._span[1]
        if self._patch and tag in {"path", "use"}:
            self._take_patch(attrs)

    def _take_patch(self, attrs: Any) -> None:
        """A patch is the ground of the axes, a line of the frame, or content: a bar, a wedge, an outline."""
        style = "".join(str(attrs.get("style", "")).split())
        if "fill:none" in style and len(_POINT.findall(str(attrs.get("d", ""))[:2000])) <= 2:
            return
        if self._grounds and "stroke:" not in style.replace("stroke:none", ""):
            self._grounds = 0
            heights = [float(found) for found in _HEIGHTS.findall(str(attrs.get("d", ""))[:2000])]
            self._span = (min(heights, default=0.0), max(heights, default=0.0))
        else:
            self.filled += 1

    def end(self) -> None:
        """An element ends."""
        if self._depth == self._patch:
            self._patch = 0
        if self._depth == self._text:
            self._text = 0
        if self._depth == self._axes:
            self._axes = 0
        self._depth -= 1
