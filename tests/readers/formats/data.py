"""Data: settings, tables in text and in columns, workbooks, databases."""

from __future__ import annotations

import datetime
import io
import json
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge.readers import Family, State
from tests.readers.formats.entry import Entry, Make
from tests.readers.formats.making import package, raw, repeated, sample, scrambled, swapped

_TEXT_DAMAGE = frozenset({State.SOUND, State.MISMATCH, State.BROKEN, State.EMPTY})
_CSV = "id,name,score\n" + "".join(f"{i},row {i},{i / 40}\n" for i in range(40))
_ALIASES = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)
)
_EXTERNAL = b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"
_SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
_SHEET_PATH = "xl/worksheets/sheet1.xml"
_FAR_ROW = b'<dimension ref="A1:XFD1048576"/><sheetData><row r="999999999"><c><v>1</v></c></row></sheetData>'
_SCORES = {"numeric_columns": ["score"], "column_count": 3}
_ODS = "application/vnd.oasis.opendocument.spreadsheet"


def _xlsx(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "scores"
    for row in (["name", "score", "when"], *[[f"row {i}", i / 4, datetime.date(2024, 5, 1)] for i in range(30)]):
        sheet.append(row)
    book.create_sheet("notes").append(["remark"])
    book.save(path)


def _sheet(*parts: tuple[bytes, int]) -> Make:
    def run(path: Path) -> None:
        data = _SHEET + b"".join(piece * times for piece, times in parts) + b"</worksheet>"
        swapped(_xlsx, _SHEET_PATH, data)(path)

    return run


def _ods_rows(path: Path) -> None:
    space = "xmlns:office='o' xmlns:table='t' xmlns:text='x'"
    cell = "<table:table-cell table:number-columns-repeated='99999999'><text:p>x</text:p></table:table-cell>"
    row = f"<table:table-row table:number-rows-repeated='99999999'>{cell}</table:table-row>"
    body = f"<table:table table:name='s'>{row * 2000}</table:table>"
    content = f"<office:document-content {space}>{body}</office:document-content>"
    path.write_bytes(package({"mimetype": _ODS.encode(), "content.xml": content.encode()}))


def _database(*statements: str, patch: Callable[[bytearray], None] | None = None, wal: bool = False) -> Make:
    def run(path: Path) -> None:
        connection = sqlite3.connect(path)
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, score REAL)")
        rows = [(i, f"user {i}", None if i % 4 else i / 3) for i in range(300)]
        connection.executemany("INSERT INTO users VALUES (?, ?, ?)", rows)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        if patch is not None:
            data = bytearray(path.read_bytes())
            patch(data)
            path.write_bytes(bytes(data))

    return run


def _lie_about_pages(data: bytearray) -> None:
    data[28:32] = struct.pack(">I", 0x7FFFFFFF)


def _rewrite_schema(data: bytearray) -> None:
    at = data.find(b"CREATE TABLE users")
    data[at : at + 18] = b"CREATE VIEW  users"


_COMPUTES = ("CREATE TABLE g (a, b AS (hex(zeroblob(100000000 + a))))", "INSERT INTO g (a) VALUES (1)")
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def _table() -> Any:
    import pyarrow

    count = 2_000
    return pyarrow.table(
        {
            "id": list(range(count)),
            "score": [i / count if i % 10 else None for i in range(count)],
            "label": ["cat" if i % 3 else "dog" for i in range(count)],
        }
    )


def _parquet(path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(_table(), path)


def _no_rows(path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(_table().slice(0, 0), path)


def _wide_parquet(path: Path) -> None:
    """Few bytes that unpack to 60 million rows of long texts."""
    import pyarrow
    from pyarrow import parquet

    text = pyarrow.array(["x" * 1_000], pyarrow.string())
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 3_000_000, pyarrow.int8()), text)
    parquet.write_table(pyarrow.table({"a": column}), path)


def _lying_parquet(path: Path) -> None:
    """A footer that announces another number of rows, wherever the true one stands in it."""
    _parquet(path)
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - length : -8].replace(_varint(2_000 * 2), _varint(2_000_000_000 * 2)[:2])
    path.write_bytes(data[: -8 - length] + footer + data[-8:])


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _feather(path: Path) -> None:
    from pyarrow import feather

    feather.write_feather(_table(), path)


def _arrow(path: Path) -> None:
    import pyarrow

    with pyarrow.ipc.new_file(str(path), _table().schema) as writer:
        writer.write_table(_table())


def _arrow_stream(path: Path) -> None:
    import pyarrow

    with pyarrow.ipc.new_stream(str(path), _table().schema) as writer:
        writer.write_table(_table())


def _orc(path: Path) -> None:
    from pyarrow import orc

    orc.write_table(_table(), path)


def _long_footer(path: Path) -> None:
    _parquet(path)
    data = path.read_bytes()
    path.write_bytes(data[:-8] + struct.pack("<I", 0x7FFFFFFF) + b"PAR1")


_COLUMNAR = {"rows": 2_000, "columns": ["id", "score", "label"], "numeric_columns": ["id", "score"],
             "value_counts": lambda counts: set(counts["label"]) == {"cat", "dog"},
             "missing": lambda missing: missing["score"] > 0}  # fmt: skip


def _columnar(name: str, suffixes: tuple[str, ...], make: Make, **hostile: Make) -> Entry:
    return Entry(name, suffixes, Family.TABLE, make, text="column score: double", facts=_COLUMNAR, extra="data",
                 modules=("pyarrow",), hostile={"bytes in the middle overwritten": scrambled(make),
                                                "its beginning overwritten": scrambled(make, 0.01, 60),
                                                "its end overwritten": scrambled(make, 0.97, 200),
                                                **{key.replace("_", " "): value for key, value in hostile.items()}},
                 )  # fmt: skip


def _many_keys(path: Path) -> None:
    path.write_text(json.dumps({f"k{i}": i for i in range(300_000)}), encoding="utf-8")


def _utf16_csv(path: Path) -> None:
    path.write_bytes(_CSV.encode("utf-16"))


def _jsonl(path: Path) -> None:
    out = io.StringIO()
    for i in range(50):
        print(json.dumps({"step": i, "loss": 1 / (i + 1)}), file=out)
    path.write_text(out.getvalue(), encoding="utf-8")


ENTRIES: tuple[Entry, ...] = (
    Entry("csv", (".csv",), Family.TABLE, raw(_CSV), text="39,row 39", damaged=_TEXT_DAMAGE,
          facts={"rows": 40, "columns": ["id", "name", "score"], "numeric_columns": ["id", "score"]},
          make_damaged=raw("a,b\n"),
          hostile={"a line of 100 MB": repeated((b"a,b\n", 1), (b"x", 100_000_000)),
                   "a quote that never closes": repeated((b'a,b\n"', 1), (b"x,y\n", 500_000)),
                   "20,000 columns": repeated((b"c,", 20_000), (b"c\n", 1), (b"1,", 20_000), (b"1\n", 1)),
                   "two million rows": repeated((b"a,b\n", 1), (b"1,2\n", 2_000_000))}),
    Entry("csv with quoted line ends", (".csv",), Family.TABLE, raw('a;b\n"x\ny";1\n"z;w";2\n'), damaged=_TEXT_DAMAGE,
          facts={"rows": 2, "delimiter": ";", "numeric_columns": ["b"]}),
    Entry("csv with comments and odd delimiter", (".csv",), Family.TABLE, raw("# made by x\n# y\na^b\n1^2\n3^4\n"),
          facts={"rows": 2, "delimiter": "^", "columns": ["a", "b"], "comment_lines": 2}, damaged=_TEXT_DAMAGE),
    Entry("csv of numpy", (".csv",), Family.TABLE, raw("# x y z\n1.0 2.0 3.0\n4.0 5.0 6.0\n"), damaged=_TEXT_DAMAGE,
          facts={"rows": 2, "columns": ["x", "y", "z"]}),
    Entry("csv in UTF-16", (".csv",), Family.TABLE, _utf16_csv, facts={"rows": 40}, damaged=_TEXT_DAMAGE),
    Entry("tsv", (".tsv", ".tab"), Family.TABLE, raw(_CSV.replace(",", "\t")), damaged=_TEXT_DAMAGE,
          facts={"rows": 40, "delimiter": "\t"}),
    Entry("JSON", (".json", ".geojson"), Family.DATA, raw('{"accuracy": 0.93, "runs": [1, 2]}'), text="0.93",
          facts={"keys": ["accuracy", "runs"]},
          hostile={"a million levels": repeated((b"[", 1_000_000)),
                   "a million objects deep": repeated((b'{"a":', 999_999)),
                   "a number of 5 million digits": repeated((b"9", 5_000_000)), "300,000 keys": _many_keys}),
    Entry("JSON records", (".json",), Family.DATA, raw('[{"a": 1, "b": "x"}, {"a": NaN, "b": "y"}]'),
          facts={"rows": 2, "columns": ["a", "b"], "not_finite": 1}),
    Entry("JSON lines", (".jsonl", ".ndjson"), Family.DATA, _jsonl,
          facts={"rows": 50, "numeric_columns": ["step", "loss"]},
          make_damaged=raw('{"a": 1}\noops\n'), hostile={"half a million bad lines": repeated((b"{\n", 500_000))}),
    Entry("YAML", (".yaml", ".yml"), Family.DATA, raw("model:\n  kind: svm\nlist: [1, 2]\n"),
          facts={"keys": ["model", "list"]}, make_damaged=raw("a: [1, 2\nb: }"),
          hostile={"an alias bomb": raw(_ALIASES), "100,000 levels": repeated((b"[", 100_000)),
                   "a call in a tag": raw("!!python/object/apply:os.system ['touch /tmp/harm']\n")}),
    Entry("TOML", (".toml",), Family.DATA, raw('[tool]\nname = "x"\n'), facts={"keys": ["tool"]},
          make_damaged=raw("[tool\n"), hostile={"deep arrays": repeated((b"a = ", 1), (b"[", 100_000)),
                                                "deep tables": repeated((b"[a", 1), (b".a", 100_000), (b"]", 1))}),
    Entry("INI", (".ini", ".cfg", ".conf"), Family.DATA, raw("[part]\na = 1\n"), facts={"keys": ["part"]},
          make_damaged=raw(bytes(range(256)) * 4),
          hostile={"200,000 sections": repeated((b"[a]\nb=1\n", 200_000))}),
    Entry("properties", (".properties",), Family.DATA, raw("# c\na.b=1\nd: 2\n"), facts={"keys": ["a.b", "d"]},
          make_damaged=raw(bytes(range(256)) * 4), hostile={"one long key": repeated((b"a", 3_000_000))}),
    Entry("env", (".env",), Family.DATA, raw("API_KEY=sk-secret\nEMPTY=\n"), text="API_KEY=****",
          facts={"variables": ["API_KEY"], "unset_variables": ["EMPTY"]}, make_damaged=raw(bytes(range(256)) * 4),
          hostile={"a million variables": repeated((b"A=1\n", 1_000_000))}),
    Entry("Excel (xlsx)", (".xlsx", ".xlsm"), Family.TABLE, _xlsx, text="row 29\t7.25",
          facts={"sheets": ["scores", "notes"], "rows": 30, **_SCORES},
          hostile={"a million empty rows": _sheet((b"<sheetData>", 1), (b"<row/>", 1_000_000), (b"</sheetData>", 1)),
                   "a row number beyond all bounds": _sheet((_FAR_ROW, 1)),
                   "a zip bomb": _sheet((b" ", 200_000_000)),
                   "an external entity": swapped(_xlsx, _SHEET_PATH, _EXTERNAL)}),
    Entry("Excel (xls)", (".xls",), Family.TABLE, sample("sample.xls"), text="row 39\t0.975",
          facts={"sheets": ["scores", "notes"], "rows": 40, **_SCORES},
          hostile={"records overwritten": scrambled(sample("sample.xls"), 0.2, 900),
                   "its directory overwritten": scrambled(sample("sample.xls"), 0.02, 200)}),
    Entry("OpenDocument spreadsheet", (".ods",), Family.TABLE, sample("sample.ods"), text="row 39\t0.975",
          facts={"sheets": ["scores", "notes"], "rows": 40, **_SCORES},
          hostile={"cells repeated for ever": _ods_rows,
                   "an external entity": swapped(sample("sample.ods"), "content.xml", _EXTERNAL)}),
    Entry("SQLite", (".db", ".sqlite", ".sqlite3"), Family.DATABASE, _database(), text="user 0",
          facts={"rows": 300, "tables": lambda found: found[0]["columns"] == ["id", "name", "score"]},
          hostile={"a view without end": _database(f"CREATE VIEW v AS {_ENDLESS}"),
                   "a trigger": _database("CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM users; END"),
                   "names full of quotes": _database('CREATE TABLE "a""; DROP TABLE users; --" (x)'),
                   "a column that computes": _database(*_COMPUTES),
                   "two billion pages announced": _database(patch=_lie_about_pages),
                   "a table turned into a view": _database(patch=_rewrite_schema),
                   "a write-ahead log that is not here": _database(wal=True)}),
    _columnar("parquet", (".parquet", ".pq"), _parquet, a_lying_footer=_lying_parquet, a_long_footer=_long_footer,
              three_million_rows_of_long_text=_wide_parquet, no_rows=_no_rows),
    _columnar("feather", (".feather",), _feather),
    _columnar("Arrow IPC file", (".arrow",), _arrow),
    _columnar("Arrow IPC stream", (".arrows",), _arrow_stream),
    _columnar("ORC", (".orc",), _orc),
)  # fmt: skip
