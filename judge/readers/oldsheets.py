"""Excel workbooks of the older kind (.xls), through xlrd."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from judge.readers.columns import MAX_COLUMNS, shown
from judge.readers.document import Document, Limits, Reader, ReaderProblem, Source, State
from judge.readers.ole import Compound, kind_of
from judge.readers.parts import Clock, TextBuilder
from judge.readers.sheets import sheets_document, take_sheet

_EMPTY, _TEXT, _NUMBER, _DATE, _BOOLEAN = range(5)
_BIFF = (b"\x09\x08", b"\x09\x04", b"\x09\x02", b"\x09\x00\x04\x00")


def _read(source: Source, limits: Limits) -> Document:
    xlrd: Any = import_module("xlrd")
    if source.truncated:
        raise ReaderProblem("larger than the bounds allow, not opened", State.PARTIAL)
    kind = kind_of(source.data)
    if kind not in {"xls", ""}:
        raise ReaderProblem("a compound file without a workbook", State.MISMATCH)
    out = TextBuilder(limits.max_chars)
    problems: list[str] = []
    tables: list[dict[str, Any]] = []
    clock = Clock(limits.max_seconds * 0.6)
    try:
        book = xlrd.open_workbook(
            file_contents=source.data, logfile=io.StringIO(), on_demand=True, ragged_rows=True, formatting_info=False
        )
        for number in range(min(book.nsheets, limits.max_pages)):
            sheet = book.sheet_by_index(number)
            out.add(f"# sheet {sheet.name}")
            tables.append(take_sheet(str(sheet.name), _rows(sheet, book.datemode), out, clock, problems))
            book.unload_sheet(number)
    except Exception as error:  # noqa: BLE001 - task boundary: damaged records lead the library anywhere
        if "encrypted" in str(error).lower() or "password" in str(error).lower():
            raise ReaderProblem("encrypted with a password", State.UNREADABLE) from None
        raise ReaderProblem(f"damaged workbook: {type(error).__name__}: {str(error)[:150]}") from None
    if book.nsheets > limits.max_pages:
        problems.append(f"only {limits.max_pages} of {book.nsheets} sheets were looked at")
    pictures = int(kind == "xls" and Compound(source).size("MBD0000") > 0)
    return sheets_document(source, "xls", tables, out.text(), problems, images=pictures)


def _rows(sheet: Any, mode: int) -> Iterator[list[str]]:
    for number in range(sheet.nrows):
        kinds, values = sheet.row_types(number), sheet.row_values(number)
        yield [_cell(kind, value, mode) for kind, value in zip(kinds[:MAX_COLUMNS], values, strict=False)]


def _cell(kind: int, value: Any, mode: int) -> str:
    xlrd: Any = import_module("xlrd")
    if kind == _DATE:
        try:
            return shown(xlrd.xldate_as_datetime(value, mode))
        except (ValueError, OverflowError):
            return str(value)
    if kind == _BOOLEAN:
        return str(bool(value))
    if kind == _NUMBER and float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shown(value, 500) if kind in {_TEXT, _NUMBER} else ""


def _sniff(data: bytes) -> bool:
    return kind_of(data) == "xls"


READER = Reader("xls", frozenset({".xls", ".xlt"}), _sniff, _read, isolated=True)
