"""Measures of a picture: is there anything on it, and is it more than empty axes?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_TOLERANCE = 16
"""Steps of 255 a pixel may differ from the background without counting: what JPEG noise does to a flat colour."""
_BLANK_INK = 0.0002
_FLAT_STDDEV = 1.0
_MAX_COLOURS = 4096
_LINE = 0.75
"""Share of a row or column that must be inked for it to count as a line of a frame."""
_MAX_MEASURED = 6_000_000
_EMPTY_PLOT = 0.0002


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured on one picture.

    Attributes:
        stddev: Mean standard deviation of the three channels, 0 to 127.
        colours: Distinct colours, at most 4096.
        ink: Share of pixels that differ from the background, the commonest colour.
        colourful: Share of pixels with a saturated colour.
        plot_ink: Share of inked pixels inside a drawn frame; None when there is no frame.
        hues: Distinct saturated colours that cover a visible part of it: about the number of series of a plot.
        axes: Whether it has what axes look like: a frame, or a long upright line that meets a long level one.
    """

    stddev: float
    colours: int
    ink: float
    colourful: float
    plot_ink: float | None
    hues: int = 0
    axes: bool = False

    @property
    def blank(self) -> bool:
        """Whether it is (nearly) one flat colour.

        A thin line or a few points on a white ground are enough not to be blank; noise too faint to be seen is not.
        """
        return self.ink < _BLANK_INK or (self.stddev < _FLAT_STDDEV and self.ink < 10 * _BLANK_INK)

    @property
    def empty_axes(self) -> bool:
        """Whether it is a framed plot with nothing inside the frame."""
        return self.plot_ink is not None and self.plot_ink < _EMPTY_PLOT and self.colourful < _EMPTY_PLOT

    def facts(self) -> dict[str, Any]:
        """The measures as facts."""
        return {
            "stddev": round(self.stddev, 3),
            "colours": self.colours,
            "ink": round(self.ink, 6),
            "colourful": round(self.colourful, 6),
            "hues": self.hues,
            "axes": self.axes,
            "plot_ink": None if self.plot_ink is None else round(self.plot_ink, 6),
            "blank": self.blank,
            "empty_axes": self.empty_axes,
        }


def flatten(picture: Picture) -> Picture:
    """The picture in RGB, what is transparent on white, scaled down to what can be measured in a second.

    Neighbouring pixels are averaged, so that a thin line gets fainter but stays.
    """
    from PIL import Image

    factor = math.ceil(math.sqrt(picture.width * picture.height / _MAX_MEASURED))
    if factor > 1:
        if picture.mode in {"P", "1", "PA"}:
            picture = picture.convert("RGBA" if "transparency" in picture.info or picture.mode == "PA" else "RGB")
        picture = picture.reduce(factor)
    if picture.mode in {"I;16", "I;16B", "I", "F"}:
        return _stretch(picture)
    if picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info:
        rgba = picture.convert("RGBA")
        ground = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
        return Image.alpha_composite(ground, rgba).convert("RGB")
    return picture.convert("RGB")


def measure(rgb: Picture) -> Measures:
    """Measures a picture in RGB."""
    from PIL import ImageChops, ImageStat

    stddev = sum(ImageStat.Stat(rgb).stddev) / 3
    colours = rgb.getcolors(_MAX_COLOURS)
    mask = _ink_mask(rgb, _background(rgb))
    pixels = rgb.width * rgb.height
    channels = rgb.split()
    high = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    low = ImageChops.darker(ImageChops.darker(channels[0], channels[1]), channels[2])
    spread = ImageChops.subtract(high, low).histogram()
    columns, rows = _long_lines(mask, vertical=True), _long_lines(mask, vertical=False)
    return Measures(
        stddev=stddev,
        colours=_MAX_COLOURS if colours is None else len(colours),
        ink=mask.histogram()[255] / pixels,
        colourful=sum(spread[48:]) / pixels,
        plot_ink=_plot_ink(mask, columns, rows),
        hues=_hues(rgb),
        axes=_axes(mask, columns, rows),
    )


def _stretch(picture: Picture) -> Picture:
    """A picture of more than eight bits a channel, its range of values spread over what can be shown."""
    wide = picture.convert("F")
    low, high = wide.getextrema()
    if not isinstance(low, float) or not isinstance(high, float) or not low < high or high - low == float("inf"):
        return wide.point(lambda value: value * 0 + 128).convert("L").convert("RGB")
    scale = 255.0 / (high - low)
    return wide.point(lambda value: value * scale + (-low * scale)).convert("L").convert("RGB")


def _background(rgb: Picture) -> tuple[int, int, int]:
    """The commonest colour, of the whole or of an evenly spaced sample where there are too many colours."""
    from PIL import Image

    sample = rgb
    if rgb.width * rgb.height > 65536:
        sample = rgb.resize((min(256, rgb.width), min(256, rgb.height)), Image.Resampling.NEAREST)
    counts = sample.getcolors(65536) or []
    colour: Any = max(counts, key=lambda pair: pair[0])[1]
    return (int(colour[0]), int(colour[1]), int(colour[2]))


def _ink_mask(rgb: Picture, ground: tuple[int, int, int]) -> Picture:
    """White where a pixel differs from the background, else black."""
    from PIL import Image, ImageChops

    difference = ImageChops.difference(rgb, Image.new("RGB", rgb.size, ground)).split()
    most = ImageChops.lighter(ImageChops.lighter(difference[0], difference[1]), difference[2])
    return most.point([255 if value > _TOLERANCE else 0 for value in range(256)])


def _hues(rgb: Picture) -> int:
    """Saturated colours, told apart in steps of 64, that cover at least a pixel in two thousand."""
    from PIL import Image

    steps = rgb.resize((min(400, rgb.width), min(400, rgb.height)), Image.Resampling.NEAREST)
    counts = steps.point([value & 0xC0 for value in range(256)] * 3).getcolors(64) or []
    least = max(2, steps.width * steps.height // 2000)
    return sum(1 for number, colour in counts if number >= least and _saturated(colour))


def _saturated(colour: Any) -> bool:
    return bool(max(colour) - min(colour) >= 0x40)


def _axes(mask: Picture, columns: list[int], rows: list[int]) -> bool:
    """Whether long lines meet as axes do; a picture whose every line is long is a filled surface and no drawing."""
    width, height = mask.size
    thin = 0 < len(columns) < 0.15 * width and 0 < len(rows) < 0.15 * height
    if not thin or width < 40 or height < 40:
        return False
    return bool(mask.getpixel((columns[0], rows[-1])) or mask.getpixel((columns[0], rows[0])))


def _plot_ink(mask: Picture, columns: list[int], rows: list[int]) -> float | None:
    """Share of ink inside the largest frame of long straight lines, without the lines themselves."""
    width, height = mask.size
    if width < 40 or height < 40:
        return None
    if len(columns) < 2 or len(rows) < 2:
        return None
    # Ticks may reach a little into the frame, and its lines are soft at the edges.
    edge = max(3, round(min(width, height) * 0.012))
    box = (columns[0] + edge, rows[0] + edge, columns[-1] - edge, rows[-1] - edge)
    if (box[2] - box[0]) < 0.3 * width or (box[3] - box[1]) < 0.3 * height:
        return None
    inner = mask.crop(box)
    for vertical, lines, start, length in ((True, columns, box[0], inner.width), (False, rows, box[1], inner.height)):
        for line in _grid([line - start for line in lines if 0 <= line - start < length], length):
            inner.paste(0, (line, 0, line + 1, inner.height) if vertical else (0, line, inner.width, line + 1))
    return inner.histogram()[255] / (inner.width * inner.height)


def _grid(lines: list[int], length: int) -> list[int]:
    """Those long lines that are a grid and no content: several of them, thin, with much room between them."""
    bundles = sum(1 for before, line in zip([-9, *lines], lines, strict=False) if line - before > 1)
    return lines if bundles >= 2 and len(lines) <= 0.1 * length else []


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
