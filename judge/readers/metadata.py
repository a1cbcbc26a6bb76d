"""What a media file says of itself: titles, comments, EXIF. Untrusted text, cut to a few short entries."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from judge.text import one_line, valid_unicode

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

_ENTRIES = 40
_NAME = 60
_VALUE = 300
_CHUNKS = 200_000
_INFLATED = 8_192
"""Bytes that a compressed text chunk is unpacked to: more than is shown, and nothing a bomb could use."""
_PNG = b"\x89PNG\r\n\x1a\n"
_TEXT_CHUNKS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
_DROPPED = _TEXT_CHUNKS | {b"iCCP"}
_EXIF_FOLDER = 0x8769
_BULK = frozenset({"MakerNote", "PrintImageMatching", "StripOffsets", "StripByteCounts", "TileOffsets", "ColorMap",
                   "TileByteCounts", "JPEGTables", "InterColorProfile", "ExifOffset", "GPSInfo"})  # fmt: skip


def tidy_metadata(pairs: Iterable[tuple[object, object]]) -> dict[str, str]:
    """The first entries as short lines of text; what is no text, or empty, is left out."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if len(found) >= _ENTRIES:
            break
        words = _words(value)
        if words:
            found[one_line(valid_unicode(str(name)[:_NAME]))] = words
    return found


def picture_metadata(picture: ImageFile, texts: Mapping[str, str]) -> dict[str, str]:
    """Text chunks, comments and EXIF of an open picture.

    Args:
        picture: The picture; not decoded for this.
        texts: Text chunks that were read before.
    """
    from PIL import ExifTags

    pairs: list[tuple[object, object]] = list(texts.items())
    pairs += [(name, picture.info.get(name)) for name in ("comment", "Title", "Description")]
    try:
        exif = picture.getexif()
        tags = [*exif.items(), *exif.get_ifd(_EXIF_FOLDER).items()]
    except Exception:  # noqa: BLE001 - task boundary: a broken EXIF block makes the picture no worse
        tags = []
    for number, value in tags:
        name = ExifTags.TAGS.get(number, "")
        if name and name not in _BULK and not isinstance(value, (tuple, dict)):
            pairs.append((name, value))
    return tidy_metadata(pairs)


def without_texts(data: bytes) -> tuple[bytes, dict[str, str]]:
    """A PNG without its text chunks and colour profile, and the texts, each unpacked only as far as it is shown.

    The picture library unpacks them whole and gives up a sound picture for a long one.
    """
    kept = [data[:8]]
    texts: dict[str, str] = {}
    position = start = 8
    for _ in range(_CHUNKS):
        head = data[position : position + 8]
        kind, size = head[4:], int.from_bytes(head[:4], "big")
        if len(head) < 8 or kind == b"IEND":
            break
        end = position + 12 + size
        if kind in _DROPPED and end <= len(data):
            kept.append(data[start:position])
            start = end
            if kind in _TEXT_CHUNKS and len(texts) < _ENTRIES:
                name, text = _text_chunk(kind, data[position + 8 : min(end - 4, position + 8 + (1 << 20))])
                texts.setdefault(name, text)
        position = end
    return (b"".join([*kept, data[start:]]), texts) if start > 8 else (data, texts)


def _text_chunk(kind: bytes, body: bytes) -> tuple[str, str]:
    name, _, rest = body.partition(b"\0")
    packed = kind == b"zTXt"
    if kind == b"zTXt":
        rest = rest[1:]
    elif kind == b"iTXt":
        packed = rest[:1] == b"\1"
        rest = rest[2:].split(b"\0", 2)[-1]
    if packed:
        try:
            rest = zlib.decompressobj().decompress(rest, _INFLATED)
        except zlib.error:
            rest = b""
    encoding = "utf-8" if kind == b"iTXt" else "latin-1"
    return name.decode("latin-1"), rest[:_INFLATED].decode(encoding, "replace")


def _words(value: object) -> str:
    if isinstance(value, bytes):
        value = value[: 4 * _VALUE].removeprefix(b"ASCII\0\0\0").strip(b"\0 ")
        if any(byte < 9 or 13 < byte < 32 for byte in value):
            return ""
        value = value.decode("utf-8", "replace")
    if isinstance(value, float):
        value = f"{value:g}"
    if value is None or isinstance(value, (tuple, list, dict)):
        return ""
    return one_line(" ".join(valid_unicode(str(value)[: 4 * _VALUE].replace("\0", " ")).split()), _VALUE)


def metadata_facts(metadata: Mapping[str, str]) -> dict[str, Any]:
    """The fact ``metadata``, where there is any."""
    return {"metadata": dict(metadata)} if metadata else {}
