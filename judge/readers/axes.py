"""The axes of a plot: where long straight lines frame an area, and how much is drawn inside.

Only what cannot be anything else counts as empty axes: a drawing that consists of such lines, as a board or a maze
does, is a picture like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_LINE = 0.75
"""Share of a row or column that must be inked for it to count as a line of a frame."""
_LEAST_SIDE = 40
_LEAST_PANEL = 0.3
_LEAST_SMALL_PANEL = 24
_ALIKE = 24
"""Steps of 255 by which the colours of two lines of the same kind may differ: they are softened at their edges."""
STRONG = 96
"""Steps of 255 by which a pixel differs from the ground when nobody overlooks it."""
_LABELS = 20
"""Pixels of ink beside two lines without which they are no axes, which have ticks and numbers."""
_Bundle = tuple[int, int]
_Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Inside:
    """What is drawn inside of axes.

    Attributes:
        share: Share of inked pixels, at most over several plots of one figure.
        marks: Pixels that stand out from the ground by far: even a few of them are a point that somebody drew.
    """

    share: float
    marks: int


class Axes:
    """The long straight lines of one picture."""

    def __init__(self, rgb: Picture, mask: Picture, ground: tuple[int, int, int]) -> None:
        self._rgb = rgb
        self._mask = mask
        self._ground = ground
        self._columns = _long_lines(mask, vertical=True)
        self._rows = _long_lines(mask, vertical=False)
        self._edge = max(3, round(min(mask.size) * 0.012))  # ticks may reach into a frame, its lines are soft

    @property
    def meet(self) -> bool:
        """Whether lines meet as axes do; a picture whose every line is long is a filled surface and no drawing."""
        width, height = self._mask.size
        thin = 0 < len(self._columns) < 0.15 * width and 0 < len(self._rows) < 0.15 * height
        if not thin or min(width, height) < _LEAST_SIDE:
            return False
        left, bottom, top = self._columns[0], self._rows[-1], self._rows[0]
        return bool(self._mask.getpixel((left, bottom)) or self._mask.getpixel((left, top)))

    def inside(self) -> Inside | None:
        """What is drawn inside of the frame, or of the frames of a figure of several plots; None when there is none."""
        if min(self._mask.size) < _LEAST_SIDE or not self._columns or not self._rows:
            return None
        across, down = _bundles(self._columns), _bundles(self._rows)
        plate = None
        panels, least = self._small_panels(across, down), (_LEAST_SMALL_PANEL, _LEAST_SMALL_PANEL)
        if not panels:
            least = (round(_LEAST_PANEL * self._mask.width), round(_LEAST_PANEL * self._mask.height))
            if len(self._columns) >= 2 and len(self._rows) >= 2:
                panels = [(self._columns[0], self._rows[0], self._columns[-1], self._rows[-1])]
            if len(across) == len(down) == 1:
                panels = self._open(across[0], down[0])
            elif plate := self._plate(across, down):
                panels = [plate]
        found = [self._look(panel, least, margin=panel == plate) for panel in panels]
        seen = [inside for inside in found if inside is not None]
        if not seen:
            return None
        return Inside(max(inside.share for inside in seen), max(inside.marks for inside in seen))

    def _small_panels(self, across: list[_Bundle], down: list[_Bundle]) -> list[_Box]:
        """The frames of several plots: lines in pairs that stop between them, which those of a board do not."""
        if len(across) % 2 or len(down) % 2 or len(across) + len(down) <= 4 or not across or not down:
            return []
        for (_, before), (after, _) in zip(across[1::2], across[2::2], strict=False):
            if any(self._mask.getpixel(((before + after) // 2, row)) for row, _ in down):
                return []
        for (_, before), (after, _) in zip(down[1::2], down[2::2], strict=False):
            if any(self._mask.getpixel((column, (before + after) // 2)) for column, _ in across):
                return []
        sides = list(zip(across[::2], across[1::2], strict=True))
        levels = list(zip(down[::2], down[1::2], strict=True))
        return [(left[0], top[0], right[1], bottom[1]) for left, right in sides for top, bottom in levels]

    def _open(self, upright: _Bundle, level: _Bundle) -> list[_Box]:
        """The area between an upright and a level line that meet in its lower left corner, with numbers beside them."""
        column, row = upright[0], level[0]
        top, bottom = _run(self._mask.crop((column, 0, column + 1, self._mask.height)).tobytes(), row)
        left, right = _run(self._mask.crop((0, row, self._mask.width, row + 1)).tobytes(), column)
        if column - left > self._edge or bottom - row > self._edge:
            return []
        return [(upright[1], top, right, row)] if self._labelled(column, row) else []

    def _labelled(self, column: int, row: int) -> bool:
        """Whether something is beside an upright line and below a level one, as the numbers of axes are."""
        beside = self._mask.crop((0, 0, max(1, column - 2), self._mask.height)).histogram()[255]
        below = self._mask.crop((0, min(row + 3, self._mask.height - 1), *self._mask.size)).histogram()[255]
        return min(beside, below) >= _LABELS

    def _plate(self, across: list[_Bundle], down: list[_Bundle]) -> _Box | None:
        """The area of a plot on a ground of its own colour, which the grid parts in the colour of the margin."""
        width, height = self._mask.size
        if min(len(across), len(down)) < 4 or across[0][0] or down[0][0]:
            return None
        box = (across[0][1], down[0][1], across[-1][0], down[-1][0])
        corners = {self._rgb.getpixel(corner) for corner in ((0, 0), (width - 1, 0), (0, height - 1))}
        return box if len(corners) == 1 and across[-1][1] == width - 1 and down[-1][1] == height - 1 else None

    def _look(self, panel: _Box, least: tuple[int, int], *, margin: bool) -> Inside | None:
        from PIL import ImageChops

        edge = self._edge
        box = (panel[0] + edge, panel[1] + edge, panel[2] - edge, panel[3] - edge)
        if (box[2] - box[0]) < least[0] or (box[3] - box[1]) < least[1]:
            return None
        inner = self._mask.crop(box)
        for vertical in (True, False):
            for line in self._grid(box, vertical=vertical, margin=margin):
                inner.paste(0, (line, 0, line + 1, inner.height) if vertical else (0, line, inner.width, line + 1))
        strong = ImageChops.darker(inner, depth_of(self._rgb.crop(box), self._ground))
        share = inner.histogram()[255] / (inner.width * inner.height)
        return Inside(share, sum(strong.histogram()[STRONG:]))

    def _grid(self, box: _Box, *, vertical: bool, margin: bool) -> list[int]:
        """Those long lines in a box that are a grid and no content.

        There are several, thin, with much room between them, all of one colour. That is not the one of the
        frame, but for faint lines beside numbers; on a ground of its own it is the one of the margin.
        """
        start, stop = (box[0], box[2]) if vertical else (box[1], box[3])
        inner = [line - start for line in (self._columns if vertical else self._rows) if start <= line < stop]
        bundles = _bundles(inner)
        if len(bundles) < 2 or len(inner) > 0.1 * (stop - start):
            return []
        frame = self._depth(self._columns[0] if vertical else self._rows[-1], box, vertical=vertical)
        depths = [
            max(self._depth(start + line, box, vertical=vertical) for line in range(first, last + 1))
            for first, last in bundles
        ]
        usual = sorted(depths)[len(depths) // 2]
        alike = abs(usual - frame) <= _ALIKE
        if alike is not margin and not (alike and usual < STRONG and self._labelled(self._columns[0], self._rows[-1])):
            return []
        kept = [bundle for bundle, depth in zip(bundles, depths, strict=True) if abs(depth - usual) <= _ALIKE]
        return [line for first, last in kept for line in range(first, last + 1)]

    def _depth(self, line: int, box: _Box, *, vertical: bool) -> float:
        """By how much a line differs from the ground in the middle, 0 to 255."""
        strip = (line, box[1], line + 1, box[3]) if vertical else (box[0], line, box[2], line + 1)
        counts = depth_of(self._rgb.crop(strip), self._ground).histogram()
        half, seen = sum(counts) / 2, 0
        for depth, count in enumerate(counts):
            seen += count
            if seen >= half:
                return depth
        return 0


def _bundles(lines: list[int]) -> list[_Bundle]:
    """First and last of lines that lie side by side."""
    found: list[_Bundle] = []
    for line in lines:
        if found and line - found[-1][1] <= 2:
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
    return found


def _run(line: bytes, place: int) -> tuple[int, int]:
    """First and last of the inked pixels without a gap around a place."""
    return line.rfind(0, 0, place) + 1, (line.find(0, place) if 0 in line[place:] else len(line)) - 1


def depth_of(rgb: Picture, ground: tuple[int, int, int]) -> Picture:
    """By how much each pixel differs from the ground, in the channel where it does most: 0 to 255."""
    from PIL import Image, ImageChops

    red, green, blue = ImageChops.difference(rgb, Image.new("RGB", rgb.size, ground)).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _long_lines(mask: Picture, *, vertical: bool) -> list[int]:
    """Columns (or rows) whose longest part is ink: at least as long as most of the drawn area, few in a bundle."""
    from PIL import Image

    box = mask.getbbox()
    if box is None:
        return []
    size = (mask.width, 1) if vertical else (1, mask.height)
    share = mask.resize(size, Image.Resampling.BOX).tobytes()
    extent = (box[3] - box[1]) / mask.height if vertical else (box[2] - box[0]) / mask.width
    needed = 255 * _LINE * extent
    return [index for index, value in enumerate(share) if value >= needed]
