"""Zip and tar archives and single compressed files: what lies in them, without unpacking anything to disk."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.members import Listing, Member, look_inside
from judge.readers.parts import Clock
from judge.readers.unpacking import packing_of, unpack
from judge.readers.zipbox import ZipBox, is_zip
from judge.text import looks_like_text, one_line

if TYPE_CHECKING:  # slow to start
    import tarfile

_TAR_MEMBERS = 20_000
_HEAD = 8 * 1024 * 1024


def _read_zip(source: Source, limits: Limits) -> Document:
    box = ZipBox(source, limits)
    listing = Listing(source, "zip", limits)
    locked = sum(1 for info in box.infos if info.flag_bits & 1)
    problem: ReaderProblem | None = None
    try:
        box.check_bomb()
    except ReaderProblem as bomb:
        problem = bomb
    listing.take(_zip_members(box, look=problem is None and not source.truncated))
    if listing.count < sum(not info.filename.endswith("/") for info in box.infos):
        listing.facts |= {"member_count": len(box.infos), "unpacked_bytes": box.unpacked}
    if box.comment:
        listing.facts["comment"] = box.comment[:200]
    if locked:
        listing.facts["encrypted_members"] = locked
        listing.problems.append(f"{locked} of {listing.count} members are encrypted, not looked into")
        listing.state = State.UNREADABLE if locked >= listing.count else State.PARTIAL
    if problem is not None:
        listing.state = problem.state
        listing.problems.insert(0, str(problem))
    return listing.document()


def _zip_members(box: ZipBox, *, look: bool) -> Iterator[Member]:
    for info in box.infos:
        if info.filename.endswith("/"):
            continue
        link = (info.external_attr >> 16) & 0o170000 == 0o120000
        locked = bool(info.flag_bits & 1)
        note = "encrypted" if locked else "link" if link else ""
        read = partial(box.read, info.filename) if look and not note else None
        yield Member(info.filename, info.file_size, note, read)


def _read_packed(source: Source, limits: Limits) -> Document:
    format_ = packing_of(source.data)
    if not format_:
        return _read_tar(source, limits, source.data, "tar", source.truncated)
    data, more = unpack(source.data, limits, cut=source.truncated)
    if _is_tar(data):
        return _read_tar(source, limits, data, f"tar.{format_}", more)
    name = source.path.rpartition("/")[2]
    inner = (name.rpartition(".")[0] or "content") if "." in name else "content"
    if more:
        return _head(source, format_, inner, data, limits)
    facts = {"members": [inner], "member_count": 1, "unpacked_bytes": len(data)}
    if not data:
        return Document(source.path, format_, Family.ARCHIVE, State.EMPTY, "", facts, problems=("no bytes in it",))
    document = look_inside(inner, data, limits, 1)
    return replace(
        document,
        path=source.path,
        format=f"{document.format}.{format_}",
        family=Family.ARCHIVE if document.family is Family.BINARY else document.family,
        state=State.SOUND if document.family is Family.BINARY else document.state,
        facts={**document.facts, **facts},
        problems=() if document.family is Family.BINARY else document.problems,
        lines_match=False,
    )


def _head(source: Source, format_: str, inner: str, data: bytes, limits: Limits) -> Document:
    """The beginning of a compressed file that is too large to be unpacked."""
    problem = "larger than the bounds allow, only its beginning was looked at"
    if not looks_like_text(data):
        facts = {"looked_at_bytes": len(data)}
        return Document(source.path, format_, Family.ARCHIVE, State.PARTIAL, "", facts, problems=(problem,))
    document = look_inside(inner, data[:_HEAD], limits, 1, cut=True)
    return replace(
        document,
        path=source.path,
        format=f"{document.format}.{format_}",
        state=State.PARTIAL if document.state is State.SOUND else document.state,
        problems=(*document.problems, problem),
        lines_match=False,
    )


def _read_tar(source: Source, limits: Limits, data: bytes, format_: str, cut: bool) -> Document:
    import tarfile

    listing = Listing(source, format_, limits)
    problem = ""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            listing.take(_tar_members(archive, listing, Clock(limits.max_seconds / 2)))
    except (tarfile.TarError, OSError, ValueError, EOFError, RecursionError) as error:
        problem = f"damaged or cut tar: {one_line(str(error), 150)}"
    if not cut and not problem and not data.endswith(bytes(512)):
        problem = "damaged or cut tar: the end is missing"
    if cut:
        listing.state = State.PARTIAL
        listing.problems.insert(0, "larger than the bounds allow, listed in part")
    elif problem:
        listing.state = State.BROKEN
        listing.problems.insert(0, problem)
    return listing.document()


def _tar_members(archive: Any, listing: Listing, clock: Clock) -> Iterator[Member]:
    for number, member in enumerate(archive):
        if number >= _TAR_MEMBERS or clock.over:
            listing.stop()
            return
        if member.isdir():
            continue
        yield Member(member.name, member.size, _kind(member), _opener(archive, member) if member.isreg() else None)
        archive.members = []  # else it keeps them all


def _kind(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return f"link to {one_line(member.linkname, 200)}"
    if member.isdev():
        return "device" if not member.isfifo() else "pipe"
    return "sparse" if member.issparse() else ""


def _opener(archive: tarfile.TarFile, member: tarfile.TarInfo) -> partial[bytes]:
    return partial(_content, archive, member)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, limit: int) -> bytes:
    import tarfile

    try:
        file = archive.extractfile(member)
        return file.read(limit) if file is not None else b""
    except (tarfile.TarError, OSError, ValueError, KeyError, EOFError) as error:
        raise ReaderProblem(f"damaged member {one_line(member.name, 80)}: {error}") from None


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _sniff_packed(data: bytes) -> bool:
    return _is_tar(data) or bool(packing_of(data))


ZIP = Reader(
    "zip",
    frozenset({".zip", ".jar", ".war", ".whl", ".egg", ".apk", ".nupkg"}),
    is_zip,
    _read_zip,
    isolated=True,
)
PACKED = Reader(
    "packed",
    frozenset({".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".tbz", ".xz", ".txz", ".lzma", ".zst", ".tzst"}),
    _sniff_packed,
    _read_packed,
    isolated=True,
)
