"""Excel workbooks: sheets, shape, first rows as tab-separated text."""

from __future__ import annotations

import io
import warnings
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.readers.zipbox import ZipBox, is_zip

_MAX_ROWS = 200_000
_SHOWN_ROWS = 100
_MAX_COLUMNS = 200


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
        tables, text, problems = _sheets(source.data, limits)
    rows = sum(table["rows"] for table in tables)
    first = next((table for table in tables if table["rows"] or table["columns"]), None)
    facts = {
        "sheets": [table["name"] for table in tables],
        "tables": tables,
        "rows": max(0, first["rows"] - 1) if first else 0,
        "columns": first["columns"] if first else [],
        "images": pictures,
        "charts": charts,
    }
    state = State.SOUND if rows > 1 or pictures or charts else State.EMPTY
    if rows == 1:
        problems.append("no rows below the first")
    return Document(source.path, "xlsx", Family.TABLE, state, text, facts, problems=tuple(problems))


def _sheets(data: bytes, limits: Limits) -> tuple[list[dict[str, Any]], str, list[str]]:
    from openpyxl import load_workbook

    problems: list[str] = []
    out = TextBuilder(limits.max_chars)
    tables: list[dict[str, Any]] = []
    clock = Clock(limits.max_seconds * 0.6)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # noqa: BLE001 - task boundary: openpyxl raises whatever a damaged part leads to
        raise ReaderProblem(f"damaged workbook: {type(error).__name__}: {error}") from None
    for name in book.sheetnames[: limits.max_pages]:
        sheet = book[name]
        out.add(f"# sheet {name}")
        try:
            tables.append(_sheet(name, sheet, out, clock, problems))
        except Exception as error:  # noqa: BLE001 - task boundary, as above
            raise ReaderProblem(f"damaged sheet {name}: {type(error).__name__}: {error}") from None
    return tables, out.text(), problems


def _sheet(name: str, sheet: Any, out: TextBuilder, clock: Clock, problems: list[str]) -> dict[str, Any]:
    columns: list[str] = []
    filled = cells = 0
    if not hasattr(sheet, "iter_rows"):  # a chart sheet
        return {"name": name, "rows": 0, "columns": [], "cells": 0}
    sheet.reset_dimensions()  # what a file says about its size is not to be trusted
    for number, row in enumerate(sheet.iter_rows(values_only=True, max_col=_MAX_COLUMNS), start=1):
        values = ["" if value is None else str(value)[:500] for value in row]
        while values and not values[-1]:
            values.pop()
        count = sum(bool(value) for value in values)
        if count:
            filled += 1
            cells += count
            columns = columns or [value.strip()[:200] for value in values]
            if filled <= _SHOWN_ROWS:
                out.add("\t".join(values))
        if number >= _MAX_ROWS or (number % 500 == 0 and clock.over):
            problems.append(f"sheet {name}: only {number} rows were looked at")
            break
    return {"name": name, "rows": filled, "columns": columns, "cells": cells}


def _sniff(data: bytes) -> bool:
    return is_zip(data) and b"xl/workbook.xml" in data


READER = Reader("workbook", frozenset({".xlsx", ".xlsm"}), _sniff, _read, isolated=True)
