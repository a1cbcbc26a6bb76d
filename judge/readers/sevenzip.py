"""7z archives: the list of members, and a look into small ones."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import advice, bring
from judge.readers.members import Listing, Member

_MAGIC = b"7z\xbc\xaf\x27\x1c"
_START = 32
_INSIDE = 8 * 1024 * 1024
_MAX_HEADER = 16 * 1024 * 1024


def _read(source: Source, limits: Limits) -> Document:
    if source.data[:6] != _MAGIC:
        raise ReaderProblem("it does not begin as a 7z file does")
    header = _check(source)
    if not header:
        return Document(source.path, "7z", Family.ARCHIVE, State.EMPTY, problems=("no members in it",))
    if source.truncated:
        problem = "larger than the bounds allow, not opened"
        return Document(source.path, "7z", Family.ARCHIVE, State.PARTIAL, problems=(problem,))
    try:
        py7zr = bring("py7zr", "archives")
    except ReaderProblem:
        facts = {"directory_bytes": header, "install": "judge[archives]"}
        return Document(source.path, "7z", Family.ARCHIVE, State.PARTIAL, "", facts, problems=(advice("archives"),))
    return _list(py7zr, source, limits)


def _check(source: Source) -> int:
    """Bytes of the directory at the end of the file.

    Raises:
        ReaderProblem: The file is shorter than its first bytes say, or they are damaged.
    """
    data = source.data
    if len(data) < _START or zlib.crc32(data[12:_START]) != int.from_bytes(data[8:12], "little"):
        raise ReaderProblem("damaged header")
    offset, size = int.from_bytes(data[12:20], "little"), int.from_bytes(data[20:28], "little")
    if _START + offset + size > source.size:
        raise ReaderProblem("the end is missing, and with it the directory of what is in it")
    if size > _MAX_HEADER:
        raise ReaderProblem("a directory that is too long to be looked at", State.UNREADABLE)
    return size


def _list(py7zr: Any, source: Source, limits: Limits) -> Document:
    listing = Listing(source, "7z", limits)
    try:
        with py7zr.SevenZipFile(io.BytesIO(source.data), "r") as archive:
            if archive.needs_password():
                listing.facts["encrypted"] = True
            infos = archive.list()
            total = sum(int(info.uncompressed or 0) for info in infos)
            locked = archive.needs_password()
        bomb = total > max(_INSIDE // 2, len(source.data) * limits.max_expansion)
        contents = {} if bomb or locked or total > _INSIDE else _contents(py7zr, source.data)
        listing.take(_members(infos, contents))
    except py7zr.exceptions.PasswordRequired:
        raise ReaderProblem("encrypted with a password, not even its members can be listed", State.UNREADABLE) from None
    except Exception as error:  # noqa: BLE001 - task boundary: damaged headers lead the library anywhere
        raise ReaderProblem(f"damaged: {type(error).__name__}: {str(error)[:150]}") from None
    if locked:
        listing.state = State.UNREADABLE
        listing.problems.append("encrypted with a password, not looked into")
    elif bomb:
        listing.state = State.UNREADABLE
        listing.problems.append(f"unpacks to more than {limits.max_expansion} times its size")
    return listing.document()


def _contents(py7zr: Any, data: bytes) -> dict[str, bytes]:
    """The unpacked members; what they unpack to is known to be little."""
    from py7zr.io import BytesIOFactory

    factory = BytesIOFactory(_INSIDE)
    with py7zr.SevenZipFile(io.BytesIO(data), "r") as archive:
        archive.extractall(factory=factory)
    return {name: product.read(_INSIDE) for name, product in factory.products.items()}


def _members(infos: list[Any], contents: dict[str, bytes]) -> Iterator[Member]:
    for info in infos:
        if info.is_directory:
            continue
        name = str(info.filename)
        data = contents.get(name)
        note = "link" if getattr(info, "is_symlink", False) else ""
        read = None if data is None or note else (lambda limit, data=data: data[:limit])
        yield Member(name, int(info.uncompressed or 0), note, read)


READER = Reader("7z", frozenset({".7z"}), lambda data: data.startswith(_MAGIC), _read, isolated=True)
