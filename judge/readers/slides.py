"""PowerPoint presentations of the older kind (.ppt): the text of the slides from its records."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.ole import Compound, kind_of
from judge.readers.parts import TextBuilder

_CHARS, _BYTES = 0x0FA0, 0x0FA8
_SLIDE, _NOTES, _MASTER, _LIST, _PLACE = 0x03EE, 0x03F0, 0x03F8, 0x0FF0, 0x03F3
_CONTAINER = 0x0F
_MAX_RECORDS = 500_000
_SLIDES_LIST, _NOTES_LIST = 0, 2


def _read(source: Source, limits: Limits) -> Document:
    if kind_of(source.data) != "ppt":
        raise ReaderProblem("a compound file without a presentation", State.MISMATCH)
    box = Compound(source)
    show = _Show()
    whole = show.take(box.read("PowerPoint Document"))
    pages = max(show.slides, len(show.outline))
    out = TextBuilder(limits.max_chars)
    for number in range(min(pages, limits.max_pages)):
        out.add(f"# slide {number + 1}")
        texts = (show.outline[number] if number < len(show.outline) else []) + show.on_slides.get(number + 1, [])
        for line in dict.fromkeys(line for text in texts for line in _lines(text)):
            out.add(line)
    for text in show.notes:
        out.add("notes: " + " / ".join(_lines(text)))
    text = out.text()
    words = sum(len(line.split()) for line in text.split("\n") if not line.startswith("# slide "))
    pictures = _pictures(box)
    facts = {"pages": pages, "words": words, "text_chars": len(text), "images": pictures}
    problems = [] if whole else ["the end of its records is missing"]
    if pages > limits.max_pages:
        problems.append(f"only {limits.max_pages} of {pages} slides were read")
    state = State.SOUND if words or pictures else State.EMPTY
    if not whole:
        state = State.BROKEN
    elif state is State.EMPTY:
        problems.append("nothing on its slides")
    return Document(source.path, "ppt", Family.DOCUMENT, state, text, facts, problems=tuple(problems))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\x0b", "\r").replace("\n", "\r").split("\r") if line.strip()]


class _Show:
    """Texts of one presentation, by slide."""

    def __init__(self) -> None:
        self.slides = 0
        self.outline: list[list[str]] = []
        self.on_slides: dict[int, list[str]] = {}
        self.notes: list[str] = []

    def take(self, data: bytes) -> bool:
        """Goes through the records; False when one of them goes on behind the end."""
        for kind, body, where in _records(data):
            if kind is None:
                return False
            place, instance = where
            if kind == _SLIDE:
                self.slides += 1
            elif kind == _PLACE and place == _LIST and instance == _SLIDES_LIST:
                self.outline.append([])
            elif kind in {_CHARS, _BYTES}:
                text = body.decode("utf-16-le" if kind == _CHARS else "latin-1", "replace")
                if place == _LIST and instance == _SLIDES_LIST and self.outline:
                    self.outline[-1].append(text)
                elif place == _SLIDE:
                    self.on_slides.setdefault(self.slides, []).append(text)
                elif place == _NOTES and len(_lines(text)) and text.strip() != "*":
                    self.notes.append(text)
        return True


def _records(data: bytes) -> Iterator[tuple[int | None, bytes, tuple[int, int]]]:
    """Kind and body of each record with the outer record that tells where it belongs; kind None for a cut one."""
    ends: list[tuple[int, int, int]] = []
    at = count = 0
    while at + 8 <= len(data) and count < _MAX_RECORDS:
        count += 1
        version, kind, length = struct.unpack_from("<HHI", data, at)
        while ends and at >= ends[-1][0]:
            ends.pop()
        outer = next(((k, i) for _, k, i in reversed(ends) if k in {_SLIDE, _NOTES, _MASTER, _LIST}), (0, 0))
        if at + 8 + length > len(data):
            yield None, b"", outer
            return
        if version & 0x0F == _CONTAINER:
            yield kind, b"", outer
            if len(ends) < 100:
                ends.append((at + 8 + length, kind, version >> 4))
            at += 8
            continue
        yield kind, data[at + 8 : at + 8 + min(length, 1 << 20)], outer
        at += 8 + length


def _pictures(box: Compound) -> int:
    """How many pictures are embedded: the records of the stream that holds them."""
    if not box.has("Pictures"):
        return 0
    data = box.read("Pictures")
    at = count = 0
    while at + 8 <= len(data) and count < 10_000:
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        if not length:
            break
        count += 1
        at += 8 + length
    return count


READER = Reader("ppt", frozenset({".ppt", ".pps"}), lambda data: kind_of(data) == "ppt", _read, isolated=True)
