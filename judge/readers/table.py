"""Tables in text: csv and tsv. The text is the file's lines; shape, types and gaps are facts."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from judge.readers.columns import MAX_COLUMNS, Columns, is_header, number, unique
from judge.readers.data import parse_json
from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.readers.markup import looks_like_html
from judge.readers.parts import Clock, never, text_document, text_of

_MAX_LINE = 128 * 1024
"""The csv module refuses longer fields, and its limit is one for the whole process."""
_USUAL = (",", ";", "\t", "|")
_MAX_COMMENTS = 100
_ODD = ("\x01", "\x1f", "^", "~", ":", " ")


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
    start, named = _before(text)
    body = text[start:] if start else text
    delimiter = named or ("\t" if tab else _delimiter(body))
    facts, problems = _measure(body, delimiter, limits, source.truncated)
    if start and not named:
        facts["comment_lines"] = text.count("\n", 0, start)
    state = State.SOUND if facts["all_rows_counted"] else State.PARTIAL
    facts["all_rows_counted"] = facts["all_rows_counted"] and not source.truncated
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
    if len(text) > 20_000 and len(lines) > 1 and len(lines) < 20:
        lines.pop()  # cut in the middle
    best, best_score = ",", 0.0
    for candidate in _USUAL:
        score, _ = _evenness(lines, candidate)
        if score > best_score:
            best, best_score = candidate, score
    if best_score:
        return best
    for candidate in _ODD:  # only when they fit every line: times and sentences hold them too
        score, width = _evenness(lines, candidate)
        if score == 1.0 and width > 1 and len(lines) > 1 and _names_columns(lines[0], candidate):
            return candidate
    return best


def _evenness(lines: list[str], delimiter: str) -> tuple[float, int]:
    """The share of lines with the most usual number of cells, and that number."""
    rows = csv.reader([line[:_MAX_LINE] for line in lines], delimiter=delimiter, skipinitialspace=delimiter == " ")
    counts = Counter(len(row) for row in rows)
    if not counts:
        return 0.0, 0
    width, often = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    return (often / len(lines) if width > 1 else 0.0), width


def _names_columns(line: str, delimiter: str) -> bool:
    cells = [cell.strip() for cell in line.split(delimiter)]
    return len(set(cells)) == len(cells) and all(re.fullmatch(r"[^\W\d]\w*", cell) for cell in cells)


def _before(text: str) -> tuple[int, str]:
    """Where the table begins below comments, and the delimiter that the file itself names, as spreadsheets write it."""
    start, delimiter, comment = 0, "", -1
    for _ in range(_MAX_COMMENTS):
        end = text.find("\n", start)
        line = text[start : max(start, end)][:1000]
        named = re.fullmatch(r'"?sep=(.)"?', line, re.IGNORECASE)
        if named:
            delimiter = named.group(1)
        elif line[:2].rstrip() == "#":
            comment = start
        elif end < 0 or line.strip() or not start:
            break
        start = end + 1
    if comment >= 0 and _heads(text[comment + 1 : start], text[start : start + _MAX_LINE].partition("\n")[0]):
        start = comment + len(text[comment : comment + 20]) - len(text[comment + 1 : comment + 20].lstrip(" "))
    return (start, delimiter) if text[start:].strip() else (0, "")


def _heads(comment: str, row: str) -> bool:
    """Whether a comment names the columns of the numbers below it, as numpy writes them."""
    mark = _delimiter(row) if any(usual in row for usual in _USUAL) else " "
    cells, names = row.split(mark if mark != " " else None), comment.strip().split(mark if mark != " " else None)
    return len(cells) == len(names) > 1 and all(number(cell) is not None for cell in cells)


def _measure(text: str, delimiter: str, limits: Limits, truncated: bool) -> tuple[dict[str, Any], list[str]]:
    """Facts and problems. Rows are counted in full; types, gaps and constant columns come from the first ones."""
    problems: list[str] = []
    rows = _rows(text, delimiter, problems)
    first = next(rows, [])
    second = next(rows, None)
    header = is_header(first, second)
    names = unique(cell.strip() for cell in first) if header else [str(place) for place in range(len(first))]
    columns = Columns(len(names), decimal_comma=delimiter == ";")
    count = ragged = 0
    cut = False
    clock = Clock(limits.max_seconds / 2)
    if not header:
        columns.add(first)
        count = 1
    row = first
    for row in itertools.chain([] if second is None else [second], rows):
        count += 1
        ragged += len(row) != len(names)
        columns.add(row)
        if count % 5_000 == 0 and clock.over:
            cut = True
            break
    if ragged:
        problems.append(f"{ragged} rows have another number of columns than the header")
    if cut:
        problems.append("only counted in part, it takes too long")
    elif row and "\n" in row[-1] and not truncated and not text.rstrip().endswith('"'):
        problems.append("a quote is opened and never closed, what follows it is taken for one cell")
    facts = {
        "rows": count,
        "all_rows_counted": not cut,
        "columns": names[:MAX_COLUMNS],
        "column_count": len(names),
        "header": header,
        "delimiter": delimiter,
        "ragged_rows": ragged,
        "sampled_rows": columns.rows,
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


READER = Reader("table", frozenset({".csv", ".tsv", ".tab", ".psv"}), never, _read, textual=True)
