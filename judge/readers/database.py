"""SQLite databases: schema, row counts and first rows, from a copy in memory."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from judge.readers.columns import Columns, shown, unique
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.text import one_line

_MAGIC = b"SQLite format 3\x00"
_WAL = b"\x02\x02"
_SHOWN_ROWS = 5
_SAMPLED_ROWS = 1_000
_MAX_COLUMNS = 200
_MAX_VALUE = 16 * 1024 * 1024

_VIRTUAL = re.compile(r"\s*CREATE\s+VIRTUAL\s+TABLE\b", re.IGNORECASE)
_SHADOWS = frozenset(
    {"config", "content", "data", "docsize", "idx", "segments", "segdir", "stat", "node", "rowid", "parent"}
)


def _read(source: Source, limits: Limits) -> Document:
    connection = sqlite3.connect(":memory:")
    try:
        _open(connection, source, limits)
        return _tables(connection, source, limits)
    except (sqlite3.Error, OverflowError) as error:
        state = State.PARTIAL if source.truncated else State.BROKEN
        what = "larger than the bounds allow, not opened" if source.truncated else "damaged database"
        raise ReaderProblem(f"{what}: {error}", state) from None
    finally:
        connection.close()


def _open(connection: sqlite3.Connection, source: Source, limits: Limits) -> None:
    """Loads the copy. Nothing of the file's own may run: no extension, no function with effects, no endless view."""
    copy = bytearray(source.data)
    if copy[18:20] == _WAL:  # a write-ahead log cannot be opened in memory: the main file is what counts
        copy[18:20] = b"\x01\x01"
    if source.truncated:  # what is at hand is a whole number of pages that says to be no more than that
        size = _page_size(source.data)
        del copy[len(copy) // size * size :]
        copy[28:32] = (len(copy) // size).to_bytes(4, "big")
    connection.deserialize(bytes(copy))
    clock = Clock(limits.max_seconds / 2)
    connection.set_progress_handler(lambda: int(clock.over), 10_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for pragma in ("query_only=1", "trusted_schema=0", "cell_size_check=1"):
        connection.execute(f"PRAGMA {pragma}")


def _tables(connection: sqlite3.Connection, source: Source, limits: Limits) -> Document:
    rows = connection.execute(
        "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view', 'trigger', 'index') "
        "AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC, name LIMIT ?",
        (limits.max_pages * 4,),
    ).fetchall()
    left = _count(connection) - sum(kind == "table" for _, kind, _ in rows)
    out = TextBuilder(limits.max_chars)
    tables: list[dict[str, Any]] = []
    problems: list[str] = []
    virtual = {str(name) for name, kind, statement in rows if _VIRTUAL.match(str(statement or ""))}
    rows = [row for row in rows if not (row[1] == "table" and _is_shadow(str(row[0]), virtual))]
    for name, kind, statement in rows:
        out.add(str(statement or name)[:2000])
        if kind != "table":
            continue
        if len(tables) >= limits.max_pages:
            left += 1
            continue
        try:
            tables.append(_table(connection, str(name), out, source.truncated))
        except sqlite3.Error as error:
            tables.append({"name": str(name), "rows": None, "columns": []})
            if not source.truncated:
                problems.append(f"table {name} cannot be read: {error}")
    total = sum(table["rows"] or 0 for table in tables)
    facts: dict[str, Any] = {
        "tables": tables,
        "rows": None if source.truncated or left else total,
        **{f"{kind}s": [str(name) for name, found, _ in rows if found == kind] for kind in ("view", "trigger")},
        "write_ahead_log": source.data[18:20] == _WAL,
        "indexes": sum(found == "index" for _, found, _ in rows),
    }
    problems += [] if source.truncated else _damage(connection, source.data)
    if source.truncated:
        state, more = State.PARTIAL, ["larger than the bounds allow, rows were not counted"]
    elif problems:
        state, more = State.BROKEN, []
    elif left:
        state, more = State.PARTIAL, [f"only {len(tables)} of {len(tables) + left} tables were looked at"]
    else:
        state, more = _whole(total, tables, facts["write_ahead_log"])
    problems += more
    return Document(source.path, "sqlite", Family.DATABASE, state, out.text(), facts, problems=tuple(problems))


def _whole(total: int, tables: list[dict[str, Any]], log: bool) -> tuple[State, list[str]]:
    """The state of a database of which all was looked at, and what speaks against it."""
    if total:
        return State.SOUND, []
    problems = ["no rows in any table" if tables else "no tables in it"]
    if not log:
        return State.EMPTY, problems
    return State.PARTIAL, [
        *problems,
        "rows may be in its write-ahead log, which is another file and was not looked at",
    ]


def _count(connection: sqlite3.Connection) -> int:
    """How many tables there are."""
    where = "type = 'table' AND name NOT LIKE 'sqlite_%'"
    return int(connection.execute(f"SELECT count(*) FROM sqlite_master WHERE {where}").fetchone()[0])


def _is_shadow(name: str, virtual: set[str]) -> bool:
    """Whether a table is where a virtual one, such as an index for full text, keeps its own records."""
    owner, _, part = name.rpartition("_")
    return owner in virtual and part in _SHADOWS


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    return 65536 if size == 1 else max(512, size)


def _damage(connection: sqlite3.Connection, data: bytes) -> list[str]:
    page_size = _page_size(data)
    pages = int.from_bytes(data[28:32], "big")
    if data[24:28] == data[92:96] and pages * page_size > len(data):
        return ["the end is missing"]
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    return [] if found is None or found[0] == "ok" else [f"damaged: {str(found[0])[:200]}"]


def _table(connection: sqlite3.Connection, name: str, out: TextBuilder, cut: bool) -> dict[str, Any]:
    """Columns, rows and what the first values are like."""
    quoted = '"' + name.replace('"', '""') + '"'
    cursor = connection.execute(f"SELECT * FROM {quoted} LIMIT {_SAMPLED_ROWS}")
    names = unique(column[0] for column in cursor.description or ())[:_MAX_COLUMNS]
    columns = Columns(len(names))
    try:
        for number, row in enumerate(cursor):
            cells = [shown(value, 400) for value in row[:_MAX_COLUMNS]]
            columns.add(cells)
            if number < _SHOWN_ROWS:
                out.add("  " + " | ".join(one_line(cell, 200) for cell in cells[:50]))
        count = int(connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0]) if not cut else None
    except sqlite3.Error:
        if not cut:
            raise
        count = None
    facts = columns.facts(names)
    kept = ("numeric_columns", "missing", "constant_columns", "value_counts", "empty_columns")
    return {"name": name, "rows": count, "columns": names} | {key: facts[key] for key in kept if facts.get(key)}


READER = Reader(
    "sqlite",
    frozenset({".sqlite", ".sqlite3", ".db", ".db3", ".gpkg", ".mbtiles"}),
    lambda data: data.startswith(_MAGIC),
    _read,
    isolated=True,
)
