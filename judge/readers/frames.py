"""How many frames or pages a picture has, counted without decoding them."""

from __future__ import annotations

from typing import Literal

from judge.readers.parts import Clock

_MOST = 2_000_000


def count_gif_frames(data: bytes, clock: Clock) -> int:
    """Frames of a GIF, as far as the bytes and the time go."""
    position = 13 + _colours(data, 10)
    frames = 0
    while position < len(data):
        mark = data[position]
        if mark == 0x21:  # an extension
            position += 2
        elif mark == 0x2C:  # a frame: its place, its colours, the width of its codes
            if len(data) < position + 11:
                break
            frames += 1
            position += 11 + _colours(data, position + 9)
        else:
            break
        while position < len(data) and data[position]:
            position += data[position] + 1
        position += 1
        if frames % 4096 == 0 and clock.over:
            break
    return frames


def _colours(data: bytes, flags: int) -> int:
    """Bytes of the colour table that a byte of flags announces."""
    packed = data[flags] if flags < len(data) else 0
    return 3 << ((packed & 7) + 1) if packed & 0x80 else 0


def count_tiff_pages(data: bytes, clock: Clock) -> tuple[int, str]:
    """Pages of a TIFF, and what is wrong with its chain of directories: it may break off, or bite its own tail."""
    order: Literal["little", "big"] = "little" if data[:2] == b"II" else "big"
    big = int.from_bytes(data[2:4], order) == 43
    wide, entry, counter = (8, 20, 8) if big else (4, 12, 2)
    position = int.from_bytes(data[8:16] if big else data[4:8], order)
    seen: set[int] = set()
    while 8 <= position < len(data) - counter and position not in seen and len(seen) < _MOST:
        seen.add(position)
        entries = int.from_bytes(data[position : position + counter], order)
        link = position + counter + entries * entry
        position = int.from_bytes(data[link : link + wide], order)
        if len(seen) % 4096 == 0 and clock.over:
            return len(seen), ""
    if position in seen:
        return len(seen), "its pages are followed by themselves"
    return len(seen), "the pages after the first ones are missing" if position and seen else ""
