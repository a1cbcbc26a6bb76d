"""Pictures as parts of a prompt."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from judge.schemas import Image

_FEW_COLOURS = 4096
_LARGE_PNG = 400_000


@dataclass(frozen=True, slots=True)
class Raster:
    """The fields of ``judge.schemas.Image``, which the wire makes one of: pydantic is slow to start."""

    media_type: str
    data_base64: str
    width: int
    height: int


def image_part(rgb: Picture, side: int) -> Image:
    """The picture scaled down for a model: PNG when it has few colours, as plots do, else JPEG."""
    from PIL import Image as Pil

    small = rgb
    if max(rgb.size) > side:
        factor = side / max(rgb.size)
        size = (max(1, round(rgb.width * factor)), max(1, round(rgb.height * factor)))
        small = rgb.resize(size, Pil.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    drawing = rgb.getcolors(_FEW_COLOURS) is not None
    if drawing:
        small.save(out, "PNG")
    if not drawing or out.tell() > _LARGE_PNG:
        drawing = False
        out = io.BytesIO()
        small.save(out, "JPEG", quality=85)
    data = base64.b64encode(out.getvalue()).decode("ascii")
    return cast("Image", Raster("image/png" if drawing else "image/jpeg", data, small.width, small.height))
