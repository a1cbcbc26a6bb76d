"""Archives and compressed files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from judge.readers import Family
from tests.readers.formats.entry import Entry, Make
from tests.readers.formats.making import package, patched, raw, scrambled

_CSV = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * 2) for i in range(100))
_ZEROS = 80_000_000
_LOOKED = {"looked_into": lambda found: found[0]["format"] == "csv" and found[0]["rows"] == 100}


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/scores.csv", _CSV)
        archive.writestr("readme.md", "# Hello\n")
        archive.writestr("inner.zip", package({"deep.txt": b"words"}))


def _slip(path: Path) -> None:
    names = ("../../evil.sh", "/etc/cron.d/x", "C:\\windows\\x", "a\\..\\..\\b")
    path.write_bytes(package({name: b"x" for name in names}))


def _nested(levels: int, width: int) -> Make:
    def run(path: Path) -> None:
        data = b"0" * 1_000_000
        for _ in range(levels):
            data = package({f"{i}.zip": data for i in range(width)})
        path.write_bytes(data)

    return run


def _many(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(30_000):
            archive.writestr(f"{i}", b"")


def _quine(path: Path) -> None:
    """A stored member that is the archive's own beginning: looked into without bounds, it never ends."""
    inner = package({"a.zip": b"PK\x03\x04" + bytes(100)})
    for _ in range(30):
        inner = package({"a.zip": inner})
    path.write_bytes(inner)


def _overlapping(path: Path) -> None:
    """A directory in which a thousand names stand for the same member."""
    data = package({"a": b"0" * 4_000_000})
    at = data.find(b"PK\x01\x02")
    entry, end = data[at : data.find(b"PK\x05\x06")], data[data.find(b"PK\x05\x06") :]
    body = entry * 1_000
    end = end[:8] + struct.pack("<HHII", 1_000, 1_000, len(body), at) + end[20:]
    path.write_bytes(data[:at] + body + end)


def _tar(mode: str) -> Make:
    def run(path: Path) -> None:
        with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
            for name, data in (("scores.csv", _CSV), ("notes.txt", b"words\n")):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

    return run


def _cut_tar(path: Path) -> None:
    _tar("w")(path)
    path.write_bytes(path.read_bytes()[:1_000])


def _hostile_tar(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for name, kind, target in (
            ("/etc/passwd", tarfile.REGTYPE, ""), ("../../evil", tarfile.REGTYPE, ""),
            ("link", tarfile.SYMTYPE, "/etc"),
            ("hard", tarfile.LNKTYPE, "/etc/shadow"), ("dev", tarfile.CHRTYPE, ""), ("pipe", tarfile.FIFOTYPE, ""),
        ):  # fmt: skip
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info)


def _huge_tar(path: Path) -> None:
    info = tarfile.TarInfo("a")
    info.size = 1 << 60
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(2048))


def _long_names(path: Path) -> None:
    info = tarfile.TarInfo("x" * 3_000_000)
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))


def _written(pack: Callable[[bytes], bytes], data: bytes) -> Make:
    return lambda path: path.write_bytes(pack(data)) and None


def _zstd(data: bytes) -> bytes:
    import zstandard

    return zstandard.compress(data)


def _packed(name: str, suffix: str, pack: Callable[[bytes], bytes]) -> Entry:
    return Entry(name, (suffix,), Family.TABLE, _written(pack, _CSV), text="99,198", facts={"rows": 100},
                 hostile={"a bomb": _written(pack, bytes(_ZEROS)), "bytes overwritten": scrambled(_written(pack, _CSV)),
                          "a bomb in a bomb": _written(lambda data: pack(pack(data)), bytes(_ZEROS)),
                          "a name that lies": _written(pack, b"\x93NUMPY" + bytes(300))})  # fmt: skip


def _seven(path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(_CSV, "data/scores.csv")
        archive.writestr("words", "notes.txt")


def _locked_seven(path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w", password="x", header_encryption=True) as archive:
        archive.writestr("words", "notes.txt")


def _seven_bomb(path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(bytes(_ZEROS), "zeros")


def _vint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _rar_block(*numbers: int, rest: bytes = b"") -> bytes:
    body = b"".join(map(_vint, numbers)) + rest
    whole = _vint(len(body)) + body
    return struct.pack("<I", zlib.crc32(whole)) + whole


def _rar(path: Path) -> None:
    """As the format's description says: no writer of it is free."""
    name = b"docs/notes.txt"
    file = _rar_block(2, 2, 5, 0, 5, 0, 0, 0, len(name), rest=name) + b"words"
    path.write_bytes(b"Rar!\x1a\x07\x01\x00" + _rar_block(1, 0, 0) + file + _rar_block(5, 0, 0))


def _rar_loop(path: Path) -> None:
    path.write_bytes(b"Rar!\x1a\x07\x01\x00" + _rar_block(3, 0, 0) * 300_000)


ENTRIES: tuple[Entry, ...] = (
    Entry("zip", (".zip", ".whl"), Family.ARCHIVE, _zip, text="inner.zip [zip, holds deep.txt]",
          facts={"member_count": 3, **_LOOKED},
          hostile={"a bomb": _written(lambda data: package({"a": data}), bytes(_ZEROS)),
                   "names that lead out": _slip, "zips in zips": _nested(4, 12), "30 levels of zips": _quine,
                   "30,000 members": _many, "a thousand names for one member": _overlapping,
                   "bytes overwritten": scrambled(_zip, 0.1, 100),
                   "a flag that says encrypted": patched(_zip, (b"PK\x01\x02\x14\x03\x14\0\0\0",
                                                                b"PK\x01\x02\x14\x03\x14\0\1\0"))}),
    Entry("tar", (".tar",), Family.ARCHIVE, _tar("w"), text="scores.csv [csv, 100 rows]",
          facts={"member_count": 2, **_LOOKED}, make_damaged=_cut_tar,
          hostile={"absolute names, devices and links": _hostile_tar, "a member of an exabyte": _huge_tar,
                   "a name of 3 MB": _long_names, "headers overwritten": scrambled(_tar("w"), 0.0, 300)}),
    Entry("tar.gz", (".tgz", ".gz"), Family.ARCHIVE, _tar("w:gz"), text="scores.csv", facts=_LOOKED),
    Entry("tar.bz2", (".tbz2", ".bz2"), Family.ARCHIVE, _tar("w:bz2"), text="scores.csv", facts=_LOOKED),
    Entry("tar.xz", (".txz", ".xz"), Family.ARCHIVE, _tar("w:xz"), text="scores.csv", facts=_LOOKED),
    _packed("csv in gz", ".csv.gz", gzip.compress),
    _packed("csv in bz2", ".csv.bz2", bz2.compress),
    _packed("csv in xz", ".csv.xz", lzma.compress),
    _packed("csv in zstandard", ".csv.zst", _zstd),
    Entry("7z", (".7z",), Family.ARCHIVE, _seven, text="notes.txt [txt]", facts={"member_count": 2, **_LOOKED},
          extra="archives", modules=("py7zr",),
          hostile={"encrypted, its list too": _locked_seven, "a bomb": _seven_bomb,
                   "its start overwritten": scrambled(_seven, 0.02, 20),
                   "its list overwritten": scrambled(_seven, 0.8, 40),
                   "a list of 4 GB": raw(b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack(
                       "<I", zlib.crc32(struct.pack("<QQI", 0, 1 << 32, 0))) + struct.pack("<QQI", 0, 1 << 32, 0))}),
    Entry("rar", (".rar",), Family.ARCHIVE, _rar, text="docs/notes.txt", facts={"member_count": 1},
          hostile={"300,000 blocks": _rar_loop, "numbers without end": raw(b"Rar!\x1a\x07\x01\x00" + b"\xff" * 5_000)}),
)  # fmt: skip
