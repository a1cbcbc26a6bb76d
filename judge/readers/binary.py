"""Everything else: what the first bytes tell, and the strings in it."""

from __future__ import annotations

import re

from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.text import looks_like_text

_MAGIC: tuple[tuple[bytes, int, str, Family], ...] = (
    (b"PAR1", 0, "parquet", Family.TABLE),
    (b"ARROW1", 0, "arrow", Family.TABLE),
    (b"FEA1", 0, "feather", Family.TABLE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "ole", Family.DOCUMENT),
    (b"{\\rtf", 0, "rtf", Family.DOCUMENT),
    (b"MATLAB 5.0", 0, "mat", Family.ARRAY),
    (b"ID3", 0, "mp3", Family.AUDIO),
    (b"\xff\xfb", 0, "mp3", Family.AUDIO),
    (b"\xff\xf3", 0, "mp3", Family.AUDIO),
    (b"fLaC", 0, "flac", Family.AUDIO),
    (b"OggS", 0, "ogg", Family.AUDIO),
    (b"ftypM4A", 4, "m4a", Family.AUDIO),
    (b"ftyp", 4, "mp4", Family.VIDEO),
    (b"\x1aE\xdf\xa3", 0, "mkv", Family.VIDEO),
    (b"AVI ", 8, "avi", Family.VIDEO),
    (b"FLV\x01", 0, "flv", Family.VIDEO),
    (b"\x00\x00\x01\xba", 0, "mpg", Family.VIDEO),
    (b"7z\xbc\xaf\x27\x1c", 0, "7z", Family.ARCHIVE),
    (b"Rar!\x1a\x07", 0, "rar", Family.ARCHIVE),
    (b"\x28\xb5\x2f\xfd", 0, "zst", Family.ARCHIVE),
    (b"\x7fELF", 0, "elf", Family.BINARY),
    (b"\xcf\xfa\xed\xfe", 0, "mach-o", Family.BINARY),
    (b"MZ", 0, "exe", Family.BINARY),
    (b"\x00asm", 0, "wasm", Family.BINARY),
    (b"\xca\xfe\xba\xbe", 0, "class", Family.BINARY),
    (b"wOF2", 0, "woff2", Family.BINARY),
    (b"wOFF", 0, "woff", Family.BINARY),
)
_CLAIMS = {
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow feather", ".doc": "ole", ".xls": "ole",
    ".ppt": "ole", ".rtf": "rtf", ".mp3": "mp3", ".flac": "flac", ".ogg": "ogg", ".m4a": "m4a mp4", ".mp4": "mp4",
    ".mov": "mp4", ".mkv": "mkv", ".webm": "mkv", ".avi": "avi", ".flv": "flv", ".mpg": "mpg", ".7z": "7z",
    ".rar": "rar", ".zst": "zst",
}  # fmt: skip
_ENDS = {"parquet": b"PAR1", "arrow": b"ARROW1"}
_STRINGS = re.compile(rb"[\x20-\x7e]{6,200}")


def magic_of(data: bytes) -> tuple[str, Family] | None:
    """The format and family that the first bytes tell, for formats without a reader of their own."""
    for magic, offset, name, family in _MAGIC:
        if data[offset : offset + len(magic)] == magic and not (offset == 8 and data[:4] != b"RIFF"):
            return name, family
    return None


def _read(source: Source, limits: Limits) -> Document:
    known = magic_of(source.data)
    format_, family = known or ("bin", Family.BINARY)
    state, problems = State.PARTIAL, ["only its first bytes and size were looked at"]
    claimed = _CLAIMS.get(source.suffix, "").split()
    end = _ENDS.get(format_)
    if claimed and format_ not in claimed:
        state = State.MISMATCH if known else State.BROKEN
        problems = [f"it does not begin as {claimed[0]} does"]
    elif end and not (source.tail or source.data).endswith(end):
        state, problems = State.BROKEN, ["its end is missing"]
    strings = [match.group().decode("ascii") for match in _STRINGS.finditer(source.data[: 1 << 20])][:100]
    if not source.data.strip(b"\0"):
        state, problems = State.BLANK, ["nothing but zero bytes"]
    return Document(
        source.path,
        format_,
        family,
        state,
        "\n".join(strings)[: limits.max_chars],
        {"recognised": known is not None},
        problems=tuple(problems),
    )


def _sniff(data: bytes) -> bool:
    """Whether a magic number is known; some are plain letters, with which a text may begin too."""
    known = magic_of(data)
    return known is not None and (known[0] == "rtf" or not looks_like_text(data))


KNOWN_READER = Reader("known binary", frozenset(_CLAIMS), _sniff, _read)
UNKNOWN_READER = Reader("binary", frozenset(), lambda data: True, _read)
