"""Everything else: what the first bytes tell, and the strings in it."""

from __future__ import annotations

import math
import re
from collections import Counter

from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.text import looks_like_text

_MAGIC: tuple[tuple[bytes, int, str, Family], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "ole", Family.DOCUMENT),
    (b"CDF\x01", 0, "netcdf", Family.ARRAY),
    (b"CDF\x02", 0, "netcdf", Family.ARRAY),
    (b"SIMPLE  =", 0, "fits", Family.ARRAY),
    (b"Obj\x01", 0, "avro", Family.TABLE),
    (b"OTTO\0", 0, "otf", Family.BINARY),
    (b"\0\x01\0\0\0", 0, "ttf", Family.BINARY),
    (b"!<arch>\n", 0, "ar", Family.ARCHIVE),
    (b"070701", 0, "cpio", Family.ARCHIVE),
    (b"MSCF\0\0\0\0", 0, "cab", Family.ARCHIVE),
    (b"\xed\xab\xee\xdb", 0, "rpm", Family.ARCHIVE),
    (b"\x04\x22\x4d\x18", 0, "lz4", Family.ARCHIVE),
    (b"glTF", 0, "glb", Family.BINARY),
    (b"BLENDER", 0, "blend", Family.BINARY),
    (b"\x7fELF", 0, "elf", Family.BINARY),
    (b"\xcf\xfa\xed\xfe", 0, "mach-o", Family.BINARY),
    (b"MZ", 0, "exe", Family.BINARY),
    (b"\x00asm", 0, "wasm", Family.BINARY),
    (b"\xca\xfe\xba\xbe", 0, "class", Family.BINARY),
    (b"wOF2", 0, "woff2", Family.BINARY),
    (b"wOFF", 0, "woff", Family.BINARY),
)
_SAMPLE = 1 << 20
_DENSE, _ENOUGH = 7.9, 16_384
_STRINGS = re.compile(rb"[\x20-\x7e]{6,200}")


def magic_of(data: bytes) -> tuple[str, Family] | None:
    """The format and family that the first bytes tell, for formats without a reader of their own."""
    for magic, offset, name, family in _MAGIC:
        if data[offset : offset + len(magic)] == magic:
            return name, family
    return None


def _read(source: Source, limits: Limits) -> Document:
    known = magic_of(source.data)
    format_, family = known or ("bin", Family.BINARY)
    state, problems = State.PARTIAL, ["only its first bytes and size were looked at"]
    if not source.data.strip(b"\0"):
        state, problems = State.BLANK, ["nothing but zero bytes"]
    elif len(set(source.data[:_SAMPLE])) == 1:
        state, problems = State.BLANK, ["one byte over and over"]
    strings = [match.group().decode("ascii") for match in _STRINGS.finditer(source.data[:_SAMPLE])][:100]
    return Document(
        source.path,
        format_,
        family,
        state,
        "\n".join(strings)[: limits.max_chars],
        {"recognised": known is not None, **_noise(source.data[:_SAMPLE]), "strings": len(strings)},
        problems=tuple(problems),
    )


def _noise(data: bytes) -> dict[str, object]:
    """Bits of information a byte carries: near 8 for what is compressed, encrypted or random."""
    counts = Counter(data)
    entropy = -sum(count / len(data) * math.log2(count / len(data)) for count in counts.values())
    look = "compressed, encrypted or random" if entropy > _DENSE and len(data) >= _ENOUGH else ""
    return {"entropy": round(abs(entropy), 3), "looks": look, "begins_with": data[:16].hex(" ")}


def _sniff(data: bytes) -> bool:
    """Whether a magic number is known; some are plain letters, with which a text may begin too."""
    return magic_of(data) is not None and not looks_like_text(data)


KNOWN_READER = Reader("known binary", frozenset(), _sniff, _read)
UNKNOWN_READER = Reader("binary", frozenset(), lambda data: True, _read)
