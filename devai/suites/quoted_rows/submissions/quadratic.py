"""Reads tables by cutting the text shorter at each sign."""


def read_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table by name.

    Args:
        text: The table.

    Raises:
        ValueError: The table is not well formed.
    """
    rows: list[list[str]] = []
    row: list[str] = []
    while text or row:
        field = ""
        if text[:1] == "'":
            text = text[1:]
            while text[:1] != "'" or text[:2] == "''":
                if not text:
                    raise ValueError("a quote is never closed")
                field, text = field + text[0], text[2:] if text[:2] == "''" else text[1:]
            text = text[1:]
            if text[:1] not in ("", ";", "\n"):
                raise ValueError("something follows a quote")
        while text[:1] not in ("", ";", "\n"):
            field, text = field + text[0], text[1:]
        row.append(field)
        if text[:1] != ";":
            rows.append(row)
            row = []
        text = text[1:]
    if any(len(row) != len(rows[0]) for row in rows) or (rows and len(set(rows[0])) < len(rows[0])):
        raise ValueError("fields do not fit the names")
    return [dict(zip(rows[0], row)) for row in rows[1:]]
