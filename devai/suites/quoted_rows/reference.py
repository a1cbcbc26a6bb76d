"""A table with quoted fields."""

import re

_FIELD = re.compile(r"'((?:[^']|'')*)'(?=[;\n]|\Z)|([^';\n][^;\n]*|)(?=[;\n]|\Z)")


def read_rows(text: str) -> list[dict[str, str]]:
    """Read a table.

    Args:
        text: Rows of fields, the names first.

    Raises:
        ValueError: The text is no such table.
    """
    rows: list[list[str]] = []
    at = 0
    while at < len(text):
        row, at = _row(text, at)
        rows.append(row)
    if not rows:
        return []
    names = rows[0]
    if len(set(names)) != len(names):
        raise ValueError("a name stands twice")
    if any(len(row) != len(names) for row in rows):
        raise ValueError("a row has more or fewer fields than names")
    return [dict(zip(names, row, strict=True)) for row in rows[1:]]


def _row(text: str, at: int) -> tuple[list[str], int]:
    row: list[str] = []
    while True:
        found = _FIELD.match(text, at)
        if found is None:
            raise ValueError(f"a quote is not closed, or not followed by a separator, at {at}")
        row.append(found[2] if found[1] is None else found[1].replace("''", "'"))
        at = found.end()
        if at == len(text) or text[at] == "\n":
            return row, at + 1
        at += 1
