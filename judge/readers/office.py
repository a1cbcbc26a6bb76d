"""Office documents that are zip files of XML: docx, pptx, odt, odp, ods and epub."""

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
_TEXT = frozenset({"w:t", "a:t", "m:t"})
_BREAK = frozenset({"w:p", "a:p", "text:p", "text:h", "p", "h1", "h2", "h3", "h4", "li", "div", "tr", "title"})
_CELL = frozenset({"w:tc", "a:tc", "table:table-cell", "td", "th"})
_TABLE = frozenset({"w:tbl", "a:tbl", "table:table", "table"})
_HIDDEN = frozenset({"script", "style", "office:styles", "office:automatic-styles", "w:instrText", "w:delText"})
_MARKER = {"docx": b"word/document.xml", "pptx": b"ppt/presentation.xml", "epub": b"application/epub+zip"}
_OPEN_DOCUMENT = {
    "odt": b"application/vnd.oasis.opendocument.text",
    "odp": b"application/vnd.oasis.opendocument.presentation",
    "ods": b"application/vnd.oasis.opendocument.spreadsheet",
}


class _Full(Exception):
    """Enough text is collected."""


class _Words(ContentHandler):
    """Collects the text of one XML part, a paragraph a line."""

    def __init__(self, out: TextBuilder) -> None:
        super().__init__()
        self.tables = 0
        self.rows = 0
        self.headings: list[str] = []
        self._out = out
        self._parts: list[str] = []
        self._size = 0
        self._open: list[str] = []
        self._hidden = 0
        self._takes_all = True
        self._heading = False

    def startElement(self, name: str, attrs: Any) -> None:
        """Counts tables and notes headings."""
        self._open.append(name)
        if len(self._open) == 1:
            self._takes_all = not name.startswith(("w:", "p:"))
        self._hidden += name in _HIDDEN
        self.tables += name in _TABLE
        self.rows += name in {"w:tr", "a:tr", "table:table-row", "tr"}
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
        if name in _BREAK:
            self._flush()
        elif name in _CELL:
            self._parts.append(" | ")

    def characters(self, content: str) -> None:
        """Takes the text in."""
        wanted = self._takes_all or (self._open and self._open[-1] in _TEXT)
        if not self._hidden and wanted and self._size < 1 << 20:
            self._parts.append(content)
            self._size += len(content)

    def _flush(self) -> None:
        line = "".join(self._parts).strip()
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
        extra = [name for name in names if re.fullmatch(r"word/(footnotes|endnotes)\.xml", name)]
        return ["word/document.xml", *extra]
    if kind == "pptx":
        slides = [name for name in names if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)]
        return sorted(slides, key=_by_number)
    if kind == "epub":
        return sorted((name for name in names if name.lower().endswith((".xhtml", ".html", ".htm"))), key=_by_number)
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
    for name in parts[: limits.max_pages]:
        words = _Words(out)
        try:
            parse_xml(box.read(name), words)
        except _Full:
            problems.append("only read in part, it is long")
        except ReaderProblem as problem:
            raise ReaderProblem(f"{name}: {problem}", problem.state) from None
        tables += words.tables
        rows += words.rows
        headings += words.headings
    pictures = [name for name in box.names if _PICTURE.search(name) and "thumbnail" not in name.lower()]
    text = out.text()
    facts = {
        "text_chars": len(text.strip()),
        "words": len(text.split()),
        "images": len(pictures),
        "tables": tables,
        "table_rows": rows,
        "headings": headings[:50],
    }
    if kind in {"pptx", "epub"}:
        facts["pages"] = len(parts)
    if len(parts) > limits.max_pages:
        problems.append(f"only {limits.max_pages} of {len(parts)} parts were read")
    state = State.SOUND if text.strip() or pictures else State.EMPTY
    family = Family.TABLE if kind == "ods" else Family.DOCUMENT
    return Document(source.path, kind, family, state, text, facts, problems=tuple(problems))


READER = Reader(
    "office",
    frozenset({".docx", ".docm", ".pptx", ".odt", ".odp", ".ods", ".epub"}),
    lambda data: bool(_kind(data)),
    _read,
    isolated=True,
)
