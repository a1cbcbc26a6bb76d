"""Reads tables sign by sign."""


def _fields(text: str) -> list[list[str]]:
    """Return the rows of a text as lists of fields."""
    rows: list[list[str]] = []
    row: list[str] = []
    position, size = 0, len(text)
    while position < size or row:
        field, position = _quoted(text, position) if text[position : position + 1] == "'" else _bare(text, position)
        row.append(field)
        sign = text[position : position + 1]
        if sign not in ("", ";", "\n"):
            raise ValueError(f"{sign!r} after a quote")
        if sign != ";":
            rows.append(row)
            row = []
        position += 1
    return rows


def _bare(text: str, start: int) -> tuple[str, int]:
    """Return a field without quotes and where it ends."""
    end = start
    while end < len(text) and text[end] not in ";\n":
        end += 1
    return text[start:end], end


def _quoted(text: str, start: int) -> tuple[str, int]:
    """Return a field in quotes and where it ends."""
    parts: list[str] = []
    position = start + 1
    while True:
        end = text.find("'", position)
        if end < 0:
            raise ValueError("a quote is never closed")
        parts.append(text[position:end])
        if text[end + 1 : end + 2] != "'":
            return "'".join(parts), end + 1
        position = end + 2


def read_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table by name.

    Args:
        text: The table.

    Raises:
        ValueError: The table is not well formed.
    """
    rows = _fields(text)
    if any(len(row) != len(rows[0]) for row in rows) or (rows and len(set(rows[0])) < len(rows[0])):
        raise ValueError("fields do not fit the names")
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
