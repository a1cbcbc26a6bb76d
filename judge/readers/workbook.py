"""Excel workbooks: sheets, shape, first rows as tab-separated text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import Any

from judge.readers.columns import MAX_COLUMNS, shown
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.readers.sheets import sheets_document, take_sheet
from judge.readers.zipbox import ZipBox, is_zip

_UNCOMPUTED = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>|</c>)")
_LOOKED_FOR_FORMULAS = 20
_MAX_LOOKED = 8 * 1024 * 1024


def _read(source: Source, limits: Limits) -> Document:
    if source.truncated:
        return Document(
            source.path, "xlsx", Family.TABLE, State.PARTIAL, problems=("larger than the bounds allow, not opened",)
        )
    box = ZipBox(source, limits)
    box.check_bomb()
    charts = sum(name.startswith("xl/charts/chart") for name in box.names)
    pictures = sum(name.startswith("xl/media/") for name in box.names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns about extensions it does not keep
        uncomputed, computed = _formulas(box)
        tables, text, problems = _sheets(source.data, limits, formulas=bool(uncomputed and not computed))
    if uncomputed:
        problems.append(f"{uncomputed} formulas whose values were never computed")
    return sheets_document(source, "xlsx", tables, text, problems, images=pictures, charts=charts)


def _formulas(box: ZipBox) -> tuple[int, int]:
    """How many formulas have no value, as libraries write them, and how many have one."""
    missing = found = 0
    for name in [name for name in box.names if name.startswith("xl/worksheets/sheet")][:_LOOKED_FOR_FORMULAS]:
        if box.size(name) <= _MAX_LOOKED:
            data = box.read(name)
            missing += len(_UNCOMPUTED.findall(data))
            found += data.count(b"</f>")
    return missing, found - missing


def _sheets(data: bytes, limits: Limits, formulas: bool) -> tuple[list[dict[str, Any]], str, list[str]]:
    from openpyxl import load_workbook

    problems: list[str] = []
    out = TextBuilder(limits.max_chars)
    tables: list[dict[str, Any]] = []
    clock = Clock(limits.max_seconds * 0.6)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=not formulas, keep_links=False)
    except Exception as error:  # noqa: BLE001 - task boundary: openpyxl raises whatever a damaged part leads to
        raise ReaderProblem(f"damaged workbook: {_brief(error)}") from None
    for name in book.sheetnames[: limits.max_pages]:
        out.add(f"# sheet {name}")
        try:
            tables.append(take_sheet(name, _rows(book[name]), out, clock, problems))
        except Exception as error:  # noqa: BLE001 - task boundary, as above
            raise ReaderProblem(f"damaged sheet {name}: {_brief(error)}") from None
    if len(book.sheetnames) > limits.max_pages:
        problems.append(f"only {limits.max_pages} of {len(book.sheetnames)} sheets were looked at")
    return tables, out.text(), problems


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _rows(sheet: Any) -> Iterator[list[str]]:
    if not hasattr(sheet, "iter_rows"):  # a chart sheet
        return
    sheet.reset_dimensions()  # what a file says about its size is not to be trusted
    for row in sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS):
        yield [shown(value, 500) for value in row]


def _sniff(data: bytes) -> bool:
    return is_zip(data) and b"xl/workbook.xml" in data


READER = Reader("workbook", frozenset({".xlsx", ".xlsm", ".xltx"}), _sniff, _read, isolated=True)
