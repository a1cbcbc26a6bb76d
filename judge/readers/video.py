"""What can be seen in a video: does anything change, is there anything on the frames, and a few of them as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.readers.parts import Clock
from judge.readers.raster import image_part

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from judge.schemas import Image

_COMPARED = 160
"""Longer side on which frames are compared: on it, what coding does to edges at each key frame averages out."""
_FINE_STEP, _COARSE_STEP, _MEAN_STEP = 64, 24, 4
"""Steps of 255 that a place must change by to count, on that side and on half of it, and all places on the average."""
_SLOW = 2
"""Times those steps, for a change since the last one that counted: coding refines a picture over several frames."""
_KEPT = 4
_KEPT_SIDE = 1280
_FRAMES = 3_000


class Eye:
    """Takes frames in, compares them, and keeps a few that lie evenly in time."""

    def __init__(self, start: float, duration: float | None) -> None:
        """Begins to look.

        Args:
            start: The time of the first frame, in seconds.
            duration: Seconds of the whole, where that is known.
        """
        self._start = start
        self._targets = [duration * share for share in (0.35, 0.65)] if duration else []
        self._before: Picture | None = None
        self._noted: Picture | None = None
        self._latest: tuple[Any, float] | None = None
        self.looked = self.changes = self.corrupt = 0
        self.kept: list[tuple[float, Picture]] = []

    @property
    def full(self) -> bool:
        """Whether enough frames were looked at."""
        return self.looked >= _FRAMES

    def take(self, frame: Any, *, keep: bool = False) -> None:
        """Looks at a decoded frame."""
        at = max(0.0, float(frame.time or 0.0) - self._start)
        small = _picture(frame, _COMPARED).convert("L")
        self.looked += 1
        self.corrupt += bool(frame.is_corrupt)
        if self._before is None or self._noted is None:
            self._noted = small
        elif _differs(self._before, small) or _differs(self._noted, small, _SLOW):
            self.changes += 1
            self._noted = small
        self._before = small
        self._latest = (frame, at)
        if keep or self.looked == 1 or (self._targets and at >= self._targets[0]):
            self._keep(frame, at)
            self._targets = [target for target in self._targets if target > at]

    def finish(self) -> None:
        """Keeps the last frame too."""
        if self._latest is not None and self._latest[1] > self.kept[-1][0]:
            self._keep(*self._latest)
        self._latest = None

    def _keep(self, frame: Any, at: float) -> None:
        if len(self.kept) < _KEPT + 2:
            self.kept.append((round(at, 2), _picture(frame, _KEPT_SIDE)))

    def images(self, side: int) -> tuple[Image, ...]:
        """The kept frames as parts for a model, the longer side at most ``side`` pixels; 0 for none."""
        return tuple(image_part(picture, side) for _, picture in self._shown()) if side > 0 else ()

    def times(self) -> list[float]:
        """When the frames of ``images`` are shown, in seconds."""
        return [at for at, _ in self._shown()]

    def _shown(self) -> list[tuple[float, Picture]]:
        """One frame where all are the same."""
        return self.kept[: _KEPT if self.changes else 1]

    def best(self) -> tuple[dict[str, Any], Picture]:
        """The measures of the kept frame with most on it, and the frame."""
        from judge.readers.pixels import measure

        measured = [(measure(picture), picture) for _, picture in self.kept]
        most, picture = max(measured, key=lambda pair: pair[0].ink)
        return most.facts(), picture


def _picture(frame: Any, side: int) -> Picture:
    """A frame as a picture in RGB, at most ``side`` pixels wide or high."""
    longest = max(frame.width, frame.height, 1)
    factor = min(1.0, side / longest)
    width, height = max(1, round(frame.width * factor)), max(1, round(frame.height * factor))
    picture: Picture = frame.reformat(width=width, height=height, format="rgb24", interpolation="AREA").to_image()
    return picture


def _differs(before: Picture, now: Picture, factor: int = 1) -> bool:
    """Whether something changed; ``factor`` multiplies the steps that a place must change by."""
    from PIL import ImageChops

    if before.size != now.size:
        return True
    change = ImageChops.difference(before, now)
    steps = change.histogram()
    if _most(change) > factor * _FINE_STEP or sum(
        step * number for step, number in enumerate(steps)
    ) > _MEAN_STEP * sum(steps):
        return True
    return min(now.size) > 1 and _most(ImageChops.difference(before.reduce(2), now.reduce(2))) > factor * _COARSE_STEP


def _most(change: Picture) -> int:
    return max(step for step, number in enumerate(change.histogram()) if number)


def sample_later(container: Any, stream: Any, eye: Eye, duration: float | None, clock: Clock) -> None:
    """Looks at single frames of the part of a video that there was no time to go through.

    Args:
        container: The open file.
        stream: Its picture stream.
        eye: What looks.
        duration: Seconds of the whole.
        clock: Stops it.
    """
    import av

    start = eye.kept[-1][0] if eye.kept else 0.0
    for share in (0.5, 0.75, 0.95):
        target = (duration or 0.0) * share
        if clock.over or target <= start:
            continue
        try:
            container.seek(int(target * 1_000_000))
            frame = next(iter(container.decode(stream)), None)
        except (av.FFmpegError, OverflowError, ValueError):
            continue
        if frame is not None:
            eye.take(frame, keep=True)
