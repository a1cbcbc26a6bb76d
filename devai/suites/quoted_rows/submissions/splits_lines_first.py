"""Reads tables line by line, which tears fields with newlines."""


def read_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table by name."""
    rows = []
    for line in text.splitlines():
        fields, field, inside, index = [], "", False, 0
        while index < len(line):
            sign = line[index]
            if inside and sign == "'" and line[index + 1 : index + 2] == "'":
                field += "'"
                index += 1
            elif sign == "'" and (inside or not field):
                inside = not inside
            elif sign == ";" and not inside:
                fields.append(field)
                field = ""
            else:
                field += sign
            index += 1
        if inside:
            raise ValueError("a quote is never closed")
        rows.append([*fields, field])
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("fields do not fit the names")
    return [dict(zip(rows[0], row)) for row in rows[1:]]
