"""RAR archives: the list of members from their headers. What is in them needs a program of its own, and is not read."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from judge.readers.document import Document, Limits, Reader, ReaderProblem, Source, State
from judge.readers.members import Listing, Member

_MAGIC = b"Rar!\x1a\x07"
_FILE_4, _END_4, _MAIN_4 = 0x74, 0x7B, 0x73
_FILE_5, _END_5, _CRYPT_5 = 2, 5, 4
_MAX = 20_000


class _Cut(Exception):
    """A header or what follows it lies behind the bytes at hand."""


def _read(source: Source, limits: Limits) -> Document:
    data = source.data
    listing = Listing(source, "rar", limits)
    members = _new(data) if data[6:8] == b"\x01\x00" else _old(data)
    try:
        listing.take(members)
    except _Cut:
        if source.truncated:
            listing.state = State.PARTIAL
            listing.problems.append("larger than the bounds allow, listed in part")
        else:
            listing.state = State.BROKEN
            listing.problems.append("the end is missing")
    except (IndexError, struct.error):
        raise ReaderProblem("damaged header") from None
    if listing.state is State.SOUND and listing.count:
        listing.facts["contents_read"] = False
    return listing.document()


def _new(data: bytes) -> Iterator[Member]:
    """Members by the headers of RAR 5."""
    at = 8
    for _ in range(_MAX):
        if at + 6 > len(data):
            raise _Cut
        size, start = _number(data, at + 4)
        end = start + size
        if size < 2 or end > len(data):
            raise _Cut
        kind, place = _number(data, start)
        flags, place = _number(data, place)
        if flags & 1:
            _, place = _number(data, place)
        packed = 0
        if flags & 2:
            packed, place = _number(data, place)
        if kind == _CRYPT_5:
            raise ReaderProblem("encrypted with a password, not even its members can be listed", State.UNREADABLE)
        if kind == _END_5:
            return
        if kind == _FILE_5 and (member := _new_member(data[:end], place)) is not None:
            yield member
        at = end + packed
        if at > len(data):
            raise _Cut


def _new_member(data: bytes, place: int) -> Member | None:
    flags, place = _number(data, place)
    size, place = _number(data, place)
    _, place = _number(data, place)
    place += 4 * bool(flags & 2) + 4 * bool(flags & 4)
    for _ in range(2):  # compression, system
        _, place = _number(data, place)
    length, place = _number(data, place)
    name = data[place : place + length].decode("utf-8", "replace")
    return None if flags & 1 else Member(name, None if flags & 8 else size)


def _old(data: bytes) -> Iterator[Member]:
    """Members by the headers of RAR 4 and older."""
    at = 7
    for _ in range(_MAX):
        if at + 7 > len(data):
            raise _Cut
        kind, flags, size = struct.unpack_from("<BHH", data, at + 2)
        if size < 7:
            raise IndexError
        packed = struct.unpack_from("<I", data, at + 7)[0] if flags & 0x8000 and at + 11 <= len(data) else 0
        if kind == _MAIN_4 and flags & 0x80:
            raise ReaderProblem("encrypted with a password, not even its members can be listed", State.UNREADABLE)
        if kind == _END_4:
            return
        if kind == _FILE_4:
            unpacked, length = struct.unpack_from("<I", data, at + 11)[0], struct.unpack_from("<H", data, at + 26)[0]
            begin = at + (40 if flags & 0x100 else 32)
            name = data[begin : begin + length].partition(b"\0")[0].decode("utf-8", "replace")
            if flags & 0xE0 != 0xE0:  # no folder
                yield Member(name, unpacked, "encrypted" if flags & 4 else "")
        at += size + packed
        if at > len(data):
            raise _Cut


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise IndexError


READER = Reader("rar", frozenset({".rar"}), lambda data: data.startswith(_MAGIC), _read, isolated=True)
