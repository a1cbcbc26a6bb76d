"""The ``.eval`` archive of Inspect: its members as JSON, also those that are compressed with Zstandard."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_MAX_MEMBER = 512 * 1024 * 1024
_MAX_SAMPLES = 10_000
_ZSTANDARD = 93
_HEADER = struct.Struct("<4s22xHH")


def is_archive(path: Path, head: str) -> bool:
    """Whether a file is a zip with the members of a log."""
    if not head.startswith("PK"):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()[:200_000]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False
    return "header.json" in names or any(name.startswith(("samples/", "_journal/")) for name in names)


def samples(path: Path, problems: list[str]) -> Iterator[dict[str, Any]]:
    """Each sample of an archive; what cannot be read is noted.

    Args:
        path: The archive.
        problems: Where lines on damaged members go.
    """
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            members = [item for item in archive.infolist() if item.filename.startswith("samples/")]
            members.sort(key=lambda item: item.header_offset)
            if len(members) > _MAX_SAMPLES:
                problems.append(f"holds {len(members)} samples; the first {_MAX_SAMPLES} are read")
            for item in members[:_MAX_SAMPLES]:
                value = _load(archive, stream, item, problems)
                if isinstance(value, dict):
                    yield value
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        problems.append(f"the archive cannot be read: {error}")


def header(path: Path) -> dict[str, Any]:
    """The log's header; empty when there is none, as in a log whose run was cut off."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            for name in ("header.json", "_journal/start.json"):
                if name in archive.namelist():
                    value = _load(archive, stream, archive.getinfo(name), [])
                    if isinstance(value, dict):
                        return value
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        pass
    return {}


def _load(archive: zipfile.ZipFile, stream: Any, item: zipfile.ZipInfo, problems: list[str]) -> Any:
    if item.file_size > _MAX_MEMBER or item.compress_size > _MAX_MEMBER:
        problems.append(f"{item.filename} is larger than {_MAX_MEMBER >> 20} MB and is not read")
        return None
    try:
        if item.compress_type == _ZSTANDARD:
            data = _zstandard(stream, item)
        else:
            with archive.open(item) as opened:
                data = opened.read(_MAX_MEMBER)
        return json.loads(data, parse_constant=lambda _: None)
    except (
        OSError,
        zipfile.BadZipFile,
        ValueError,
        RuntimeError,
        RecursionError,
        NotImplementedError,
        EOFError,
        zlib.error,
    ):
        problems.append(f"{item.filename} is damaged and is not read")
        return None


def _zstandard(stream: Any, item: zipfile.ZipInfo) -> bytes:
    """The content of a member that the standard library cannot decompress before Python 3.14.

    Raises:
        ValueError: It is damaged.
    """
    import zstandard

    stream.seek(item.header_offset)
    mark, name, extra = _HEADER.unpack(stream.read(_HEADER.size))
    if mark != b"PK\x03\x04" or item.flag_bits & 1:
        raise ValueError("no member")
    stream.seek(name + extra, 1)
    data = stream.read(item.compress_size)
    try:
        content: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if len(content) != item.file_size or zlib.crc32(content) != item.CRC:
        raise ValueError("wrong checksum")
    return content
