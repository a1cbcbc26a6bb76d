"""csv, tsv, xlsx, sqlite: shape, types, gaps."""

from __future__ import annotations

import io
import sqlite3
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.readers import Document, Family, State

Read = Callable[..., Document]


def test_csv_facts(read: Read) -> None:
    found = read("a.csv", 'id,name,score,same\n1,"x, y",0.5,1\n2,z,NA,1\n3,,1e-3,1\n')
    facts = found.facts
    assert (facts["rows"], facts["columns"]) == (3, ["id", "name", "score", "same"])
    assert facts["numeric_columns"] == ["id", "score", "same"]
    assert facts["missing"] == {"name": 1, "score": 1}
    assert facts["constant_columns"] == ["same"]
    assert found.text.split("\n")[1] == '1,"x, y",0.5,1'
    assert (found.family, found.lines_match) == (Family.TABLE, True)


@pytest.mark.parametrize(("name", "mark"), [("a.tsv", "\t"), ("a.csv", ";"), ("a.csv", "|"), ("a.csv", "\t")])
def test_delimiters(read: Read, name: str, mark: str) -> None:
    text = "a,b;c\n1,2;3\n".replace(",", mark).replace(";", mark)
    assert read(name, text).facts["columns"] == ["a", "b", "c"]


def test_tables_without_header_rows_or_order(read: Read) -> None:
    assert read("a.csv", "1,2\n3,4\n").facts["rows"] == 2
    assert read("a.csv", "a,b\n").state is State.EMPTY
    assert read("a.csv", "a,b\n1,2,3\n4\n").facts["ragged_rows"] == 2
    assert read("a.csv", "value\n1\n2\n").facts["numeric_columns"] == ["value"]


@pytest.mark.parametrize("text", ["<html><body>404</body></html>", '{"error": "not found"}', "[1, 2]"])
def test_other_content_in_a_csv(read: Read, text: str) -> None:
    found = read("a.csv", text)
    assert found.state is State.MISMATCH
    assert found.text == text


def test_hostile_csv(read: Read) -> None:
    start = time.process_time()
    assert read("a.csv", b"a,b\n" + b"x" * 100_000_000).state is State.PARTIAL
    assert read("a.csv", 'a,b\n"' + "x" * 1_000_000).problems
    assert read("a.csv", b"a,b\n1,2\n" + b"\xff\xfe\xfd,3\n").facts["rows"] == 2
    assert (
        read("a.csv", ",".join(f"c{i}" for i in range(20_000)) + "\n" + "1," * 19_999 + "1\n").facts["column_count"]
        == 20_000
    )
    assert time.process_time() - start < 15


def workbook(*rows: list[object]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_xlsx(read: Read) -> None:
    data = workbook(["name", "score"], ["a", 0.5], ["b", 0.7])
    found = read("a.xlsx", data)
    assert (found.state, found.facts["rows"], found.facts["columns"]) == (State.SOUND, 2, ["name", "score"])
    assert "a\t0.5" in found.text
    assert read("a.xlsx", workbook()).state is State.EMPTY
    assert read("a.xlsx", workbook(["only", "header"])).state is State.EMPTY
    assert read("a.xlsx", data[: len(data) // 2]).state is State.BROKEN
    assert read("a.xlsx", "a,b\n1,2\n").state is State.MISMATCH
    assert read("a.csv", data).state is State.MISMATCH


def repack(data: bytes, name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.namelist():
            new.writestr(item, content if item == name else old.read(item))
    return out.getvalue()


def test_hostile_xlsx(read: Read) -> None:
    data = workbook(["a"], [1])
    head = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    start = time.monotonic()
    empty_rows = repack(data, "xl/worksheets/sheet1.xml", head + b"<row/>" * 1_000_000 + b"</sheetData></worksheet>")
    assert read("a.xlsx", empty_rows).state in {State.EMPTY, State.UNREADABLE}
    bomb = repack(data, "xl/worksheets/sheet1.xml", b" " * 200_000_000)
    assert read("a.xlsx", bomb).state is State.UNREADABLE
    entity = b'<!DOCTYPE x [<!ENTITY a "b">]>' + head + b"<row><c><v>&a;</v></c></row></sheetData></worksheet>"
    assert read("a.xlsx", repack(data, "xl/worksheets/sheet1.xml", entity)).state is State.BROKEN
    assert time.monotonic() - start < 60


def database(path: Path, *statements: str) -> bytes:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_sqlite(read: Read, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("db") / "x.db"
    data = database(
        path, "CREATE TABLE users (id INTEGER, name TEXT)", "INSERT INTO users VALUES (1, 'ann'), (2, 'bob')"
    )
    found = read("a.db", data)
    assert (found.state, found.family) == (State.SOUND, Family.DATABASE)
    (table,) = found.facts["tables"]
    assert (table["name"], table["rows"], table["columns"]) == ("users", 2, ["id", "name"])
    assert "1 | ann" in found.text
    assert read("a.sqlite", data[:5000]).state is State.BROKEN
    assert read("noext", data).family is Family.DATABASE
    assert read("a.db", "text").state is State.MISMATCH


def test_hostile_sqlite(read: Read, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("db") / "x.db"
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    data = database(path, 'CREATE TABLE "a""; DROP" (x)', f"CREATE VIEW v AS {endless}")
    found = read("a.db", data)
    assert found.state is State.EMPTY
    assert found.facts["views"] == ["v"]
    wal = bytearray(data)
    wal[18:20] = b"\x02\x02"
    found = read("a.db", bytes(wal))
    assert found.state is State.PARTIAL  # its rows may all be in the log
    assert any("write-ahead log" in problem for problem in found.problems)
