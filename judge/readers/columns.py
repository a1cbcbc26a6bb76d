"""What is in the columns of a table, whatever file it came from: types, gaps, ranges, few values."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

SAMPLE_ROWS = 5_000
SAMPLE_CELLS = 1_000_000
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?", "#n/a", "<na>", "nat"})
MAX_COLUMNS = 500
FEW_VALUES = 8
"""A column with more distinct values is described by its range, or not at all."""
_DESCRIBED = 50
_INFINITE = frozenset({"inf", "-inf", "+inf", "infinity", "-infinity"})
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d*)?(?:[eE][+-]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][+-]?\d+)?")
_MEASURED = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_BOOLEANS = frozenset({"true", "false"})


def number(cell: str, decimal_comma: bool = False) -> float | None:
    """The number a cell holds; None for words, ``nan`` and ``inf``.

    Args:
        cell: The cell.
        decimal_comma: Whether one comma before three digits is a decimal one (``1,234`` for 1.234), as in tables that
            are split by semicolons. A comma before more or fewer digits always is.
    """
    cell = cell.strip()
    if not cell or len(cell) > 40 or cell[-1:].isalpha() or "_" in cell:
        return None
    cell = cell.rstrip("%")
    if "," in cell:
        cell = _without_commas(cell, decimal_comma)
    try:
        return float(cell)
    except ValueError:
        return None


def _without_commas(cell: str, decimal_comma: bool) -> str:
    if _THOUSANDS.fullmatch(cell) and not (decimal_comma and cell.count(",") == 1 and "." not in cell):
        return cell.replace(",", "")
    return cell.replace(".", "").replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else ""


def is_header(first: Sequence[str], second: Sequence[str] | None) -> bool:
    """Whether the first row of a table names its columns, and is no row of values.

    Args:
        first: Its cells.
        second: Those of the next row; None where it is the only one.
    """
    known = [number(cell) is not None or is_missing(cell) for cell in first]
    if all(known):
        # A table that is written with its index has no name above it: ``,0,1`` over ``0,5,6``.
        names = [cell.strip() for cell in first]
        below = second is not None and len(second) == len(first) and not is_missing(second[0])
        numbered = [name for name in names if name] == [str(place) for place in range(sum(map(bool, names)))]
        return len(names) > 1 and not names[0] and below and numbered and any(names)
    if second is None:  # words alone are names; with a number among them it says something
        return not any(number(cell) is not None for cell in first)
    return not any(_MEASURED.fullmatch(cell.strip()) for cell in first)


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.strip().lower() in MISSING


def shown(value: object, limit: int = 200) -> str:
    """A value of a typed table as a cell of text; an empty string for none."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value[:limit]
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, bool | int | float | decimal.Decimal):
        return str(value)[:limit]
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat(*((" ",) if isinstance(value, datetime.datetime) else ()))
    if isinstance(value, list | tuple):
        inner = ", ".join(shown(item, 20) for item in value[:8])
        return f"[{inner}{', …' if len(value) > 8 else ''}]"[:limit]
    return str(value)[:limit]


class Columns:
    """Takes rows of text cells in and tells what each column is like."""

    def __init__(self, width: int, *, decimal_comma: bool = False) -> None:
        self.decimal_comma = decimal_comma
        self.width = min(width, MAX_COLUMNS)
        self.rows = 0
        self.seen = [0] * self.width
        self.numbers = [0] * self.width
        self.whole = [0] * self.width
        self.dates = [0] * self.width
        self.booleans = [0] * self.width
        self.missing = [0] * self.width
        self.infinite = [0] * self.width
        self.values: list[Counter[str]] = [Counter() for _ in range(self.width)]
        self.low = [math.inf] * self.width
        self.high = [-math.inf] * self.width

    @property
    def room(self) -> int:
        """How many rows are taken at most."""
        return max(100, min(SAMPLE_ROWS, SAMPLE_CELLS // max(1, self.width)))

    def add(self, row: Sequence[str]) -> None:
        """Takes a row in, as long as there is room."""
        if self.rows >= self.room:
            return
        self.rows += 1
        for index, cell in enumerate(row[: self.width]):
            value = cell.strip()
            lowered = value.lower()
            if lowered in MISSING:
                self.missing[index] += 1
                continue
            self.seen[index] += 1
            self._sort(index, value, lowered)
            if len(self.values[index]) <= FEW_VALUES:  # one more than few shows that there are many
                self.values[index][value[:100]] += 1
        for index in range(len(row), self.width):
            self.missing[index] += 1

    def _sort(self, index: int, value: str, lowered: str) -> None:
        found = number(value, self.decimal_comma)
        if found is not None and math.isfinite(found):
            self.numbers[index] += 1
            self.whole[index] += found == int(found) and "." not in value and "e" not in lowered
            self.low[index] = min(self.low[index], found)
            self.high[index] = max(self.high[index], found)
        elif lowered in _INFINITE or found is not None:
            self.infinite[index] += 1
        elif lowered in _BOOLEANS:
            self.booleans[index] += 1
        elif value[:1].isdigit() and _DATE.fullmatch(value):
            self.dates[index] += 1

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Facts by the names of the columns."""
        indexes = range(self.width)
        numeric = [i for i in indexes if self.seen[i] and self.numbers[i] + self.infinite[i] == self.seen[i]]
        ranged = [i for i in numeric if self.numbers[i]][:_DESCRIBED]
        facts = {
            "numeric_columns": [names[i] for i in numeric],
            "missing": {names[i]: self.missing[i] for i in indexes if self.missing[i]},
            "constant_columns": [names[i] for i in indexes if self.seen[i] > 1 and len(self.values[i]) == 1],
            "ranges": {names[i]: [self.low[i], self.high[i]] for i in ranged},
            "value_counts": {
                names[i]: dict(self.values[i].most_common()) for i in indexes[:_DESCRIBED] if self._few(i)
            },
            "types": {names[i]: self._type(i) for i in indexes},
        }
        empty = [names[i] for i in indexes if self.rows and not self.seen[i]]
        infinite = {names[i]: self.infinite[i] for i in indexes if self.infinite[i]}
        return facts | ({"empty_columns": empty} if empty else {}) | ({"infinite": infinite} if infinite else {})

    def _type(self, index: int) -> str:
        seen = self.seen[index]
        if not seen:
            return "empty"
        if self.numbers[index] + self.infinite[index] == seen:
            return "integer" if self.whole[index] == seen else "number"
        for count, name in ((self.dates[index], "date"), (self.booleans[index], "boolean")):
            if count == seen:
                return name
        return "text"

    def _few(self, index: int) -> bool:
        """Whether the column holds a few values, each of them several times, as classes do."""
        kinds = len(self.values[index])
        return 0 < kinds <= FEW_VALUES and self.seen[index] >= 3 * kinds


def unique(names: Iterable[object]) -> list[str]:
    """Names of columns as text, the same name never twice, so that facts can be kept by them."""
    taken: dict[str, int] = {}
    out = []
    for position, name in enumerate(names):
        text = str(name)[:200]
        if text in taken:
            text = f"{text} (column {position + 1})"
        taken[text] = position
        out.append(text)
    return out
