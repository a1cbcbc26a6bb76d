"""The first bytes of an HDF5 file, without a library: where it begins, how long it should be, names in it."""

from __future__ import annotations

import re
import struct

from judge.readers.document import ReaderProblem, Source

_MAGIC = b"\x89HDF\r\n\x1a\n"
_STARTS = (0, 512, 1024, 2048)
_NAME = re.compile(rb"[\x20-\x7e]{1,100}")


def _start(data: bytes) -> int:
    return next((start for start in _STARTS if data[start : start + 8] == _MAGIC), -1)


def is_hdf(data: bytes) -> bool:
    """Whether an HDF5 file begins here, perhaps below a block of another program's, as MATLAB's."""
    return _start(data) >= 0


def check_length(source: Source) -> int:
    """The length that the file announces.

    Raises:
        ReaderProblem: It is shorter than that, or has no whole header.
    """
    data, start = source.data, _start(source.data)
    version = data[start + 8] if 0 <= start < len(data) - 8 else 255
    offset = {0: 40, 1: 44, 2: 28, 3: 28}.get(version)
    if offset is None or len(data) < start + offset + 8:
        raise ReaderProblem("damaged HDF5 header")
    end: int = struct.unpack_from("<Q", data, start + offset)[0]
    if end > source.size:
        raise ReaderProblem(f"{end} bytes are announced, {source.size} are there: the end is missing")
    return end


def heap_names(data: bytes) -> list[str]:
    """Names of groups and data sets, from the name heaps of the usual kind of file."""
    names: dict[str, None] = {}
    start = data.find(b"HEAP")
    while start >= 0 and len(names) < 200 and start + 32 <= len(data):
        size, address = struct.unpack_from("<Q8xQ", data, start + 8)
        if data[start + 4] == 0 and size < 1 << 20 and address + size <= len(data):
            parts = data[address : address + size].split(b"\0")
            names.update((part.decode("ascii"), None) for part in parts if _NAME.fullmatch(part))
        start = data.find(b"HEAP", start + 4)
    return list(names)[:200]
