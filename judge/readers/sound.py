"""Sound in wav files: how long, and is there anything to hear. Plain samples need no library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judge.readers.audio import Ear, samples_of
from judge.readers.container import media_installed
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import advice
from judge.readers.media import read_media
from judge.readers.media_kinds import WAV
from judge.readers.metadata import metadata_facts, tidy_metadata
from judge.readers.parts import Clock
from judge.text import plural

_PLAIN, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_STREAMED = 0x7FFFFF00
"""Sizes from here on are what programs write that did not know yet how much would come."""
_CHUNKS = 10_000
_ONCE = 1 << 20
_FORGIVEN_FRAMES = 16
_TAGS = {b"INAM": "title", b"IART": "artist", b"ICMT": "comment", b"ISFT": "software", b"ICRD": "date",
         b"IPRD": "album", b"IGNR": "genre", b"ICOP": "copyright"}  # fmt: skip


@dataclass(slots=True)
class _Wav:
    """What the chunks of a file tell.

    Attributes:
        tag: How samples are coded.
        channels: Channels.
        rate: Samples a second of each channel.
        width: Bytes a sample.
        start: Where the samples begin; 0 when there are none.
        announced: Bytes of samples that the header announces.
        tags: What the file says of itself.
    """

    tag: int = 0
    channels: int = 0
    rate: int = 0
    width: int = 0
    start: int = 0
    announced: int = 0
    tags: tuple[tuple[str, bytes], ...] = ()


def _read(source: Source, limits: Limits) -> Document:
    wav = _chunks(source.data)
    if not wav.channels or not wav.rate or not wav.width:
        raise ReaderProblem("its header tells no format of the samples")
    if not wav.start:
        raise ReaderProblem("it holds no samples")
    code = _code(wav)
    if code is None:
        if media_installed():
            return read_media(source, limits, WAV)
        facts = {"channels": wav.channels, "rate": wav.rate, "install": "judge[media]"}
        note = f"its samples are packed: {advice('media')}"
        return Document(source.path, "wav", Family.AUDIO, State.PARTIAL, note, facts, problems=(note,))
    return _measured(source, limits, wav, code)


def _chunks(data: bytes) -> _Wav:
    wav = _Wav()
    position = 12
    for _ in range(_CHUNKS):
        kind, size = data[position : position + 4], int.from_bytes(data[position + 4 : position + 8], "little")
        body = position + 8
        if len(data) < body:
            break
        if kind == b"fmt ":
            _format(wav, data[body : body + min(size, 64)])
        elif kind == b"data" and not wav.start:
            wav.start, wav.announced = body, size
        elif kind == b"LIST" and data[body : body + 4] == b"INFO":
            wav.tags = tuple(_info(data[body + 4 : body + min(size, 1 << 16)]))
        position = body + size + (size & 1)
    return wav


def _format(wav: _Wav, body: bytes) -> None:
    if len(body) < 16:
        return
    wav.tag = int.from_bytes(body[:2], "little")
    wav.channels = int.from_bytes(body[2:4], "little")
    wav.rate = int.from_bytes(body[4:8], "little")
    wav.width = (int.from_bytes(body[14:16], "little") + 7) // 8
    if wav.tag == _EXTENSIBLE and len(body) >= 26:
        wav.tag = int.from_bytes(body[24:26], "little")


def _info(body: bytes) -> Iterator[tuple[str, bytes]]:
    position = 0
    while position + 8 <= len(body):
        size = int.from_bytes(body[position + 4 : position + 8], "little")
        name = _TAGS.get(body[position : position + 4])
        if name:
            yield name, body[position + 8 : position + 8 + size]
        position += 8 + size + (size & 1)


def _code(wav: _Wav) -> str | None:
    """How the samples are read: a code of ``array``, ``3`` for 24 bits; None when they are packed in some way."""
    plain = {1: "B", 2: "h", 3: "3", 4: "i"}
    return {_PLAIN: plain, _FLOAT: {4: "f", 8: "d"}}.get(wav.tag, {}).get(wav.width)


def _measured(source: Source, limits: Limits, wav: _Wav, code: str) -> Document:
    frame = wav.channels * wav.width
    there = (source.size - wav.start) // frame
    streamed = wav.announced >= _STREAMED
    frames = there if streamed else wav.announced // frame
    end = len(source.data) if streamed else min(len(source.data), wav.start + frames * frame)
    ear = Ear()
    heard = _listen(ear, source.data[wav.start : end], code, Clock(limits.max_seconds * 0.6))
    facts: dict[str, Any] = {
        "channels": wav.channels,
        "sample_bytes": wav.width,
        "rate": wav.rate,
        "duration": round(frames / wav.rate, 3),
        "listened_seconds": round(heard / frame / wav.rate, 3),
        **(ear.facts() if ear.blocks else {"silent": True}),
        **metadata_facts(tidy_metadata(wav.tags)),
    }
    state, problems = State.SOUND, []
    if frames > there + _FORGIVEN_FRAMES:
        state = State.BROKEN
        problems.append(f"{frames} samples are announced, {max(0, there)} are there")
    elif not ear.blocks:
        state = State.EMPTY
        problems.append("no sound in it")
    elif facts["silent"] and not source.truncated:
        state = State.BLANK
        problems.append("silence")
    elif source.truncated or heard < end - wav.start - frame:
        state = State.PARTIAL
    text = f"wav audio, {facts['duration']:g} s, {wav.rate} Hz, {plural(wav.channels, 'channel')}"
    return Document(source.path, "wav", Family.AUDIO, state, text, facts, problems=tuple(problems))


def _listen(ear: Ear, data: bytes, code: str, clock: Clock) -> int:
    """Measures samples; how many bytes of them there was time for."""
    full = {"B": 128.0, "h": 32768.0, "3": 32768.0, "i": 2147483648.0}.get(code, 1.0)
    size = {"B": 1, "h": 2, "3": 3, "i": 4, "f": 4, "d": 8}[code]
    step = _ONCE // (size * 3) * size * 3
    for start in range(0, len(data), step):
        block = data[start : start + step]
        if code == "3":  # the top two bytes of each sample are enough
            pairs = bytearray(2 * (len(block) // 3))
            pairs[::2], pairs[1::2] = block[1::3][: len(pairs) // 2], block[2::3]
            ear.take(samples_of(bytes(pairs), "h"), full)
        else:
            ear.take(samples_of(block, code), full, 128 if code == "B" else 0)
        if clock.over:
            return start + len(block)
    return len(data)


def _sniff(data: bytes) -> bool:
    return WAV.begin.match(data[:12]) is not None


READER = Reader("wav", WAV.suffixes, _sniff, _read)
