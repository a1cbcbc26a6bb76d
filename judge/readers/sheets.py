"""What spreadsheets have in common: rows to text, facts on the sheets, the document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judge.readers.columns import MAX_COLUMNS, Columns, is_header, unique
from judge.readers.document import Document, Family, Source, State
from judge.readers.parts import Clock, TextBuilder

MAX_ROWS = 200_000
_SHOWN_ROWS = 100
_MAX_GAP = 20_000


def take_sheet(
    name: str, rows: Iterable[Sequence[str]], out: TextBuilder, clock: Clock, problems: list[str]
) -> dict[str, Any]:
    """Takes the rows of one sheet in, up to the bounds.

    Args:
        name: Name of the sheet.
        rows: Its rows as text; empty cells are empty texts.
        out: Takes the first rows that hold something, cells apart by tabs.
        clock: When to stop.
        problems: Takes what was not looked at.

    Returns:
        ``name``, ``rows`` (that hold something), ``columns`` (names in the first of them), ``cells`` and the facts of
        ``Columns``.
    """
    filled = cells = gap = 0
    first: list[str] = []
    names: list[str] = []
    columns = Columns(0)
    header = True
    for place, row in enumerate(rows, start=1):
        values = [value[:500] for value in row[:MAX_COLUMNS]]
        while values and not values[-1]:
            values.pop()
        count = sum(bool(value) for value in values)
        gap = 0 if count else gap + 1
        if count:
            filled += 1
            cells += count
            if filled == 1:
                first = values
            if filled == 2:
                header, names, columns = _begin(first, values)
            if filled >= 2:
                columns.add(values)
            if filled <= _SHOWN_ROWS:
                out.add("\t".join(" ".join(value.split()) for value in values))
        if place >= MAX_ROWS or gap >= _MAX_GAP or (place % 500 == 0 and clock.over):
            problems.append(f"sheet {name}: only {place} rows were looked at")
            break
    if filled == 1:
        header, names, columns = _begin(first, None)
    about = {**columns.facts(names), "header": header} if names else {}
    return {"name": name, "rows": filled, "columns": names, "cells": cells, **about}


def _begin(first: list[str], second: list[str] | None) -> tuple[bool, list[str], Columns]:
    """Whether the first row is a header, the names of the columns, and where to count what is in them.

    Without a header the cells of the first row still name the columns, so that a reader finds them.
    """
    header = is_header(first, second)
    names = unique(value.strip() for value in first)
    columns = Columns(len(names))
    if not header:
        columns.add(first)
    return header, names, columns


def sheets_document(
    source: Source, format_: str, tables: list[dict[str, Any]], text: str, problems: list[str], **more: int
) -> Document:
    """The document of a workbook. Its rows and columns are those of the first sheet that holds something.

    Args:
        source: The file.
        format_: Name of the format.
        tables: What ``take_sheet`` found.
        text: What it wrote.
        problems: What is wrong.
        more: Numbers of other things in it, such as ``images``: with one of them it is not empty.
    """
    total = sum(table["rows"] for table in tables)
    first = next((table for table in tables if table["rows"]), None)
    facts: dict[str, Any] = {
        "sheets": [table["name"] for table in tables],
        "tables": [{key: table[key] for key in ("name", "rows", "columns", "cells")} for table in tables],
        "rows": 0,
        "columns": [],
        **more,
    }
    if first:
        facts |= {key: value for key, value in first.items() if key not in {"name", "cells"}}
        facts |= {"rows": first["rows"] - first["header"], "column_count": len(first["columns"])}
    lone = total == 1 and first is not None and first["header"]
    state = State.SOUND if (total and not lone) or any(more.values()) else State.EMPTY
    if lone:
        problems.append("no rows below the first")
    elif state is State.EMPTY:
        problems.append("no cell is filled")
    if state is State.SOUND and any("only" in problem and "looked at" in problem for problem in problems):
        state = State.PARTIAL
    return Document(source.path, format_, Family.TABLE, state, text, facts, problems=tuple(problems))
