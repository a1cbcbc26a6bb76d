"""OpenDocument spreadsheets: sheets and their cells. Repeated rows and cells are counted, not made."""

from __future__ import annotations

from typing import Any
from xml.sax.handler import ContentHandler

from judge.readers.columns import MAX_COLUMNS
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.markup import TooLong, parse_xml
from judge.readers.parts import Clock, TextBuilder
from judge.readers.sheets import sheets_document, take_sheet
from judge.readers.zipbox import ZipBox, is_zip

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_MAX_ROWS = 50_000
_MAX_CELLS = 2_000_000
_REPEATED_ROWS = 1_000


class _Cells(ContentHandler):
    """Collects the cells of the sheets as text."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.sheets: list[tuple[str, list[list[str]]]] = []
        self.full = False
        self._clock = clock
        self._row: list[str] = []
        self._text: list[str] | None = None
        self._value = ""
        self._repeat = self._row_repeat = 1
        self._cells = self._seen = 0

    def startElement(self, name: str, attrs: Any) -> None:
        """Begins a sheet, a row or a cell."""
        self._seen += 1
        if self._seen % 4096 == 0 and self._clock.over:
            raise TooLong
        if name == "table:table":
            self.sheets.append((str(attrs.get("table:name", ""))[:200], []))
        elif name == "table:table-row":
            self._row = []
            self._row_repeat = _count(attrs.get("table:number-rows-repeated"))
        elif name in {"table:table-cell", "table:covered-table-cell"}:
            self._text = []
            self._value = _value(attrs)
            self._repeat = _count(attrs.get("table:number-columns-repeated"))
        elif name == "text:p" and self._text:
            self._text.append(" ")
        elif name == "office:annotation":
            self._text = None

    def characters(self, content: str) -> None:
        """Takes the text of a cell in."""
        if self._text is not None and len(self._text) < 1000:
            self._text.append(content[:500])

    def endElement(self, name: str) -> None:
        """Ends a cell or a row."""
        if name in {"table:table-cell", "table:covered-table-cell"}:
            text = self._value or "".join(self._text or ()).strip()
            self._text = None
            room = MAX_COLUMNS - len(self._row)
            self._row.extend([text[:500]] * min(self._repeat, room if text else min(room, MAX_COLUMNS)))
        elif name == "table:table-row" and self.sheets:
            self._end_row()

    def _end_row(self) -> None:
        rows = self.sheets[-1][1]
        while self._row and not self._row[-1]:
            self._row.pop()
        if not self._row:
            return
        for _ in range(min(self._row_repeat, _REPEATED_ROWS)):
            if len(rows) >= _MAX_ROWS or self._cells >= _MAX_CELLS:
                self.full = True
                return
            rows.append(self._row)
            self._cells += len(self._row)


def _count(value: Any) -> int:
    text = str(value or "1")
    return min(int(text), 1 << 20) if text.isascii() and text.isdigit() and len(text) < 9 and text != "0" else 1


def _value(attrs: Any) -> str:
    """The exact value of a number or date; what is shown may be rounded."""
    for name in ("office:value", "office:date-value", "office:boolean-value"):
        if attrs.get(name):
            return str(attrs.get(name))
    return ""


def _read(source: Source, limits: Limits) -> Document:
    if source.truncated:
        problem = "larger than the bounds allow, not opened"
        return Document(source.path, "ods", Family.TABLE, State.PARTIAL, problems=(problem,))
    box = ZipBox(source, limits)
    box.check_bomb()
    clock = Clock(limits.max_seconds * 0.6)
    cells = _Cells(clock)
    problems: list[str] = []
    try:
        parse_xml(box.read("content.xml"), cells)
    except TooLong:
        cells.full = True
    except ReaderProblem as problem:
        raise ReaderProblem(f"content.xml: {problem}", problem.state) from None
    if cells.full:
        problems.append("only a part of its cells was looked at")
    out = TextBuilder(limits.max_chars)
    tables: list[dict[str, Any]] = []
    for name, rows in cells.sheets[: limits.max_pages]:
        out.add(f"# sheet {name}")
        tables.append(take_sheet(name, rows, out, Clock(limits.max_seconds * 0.3), problems))
    pictures = sum(name.startswith("Pictures/") for name in box.names)
    charts = len({name.split("/")[0] for name in box.names if name.startswith("Object ") and "/" in name})
    return sheets_document(source, "ods", tables, out.text(), problems, images=pictures, charts=charts)


def _sniff(data: bytes) -> bool:
    return is_zip(data) and _MIME in data[:256]


READER = Reader("ods", frozenset({".ods", ".ots"}), _sniff, _read, isolated=True)
