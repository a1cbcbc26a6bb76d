"""SQLite databases: schema, row counts and first rows, from a copy in memory."""

from __future__ import annotations

import sqlite3
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.text import one_line

_MAGIC = b"SQLite format 3\x00"
_SHOWN_ROWS = 5


def _read(source: Source, limits: Limits) -> Document:
    if source.truncated:
        return Document(
            source.path,
            "sqlite",
            Family.DATABASE,
            State.PARTIAL,
            facts={"page_size": int.from_bytes(source.data[16:18], "big")},
            problems=("larger than the bounds allow, not opened",),
        )
    connection = sqlite3.connect(":memory:")
    try:
        _open(connection, source.data, limits)
        return _tables(connection, source, limits)
    except sqlite3.Error as error:
        raise ReaderProblem(f"damaged database: {error}") from None
    finally:
        connection.close()


def _open(connection: sqlite3.Connection, data: bytes, limits: Limits) -> None:
    """Loads the copy. Nothing of the file's own may run: no extension, no function with effects, no endless view."""
    copy = bytearray(data)
    if copy[18:20] == b"\x02\x02":  # a write-ahead log cannot be opened in memory: the main file is what counts
        copy[18:20] = b"\x01\x01"
    connection.deserialize(bytes(copy))
    clock = Clock(limits.max_seconds / 2)
    connection.set_progress_handler(lambda: int(clock.over), 10_000)
    for pragma in ("query_only=1", "trusted_schema=0", "cell_size_check=1"):
        connection.execute(f"PRAGMA {pragma}")


def _tables(connection: sqlite3.Connection, source: Source, limits: Limits) -> Document:
    rows = connection.execute(
        "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' "
        "ORDER BY name LIMIT ?",
        (limits.max_pages,),
    ).fetchall()
    out = TextBuilder(limits.max_chars)
    tables: list[dict[str, Any]] = []
    problems: list[str] = []
    for name, kind, statement in rows:
        out.add(str(statement or name)[:2000])
        if kind != "table":
            continue
        try:
            tables.append(_table(connection, str(name), out))
        except sqlite3.Error as error:
            problems.append(f"table {name} cannot be read: {error}")
            tables.append({"name": str(name), "rows": None, "columns": []})
    total = sum(table["rows"] or 0 for table in tables)
    facts = {
        "tables": tables,
        "rows": total,
        "views": [str(name) for name, kind, _ in rows if kind == "view"],
    }
    problems += _damage(connection, source.data)
    state = State.SOUND if total or problems else State.EMPTY
    if problems:
        state = State.BROKEN
    elif not total:
        problems.append("no rows in any table" if tables else "no tables in it")
    return Document(source.path, "sqlite", Family.DATABASE, state, out.text(), facts, problems=tuple(problems))


def _damage(connection: sqlite3.Connection, data: bytes) -> list[str]:
    page_size = int.from_bytes(data[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    pages = int.from_bytes(data[28:32], "big")
    if data[24:28] == data[92:96] and pages * page_size > len(data):
        return ["the end is missing"]
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    return [] if found is None or found[0] == "ok" else [f"damaged: {str(found[0])[:200]}"]


def _table(connection: sqlite3.Connection, name: str, out: TextBuilder) -> dict[str, Any]:
    quoted = '"' + name.replace('"', '""') + '"'
    cursor = connection.execute(f"SELECT * FROM {quoted} LIMIT {_SHOWN_ROWS}")
    columns = [str(column[0])[:200] for column in cursor.description or ()][:200]
    for row in cursor.fetchall():
        out.add("  " + " | ".join(one_line(_shown(value), 200) for value in row[:50]))
    count = int(connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])
    return {"name": name, "rows": count, "columns": columns}


def _shown(value: object) -> str:
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)[:400]


READER = Reader(
    "sqlite",
    frozenset({".sqlite", ".sqlite3", ".db", ".db3"}),
    lambda data: data.startswith(_MAGIC),
    _read,
    isolated=True,
)
