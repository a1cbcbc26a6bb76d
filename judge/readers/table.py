"""Tables in text: csv and tsv. The text is the file's lines; shape, types and gaps are facts."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from judge.readers.data import parse_json
from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.readers.markup import looks_like_html
from judge.readers.parts import Clock, never, text_document, text_of

_SAMPLE_ROWS = 5_000
_MAX_LINE = 128 * 1024
"""The csv module refuses longer fields, and its limit is one for the whole process."""
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?", "#n/a"})
_MAX_COLUMNS = 500
_FEW_VALUES = 8
"""A column with more distinct values is described by its range, or not at all."""


def _read(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    text = decoded.text
    tab = source.suffix in {".tsv", ".tab"}
    format_ = "tsv" if tab else "csv"
    foreign = _foreign(text)
    if foreign:
        return text_document(
            source, limits, format_, Family.TEXT, decoded, problems=[f"{foreign}, not a table"], state=State.MISMATCH
        )
    if not text.strip():
        return text_document(source, limits, format_, Family.TABLE, decoded)
    delimiter = "\t" if tab else _delimiter(text)
    facts, problems = _measure(text, delimiter, limits)
    state = State.SOUND
    if not facts["all_rows_counted"]:
        state = State.PARTIAL
    if not facts["rows"]:
        state = State.EMPTY
        problems.append("no rows below the header")
    return text_document(source, limits, format_, Family.TABLE, decoded, facts=facts, problems=problems, state=state)


def _foreign(text: str) -> str:
    """What else the text is, or an empty string."""
    head = text[:2000].lstrip()
    if looks_like_html(head):
        return "an HTML page"
    if head[:1] in {"{", "["}:
        try:
            parse_json(text)
        except ValueError:
            return ""
        return "JSON"
    return ""


def _delimiter(text: str) -> str:
    """The character that splits the first lines most evenly; a comma when none does."""
    lines = [line for line in text[:20_000].split("\n")[:20] if line.strip()]
    best, best_score = ",", 0.0
    for candidate in (",", ";", "\t", "|"):
        counts = Counter(len(row) for row in csv.reader([line[:_MAX_LINE] for line in lines], delimiter=candidate))
        width, often = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
        score = often / len(lines) if width > 1 else 0.0
        if score > best_score:
            best, best_score = candidate, score
    return best


def _measure(text: str, delimiter: str, limits: Limits) -> tuple[dict[str, Any], list[str]]:
    """Facts and problems. Rows are counted in full; types, gaps and constant columns come from the first ones."""
    problems: list[str] = []
    rows = _rows(text, delimiter, problems)
    first = next(rows, [])
    header = not all(_number(cell) is not None or cell.strip().lower() in _MISSING for cell in first)
    names = [cell.strip() for cell in first] if header else [str(number) for number in range(len(first))]
    columns = _Columns(len(names))
    count = ragged = 0
    cut = False
    clock = Clock(limits.max_seconds / 2)
    if not header:
        columns.add(first)
        count = 1
    for row in rows:
        count += 1
        ragged += len(row) != len(names)
        if count <= _SAMPLE_ROWS:
            columns.add(row)
        if count % 5_000 == 0 and clock.over:
            cut = True
            break
    if ragged:
        problems.append(f"{ragged} rows have another number of columns than the header")
    if cut:
        problems.append("only counted in part, it takes too long")
    facts = {
        "rows": count,
        "all_rows_counted": not cut,
        "columns": names[:_MAX_COLUMNS],
        "column_count": len(names),
        "header": header,
        "delimiter": delimiter,
        "ragged_rows": ragged,
        "sampled_rows": min(count, _SAMPLE_ROWS),
        **columns.facts(names),
    }
    return facts, problems


def _rows(text: str, delimiter: str, problems: list[str]) -> Iterator[list[str]]:
    """Rows with something in them; a line that the csv module refuses ends a file's good part, not the reading."""
    reader = csv.reader(_lines(text, problems), delimiter=delimiter)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(f"line {reader.line_num}: {error}")
            return
        if row and (len(row) > 1 or row[0].strip()):
            yield row


def _lines(text: str, problems: list[str]) -> Iterator[str]:
    start, length = 0, len(text)
    long = 0
    while start < length:
        end = text.find("\n", start)
        end = length if end < 0 else end
        if end - start > _MAX_LINE:
            long += 1
            if long == 1:
                problems.append(f"a line of {end - start} characters")
            yield text[start : start + _MAX_LINE - 1].replace('"', "") + "\n"
        else:
            yield text[start : end + 1]
        start = end + 1


class _Columns:
    """What is in each column."""

    def __init__(self, width: int) -> None:
        self.width = min(width, _MAX_COLUMNS)
        self.seen = [0] * self.width
        self.numbers = [0] * self.width
        self.missing = [0] * self.width
        self.values: list[Counter[str]] = [Counter() for _ in range(self.width)]
        self.low = [math.inf] * self.width
        self.high = [-math.inf] * self.width

    def add(self, row: list[str]) -> None:
        for index, cell in enumerate(row[: self.width]):
            value = cell.strip()
            if value.lower() in _MISSING:
                self.missing[index] += 1
                continue
            self.seen[index] += 1
            number = _number(value)
            if number is not None:
                self.numbers[index] += 1
                self.low[index] = min(self.low[index], number)
                self.high[index] = max(self.high[index], number)
            if len(self.values[index]) <= _FEW_VALUES:  # one more than few shows that there are many
                self.values[index][value[:100]] += 1
        for index in range(len(row), self.width):
            self.missing[index] += 1

    def facts(self, names: list[str]) -> dict[str, Any]:
        indexes = range(self.width)
        numeric = [i for i in indexes if self.seen[i] and self.numbers[i] == self.seen[i]]
        return {
            "numeric_columns": [names[i] for i in numeric],
            "missing": {names[i]: self.missing[i] for i in indexes if self.missing[i]},
            "constant_columns": [names[i] for i in indexes if self.seen[i] > 1 and len(self.values[i]) == 1],
            "ranges": {names[i]: [self.low[i], self.high[i]] for i in numeric[:50]},
            "value_counts": {names[i]: dict(self.values[i].most_common()) for i in indexes[:50] if self._few(i)},
        }

    def _few(self, index: int) -> bool:
        """Whether the column holds a few values, each of them several times, as classes do."""
        kinds = len(self.values[index])
        return 0 < kinds <= _FEW_VALUES and self.seen[index] >= 3 * kinds


def _number(cell: str) -> float | None:
    cell = cell.strip()
    if not cell or len(cell) > 40 or cell[-1:].isalpha():  # "nan", "inf" and words are no numbers
        return None
    try:
        return float(cell.rstrip("%").replace(",", "")) if "_" not in cell else None
    except ValueError:
        return None


READER = Reader("table", frozenset({".csv", ".tsv", ".tab"}), never, _read, textual=True)
