"""Pictures: png, jpg, gif, webp, bmp, tiff and ico."""

from __future__ import annotations

import base64
import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageFile import ImageFile

    from judge.readers.pixels import Measures
    from judge.schemas import Image

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"\x00\x00\x01\x00", "ico"),
)
_STILL = frozenset({"png", "jpg", "webp", "bmp", "tiff"})
_NAMES = {"jpeg": "jpg", "jpe": "jpg", "jfif": "jpg", "tif": "tiff", "apng": "png"}
_PILLOW = {"png": "PNG", "jpg": "JPEG", "gif": "GIF", "tiff": "TIFF", "ico": "ICO", "webp": "WEBP", "bmp": "BMP"}
_FRAMES_MEASURED = 5


@dataclass(frozen=True, slots=True)
class Raster:
    """The fields of ``judge.schemas.Image``, which the wire makes one of: pydantic is slow to start."""

    media_type: str
    data_base64: str
    width: int
    height: int


def picture_format(data: bytes) -> str:
    """The picture format that bytes begin as, or an empty string."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[:2] == b"BM" and len(data) > 26 and data[6:10] == b"\0\0\0\0":
        return "bmp"
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "")


def image_part(rgb: Picture, side: int) -> Image:
    """The picture scaled down for a model: PNG when it has few colours, as plots do, else JPEG."""
    from PIL import Image as Pil

    small = rgb
    if max(rgb.size) > side:
        factor = side / max(rgb.size)
        size = (max(1, round(rgb.width * factor)), max(1, round(rgb.height * factor)))
        small = rgb.resize(size, Pil.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    drawing = rgb.getcolors(4096) is not None
    if drawing:
        small.save(out, "PNG")
    if not drawing or out.tell() > 400_000:
        drawing = False
        out = io.BytesIO()
        small.save(out, "JPEG", quality=85)
    data = base64.b64encode(out.getvalue()).decode("ascii")
    return cast("Image", Raster("image/png" if drawing else "image/jpeg", data, small.width, small.height))


def _read(source: Source, limits: Limits) -> Document:
    from PIL import Image as Pil
    from PIL import UnidentifiedImageError

    format_ = picture_format(source.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large images and odd metadata; both are measured here
        try:
            with Pil.open(io.BytesIO(source.data), formats=[_PILLOW.get(format_, format_)]) as picture:
                return _look(source, limits, format_, picture)
        except Pil.DecompressionBombError:
            raise ReaderProblem("far more pixels than the bounds allow", State.UNREADABLE) from None
        except ReaderProblem:
            raise
        except UnidentifiedImageError:
            # Only a tiff may keep its directory at the end; the others begin with what they are, cut or not.
            state = State.PARTIAL if source.truncated and format_ == "tiff" else State.BROKEN
            raise ReaderProblem(f"begins as {format_} does, and what follows is no picture", state) from None
        except Exception as error:  # noqa: BLE001 - task boundary: decoders raise whatever damaged data leads to
            state = State.PARTIAL if source.truncated else State.BROKEN
            raise ReaderProblem(f"damaged or cut picture: {error}", state) from None


def _look(source: Source, limits: Limits, format_: str, picture: ImageFile) -> Document:
    facts: dict[str, Any] = {"width": picture.width, "height": picture.height, "mode": picture.mode}
    problems: list[str] = []
    state = State.SOUND
    claimed = _NAMES.get(source.suffix.lstrip("."), source.suffix.lstrip("."))
    if claimed in _PILLOW and claimed != format_:
        facts["actual_format"] = format_
        problems.append(f"the content is {format_}, not {claimed}")
        if claimed not in _STILL or format_ not in _STILL:
            state = State.MISMATCH
    if picture.width * picture.height > limits.max_pixels:
        problems.append(f"{picture.width} x {picture.height} pixels, only measured")
        return Document(source.path, format_, Family.IMAGE, State.PARTIAL, facts=facts, problems=tuple(problems))
    if format_ == "jpg":
        picture.draft(None, (2000, 2000))  # large ones are decoded at a half, a quarter or an eighth of their size
    best, rgb = _frames(picture, limits, facts, problems)
    facts.update(best.facts())
    if best.blank:
        state = State.BLANK if state is State.SOUND else state
        problems.append("nothing can be seen on it")
    elif best.empty_axes:
        problems.append("a plot frame with nothing in it")
    images = (image_part(rgb, limits.image_side),) if limits.image_side > 0 else ()
    text = f"{format_} picture, {facts['width']} x {facts['height']} pixels, {facts['frames']} frame(s)"
    return Document(source.path, format_, Family.IMAGE, state, text, facts, images, tuple(problems))


def _frames(picture: ImageFile, limits: Limits, facts: dict[str, Any], problems: list[str]) -> tuple[Measures, Picture]:
    """The frame with most on it, out of the first ones; facts on the frames are added."""
    from judge.readers.pixels import flatten, measure

    pixels = picture.width * picture.height
    allowed = max(1, min(limits.max_pages, limits.max_pixels * 2 // max(1, pixels)))
    clock = Clock(limits.max_seconds * 0.5)
    total = _count_frames(picture)
    step = max(1, min(total, allowed) // _FRAMES_MEASURED)
    seen: set[int] = set()
    best: tuple[Measures, Picture] | None = None
    looked = 0
    for index in range(min(total, allowed)):
        picture.seek(index)
        rgb = flatten(picture)
        looked += 1
        seen.add(hash(rgb.tobytes()))
        if index % step == 0:
            measures = measure(rgb)
            if best is None or measures.ink > best[0].ink:
                best = (measures, rgb)
        if clock.over:
            break
    facts["frames"] = total
    if total > 1:
        facts["animated"] = picture.format != "TIFF"
        facts["frames_looked_at"] = looked
        facts["distinct_frames"] = len(seen)
        if len(seen) == 1 and looked > 1:
            facts["identical_frames"] = True
            problems.append("all frames that were looked at are the same")
    if best is None:
        raise ReaderProblem("no frame in it")
    return best


def _count_frames(picture: ImageFile) -> int:
    return int(getattr(picture, "n_frames", 1))


READER = Reader(
    "picture",
    frozenset({".png", ".apng", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico"}),
    lambda data: bool(picture_format(data)),
    _read,
    isolated=True,
)
