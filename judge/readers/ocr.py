"""Writing in pictures: the OCR of the extra ``ocr``, with the models that come with it, within bounds."""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from judge.readers.extras import bring
from judge.readers.parts import Clock

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_SIDE = 1600
"""Longer side that a picture is scaled down to before its writing is read."""
_SEARCHED = 960
"""Longer side on which writing is looked for; what is found is read on the larger one."""
_SMALL = 400
"""Pictures with a longer side below this are scaled up: their letters are a few pixels high."""
_BOXES = 120
_LEAST_SCORE = 0.6
_THREADS = 4
_TALL = 1.5
_LETTERS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of writing.

    Attributes:
        text: What it says.
        score: How sure the OCR is, 0-1.
        box: Left, top, right and bottom, as shares of the picture's width and height.
        upright: Whether it runs from bottom to top, as labels of an axis do.
    """

    text: str
    score: float
    box: tuple[float, float, float, float]
    upright: bool = False


def ocr_installed() -> bool:
    """Whether the extra is there."""
    return all(importlib.util.find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def read_writing(picture: Picture, clock: Clock) -> tuple[tuple[Line, ...], int]:
    """The writing on a picture in RGB, from top to bottom, and how many lines there was no time or room for.

    The largest ones are read first.

    Raises:
        ReaderProblem: The extra is not installed.
        OSError: Its models are not there.
    """
    scaled = _scaled(picture)
    boxes = _boxes(scaled)
    lines: list[Line] = []
    looked = 0
    for box in sorted(boxes, key=_size, reverse=True)[:_BOXES]:
        if clock.over:
            break
        looked += 1
        line = _line(scaled, box)
        if line is not None:
            lines.append(line)
    return tuple(sorted(lines, key=lambda line: (round(line.box[1], 2), line.box[0]))), len(boxes) - looked


def figure_labels(lines: Sequence[Line]) -> dict[str, str]:
    """The title and the names of the axes, by their place: words above, below and upright at the left."""
    words = [line for line in lines if _LETTERS.search(line.text)]
    found: dict[str, str] = {}
    for line in words:
        left, top, right, bottom = line.box
        centred = 0.2 < (left + right) / 2 < 0.8
        if line.upright and left < 0.3:
            found.setdefault("y_label", line.text)
        elif centred and bottom < 0.2 and not line.upright:
            found.setdefault("title", line.text)
        elif centred and top > 0.85 and not line.upright:
            found["x_label"] = line.text
    return found


def _scaled(picture: Picture) -> Picture:
    from PIL import Image

    longest = max(picture.size)
    factor = _SIDE / longest if longest > _SIDE else 2.0 if longest < _SMALL else 1.0
    if factor == 1.0:
        return picture
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.Resampling.BICUBIC)


@lru_cache(maxsize=1)
def _engine() -> Any:
    """The OCR with its models, loaded once a process: it takes a second."""
    import os

    rapidocr = bring("rapidocr", "ocr")
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": _SIDE,
            "Det.limit_type": "max",
            "Det.limit_side_len": _SEARCHED,
            "EngineConfig.onnxruntime.intra_op_num_threads": min(_THREADS, os.cpu_count() or 1),
        }
    )


def _boxes(picture: Picture) -> list[list[tuple[float, float]]]:
    """The four corners of each place where something is written."""
    if min(picture.size) < 8:
        return []
    found = _engine()(_pixels(picture), use_det=True, use_cls=False, use_rec=False)
    boxes = getattr(found, "boxes", None)
    return [] if boxes is None else [[(float(x), float(y)) for x, y in box] for box in boxes]


def _line(picture: Picture, box: list[tuple[float, float]]) -> Line | None:
    from PIL import Image

    if len(box) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = box
    width = max(1, round(max(math.dist((ax, ay), (bx, by)), math.dist((cx, cy), (dx, dy)))))
    height = max(1, round(max(math.dist((ax, ay), (dx, dy)), math.dist((bx, by), (cx, cy)))))
    cut = picture.transform(
        (width, height), Image.Transform.QUAD, (ax, ay, dx, dy, cx, cy, bx, by), Image.Resampling.BICUBIC
    )
    upright = height > _TALL * width
    read: Any = _engine()(_pixels(cut.rotate(-90, expand=True) if upright else cut), False, upright, True)
    texts: list[str] = list(getattr(read, "txts", None) or ())
    scores: list[float] = list(getattr(read, "scores", None) or ())
    if not texts or not str(texts[0]).strip() or float(scores[0]) < _LEAST_SCORE:
        return None
    xs, ys = [x / picture.width for x, _ in box], [y / picture.height for _, y in box]
    edges = (_share(min(xs)), _share(min(ys)), _share(max(xs)), _share(max(ys)))
    return Line(str(texts[0]).strip(), round(float(scores[0]), 3), edges, upright)


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 3)


def _size(box: list[tuple[float, float]]) -> float:
    return math.dist(box[0], box[1]) * math.dist(box[1], box[2])


def _pixels(picture: Picture) -> Any:
    """The picture as the OCR takes it: an array of rows of blue, green and red."""
    return bring("numpy", "ocr").asarray(picture.convert("RGB"))[:, :, ::-1]
