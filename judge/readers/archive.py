"""Archives: what lies in them, without unpacking anything to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterable
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.readers.zipbox import ZipBox, is_zip
from judge.text import decode, one_line

_MEMBERS = 200
_MAGIC = ((b"\x1f\x8b", "gz"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz"))


def unpack(data: bytes, limits: Limits) -> tuple[bytes, bool]:
    """The first bytes of a gz, bz2, xz or zlib stream, and whether it goes on.

    Raises:
        ReaderProblem: It is damaged or expands beyond the bounds.
    """
    limit = min(limits.max_bytes * 2, max(1 << 20, len(data) * limits.max_expansion))
    format_ = _packing(data)
    raw = io.BytesIO(data)
    try:
        if format_ == "gz":
            with gzip.open(raw) as stream:
                found = stream.read(limit + 1)
        elif format_ == "bz2":
            with bz2.open(raw) as stream:
                found = stream.read(limit + 1)
        elif format_ == "xz":
            with lzma.open(raw) as stream:
                found = stream.read(limit + 1)
        else:
            found = zlib.decompressobj().decompress(data, limit + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise ReaderProblem(f"damaged or cut compressed data: {error}") from None
    if len(found) > limit and limit < limits.max_bytes * 2:
        raise ReaderProblem(f"unpacks to more than {limits.max_expansion} times its size", State.UNREADABLE)
    return found[:limit], len(found) > limit


def _packing(data: bytes) -> str:
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "")


def _listing(
    source: Source, format_: str, members: Iterable[tuple[str, int]], limits: Limits, **facts: Any
) -> Document:
    names: list[str] = []
    total = count = 0
    out = TextBuilder(limits.max_chars)
    for name, size in members:
        count += 1
        total += size
        if len(names) < _MEMBERS:
            names.append(name)
        out.add(f"{size:>12} {one_line(name, 500)}")
    state = State.SOUND if count else State.EMPTY
    measured = {"members": names, "member_count": count, "unpacked_bytes": total, **facts}
    return Document(source.path, format_, Family.ARCHIVE, state, out.text(), measured)


def _read_zip(source: Source, limits: Limits) -> Document:
    box = ZipBox(source, limits)
    members = ((info.filename, info.file_size) for info in box.infos if not info.is_dir())
    document = _listing(source, "zip", members, limits)
    try:
        box.check_bomb()
        if not source.truncated:
            for info in box.infos[: limits.max_pages]:
                box.read(info.filename, 4096 if info.file_size > 1 << 20 else 1 << 20)
    except ReaderProblem as problem:
        return Document(
            source.path, "zip", Family.ARCHIVE, problem.state, document.text, document.facts, problems=(str(problem),)
        )
    return document


def _read_packed(source: Source, limits: Limits) -> Document:
    format_ = _packing(source.data) or "tar"
    if format_ == "tar":
        return _read_tar(source, limits, source.data, "tar", source.truncated)
    if source.truncated:
        return Document(
            source.path,
            format_,
            Family.ARCHIVE,
            State.PARTIAL,
            problems=("larger than the bounds allow, not unpacked",),
        )
    data, more = unpack(source.data, limits)
    if _is_tar(data):
        return _read_tar(source, limits, data, f"tar.{format_}", more)
    decoded = decode(data, truncated=more)
    inner = source.path.rpartition("/")[2].rpartition(".")[0] or "content"
    facts = {"members": [inner], "member_count": 1, "unpacked_bytes": len(data), "text": not decoded.binary}
    state = State.PARTIAL if more else (State.SOUND if data else State.EMPTY)
    return Document(source.path, format_, Family.ARCHIVE, state, decoded.text[: limits.max_chars], facts)


def _read_tar(source: Source, limits: Limits, data: bytes, format_: str, cut: bool) -> Document:
    clock = Clock(limits.max_seconds / 2)
    members: list[tuple[str, int]] = []
    problem = ""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                if member.isfile():
                    members.append((member.name, member.size))
                if len(members) > 20_000 or clock.over:
                    problem = "only listed in part"
                    break
    except (tarfile.TarError, OSError, ValueError, EOFError, RecursionError) as error:
        problem = f"damaged or cut tar: {error}"
    document = _listing(source, format_, members, limits)
    state = document.state
    if cut:
        state, problem = State.PARTIAL, "larger than the bounds allow, listed in part"
    elif problem:
        state = State.PARTIAL if problem.startswith("only") else State.BROKEN
    return Document(
        source.path,
        format_,
        Family.ARCHIVE,
        state,
        document.text,
        document.facts,
        problems=(problem,) if problem else (),
    )


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _sniff_packed(data: bytes) -> bool:
    return _is_tar(data) or bool(_packing(data))


ZIP = Reader("zip", frozenset({".zip", ".jar", ".war", ".whl", ".egg", ".apk"}), is_zip, _read_zip, isolated=True)
PACKED = Reader(
    "packed",
    frozenset({".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".lzma"}),
    _sniff_packed,
    _read_packed,
    isolated=True,
)
READERS = (ZIP, PACKED)
