"""Pictures: what is on them, whether they move, what they say, and a part of them for models that see."""

from __future__ import annotations

import importlib.util
import io
import re
import struct
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import advice, bring
from judge.readers.frames import count_gif_frames, count_tiff_pages
from judge.readers.metadata import metadata_facts, picture_metadata, without_texts
from judge.readers.parts import Clock
from judge.readers.picture_kinds import NAMES, PLUGINS, STILL, SUFFIXES, picture_format
from judge.readers.raster import image_part
from judge.readers.writing import add_writing
from judge.text import plural

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageFile import ImageFile

    from judge.readers.pixels import Measures

_FRAMES_MEASURED = 5
_TURNS = {2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270",
          7: "TRANSVERSE", 8: "ROTATE_90"}  # fmt: skip
_ORIENTATION = 0x0112
_LOSSLESS = frozenset({"png", "tiff", "gif", "bmp"})


def _read(source: Source, limits: Limits) -> Document:
    from PIL import Image as Pil
    from PIL import UnidentifiedImageError

    format_ = picture_format(source.data)
    data, texts = without_texts(source.data) if format_ == "png" else (source.data, {})
    if not _prepare(format_):
        return _only_size(source, format_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large images and odd metadata; both are measured here
        try:
            with Pil.open(io.BytesIO(data), formats=[PLUGINS[format_]]) as picture:
                return _Look(source, limits, format_, picture).document(texts)
        except Pil.DecompressionBombError as error:
            raise ReaderProblem(f"far more pixels than the bounds allow: {error}", State.UNREADABLE) from None
        except ReaderProblem:
            raise
        except UnidentifiedImageError:
            # Only a tiff may keep its directory at the end; the others begin with what they are, cut or not.
            state = State.PARTIAL if source.truncated and format_ == "tiff" else State.BROKEN
            raise ReaderProblem(f"begins as {format_} does, and what follows is no picture", state) from None
        except Exception as error:  # noqa: BLE001 - task boundary: decoders raise whatever damaged data leads to
            state = State.PARTIAL if source.truncated else State.BROKEN
            raise ReaderProblem(f"damaged or cut picture: {error}", state) from None


def _prepare(format_: str) -> bool:
    """Lets Pillow read what it needs another library for; False when the extra that brings it is not installed."""
    if PLUGINS[format_] == "HEIF":
        if not heif_installed():
            return False
        bring("pillow_heif", "media").register_heif_opener()
    elif PLUGINS[format_] == "AVIF":
        from PIL import features

        return bool(features.check("avif"))
    return True


def heif_installed() -> bool:
    """Whether the library is there that reads the photographs of some phones."""
    return importlib.util.find_spec("pillow_heif") is not None


def _only_size(source: Source, format_: str) -> Document:
    """What the header tells of a picture that cannot be decoded here."""
    note = f"only its header was looked at: {advice('media')}"
    places = [match.end() + 4 for match in re.finditer(b"ispe", source.data[: 1 << 20])]
    sizes = [struct.unpack(">II", source.data[place : place + 8]) for place in places if place + 8 <= len(source.data)]
    width, height = max(sizes, default=(0, 0))
    facts: dict[str, Any] = {"width": width, "height": height} if width else {}
    facts["install"] = "judge[media]"
    text = f"{format_} picture" + (f", {width} x {height} pixels" if width else "") + f"\n{note}"
    return Document(source.path, format_, Family.IMAGE, State.PARTIAL, text, facts, problems=(note,))


class _Look:
    """One look at an open picture."""

    def __init__(self, source: Source, limits: Limits, format_: str, picture: ImageFile) -> None:
        self.source = source
        self.limits = limits
        self.format = format_
        self.picture = picture
        self.clock = Clock(limits.max_seconds * 0.5)
        self.facts: dict[str, Any] = {"width": picture.width, "height": picture.height, "mode": picture.mode}
        self.problems: list[str] = []
        self.moments: list[Picture] = []
        self.wrong = ""
        self.levels: dict[int, int] = {}

    def document(self, texts: dict[str, str]) -> Document:
        from judge.readers.pixels import levels_of

        state = self._claim()
        metadata = metadata_facts(picture_metadata(self.picture, texts))
        picture, facts, problems = self.picture, self.facts, self.problems
        if self._too_large():
            problems.append(f"{picture.width} x {picture.height} pixels, only measured")
            return self._document(State.PARTIAL, facts=facts | metadata)
        if self.format == "jpg":
            picture.draft(None, (2000, 2000))  # large ones are decoded at a half, a quarter or an eighth of their size
        best, rgb = self._frames()
        if best.blank and facts["frames"] == 1 and self.format in _LOSSLESS:
            self.levels = levels_of(picture)
        facts.update(best.facts())
        if self.wrong:
            state = State.BROKEN if state is State.SOUND else state
        elif best.blank and self.levels:
            facts |= {"blank": False, "levels": {str(value): count for value, count in self.levels.items()}}
            values = ", ".join(f"{value}: {count} px" for value, count in list(self.levels.items())[:8])
            problems.append(f"its values differ too little to be seen, as those of a mask or of labels ({values})")
        elif best.blank:
            state = State.BLANK if state is State.SOUND else state
            problems.append("nothing can be seen on it")
        elif best.empty_axes:
            problems.append("a plot frame with nothing in it")
        text = f"{self.format} picture, {facts['width']} x {facts['height']} pixels, {plural(facts['frames'], 'frame')}"
        if self.limits.ocr and not best.blank:
            text = add_writing(text, facts, rgb, Clock(self.limits.ocr_seconds * 0.8))
        facts.update(metadata)
        side = self.limits.image_side
        images = [image_part(rgb, side)] if side > 0 else []
        images += [image_part(moment, max(1, side // 2)) for moment in self.moments if side > 0 and moment is not rgb]
        return self._document(state, text, facts, images)

    def _document(
        self, state: State, text: str = "", facts: dict[str, Any] | None = None, images: list[Any] | None = None
    ) -> Document:
        return Document(
            self.source.path,
            self.format,
            Family.IMAGE,
            state,
            text,
            facts or {},
            tuple(images or ()),
            tuple(self.problems),
        )

    def _claim(self) -> State:
        """Whether the extension names another kind of picture; for still ones that is no harm."""
        claimed = NAMES.get(self.source.suffix, "")
        if not claimed or claimed == self.format:
            return State.SOUND
        self.facts["actual_format"] = self.format
        self.problems.append(f"the content is {self.format}, not {claimed}")
        return State.SOUND if claimed in STILL and self.format in STILL else State.MISMATCH

    def _too_large(self) -> bool:
        return self.picture.width * self.picture.height > self.limits.max_pixels

    def _frames(self) -> tuple[Measures, Picture]:
        """The frame with most on it, out of the first ones; facts on the frames are added."""
        from judge.readers.pixels import flatten, measure

        pixels = self.picture.width * self.picture.height
        total = self._count()
        allowed = min(total, max(1, min(self.limits.max_pages, self.limits.max_pixels * 2 // max(1, pixels))))
        step = max(1, allowed // _FRAMES_MEASURED)
        seen: dict[int, int] = {}
        best: tuple[Measures, Picture] | None = None
        looked = 0
        for index in self._seek(allowed):
            rgb = self._turned(flatten(self.picture))
            looked += 1
            print_ = hash(rgb.tobytes())
            if print_ not in seen and (index == 0 or index >= allowed // 2):
                self.moments = [*self.moments[:1], rgb]
            seen.setdefault(print_, index)
            if index % step == 0 or index == allowed - 1:
                measures = measure(rgb)
                if best is None or measures.ink > best[0].ink:
                    best = (measures, rgb)
        if best is None:
            raise ReaderProblem("no frame in it")
        self._tell_frames(total, looked, len(seen))
        return best

    def _seek(self, allowed: int) -> Iterator[int]:
        for index in range(allowed):
            try:
                self.picture.seek(index)
                if self._too_large():
                    self.problems.append(f"frame {index + 1} has {self.picture.width} x {self.picture.height} pixels")
                    return
                yield index
            except (EOFError, OSError) as error:
                if not index:
                    raise
                self.wrong = f"frame {index + 1} cannot be read: {error}"
                self.problems.append(self.wrong)
                return
            if self.clock.over:
                return

    def _tell_frames(self, total: int, looked: int, distinct: int) -> None:
        self.facts["frames"] = total
        if total > 1:
            self.facts["animated"] = self.format in {"gif", "png", "webp", "avif"}
            self.facts["frames_looked_at"] = looked
            self.facts["distinct_frames"] = distinct
            if distinct == 1 and looked > 1:
                self.facts["identical_frames"] = True
                self.problems.append("all frames that were looked at are the same")
        if not self.facts.get("animated"):
            self.moments = []

    def _turned(self, rgb: Picture) -> Picture:
        """The picture as it is shown: cameras leave the turning to the viewer."""
        from PIL import Image as Pil

        turn = _TURNS.get(self.picture.getexif().get(_ORIENTATION, 1)) if self.format in {"jpg", "webp"} else None
        return rgb.transpose(Pil.Transpose[turn]) if turn else rgb

    def _count(self) -> int:
        if self.format == "gif":
            return max(1, count_gif_frames(self.source.data, Clock(self.limits.max_seconds * 0.2)))
        if self.format == "tiff":
            pages, wrong = count_tiff_pages(self.source.data, Clock(self.limits.max_seconds * 0.2))
            if wrong and not self.source.truncated:
                self.wrong = wrong
                self.problems.append(wrong)
            return max(1, pages)
        return int(getattr(self.picture, "n_frames", 1))


READER = Reader("picture", SUFFIXES, lambda data: bool(picture_format(data)), _read, isolated=True)
