"""Office documents that are zip files of XML: docx, pptx, odt, odp and epub."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.handler import ContentHandler

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.markup import parse_xml
from judge.readers.parts import TextBuilder
from judge.readers.zipbox import ZipBox, is_zip

_PICTURE = re.compile(r"\.(png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)$", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+)(?=\.x?html?$|\.xml$)", re.IGNORECASE)
_BESIDE = re.compile(r"word/(?:(?:foot|end)notes|comments|(?:header|footer)\d*)\.xml")
_TEXT = frozenset({"w:t", "a:t", "m:t"})
_BREAK = frozenset({"w:p", "a:p", "text:p", "text:h", "p", "h1", "h2", "h3", "h4", "li", "div", "title"})
_ROW = frozenset({"w:tr", "a:tr", "table:table-row", "tr"})
_CELL = frozenset({"w:tc", "a:tc", "table:table-cell", "td", "th"})
_TABLE = frozenset({"w:tbl", "a:tbl", "table:table", "table"})
_HIDDEN = frozenset(
    {"script", "style", "office:styles", "office:automatic-styles", "w:instrText", "w:delText", "text:page-number"}
)
_MARKER = {"docx": b"word/document.xml", "pptx": b"ppt/presentation.xml", "epub": b"application/epub+zip"}
_OPEN_DOCUMENT = {
    "odt": b"application/vnd.oasis.opendocument.text",
    "odp": b"application/vnd.oasis.opendocument.presentation",
}


class _Full(Exception):
    """Enough text is collected."""


class _Words(ContentHandler):
    """Collects the text of one XML part, a paragraph a line."""

    def __init__(self, out: TextBuilder) -> None:
        super().__init__()
        self.tables = 0
        self.rows = 0
        self.pages = 0
        self.headings: list[str] = []
        self._out = out
        self._parts: list[str] = []
        self._size = 0
        self._open: list[str] = []
        self._hidden = 0
        self._takes_all = True
        self._heading = False
        self._in_rows = 0

    def startElement(self, name: str, attrs: Any) -> None:
        """Counts tables and notes headings."""
        self._open.append(name)
        if len(self._open) == 1:
            self._takes_all = not name.startswith(("w:", "p:"))
        self._hidden += name in _HIDDEN
        if name == "presentation:notes":
            self._out.add("# notes of the speaker")
        elif name == "draw:page":
            self.pages += 1
            self._out.add(f"# slide {self.pages}")
        self.tables += name in _TABLE
        self.rows += name in _ROW
        self._in_rows += name in _ROW
        style = str(attrs.get("w:val", "")).lower() if name == "w:pStyle" else ""
        if style.startswith(("heading", "title")) or name in {"text:h", "h1", "h2", "h3", "h4"}:
            self._heading = True
        elif name in {"w:tab", "text:tab", "text:s"}:
            self._parts.append("\t" if name != "text:s" else " ")
        elif name in {"w:br", "a:br", "text:line-break", "br"}:
            self._parts.append("\n")

    def endElement(self, name: str) -> None:
        """Ends a paragraph or a table cell."""
        self._open.pop()
        self._hidden -= name in _HIDDEN
        if name in _ROW:
            self._in_rows -= 1
            self._flush()
        elif name in _BREAK:
            if self._in_rows:  # a row is one line, however many paragraphs its cells hold
                self._parts.append(" ")
            else:
                self._flush()
        elif name in _CELL:
            self._parts.append("| ")

    def characters(self, content: str) -> None:
        """Takes the text in."""
        wanted = self._takes_all or (self._open and self._open[-1] in _TEXT)
        if not self._hidden and wanted and self._size < 1 << 20:
            self._parts.append(content)
            self._size += len(content)

    def _flush(self) -> None:
        line = "".join(self._parts).strip(" |\n\t")
        self._parts.clear()
        self._size = 0
        if line:
            if self._heading and len(self.headings) < 50:
                self.headings.append(line[:120])
            if not self._out.add(line):
                raise _Full
        self._heading = False


def _kind(data: bytes) -> str:
    if not is_zip(data):
        return ""
    head = data[:256]
    for kind, marker in {**_OPEN_DOCUMENT, "epub": _MARKER["epub"]}.items():
        if marker in head:
            return kind
    return next((kind for kind in ("docx", "pptx") if _MARKER[kind] in data), "")


def _parts_of(kind: str, names: list[str]) -> list[str]:
    """Names of the members with text, in reading order."""
    if kind == "docx":
        extra = [
            name
            for name in names
            if re.fullmatch(r"word/(?:(?:foot|end)notes|comments|(?:header|footer)\d*)\.xml", name)
        ]
        return ["word/document.xml", *sorted(extra)]
    if kind == "pptx":
        slides = [name for name in names if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)]
        return sorted(slides, key=_by_number)
    if kind == "epub":
        pages = sorted((name for name in names if name.lower().endswith((".xhtml", ".html", ".htm"))), key=_by_number)
        return sorted(pages, key=lambda name: name.endswith(("nav.xhtml", "toc.xhtml")))
    return ["content.xml"]


def _by_number(name: str) -> tuple[int, str]:
    match = _NUMBER.search(name)
    return (int(match.group(1)[:9]) if match else 0, name)


def _read(source: Source, limits: Limits) -> Document:
    kind = _kind(source.data) or source.suffix.lstrip(".")
    box = ZipBox(source, limits)
    box.check_bomb()
    parts = _parts_of(kind, box.names)
    out = TextBuilder(limits.max_chars)
    tables = rows = 0
    headings: list[str] = []
    problems: list[str] = []
    marks = pages = 0
    for number, name in enumerate(parts[: limits.max_pages], start=1):
        if kind == "pptx":
            marks += 1
            out.add(f"# slide {number}")
        words = _words(box, name, out, problems)
        pages += words.pages
        tables += words.tables
        rows += words.rows
        headings += words.headings
        notes = f"ppt/notesSlides/notesSlide{number}.xml"
        if kind == "pptx" and box.has(notes):
            marks += 1
            out.add("# notes of the speaker")
            _words(box, notes, out, problems)
    pictures = [name for name in box.names if _PICTURE.search(name) and "thumbnail" not in name.lower()]
    text = out.text()
    said = "\n".join(line for line in text.split("\n") if not line.startswith("# ")) if marks or pages else text
    facts = {
        "text_chars": len(said.strip()),
        "words": len(said.split()),
        "images": len(pictures),
        "tables": tables,
        "table_rows": rows,
        "headings": headings[:50],
    }
    if kind in {"pptx", "epub"}:
        facts["pages"] = len(parts)
    elif kind == "odp":
        facts["pages"] = pages
    charts = len([name for name in box.names if re.fullmatch(r"(?:word|ppt)/charts/chart\d*\.xml", name)])
    if charts:
        facts["charts"] = charts
    if len(parts) > limits.max_pages:
        problems.append(f"only {limits.max_pages} of {len(parts)} parts were read")
    state = State.SOUND if said.strip() or pictures or charts else State.EMPTY
    if state is State.EMPTY:
        problems.append("neither text nor pictures in it")
    return Document(source.path, kind, Family.DOCUMENT, state, text, facts, problems=tuple(problems))


def _words(box: ZipBox, name: str, out: TextBuilder, problems: list[str]) -> _Words:
    """The text of one part; what is wrong with it names the part."""
    words = _Words(out)
    try:
        parse_xml(box.read(name), words)
    except _Full:
        problems.append("only read in part, it is long")
    except ReaderProblem as problem:
        raise ReaderProblem(f"{name}: {problem}", problem.state) from None
    return words


READER = Reader(
    "office",
    frozenset({".docx", ".docm", ".dotx", ".pptx", ".pptm", ".ppsx", ".odt", ".ott", ".odp", ".otp", ".epub"}),
    lambda data: bool(_kind(data)),
    _read,
    isolated=True,
)
