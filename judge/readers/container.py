"""Opens sound and video from bytes: with the one demuxer that fits, and never anything beside the file."""

from __future__ import annotations

import importlib.util
import io
from typing import Any, NoReturn

from judge.readers.document import Source
from judge.readers.extras import bring
from judge.readers.media_kinds import MediaKind

_STREAMS = 32
_BUFFER = 1 << 18


class Window:
    """The bytes of a source as a file: of a long one the first and the last, and an end at the gap between them."""

    name = ""

    def __init__(self, source: Source) -> None:
        self._head = memoryview(source.data)
        self._tail = memoryview(source.tail if source.truncated else b"")
        self._size = source.size if source.truncated else len(source.data)
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        """The bytes at the position; none at the end and in the gap."""
        part, start = self._head, self._position
        if start >= len(self._head):
            part, start = self._tail, start - (self._size - len(self._tail))
        if start < 0 or start >= len(part):
            return b""
        data = bytes(part[start : len(part) if size < 0 else start + size])
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Moves to a place, which may lie in the gap."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def tell(self) -> int:
        """The position."""
        return self._position

    def seekable(self) -> bool:
        """Always."""
        return True


def _refuse(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    raise PermissionError("nothing beside the file is opened")


def open_container(source: Source, kind: MediaKind) -> Any:
    """The opened file, an ``av.container.InputContainer``; to be closed.

    Raises:
        ReaderProblem: The extra ``media`` is not installed.
        av.FFmpegError: It is damaged.
    """
    av = bring("av", "media")
    bounds = {
        "protocol_whitelist": "none",
        "format_whitelist": kind.demuxer,
        "max_streams": str(_STREAMS),
    }
    return av.open(
        Window(source),
        format=kind.demuxer,
        container_options=bounds,
        metadata_errors="replace",
        buffer_size=_BUFFER,
        io_open=_refuse,
    )


def media_installed() -> bool:
    """Whether the extra is there."""
    return importlib.util.find_spec("av") is not None


def main_streams(container: Any) -> tuple[Any, Any]:
    """The first picture stream that is no cover, and the first sound stream; None where there is none to be decoded."""
    streams = [stream for stream in container.streams if stream.codec_context is not None and not _is_cover(stream)]
    found = {stream.type: stream for stream in reversed(streams)}
    return found.get("video"), found.get("audio")


def _is_cover(stream: Any) -> bool:
    return "attached_pic" in str(getattr(stream, "disposition", "")).lower()


def seconds(container: Any, *streams: Any) -> float | None:
    """What the file says of its length, in seconds; None where it says nothing."""
    for stream in streams:
        if stream is not None and stream.duration and stream.time_base:
            return float(stream.duration * stream.time_base)
    return container.duration / 1_000_000 if container.duration and container.duration > 0 else None
