"""One pass through the packets of a sound or video file: what comes out, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.readers.audio import Ear
from judge.readers.container import main_streams, seconds
from judge.readers.document import Document, Family, Limits, Source, State
from judge.readers.heads import Head
from judge.readers.media_kinds import MediaKind
from judge.readers.metadata import metadata_facts, tidy_metadata
from judge.readers.parts import Clock
from judge.readers.video import Eye, sample_later
from judge.readers.writing import add_writing
from judge.text import plural

_FORGIVEN = 0.5
"""Seconds that may be missing at the end: encoders pad, containers round."""
_FORGIVEN_SHARE = 0.03
_TECHNICAL = frozenset(
    "major_brand minor_version compatible_brands handler_name vendor_id language duration encoder creation_time".split()
)
_BAD, _BAD_SHARE = 2, 0.02
"""Packets that may fail to decode before a file counts as damaged, and their share: some begin with a torn one."""


@dataclass
class _Played:
    """What came out of one pass through the packets.

    Attributes:
        end: Second at which the last packet ends.
        packets: Packets that were decoded.
        bad: Those that could not be.
        short: Whether the last packet was cut off.
        whole: Whether the pass came to the end of the file.
        listened: Seconds of sound that were decoded.
        passed_over: Packets that there was no time to decode.
    """

    end: float = 0.0
    packets: int = 0
    bad: int = 0
    short: bool = False
    whole: bool = False
    listened: float = 0.0
    passed_over: int = 0
    problems: list[str] = field(default_factory=list)


class Player:
    """One look at an open file."""

    def __init__(self, source: Source, limits: Limits, kind: MediaKind, head: Head, container: Any) -> None:
        self.source, self.limits, self.kind, self.head, self.container = source, limits, kind, head, container
        self.video, self.audio = main_streams(container)
        self.announced = seconds(container, self.video, self.audio)
        self.ear = Ear()
        self.eye = Eye(_start(self.video), self.announced)
        self.problems: list[str] = []
        self.facts: dict[str, Any] = {"duration": None if self.announced is None else round(self.announced, 3)}

    def document(self) -> Document:
        """Goes through the file once and tells what was found."""
        if self.video is None and self.audio is None:
            return self._document(State.BROKEN, "nothing in it that could be played")
        large = self.video is not None and self._size() > self.limits.max_pixels
        if large:
            self.problems.append(f"{self.video.width} x {self.video.height} pixels, not decoded")
            self.video = None
        played = self._play()
        if self.video is not None and (not played.whole or played.passed_over):
            sample_later(self.container, self.video, self.eye, self.announced, Clock(self.limits.max_seconds * 0.1))
        self._tell(played)
        state = self._state(played)
        if large and state is State.SOUND:
            state = State.PARTIAL
        return self._document(state)

    def _size(self) -> int:
        return int(self.video.codec_context.width or 0) * int(self.video.codec_context.height or 0)

    def _play(self) -> _Played:
        import av

        played = _Played()
        streams = [stream for stream in (self.video, self.audio) if stream is not None]
        for stream in streams:
            stream.codec_context.thread_count = 1
            stream.codec_context.options = {"max_pixels": str(self.limits.max_pixels), "err_detect": "crccheck"}
        resampler = av.AudioResampler(format="s16")
        decoding, going = Clock(self.limits.max_seconds * 0.4), Clock(self.limits.max_seconds * 0.6)
        packets = self.container.demux(streams) if streams else iter(())
        while not going.over:
            try:
                packet = next(packets, None)
            except (av.FFmpegError, ValueError) as error:
                played.problems.append(f"it cannot be read on: {getattr(error, 'strerror', None) or error}")
                played.whole = played.short = True
                break
            if packet is None:
                played.whole = True
                break
            self._note(packet, played)
            if decoding.over or (packet.stream is self.video and self.eye.full):
                played.passed_over += 1
            else:
                self._decode(packet, played, resampler)
        return played

    def _note(self, packet: Any, played: _Played) -> None:
        if packet.size and packet.pts is not None and packet.time_base:
            length = packet.duration or 0
            end = float((packet.pts + length) * packet.time_base) - _start(packet.stream)
            played.end = max(played.end, end)
        if packet.size:
            played.short = bool(packet.is_corrupt)

    def _decode(self, packet: Any, played: _Played, resampler: Any) -> None:
        import av

        played.packets += 1
        try:
            for frame in packet.decode():
                if packet.stream is self.video:
                    self.eye.take(frame)
                elif frame.sample_rate:
                    self.ear.take_frame(frame, resampler)
                    played.listened += frame.samples / frame.sample_rate
        except (av.FFmpegError, ValueError, OSError):
            played.bad += 1

    def _tell(self, played: _Played) -> None:
        """Adds the facts on the streams."""
        facts = self.facts
        if self.announced is None or (not self.kind.indexed and played.whole):
            facts["duration"] = round(played.end, 3)
        if played.whole and not played.passed_over and not self.source.truncated:
            facts["decoded_to_end"] = not played.bad and not played.short
        if self.video is not None:
            self._tell_video(played)
        if self.audio is not None:
            context = self.audio.codec_context
            sound = {"codec": context.name, "rate": context.sample_rate, "channels": context.channels}
            sound |= self.ear.facts() if self.ear.blocks else {}
            facts.update({"sound": sound} if self.video is not None else sound)
            facts["listened_seconds"] = round(played.listened, 3)
        if self.container.bit_rate:
            facts["bit_rate"] = self.container.bit_rate
        entries = [*self.container.metadata.items()]
        for stream in (self.video, self.audio):
            entries += [] if stream is None else [*stream.metadata.items()]
        told = [(name, value) for name, value in entries if name.lower() not in _TECHNICAL]
        facts.update(metadata_facts(tidy_metadata(told)))

    def _tell_video(self, played: _Played) -> None:
        context, eye = self.video.codec_context, self.eye
        rate = self.video.average_rate
        self.facts |= {
            "codec": context.name,
            "width": context.width,
            "height": context.height,
            "fps": round(float(rate), 3) if rate else None,
            "frames": eye.looked if "decoded_to_end" in self.facts else self.video.frames or None,
            "frames_looked_at": eye.looked,
        }
        if eye.looked:
            eye.finish()
            measures, self.best = eye.best()
            self.facts |= {key: measures[key] for key in ("stddev", "ink", "colourful", "blank")}
            self.facts |= {
                "changes": eye.changes,
                "frozen": eye.changes == 0 and not self.source.truncated,
                "shown_at": eye.times(),
            }

    def _state(self, played: _Played) -> State:
        cut = self._cut(played)
        self.problems += [cut] if cut else []
        self.problems += played.problems
        if played.bad:
            self.problems.append(f"{played.bad} of {played.packets} packets cannot be decoded")
        nothing = not self.ear.blocks and not self.eye.looked
        if cut or nothing or played.bad > max(_BAD, _BAD_SHARE * played.packets):
            self.problems += ["nothing of it can be decoded"] if nothing and not cut else []
            return State.PARTIAL if self.source.truncated else State.BROKEN
        if self.head.cut:
            self.problems.append(self.head.cut)
        return self._shown(to_end="decoded_to_end" in self.facts)

    def _shown(self, *, to_end: bool) -> State:
        """The state of a file that is whole; what was not looked at to its end may still show something."""
        facts = self.facts
        if self.video is not None and facts.get("blank"):
            self.problems.append("nothing can be seen on it")
            return State.BLANK
        if self.video is None and facts.get("silent"):
            self.problems.append("silence" if to_end else f"silence in the first {facts['listened_seconds']:g} s")
            return State.BLANK if to_end else State.PARTIAL
        if facts.get("frozen"):
            self.problems.append("the picture never changes")
        return State.PARTIAL if self.source.truncated else State.SOUND

    def _cut(self, played: _Played) -> str:
        """What says that its end is missing, or an empty string."""
        if self.source.truncated or not played.whole:
            return ""
        if self.head.cut and self.head.sure:
            return self.head.cut
        forgiven = _FORGIVEN + _FORGIVEN_SHARE * (self.announced or 0.0)
        if self.kind.indexed and self.announced is not None and played.end + forgiven < self.announced:
            return f"{self.announced:.6g} s are announced, {played.end:.3g} s are there"
        return "its end is cut off" if played.short else ""

    def _document(self, state: State, problem: str = "") -> Document:
        family = Family.VIDEO if self.eye.looked or self.video is not None else Family.AUDIO
        if self.video is None and self.audio is None:
            family = self.kind.family
        text = summary(self.kind.name, family, self.facts)
        if self.limits.ocr and family is Family.VIDEO and self.eye.looked and not self.facts.get("blank"):
            text = add_writing(text, self.facts, self.best, Clock(self.limits.ocr_seconds * 0.8))
        return Document(
            self.source.path,
            self.kind.name,
            family,
            state,
            text,
            self.facts,
            self.eye.images(min(self.limits.image_side, 640)),
            tuple([*([problem] if problem else []), *self.problems]),
        )


def _start(stream: Any) -> float:
    """The second at which a stream begins."""
    if stream is None or not stream.start_time or not stream.time_base:
        return 0.0
    return float(stream.start_time * stream.time_base)


def summary(name: str, family: Family, facts: dict[str, Any]) -> str:
    """A file in one line."""
    parts = [f"{name} {family}"]
    if facts.get("duration") is not None:
        parts.append(f"{facts['duration']:g} s")
    if family is Family.VIDEO and facts.get("width"):
        parts.append(f"{facts['width']} x {facts['height']} pixels")
    if facts.get("rate"):
        parts.append(f"{facts['rate']} Hz, {plural(facts['channels'], 'channel')}")
    if facts.get("shown_at"):
        parts.append("frames shown: " + ", ".join(f"{at:g} s" for at in facts["shown_at"]))
    return ", ".join(parts)
