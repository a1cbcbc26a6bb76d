"""The bytes of a file, unpacked when they are gzip or Zstandard, within bounds."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_BOMB_BYTES = 64 * 1024 * 1024
_BOMB_RATIO = 200
"""Steps of an agent shrink to a tenth or a fiftieth; what shrinks further is made to fill memory and time."""


def read_bytes(path: Path, size: int, problems: list[str]) -> Iterator[bytes]:
    """The file's bytes in pieces of at most about ``size``; a damaged or cut packed file gives what it still holds.

    Args:
        path: A regular file.
        size: Largest piece.
        problems: Where it is noted that the packed data are cut, damaged or too large.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as raw:
        magic = raw.peek(4)[:4]
        if magic[:2] == GZIP:
            pieces = _gzip(raw, size, problems)
        elif magic == ZSTD:
            pieces = _zstd(raw, size, problems)
        else:
            while data := raw.read(size):
                yield data
            return
        unpacked = 0
        for data in pieces:
            yield data
            unpacked += len(data)
            if unpacked > _BOMB_BYTES and unpacked > _BOMB_RATIO * raw.tell():
                problems.append(f"unpacks to more than {_BOMB_RATIO} times its size; the rest is not read")
                return


def _gzip(raw: IO[bytes], size: int, problems: list[str]) -> Iterator[bytes]:
    unpack = zlib.decompressobj(wbits=31)
    left = b""
    while True:
        left = left or raw.read(size)
        if not left:
            problems.append("the compressed file ends early")
            return
        try:
            data = unpack.decompress(left, size)
        except zlib.error as error:
            problems.append(f"the compressed file is damaged: {error}")
            return
        if data:
            yield data
        left = unpack.unconsumed_tail
        if unpack.eof:
            left = unpack.unused_data or raw.read(size)
            if not left.startswith(GZIP):
                return
            unpack = zlib.decompressobj(wbits=31)


def _zstd(raw: IO[bytes], size: int, problems: list[str]) -> Iterator[bytes]:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(raw, read_across_frames=True) as reader:
            while data := reader.read(size):
                yield data
    except zstandard.ZstdError as error:
        problems.append(f"the compressed file is damaged: {error}")
