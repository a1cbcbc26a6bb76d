"""Measures of a picture: is there anything on it, and is it more than empty axes?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.readers.axes import STRONG, Axes, depth_of

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_TOLERANCE = 16
"""Steps of 255 a pixel may differ from the background without counting: what JPEG noise does to a flat colour."""
_BLANK_INK = 0.0002
_FLAT_STDDEV = 1.0
_MAX_COLOURS = 4096
_MAX_MEASURED = 6_000_000
_EMPTY_PLOT = 0.0002
_MARKS = 60
"""Pixels that stand out by far: so many are something written or drawn, however large the page is."""
_POINT = 4
_MAX_LEVELS = 64
_MAX_CHANGES = 0.1


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
        marks: Pixels that differ from the background by far.
        plot_marks: Those of them inside a drawn frame.
    """

    stddev: float
    colours: int
    ink: float
    colourful: float
    plot_ink: float | None
    hues: int = 0
    axes: bool = False
    marks: int = 0
    plot_marks: int = 0

    @property
    def blank(self) -> bool:
        """Whether it is (nearly) one flat colour.

        A thin line or a few points on a white ground are enough not to be blank; noise too faint to be seen is not.
        """
        if self.marks >= _MARKS:
            return False
        return self.ink < _BLANK_INK or (self.stddev < _FLAT_STDDEV and self.ink < 10 * _BLANK_INK)

    @property
    def empty_axes(self) -> bool:
        """Whether it is a framed plot with nothing inside the frame."""
        if self.plot_ink is None or self.plot_marks >= _POINT:
            return False
        return self.plot_ink < _EMPTY_PLOT and self.colourful < _EMPTY_PLOT

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


def levels_of(picture: Picture) -> dict[int, int]:
    """How often each value comes in a picture of few values in large areas, as masks and maps of labels are.

    Empty for every other picture; what such a one looks like says little about what is in it.
    """
    from PIL import Image, ImageChops

    if picture.mode not in {"L", "P"} or picture.width < 8 or picture.height < 8:
        return {}
    counts: list[tuple[int, Any]] = picture.getcolors(_MAX_LEVELS) or []
    if len(counts) < 2:
        return {}
    plain = Image.frombytes("L", picture.size, picture.tobytes())
    left = plain.crop((0, 0, plain.width - 1, plain.height))
    changes = ImageChops.difference(left, plain.crop((1, 0, plain.width, plain.height))).histogram()
    pixels = plain.width * plain.height
    if sum(changes[1:]) > _MAX_CHANGES * pixels or pixels - max(count for count, _ in counts) < _BLANK_INK * pixels:
        return {}
    return {int(value): count for count, value in sorted(counts, key=lambda pair: int(pair[1]))}


def measure(rgb: Picture) -> Measures:
    """Measures a picture in RGB."""
    from PIL import ImageChops, ImageStat

    stddev = sum(ImageStat.Stat(rgb).stddev) / 3
    colours = rgb.getcolors(_MAX_COLOURS)
    ground = _background(rgb)
    depth = depth_of(rgb, ground)
    mask = depth.point([255 if value > _TOLERANCE else 0 for value in range(256)])
    pixels = rgb.width * rgb.height
    channels = rgb.split()
    high = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    low = ImageChops.darker(ImageChops.darker(channels[0], channels[1]), channels[2])
    spread = ImageChops.subtract(high, low).histogram()
    axes = Axes(rgb, mask, ground)
    inside = axes.inside()
    return Measures(
        stddev=stddev,
        colours=_MAX_COLOURS if colours is None else len(colours),
        ink=mask.histogram()[255] / pixels,
        colourful=sum(spread[48:]) / pixels,
        plot_ink=None if inside is None else inside.share,
        hues=_hues(rgb),
        axes=axes.meet,
        marks=sum(depth.histogram()[STRONG:]),
        plot_marks=0 if inside is None else inside.marks,
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


def _hues(rgb: Picture) -> int:
    """Saturated colours, told apart in steps of 64, that cover at least a pixel in two thousand."""
    from PIL import Image

    steps = rgb.resize((min(400, rgb.width), min(400, rgb.height)), Image.Resampling.NEAREST)
    counts = steps.point([value & 0xC0 for value in range(256)] * 3).getcolors(64) or []
    least = max(2, steps.width * steps.height // 2000)
    return sum(1 for number, colour in counts if number >= least and _saturated(colour))


def _saturated(colour: Any) -> bool:
    return bool(max(colour) - min(colour) >= 0x40)
