"""Tables in columns: parquet, feather, Arrow IPC and ORC. Schema, rows, and what is in the columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge.readers.columns import MAX_COLUMNS, Columns, shown, unique
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import advice, bring
from judge.readers.parts import Clock, TextBuilder
from judge.readers.thrift import parquet_footer
from judge.readers.zipbox import Window

_STREAM = b"\xff\xff\xff\xff"
_MAGIC = ((b"PAR1", "parquet"), (b"PARE", "parquet"), (b"ARROW1", "arrow"), (b"FEA1", "feather"), (b"ORC", "orc"))
_ENDS = {"parquet": b"PAR1", "arrow": b"ARROW1", "feather": b"FEA1"}
_BATCH = 1_000
_CHECKED_ROWS = 200_000
_SHOWN_ROWS = 10
_MAX_THRIFT = 10_000_000


def _kind(data: bytes) -> str:
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return name
    schema = data[:4] == _STREAM and 0 < int.from_bytes(data[4:8], "little") < 1 << 24 and len(data) > 16
    return "arrow stream" if schema else ""


def _read(source: Source, limits: Limits) -> Document:
    kind = _kind(source.data)
    if not kind:
        raise ReaderProblem("it does not begin as a table in columns does")
    if source.data.startswith(b"PARE"):
        raise ReaderProblem("encrypted parquet, its contents cannot be read", State.UNREADABLE)
    end = _ENDS.get(kind)
    if end and not (source.tail if source.truncated else source.data)[len(end) :].endswith(end):
        raise ReaderProblem("its end is missing, and with it the directory of what is in it")
    try:
        pyarrow = bring("pyarrow", "data")
    except ReaderProblem:
        return _without_library(source, kind)
    try:
        return _Table(source, limits, kind, _OPENERS[kind](Window(source))).document()
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, NotImplementedError, OverflowError) as error:
        if source.truncated and "outside of what was read" in str(error):
            raise ReaderProblem("larger than the bounds allow, its directory lies outside", State.PARTIAL) from None
        raise ReaderProblem(f"damaged {kind}: {_brief(error)}") from None


def _without_library(source: Source, kind: str) -> Document:
    """Rows and columns of a parquet file, whose footer is easily read; of the others nothing but their kind."""
    facts: dict[str, Any] = {"install": "judge[data]"}
    text = ""
    if kind == "parquet":
        rows, names, types = parquet_footer(source.tail if source.truncated else source.data)
        facts |= {
            "rows": rows,
            "columns": names[:MAX_COLUMNS],
            "column_count": len(names),
            "dtypes": dict(zip(names, types, strict=True)),
        }
        text = "\n".join(f"column {name}: {type_}" for name, type_ in facts["dtypes"].items())
        if rows == 0:
            return Document(source.path, kind, Family.TABLE, State.EMPTY, text, facts, problems=("no rows in it",))
    return Document(source.path, kind, Family.TABLE, State.PARTIAL, text, facts, problems=(advice("data"),))


class _Opened:
    """A file whose rows can be taken in batches, whatever its format."""

    def __init__(self, schema: Any, rows: int | None, batches: Iterator[Any], facts: dict[str, Any]) -> None:
        self.schema = schema
        self.rows = rows
        self.batches = batches
        self.facts = facts


class _Table:
    """What is in one file."""

    def __init__(self, source: Source, limits: Limits, kind: str, opened: _Opened) -> None:
        self.source = source
        self.limits = limits
        self.kind = kind
        self.opened = opened
        self.names = unique(opened.schema.names)
        self.columns = Columns(len(self.names))
        self.out = TextBuilder(limits.max_chars)
        self.read = 0
        self.whole = False
        self.problems: list[str] = []

    def document(self) -> Document:
        types = [str(type_)[:100] for type_ in self.opened.schema.types]
        for name, type_ in list(zip(self.names, types, strict=True))[:MAX_COLUMNS]:
            self.out.add(f"column {name}: {type_}")
        state = self._rows()
        announced = self.opened.rows
        rows = self.read if announced is None else announced
        if self.whole and announced is not None and self.read != announced:
            state = State.BROKEN
            self.problems.append(f"{announced} rows are announced, {self.read} are there")
        if rows == 0 and state is State.SOUND:
            state = State.EMPTY
            self.problems.append("no rows in it")
        facts = {
            "rows": rows,
            "all_rows_counted": self.whole or announced is not None,
            "columns": self.names[:MAX_COLUMNS],
            "column_count": len(self.names),
            "dtypes": dict(list(zip(self.names, types, strict=True))[:MAX_COLUMNS]),
            "sampled_rows": self.columns.rows,
            **self.columns.facts(self.names),
            **self.opened.facts,
        }
        text = self.out.text()
        return Document(self.source.path, self.kind, Family.TABLE, state, text, facts, problems=tuple(self.problems))

    def _rows(self) -> State:
        """Takes rows in, up to the bounds; whether they are there as the file says."""
        pyarrow = bring("pyarrow", "data")
        clock = Clock(self.limits.max_seconds * 0.5)
        try:
            for batch in self.opened.batches:
                batch.validate(full=True)
                self._batch(batch)
                if self.read >= _CHECKED_ROWS or clock.over:
                    return State.SOUND if self.opened.rows is not None else State.PARTIAL
            self.whole = True
        except (pyarrow.ArrowException, OSError, ValueError, NotImplementedError, OverflowError) as error:
            if self.source.truncated and "outside of what was read" in str(error):
                self.problems.append("larger than the bounds allow, rows were looked at in part")
                return State.PARTIAL
            self.problems.append(f"damaged after row {self.read}: {_brief(error)}")
            return State.BROKEN
        return State.SOUND

    def _batch(self, batch: Any) -> None:
        room = max(0, self.columns.room - self.columns.rows)
        if room:
            columns = batch.slice(0, room).columns[:MAX_COLUMNS]
            for row in zip(*([_cell(value) for value in column] for column in columns), strict=True):
                self.columns.add(row)
                if self.columns.rows <= _SHOWN_ROWS:
                    if self.columns.rows == 1:
                        self.out.add("\t".join(self.names[:MAX_COLUMNS]))
                    self.out.add("\t".join(" ".join(cell.split()) for cell in row))
        self.read += batch.num_rows


def _cell(value: Any) -> str:
    try:
        return shown(value.as_py())
    except (ValueError, OverflowError, UnicodeDecodeError):  # a date outside of the calendar, text that is no UTF-8
        return "?"


def _library(module: str) -> tuple[Any, Any]:
    """The class of files that are read through Python, and a module of the library."""
    return bring("pyarrow", "data").PythonFile, bring(f"pyarrow.{module}", "data")


def _open_parquet(file: Window) -> _Opened:
    python_file, parquet = _library("parquet")
    opened = parquet.ParquetFile(
        python_file(file, mode="r"),
        thrift_string_size_limit=_MAX_THRIFT,
        thrift_container_size_limit=_MAX_THRIFT,
        pre_buffer=False,
    )
    meta = opened.metadata
    rows = meta.num_rows
    facts = {"row_groups": meta.num_row_groups, "created_by": str(meta.created_by or "")[:100]}
    if rows < 0 or rows != sum(meta.row_group(i).num_rows for i in range(min(meta.num_row_groups, 100_000))):
        raise ValueError(f"{rows} rows are announced, its parts say otherwise")
    batches = opened.iter_batches(batch_size=_BATCH, use_threads=False) if rows else iter(())
    return _Opened(opened.schema_arrow, rows, batches, facts)


def _open_arrow(file: Window) -> _Opened:
    python_file, ipc = _library("ipc")
    reader = ipc.open_file(python_file(file, mode="r"), options=ipc.IpcReadOptions(use_threads=False))
    count = reader.num_record_batches
    batches = (reader.get_batch(number) for number in range(count))
    return _Opened(reader.schema, None if count else 0, batches, {"record_batches": count})


def _open_stream(file: Window) -> _Opened:
    python_file, ipc = _library("ipc")
    reader = ipc.open_stream(python_file(file, mode="r"), options=ipc.IpcReadOptions(use_threads=False))
    return _Opened(reader.schema, None, iter(reader), {})


def _open_feather(file: Window) -> _Opened:
    python_file, feather = _library("feather")
    table = feather.read_table(python_file(file, mode="r"), use_threads=False)
    return _Opened(table.schema, table.num_rows, iter(table.to_batches(_BATCH)), {})


def _open_orc(file: Window) -> _Opened:
    python_file, orc = _library("orc")
    opened = orc.ORCFile(python_file(file, mode="r"))
    batches = (opened.read_stripe(number) for number in range(opened.nstripes))
    return _Opened(opened.schema, opened.nrows, batches, {"stripes": opened.nstripes})


_OPENERS = {
    "parquet": _open_parquet,
    "arrow": _open_arrow,
    "arrow stream": _open_stream,
    "feather": _open_feather,
    "orc": _open_orc,
}


def _brief(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


READER = Reader(
    "columnar",
    frozenset({".parquet", ".pq", ".parq", ".feather", ".arrow", ".arrows", ".ipc", ".orc"}),
    lambda data: bool(_kind(data)),
    _read,
    isolated=True,
)
