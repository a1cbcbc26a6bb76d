"""Sound in wav files: how long, and is there anything to hear."""

from __future__ import annotations

import array
import io
import sys
import wave

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State

_LISTENED = 8 * 1024 * 1024


def _read(source: Source, limits: Limits) -> Document:
    try:
        with wave.open(io.BytesIO(source.data)) as sound:
            channels, width, rate, frames = sound.getparams()[:4]
            frame_bytes = max(1, channels * width)
            data = sound.readframes(min(frames, _LISTENED // frame_bytes))
    except (wave.Error, EOFError, OSError, ValueError, OverflowError) as error:
        state = State.UNREADABLE if "unknown format" in str(error) else State.BROKEN
        raise ReaderProblem(f"cannot be read as wav: {error}", state) from None
    peak = _peak(data, width)
    there = (source.size - 44) // frame_bytes
    facts = {
        "channels": channels,
        "sample_bytes": width,
        "rate": rate,
        "duration": round(frames / rate, 3) if rate else None,
        "peak": round(peak, 5),
        "silent": peak < 0.001,
    }
    problems = []
    state = State.SOUND
    if not frames or not data:
        state = State.EMPTY
        problems.append("no sound in it")
    elif frames > there + 16:
        state = State.BROKEN
        problems.append(f"{frames} samples are announced, {max(0, there)} are there")
    elif peak < 0.001:
        state = State.BLANK
        problems.append("silence")
    text = f"wav sound, {facts['duration']} s, {rate} Hz, {channels} channel(s)"
    return Document(source.path, "wav", Family.AUDIO, state, text, facts, problems=tuple(problems))


def _peak(data: bytes, width: int) -> float:
    """The loudest sample, 0 to 1."""
    if width == 1:
        return max((abs(value - 128) for value in (min(data, default=128), max(data, default=128))), default=0) / 128
    code = {2: "h", 4: "i"}.get(width)
    if code is None:  # 24 bits: the top two bytes of each sample are enough
        data = b"".join(data[start + 1 : start + 3] for start in range(0, min(len(data), 1 << 20) - 2, 3))
        code, width = "h", 2
    samples = array.array(code)
    samples.frombytes(data[: len(data) // width * width])
    if sys.byteorder == "big":
        samples.byteswap()
    return max(abs(min(samples, default=0)), abs(max(samples, default=0))) / float(1 << (8 * width - 1))


def _sniff(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"


READER = Reader("wav", frozenset({".wav", ".wave"}), _sniff, _read)
