"""Word documents of the older kind (.doc): the text by its table of pieces."""

from __future__ import annotations

import re
import struct

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.ole import Compound, kind_of
from judge.readers.parts import TextBuilder

_IDENT = 0xA5EC
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_WORD_97 = 0x00C1
_MAX_PIECES = 100_000
# A field is its instruction, then what is shown; the instruction is for the program.
_FIELD = re.compile("\x13[^\x13\x14\x15]{0,5000}(?:\x14|(?=\x15))")
_PICTURES = ("\x01", "\x08")


def _read(source: Source, limits: Limits) -> Document:
    if kind_of(source.data) != "doc":
        raise ReaderProblem("a compound file without a Word document", State.MISMATCH)
    box = Compound(source)
    text, cut = _text(box, limits)
    pictures = sum(text.count(mark) for mark in _PICTURES)
    tables = len(re.findall("\x07\x07+", text))
    out = TextBuilder(limits.max_chars)
    for line in _plain(text).split("\n"):
        if line.strip():
            out.add(line.rstrip())
    shown = out.text()
    facts = {
        "text_chars": len(shown.strip()),
        "words": len(shown.split()),
        "images": pictures,
        "table_rows": tables,
        "macros": any(name.startswith("Macros/") for name in box.names),
    }
    problems = ["the end of its text is missing"] if cut else []
    state = State.BROKEN if cut else State.SOUND if shown.strip() or pictures else State.EMPTY
    if state is State.EMPTY:
        problems.append("no text in it")
    return Document(source.path, "doc", Family.DOCUMENT, state, shown, facts, problems=tuple(problems))


def _text(box: Compound, limits: Limits) -> tuple[str, bool]:
    """The text with Word's own marks in it, and whether some of it is missing."""
    stream = box.read("WordDocument")
    if len(stream) < 0x200 or int.from_bytes(stream[:2], "little") != _IDENT:
        raise ReaderProblem("damaged header of the document")
    flags = int.from_bytes(stream[10:12], "little")
    if flags & _ENCRYPTED:
        raise ReaderProblem("encrypted with a password", State.UNREADABLE)
    if int.from_bytes(stream[2:4], "little") < _WORD_97:
        begin, end = struct.unpack_from("<II", stream, 0x18)
        return stream[begin:end].decode("cp1252", "replace"), end > len(stream)
    table = box.read("1Table" if flags & _SECOND_TABLE else "0Table")
    place, size = struct.unpack_from("<II", stream, 0x1A2)
    (wanted,) = struct.unpack_from("<I", stream, 0x4C)
    pieces = _pieces(table[place : place + size])
    parts: list[str] = []
    left = min(wanted, limits.max_chars * 2)
    cut = False
    for count, offset, narrow in pieces:
        count = min(count, left)
        width = 1 if narrow else 2
        raw = stream[offset : offset + count * width]
        cut = cut or len(raw) < count * width
        parts.append(raw.decode("cp1252" if narrow else "utf-16-le", "replace"))
        left -= count
        if left <= 0:
            break
    return "".join(parts), cut or (left > 0 and wanted > 0 and not pieces)


def _pieces(table: bytes) -> list[tuple[int, int, bool]]:
    """Characters, position and whether they take one byte each, of the pieces the text is made of."""
    at = 0
    while at + 3 <= len(table) and table[at] == 1:  # formatting, of no interest here
        at += 3 + int.from_bytes(table[at + 1 : at + 3], "little")
    if at + 5 > len(table) or table[at] != 2:
        raise ReaderProblem("damaged table of pieces")
    size = int.from_bytes(table[at + 1 : at + 5], "little")
    body = table[at + 5 : at + 5 + size]
    count = (len(body) - 4) // 12
    if count < 0 or count > _MAX_PIECES or len(body) < size:
        raise ReaderProblem("damaged table of pieces")
    ends = struct.unpack_from(f"<{count + 1}I", body)
    pieces = []
    for number in range(count):
        (place,) = struct.unpack_from("<I", body, 4 * (count + 1) + 8 * number + 2)
        narrow = bool(place & 0x40000000)
        place &= 0x3FFFFFFF
        pieces.append((max(0, ends[number + 1] - ends[number]), place // 2 if narrow else place, narrow))
    return pieces


def _plain(text: str) -> str:
    """The text as it is shown: marks of cells, fields and breaks resolved."""
    for _ in range(5):  # fields within fields
        text, found = _FIELD.subn("", text)
        if not found:
            break
    text = text.replace("\x07\x07", "\n").replace("\x07", " | ")
    text = text.translate({0x0D: "\n", 0x0B: "\n", 0x0C: "\n", 0x1E: "-", 0xA0: " "})
    return re.sub("[\x00-\x08\x0e-\x1f]", "", text)


READER = Reader("doc", frozenset({".doc"}), lambda data: kind_of(data) == "doc", _read, isolated=True)
