"""Makers of pictures, sound and video with the libraries that people make them with."""

from __future__ import annotations

import array
import io
import math
import struct
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

RATE = 48_000


def figure(size: tuple[int, int] = (640, 480), title: str = "Training loss", step: int = 0) -> Image.Image:
    """A plot as plotting libraries draw it: frame, ticks, title, labels, a curve."""
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    large, small = ImageFont.load_default(size[1] / 24), ImageFont.load_default(size[1] / 34)
    left, top, right, bottom = size[0] * 0.14, size[1] * 0.13, size[0] * 0.92, size[1] * 0.86
    draw.rectangle((left, top, right, bottom), outline="black")
    draw.text((size[0] * 0.4, size[1] * 0.05), title, fill="black", font=large)
    draw.text((size[0] * 0.47, size[1] * 0.93), "Epoch", fill="black", font=small)
    label = Image.new("RGB", (120, 20), "white")
    ImageDraw.Draw(label).text((4, 2), "Accuracy (%)", fill="black", font=ImageFont.load_default(14))
    picture.paste(label.rotate(90, expand=True), (20, int(size[1] * 0.35)))
    points = [(left + (right - left) * k / 20, bottom - (bottom - top) * (1 - 0.85**k) * 0.9) for k in range(21)]
    draw.line(points, fill=(31, 119, 180), width=2)
    draw.rectangle((left + 10 + 4 * step, top + 10, left + 40 + 4 * step, top + 40), fill=(214, 39, 40))
    return picture


def animation(count: int, size: tuple[int, int] = (160, 120)) -> list[Image.Image]:
    """Frames in which something moves."""
    return [figure(size, step=number * 2) for number in range(count)]


def save(path: Path, picture: Image.Image, format_: str, **options: Any) -> None:
    """Writes a picture with Pillow."""
    with path.open("w+b") as file:  # some formats are read back while they are written
        picture.save(file, format_, **options)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def huge_png(side: int = 60_000) -> bytes:
    """A sound PNG of a black square, a few hundred kilobytes long."""
    packer = zlib.compressobj(1)
    row = bytes(side // 8 + 1) * 1000
    rows = b"".join(packer.compress(row) for _ in range(side // 1000)) + packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def png_with(*chunks: bytes) -> bytes:
    """A good PNG with chunks after its header."""
    out = io.BytesIO()
    figure().save(out, "PNG")
    data = out.getvalue()
    return data[:33] + b"".join(chunks) + data[33:]


def tone(
    seconds: float, *, rate: int = RATE, channels: int = 2, loudness: int = 8_000, pitch: float = 440.0
) -> array.array[int]:
    """Samples of a tone, the channels one after the other."""
    swing = 2 * math.pi * pitch / rate
    return array.array(
        "h",
        [round(loudness * math.sin(swing * index)) for index in range(int(seconds * rate)) for _ in range(channels)],
    )


def sound(path: Path, codec: str, container: str | None = None, *, seconds: float = 1.5, loudness: int = 8_000) -> None:
    """Writes sound with PyAV."""
    import av

    with av.open(str(path), "w", format=container) as file:
        file.metadata["title"] = "A tone"
        stream: Any = file.add_stream(codec, rate=RATE)
        stream.layout = "stereo"
        resampler = av.AudioResampler(format=stream.codec_context.format, layout="stereo", rate=RATE)
        samples, done = tone(seconds, loudness=loudness), 0
        while done < len(samples) // 2:
            part = samples[2 * done : 2 * done + 2 * 1024]
            frame = av.AudioFrame(format="s16", layout="stereo", samples=len(part) // 2)
            frame.planes[0].update(part.tobytes())
            frame.sample_rate, frame.pts, frame.time_base = RATE, done, Fraction(1, RATE)
            for ready in resampler.resample(frame):
                file.mux(stream.encode(ready))
            done += len(part) // 2
        file.mux(stream.encode(None))


def recorded(path: Path, container: str, subtype: str | None = None, *, title: str = "A tone") -> None:
    """Writes sound with libsndfile; without a title where the format has none."""
    import numpy
    import soundfile

    samples = numpy.frombuffer(tone(1.5).tobytes(), dtype="int16").reshape(-1, 2) / 32_768
    with soundfile.SoundFile(str(path), "w", RATE, 2, subtype, format=container) as file:
        if title:
            file.title = title
        file.write(samples)


def video(
    path: Path,
    codec: str,
    container: str | None = None,
    *,
    frames: int = 50,
    moving: bool = True,
    blank: bool = False,
    size: tuple[int, int] = (320, 240),
    options: dict[str, str] | None = None,
) -> None:
    """Writes video with PyAV."""
    import av

    with av.open(str(path), "w", format=container, options=options or {}) as file:
        stream: Any = file.add_stream(codec, rate=25)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        for number in range(frames):
            picture = Image.new("RGB", size, "white") if blank else figure(size, step=number if moving else 0)
            frame = av.VideoFrame.from_image(picture)
            frame.pts, frame.time_base = number, Fraction(1, 25)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def film(path: Path, *, seconds: float = 2.0) -> None:
    """Writes an MP4 with pictures and sound."""
    import av

    with av.open(str(path), "w", format="mp4") as file:
        pictures: Any = file.add_stream("libx264", rate=25)
        pictures.width, pictures.height, pictures.pix_fmt = 320, 240, "yuv420p"
        heard: Any = file.add_stream("aac", rate=RATE)
        heard.layout = "mono"
        for number in range(int(seconds * 25)):
            frame = av.VideoFrame.from_image(figure((320, 240), step=number))
            frame.pts, frame.time_base = number, Fraction(1, 25)
            file.mux(pictures.encode(frame))
        samples = tone(seconds, channels=1)
        for done in range(0, len(samples), 1024):
            part = samples[done : done + 1024]
            spoken = av.AudioFrame(format="s16", layout="mono", samples=len(part))
            spoken.planes[0].update(part.tobytes())
            spoken.sample_rate, spoken.pts, spoken.time_base = RATE, done, Fraction(1, RATE)
            file.mux(heard.encode(spoken))
        file.mux(pictures.encode(None))
        file.mux(heard.encode(None))
