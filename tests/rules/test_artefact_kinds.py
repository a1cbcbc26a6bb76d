"""Artefacts of many formats: sound ones meet a criterion, hollow and damaged ones do not; names in them are found."""

from __future__ import annotations

import io
import sqlite3
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.readers import read_document
from judge.readers.isolate import Isolation
from judge.rules.soundness import artefact_trouble
from judge.schemas import VerdictValue
from judge.workspace import Workspace
from tests.readers.formats import ENTRIES, Entry
from tests.rules.conftest import JudgeIt


def good(name: str, folder: Path) -> bytes:
    """The good file of a format's entry."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    if entry.missing:
        pytest.skip(f"needs {', '.join(entry.missing)}")
    path = folder / f"made{entry.suffixes[0]}"
    entry.make_good(path)
    return path.read_bytes()


def _npy(fill: Callable[[Any], Any]) -> bytes:
    numpy = pytest.importorskip("numpy")
    out = io.BytesIO()
    numpy.save(out, fill(numpy))
    return out.getvalue()


def _parquet(rows: int, value: object) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table({"a": pyarrow.array([value] * rows, pyarrow.float64())}), out)
    return bytes(out.getvalue().to_pybytes())


def _docx(*paragraphs: str) -> bytes:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _safetensors(*values: float) -> bytes:
    body = struct.pack(f"<{len(values)}f", *values)
    head = b'{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}' % (len(values), len(body))
    return struct.pack("<Q", len(head)) + head + body


def _database(folder: Path, *statements: str) -> bytes:
    connection = sqlite3.connect(folder / "made.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return (folder / "made.db").read_bytes()


UNSOUND: list[tuple[str, str, Callable[[Path], bytes], str]] = [
    ("a parquet file without rows", "a.parquet", lambda folder: _parquet(0, None), "empty"),
    ("a parquet file without values", "a.parquet", lambda folder: _parquet(9, None), "without any value"),
    ("an array of zeros", "a.npy", lambda folder: _npy(lambda np: np.zeros(50)), "repeated value"),
    ("an array of NaN", "a.npy", lambda folder: _npy(lambda np: np.full(50, np.nan)), "no finite value"),
    ("an array without values", "a.npy", lambda folder: _npy(lambda np: np.zeros((0, 3))), "empty"),
    ("weights of zeros", "a.safetensors", lambda folder: _safetensors(*[0.0] * 9), "zero"),
    ("weights of NaN", "a.safetensors", lambda folder: _safetensors(1.0, float("nan")), "not numbers"),
    ("a cut checkpoint", "a.safetensors", lambda folder: _safetensors(*[1.0] * 99)[:200], "damaged"),
    ("a document without words", "a.docx", lambda folder: _docx(), "empty"),
    ("a document of three words", "a.docx", lambda folder: _docx("To be written"), ""),
    ("a database without rows", "a.db", lambda folder: _database(folder, "CREATE TABLE t (a)"), "empty"),
    ("half a workbook", "a.xls", lambda folder: good("Excel (xls)", folder)[:5000], "damaged"),
    ("half a mail", "a.eml", lambda folder: good("mail (eml)", folder)[:300], "damaged"),
    ("half a model", "a.onnx", lambda folder: good("ONNX", folder)[:100], "damaged"),
    ("half a Word document", "a.doc", lambda folder: good("Word (doc)", folder)[:9000], "damaged"),
    ("half an archive", "a.7z", lambda folder: good("7z", folder)[:200], "damaged"),
]


@pytest.mark.parametrize(("name", "make", "why"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND])
def test_an_unsound_artefact_is_found_out(
    judge_it: JudgeIt, tmp_path: Path, name: str, make: Callable[[Path], bytes], why: str
) -> None:
    judgment = judge_it(f"The output is saved as `results/{name}`.", {f"results/{name}": make(tmp_path)})
    assert judgment.verdict is VerdictValue.UNSATISFIED
    assert why in judgment.reason


@pytest.fixture(scope="module")
def process() -> Iterator[Isolation]:
    isolation = Isolation()
    yield isolation
    isolation.close()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_good_file_of_every_format_is_sound(tmp_path: Path, entry: Entry, process: Isolation) -> None:
    if entry.missing:
        pytest.skip(f"needs {', '.join(entry.missing)}")
    path = tmp_path / f"a{entry.suffixes[0]}"
    entry.make_good(path)
    trouble = artefact_trouble(read_document(Workspace.open(tmp_path), path.name, None, process))
    assert trouble == "" or "hardly any text" in trouble


NAMED = [
    ("parquet", "a.parquet", "score"),
    ("feather", "a.feather", "label"),
    ("Excel (xlsx)", "a.xlsx", "score"),
    ("Excel (xls)", "a.xls", "passed"),
    ("OpenDocument spreadsheet", "a.ods", "passed"),
    ("SQLite", "a.db", "score"),
    ("HDF5", "a.h5", "loss"),
    ("npz", "a.npz", "x"),
    ("JSON lines", "a.jsonl", "loss"),
    ("csv in gz", "a.csv.gz", "b"),
]


@pytest.mark.parametrize(("name", "file", "column"), NAMED)
def test_a_named_column_is_found_whatever_the_format(
    judge_it: JudgeIt, tmp_path: Path, name: str, file: str, column: str
) -> None:
    judgment = judge_it(
        f"The file `data/{file}` contains the column `{column}`.", {f"data/{file}": good(name, tmp_path)}
    )
    assert judgment.verdict is VerdictValue.SATISFIED


@pytest.mark.parametrize(("name", "file"), [(name, file) for name, file, _ in NAMED if name not in {"HDF5", "npz"}])
def test_a_column_that_is_not_there_is_missed(judge_it: JudgeIt, tmp_path: Path, name: str, file: str) -> None:
    judgment = judge_it(
        f"The file `data/{file}` contains the column `shoe_size`.", {f"data/{file}": good(name, tmp_path)}
    )
    assert judgment.verdict is VerdictValue.UNSATISFIED


def test_gaps_and_kinds_of_columns_count_in_any_table(judge_it: JudgeIt, tmp_path: Path) -> None:
    files = {"data/a.parquet": good("parquet", tmp_path)}
    gaps = judge_it("The table `data/a.parquet` has no missing values.", files)
    assert gaps.verdict is VerdictValue.UNSATISFIED
    assert "missing values in score" in gaps.reason
    text = judge_it("The column `label` of `data/a.parquet` is numeric.", files)
    assert text.verdict is VerdictValue.UNSATISFIED
