"""Compound files of the older office programs: which program wrote one, and its streams."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from judge.readers.document import Document, Limits, Reader, ReaderProblem, Source, State
from judge.text import one_line

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STREAM = 64 * 1024 * 1024
_ENTRIES = 20_000
# Names are kept in the directory as UTF-16; a plain text with such letters has no such magic in front.
_MARKS = (
    ("doc", "WordDocument"),
    ("ppt", "PowerPoint Document"),
    ("xls", "Workbook"),
    ("xls", "Book"),
    ("msg", "__properties_version1.0"),
    ("encrypted", "EncryptedPackage"),
)


def kind_of(data: bytes) -> str:
    """What a compound file holds, from its first bytes.

    Returns:
        ``doc``, ``ppt``, ``xls``, ``msg``, ``encrypted`` (a newer document under a password), ``ole`` for others, or an
        empty string when it is no compound file.
    """
    if not data.startswith(MAGIC):
        return ""
    for kind, mark in _MARKS:
        if mark.encode("utf-16-le") + b"\0\0" in data:
            return kind
    return "ole"


class Compound:
    """The streams of one compound file."""

    def __init__(self, source: Source) -> None:
        if source.truncated:
            raise ReaderProblem("larger than the bounds allow, not opened", State.PARTIAL)
        try:
            self._ole: Any = import_module("olefile").OleFileIO(io.BytesIO(source.data))
            self.names = ["/".join(parts) for parts in self._ole.listdir(streams=True, storages=False)[:_ENTRIES]]
        except Exception as error:  # noqa: BLE001 - task boundary: damaged tables lead the library anywhere
            raise ReaderProblem(f"damaged compound file: {type(error).__name__}: {str(error)[:150]}") from None

    def has(self, name: str) -> bool:
        """Whether there is such a stream."""
        return bool(self._ole.exists(name))

    def size(self, name: str) -> int:
        """Bytes of a stream; 0 when there is none."""
        return int(self._ole.get_size(name)) if self.has(name) else 0

    def read(self, name: str) -> bytes:
        """A stream.

        Raises:
            ReaderProblem: It is missing or damaged.
        """
        if not self.has(name):
            raise ReaderProblem(f"no {name} in it")
        try:
            found = self._ole.openstream(name).read(_STREAM)
        except Exception as error:  # noqa: BLE001 - task boundary, as above
            raise ReaderProblem(f"damaged {name}: {type(error).__name__}: {str(error)[:100]}") from None
        return bytes(found)


def _read_sealed(source: Source, limits: Limits) -> Document:
    raise ReaderProblem("encrypted with a password", State.UNREADABLE)


_SEALED = ".docx .docm .xlsx .xlsm .xlsb .pptx .pptm .doc .xls .ppt"
READER = Reader(
    "encrypted document",
    frozenset(),
    lambda data: kind_of(data) == "encrypted",
    _read_sealed,
    also=frozenset(_SEALED.split()),
)


def _read_other(source: Source, limits: Limits) -> Document:
    names = Compound(source).names
    shown = ", ".join(one_line(name, 60) for name in names[:5])
    what = f"a compound file that holds other things ({shown})" if names else "a compound file with nothing in it"
    raise ReaderProblem(what, State.MISMATCH)


OTHER_READER = Reader(
    "compound file",
    frozenset({".doc", ".ppt", ".pps", ".xls", ".xlt"}),
    lambda data: data.startswith(MAGIC),
    _read_other,
    isolated=True,
)
"""For the extensions only: compound files in which the document is not found, mostly because they are cut."""
