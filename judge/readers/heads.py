"""What headers of sound and video files tell without decoding them: how long they are, and whether they are whole."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from judge.readers.document import Source
from judge.readers.media_kinds import MediaKind
from judge.readers.parts import Clock

_MOST = 2_000_000
_DEPTH = 6
_FOLDERS = frozenset({b"moov", b"trak", b"mdia"})


@dataclass(frozen=True, slots=True)
class Head:
    """What was found.

    Attributes:
        facts: Duration, rate, channels, as far as they are told.
        cut: What is missing at the end, or an empty string.
        sure: Whether that is certain.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    cut: str = ""
    sure: bool = True


def head_of(source: Source, kind: MediaKind, clock: Clock) -> Head:
    """What the header of a file of a kind tells; nothing for kinds without a rule here."""
    walk = _WALKS.get(kind.demuxer)
    if walk is None:
        return Head()
    head = walk(source.data, clock)
    return Head(head.facts) if source.truncated else head  # the end of a longer file was not seen


def _flac(data: bytes, clock: Clock) -> Head:
    if len(data) < 26:
        return Head(cut="the header is cut off")
    packed = int.from_bytes(data[18:26], "big")
    rate, channels, samples = packed >> 44, (packed >> 41 & 7) + 1, packed & 0xFFFFFFFFF
    facts: dict[str, Any] = {"rate": rate, "channels": channels, "sample_bits": (packed >> 36 & 31) + 1}
    if rate and samples:
        facts["duration"] = round(samples / rate, 3)
    return Head(facts)


def _ogg(data: bytes, clock: Clock) -> Head:
    facts: dict[str, Any] = {}
    first = data[28 : 28 + 64]
    rate = 0
    if b"\1vorbis" in data[:64]:
        start = data.index(b"\1vorbis") + 11
        facts["channels"], rate = data[start], int.from_bytes(data[start + 1 : start + 5], "little")
    elif first.startswith(b"OpusHead"):
        facts["channels"], rate = first[9] if len(first) > 9 else 0, 48_000
    ended, last, position, pages = False, 0, 0, 0
    while data[position : position + 4] == b"OggS" and position + 27 <= len(data):
        segments = data[position + 26]
        table = data[position + 27 : position + 27 + segments]
        position += 27 + segments + sum(table)
        if position > len(data):
            return Head(_lasting(facts, last, rate), "it ends in the middle of a page")
        page = position - 27 - segments - sum(table)
        ended = bool(data[page + 5] & 4)
        granule = int.from_bytes(data[page + 6 : page + 14], "little", signed=True)
        last = max(last, granule)
        pages += 1
        if pages % 1024 == 0 and clock.over:
            return Head(_lasting(facts, last, rate))
    return Head(_lasting(facts, last, rate), "" if ended else "its last page is missing", sure=False)


def _lasting(facts: dict[str, Any], samples: int, rate: int) -> dict[str, Any]:
    return {**facts, "rate": rate, "duration": round(samples / rate, 3)} if rate else facts


def _mpeg_audio(data: bytes, clock: Clock) -> Head:
    return _frames(data, _mp3_frame, clock)


def _adts(data: bytes, clock: Clock) -> Head:
    return _frames(data, _adts_frame, clock)


def _frames(data: bytes, frame: Callable[[bytes], tuple[int, int, int, int] | None], clock: Clock) -> Head:
    """Goes from frame to frame; what a frame tells is its bytes, samples, rate and channels."""
    position, samples, count = _after_id3(data), 0, 0
    rate = channels = 0
    while position + 7 <= len(data) and count < _MOST:
        told = frame(data[position : position + 7])
        if told is None:
            break
        size, length, rate, channels = told
        if position + size > len(data):
            facts = _lasting({"channels": channels, "frames": count}, samples, rate)
            return Head(facts, "it ends in the middle of a frame")
        position, samples, count = position + size, samples + length, count + 1
        if count % 4096 == 0 and clock.over:
            break
    announced = _announced(data)
    cut = ""
    if announced and count + 2 < announced and position + 7 > len(data):
        cut = f"{announced} frames are announced, {count} are there"
    return Head(_lasting({"channels": channels, "frames": count}, samples, rate) if count else {}, cut)


def _announced(data: bytes) -> int:
    """Frames that the first frame of an MP3 announces, as encoders write it there; 0 when it does not."""
    start = _after_id3(data)
    for word in (b"Xing", b"Info"):
        place = data.find(word, start, start + 200)
        if place > 0 and data[place + 7 : place + 8] and data[place + 7] & 1:
            return int.from_bytes(data[place + 8 : place + 12], "big")
    return 0


def _after_id3(data: bytes) -> int:
    if data[:3] != b"ID3" or len(data) < 10:
        return 0
    size = 0
    for byte in data[6:10]:
        size = size << 7 | byte & 0x7F
    return size + 10 + (10 if data[5] & 0x10 else 0)


_BITRATES = {
    (3, 3): (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (3, 2): (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (3, 1): (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 3): (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 1): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_MP3_RATES = (44_100, 48_000, 32_000)
_AAC_RATES = (96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350)


def _mp3_frame(head: bytes) -> tuple[int, int, int, int] | None:
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    bits, rate_index, padding = head[2] >> 4, head[2] >> 2 & 3, head[2] >> 1 & 1
    if head[0] != 0xFF or head[1] < 0xE0 or version == 1 or not layer or rate_index == 3 or not 0 < bits < 15:
        return None
    rate = _MP3_RATES[rate_index] >> (0 if version == 3 else 1 if version == 2 else 2)
    table = _BITRATES[(3 if version == 3 else 2, layer if version == 3 or layer == 3 else 1)]
    bitrate = table[bits - 1] * 1000
    channels = 1 if head[3] >> 6 == 3 else 2
    if layer == 3:
        return (12 * bitrate // rate + padding) * 4, 384, rate, channels
    samples = 576 if layer == 1 and version != 3 else 1152
    return samples // 8 * bitrate // rate + padding, samples, rate, channels


def _adts_frame(head: bytes) -> tuple[int, int, int, int] | None:
    index = head[2] >> 2 & 15
    size = (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
    if head[0] != 0xFF or head[1] & 0xF6 != 0xF0 or index >= len(_AAC_RATES) or size < 7:
        return None
    return size, 1024 * ((head[6] & 3) + 1), _AAC_RATES[index], (head[2] & 1) << 2 | head[3] >> 6


def _mp4(data: bytes, clock: Clock) -> Head:
    facts: dict[str, Any] = {}
    cut, media = "", False
    for kind, body, missing in _boxes(data, 0, len(data), 0):
        media = media or kind == b"mdat"
        if kind == b"mvhd" and len(body) >= 32:
            scale, length = struct.unpack(">IQ", body[20:32]) if body[0] else struct.unpack(">II", body[12:20])
            if scale:
                facts["duration"] = round(length / scale, 3)
        elif kind == b"hdlr" and len(body) >= 12:
            facts.setdefault("tracks", []).append(body[8:12].decode("latin-1"))
        if missing:
            cut = "it ends in the middle of a part"
    if not cut and media and "tracks" not in facts:
        cut = "the index of what it holds is missing"
    return Head(facts, cut)


def _boxes(data: bytes, start: int, end: int, depth: int) -> Iterator[tuple[bytes, bytes, bool]]:
    """Kind and first bytes of each box, those in folders too, and whether its end is missing."""
    for _ in range(1_000):
        if start + 8 > end:
            return
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        skip = 8
        if size == 1 and start + 16 <= end:
            size, skip = int.from_bytes(data[start + 8 : start + 16], "big"), 16
        size = end - start if size == 0 else size
        if size < skip:
            return
        yield kind, data[start + skip : min(start + size, start + skip + 64)], depth == 0 and start + size > end
        if kind in _FOLDERS and depth < _DEPTH:
            yield from _boxes(data, start + skip, min(start + size, end), depth + 1)
        start += size


def _program_stream(data: bytes, clock: Clock) -> Head:
    """Goes from pack to pack of an MPEG program stream."""
    position = 0
    for count in range(_MOST):
        if data[position : position + 3] != b"\0\0\1" or len(data) < position + 6:
            break
        if data[position + 3] == 0xB9:  # its end
            break
        if data[position + 3] == 0xBA:
            newer = len(data) > position + 13 and data[position + 4] >> 6 == 1
            position += 14 + (data[position + 13] & 7) if newer else 12
        else:
            position += 6 + int.from_bytes(data[position + 4 : position + 6], "big")
        if position > len(data):
            return Head(cut="it ends in the middle of a pack")
        if count % 4096 == 0 and clock.over:
            break
    return Head()


def _transport_stream(data: bytes, clock: Clock) -> Head:
    size = 188 if data[:1] == b"G" and data[188:189] == b"G" else 192
    return Head(cut="it ends in the middle of a packet" if len(data) % size else "")


_ASF_PROPERTIES = bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365")


def _asf(data: bytes, clock: Clock) -> Head:
    """What the header of a Windows media file says of its own size."""
    place = data.find(_ASF_PROPERTIES, 0, 1 << 16)
    size = int.from_bytes(data[place + 40 : place + 48], "little") if place > 0 else 0
    return Head(cut=f"{size} bytes are announced, {len(data)} are there" if len(data) < size else "")


_WALKS: dict[str, Callable[[bytes, Clock], Head]] = {
    "flac": _flac,
    "ogg": _ogg,
    "mp3": _mpeg_audio,
    "aac": _adts,
    "mov": _mp4,
    "asf": _asf,
    "mpeg": _program_stream,
    "mpegts": _transport_stream,
}
