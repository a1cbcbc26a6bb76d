"""Compressed streams (gz, bz2, xz, zstandard, zlib): their first bytes, within bounds on size and expansion."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from typing import Any

from judge.readers.document import Limits, ReaderProblem, State

_MAGIC = (
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x5d\x00\x00", "lzma"),
    (b"\x28\xb5\x2f\xfd", "zst"),
)
_BLOCK = 256 * 1024
_WINDOW = 128 * 1024 * 1024


def packing_of(data: bytes) -> str:
    """The name of the compression that bytes begin as, or an empty string."""
    name = next((name for magic, name in _MAGIC if data.startswith(magic)), "")
    if name == "lzma" and data[5:13] != b"\xff" * 8 and data[10:13] != b"\0\0\0":  # its length, if it is known
        return ""
    return name


def unpack(data: bytes, limits: Limits, *, cut: bool = False) -> tuple[bytes, bool]:
    """The first bytes of a compressed stream, and whether it goes on.

    Args:
        data: The stream; zlib when it begins as none of the others.
        limits: Bounds on the size and the expansion of what comes out.
        cut: Whether only the beginning of the stream is at hand: then its end need not be there.

    Raises:
        ReaderProblem: It is damaged or expands beyond the bounds.
    """
    limit = min(limits.max_bytes * 2, max(1 << 20, len(data) * limits.max_expansion))
    blocks: list[bytes] = []
    size, problem = 0, ""
    try:
        stream = _open(data)
        while size <= limit:
            block = stream.read(min(_BLOCK, limit + 1 - size))
            if not block:
                break
            blocks.append(block)
            size += len(block)
        if size <= limit:
            _check_end(data, stream)
    except _errors() as error:
        problem = f"damaged or cut compressed data: {error or type(error).__name__}"
    found = b"".join(blocks)
    if size > limit and limit < limits.max_bytes * 2:
        raise ReaderProblem(f"unpacks to more than {limits.max_expansion} times its size", State.UNREADABLE)
    if problem and not (cut and found):
        raise ReaderProblem(problem)
    return found[:limit], size > limit or bool(problem)


def _open(data: bytes) -> Any:
    raw = io.BytesIO(data)
    kind = packing_of(data)
    if kind == "gz":
        return gzip.open(raw)
    if kind == "bz2":
        return bz2.open(raw)
    if kind in {"xz", "lzma"}:
        return lzma.open(raw)
    if kind == "zst":
        import zstandard

        return zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(raw, read_across_frames=True)
    return _Zlib(data)


def _check_end(data: bytes, stream: Any) -> None:
    """Raises ``EOFError`` when the stream stopped before its end, where reading it does not tell."""
    if isinstance(stream, _Zlib):
        if not stream.ended:
            raise EOFError("the end is missing")
    elif packing_of(data) == "zst":
        import zstandard

        # What comes out is known to be within the bounds by now.
        inflater = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        inflater.decompress(data)
        if not inflater.eof:
            raise EOFError("the end is missing")


class _Zlib:
    """A zlib stream that is read in blocks."""

    def __init__(self, data: bytes) -> None:
        self._inflater = zlib.decompressobj()
        self._rest = data

    @property
    def ended(self) -> bool:
        """Whether the end of the stream was reached."""
        return self._inflater.eof

    def read(self, size: int) -> bytes:
        """Some of the next bytes; none when there are no more."""
        block = self._inflater.decompress(self._rest, size)
        self._rest = self._inflater.unconsumed_tail
        return block


def _errors() -> tuple[type[Exception], ...]:
    import zstandard

    known: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError)
    return (*known, zstandard.ZstdError)
