"""Small things that the makers of files share."""

from __future__ import annotations

import io
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.readers.formats.entry import Make

_SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def sample(name: str) -> Make:
    """A maker that copies a file of the samples folder."""

    def run(path: Path) -> None:
        data = (_SAMPLES / name).read_bytes()
        path.write_bytes(lzma.decompress(data) if name.endswith(".xz") else data)

    return run


def raw(data: bytes | str) -> Make:
    """A maker of these bytes."""
    return lambda path: _write(path, data.encode() if isinstance(data, str) else data)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def repeated(*pieces: tuple[bytes, int]) -> Make:
    """A maker of pieces of bytes, each so many times; made when it is run."""
    return lambda path: _write(path, b"".join(piece * times for piece, times in pieces))


def package(members: Mapping[str, bytes]) -> bytes:
    """A packed zip file; ``mimetype`` is stored as it is, as some formats want."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data, compress_type=zipfile.ZIP_STORED if name == "mimetype" else None)
    return out.getvalue()


def swapped(make: Make, member: str, data: bytes) -> Make:
    """A maker of a zip file like another's, with other content in one member."""

    def run(path: Path) -> None:
        make(path)
        with zipfile.ZipFile(path) as old:
            members = {name: old.read(name) for name in old.namelist()}
        path.write_bytes(package(members | {member: data}))

    return run


def patched(make: Make, *changes: tuple[bytes, bytes]) -> Make:
    """A maker of what another one writes, with some bytes put in place of others, which must be there."""

    def run(path: Path) -> None:
        make(path)
        data = path.read_bytes()
        for old, new in changes:
            assert old in data
            data = data.replace(old, new)
        path.write_bytes(data)

    return run


def scrambled(make: Make, start: float = 0.4, length: int = 400) -> Make:
    """A maker of what another one writes, with bytes in the middle overwritten."""

    def run(path: Path) -> None:
        make(path)
        data = bytearray(path.read_bytes())
        at = int(len(data) * start)
        data[at : at + length] = bytes((byte * 7 + 91) & 0xFF for byte in data[at : at + length])
        path.write_bytes(bytes(data))

    return run
