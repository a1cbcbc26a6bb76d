"""The ``.eval`` archive of Inspect: its members as JSON, also those that are compressed with Zstandard."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from judge.jsontext import printable
from judge.trajectories.jsonlines import too_deep

_MAX_MEMBER = 256 * 1024 * 1024
_MAX_TOTAL = 4 * 1024**3
_BOMB_BYTES = 64 * 1024 * 1024
_BOMB_RATIO = 200
"""Samples shrink to a tenth or a fiftieth; what shrinks further is made to fill memory and time."""
_MAX_SAMPLES = 10_000
_MAX_NOTES = 30
_ZSTANDARD = 93
_HEADER = struct.Struct("<4s22xHH")
_FAULTS = (
    OSError,
    zipfile.BadZipFile,
    ValueError,
    RuntimeError,
    RecursionError,
    NotImplementedError,
    EOFError,
    zlib.error,
    struct.error,
    LookupError,
    MemoryError,
)
"""What a damaged or hostile archive raises somewhere in the standard library."""


def is_archive(path: Path, head: str) -> bool:
    """Whether a file is a zip with the members of a log."""
    if not head.startswith("PK"):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except _FAULTS:
        return False
    journal = any(name.startswith("_journal/") for name in names)
    samples_in = any(name.startswith("samples/") and name.endswith(".json") for name in names)
    return journal or (samples_in and ("header.json" in names or "summaries.json" in names))


def samples(path: Path, problems: list[str]) -> Iterator[dict[str, Any]]:
    """Each sample of an archive; what cannot be read is noted.

    Args:
        path: The archive.
        problems: Where lines on damaged members go.
    """
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            # A sample that was written twice counts as it was written last.
            named = {item.filename: item for item in archive.infolist() if item.filename.startswith("samples/")}
            members = sorted(named.values(), key=lambda item: item.header_offset)
            if len(members) > _MAX_SAMPLES:
                problems.append(f"holds {len(members)} samples; the first {_MAX_SAMPLES} are read")
            size, unpacked = path.stat().st_size, 0
            for item in members[:_MAX_SAMPLES]:
                data = _unpacked(archive, stream, item, problems)
                unpacked += len(data or b"")
                if unpacked > _MAX_TOTAL or (unpacked > _BOMB_BYTES and unpacked > _BOMB_RATIO * size):
                    problems.append("unpacks to far more than its size; the rest is not read")
                    return
                value = None if data is None else _parsed(data, item, problems)
                if isinstance(value, dict):
                    yield value
    except _FAULTS as error:
        problems.append(f"the archive cannot be read: {printable(str(error))[:200]}")


def header(path: Path) -> dict[str, Any]:
    """The log's header; empty when there is none, as in a log whose run was cut off."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            for name in ("header.json", "_journal/start.json"):
                if name in archive.namelist():
                    item = archive.getinfo(name)
                    data = _unpacked(archive, stream, item, [])
                    value = None if data is None else _parsed(data, item, [])
                    if isinstance(value, dict):
                        return value
    except _FAULTS:
        pass
    return {}


def _unpacked(archive: zipfile.ZipFile, stream: IO[bytes], item: zipfile.ZipInfo, problems: list[str]) -> bytes | None:
    """The bytes of a member; what it says of its own size is not believed."""
    name = printable(item.filename)[:120]
    bomb = item.file_size > _BOMB_BYTES and item.file_size > _BOMB_RATIO * max(1, item.compress_size)
    if item.file_size > _MAX_MEMBER or item.compress_size > _MAX_MEMBER or bomb:
        _note(problems, f"{name} is larger than {_MAX_MEMBER >> 20} MB, or packed beyond reason, and is not read")
        return None
    try:
        if item.compress_type == _ZSTANDARD:
            return _zstandard(stream, item)
        with archive.open(item) as opened:
            return opened.read(item.file_size + 1)
    except _FAULTS:
        _note(problems, f"{name} is damaged and is not read")
        return None


def _note(problems: list[str], line: str) -> None:
    """Adds a line on a member, as long as there are few."""
    if len(problems) < _MAX_NOTES:
        problems.append(line)
    elif len(problems) == _MAX_NOTES:
        problems.append("more members cannot be read")


def _parsed(data: bytes, item: zipfile.ZipInfo, problems: list[str]) -> Any:
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"), strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, dict) or too_deep(value):
        _note(problems, f"{printable(item.filename)[:120]} is damaged and is not read")
        return None
    return value


def _zstandard(stream: IO[bytes], item: zipfile.ZipInfo) -> bytes:
    """The content of a member that the standard library cannot decompress before Python 3.14.

    Raises:
        ValueError: It is damaged, or not what the archive says of it.
    """
    import zstandard

    stream.seek(item.header_offset)
    mark, name, extra = _HEADER.unpack(stream.read(_HEADER.size))
    if mark != b"PK\x03\x04" or item.flag_bits & 1:
        raise ValueError("no member")
    stream.seek(name + extra, 1)
    packed = io.BytesIO(stream.read(item.compress_size))
    parts, size = [], 0
    try:
        # The size that the frame names is not believed: no more is unpacked than the archive promises.
        unpack = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        with unpack.stream_reader(packed, read_across_frames=True) as reader:
            while size <= item.file_size and (data := reader.read(1 << 20)):
                parts.append(data)
                size += len(data)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    content = b"".join(parts)
    if size != item.file_size or zlib.crc32(content) != item.CRC:
        raise ValueError("wrong size or checksum")
    return content
