"""What is still told of a file when the extra that reads it is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from judge.readers import Document, Limits, Source, State
from judge.readers.choose import choose, suffix_of
from judge.readers.perform import perform
from judge.readers.thrift import parquet_footer
from tests.readers.formats import ENTRIES


def read_without(module: str, name: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    """The good file of an entry, read in a process in which a module cannot be imported."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    if entry.missing:
        pytest.skip("the producer is missing")
    file = path / f"a{entry.suffixes[0]}"
    entry.make_good(file)
    data = file.read_bytes()
    source = Source(file.name, suffix_of(file.name), data, len(data), False)
    for known in list(sys.modules):
        if known == module or known.startswith(module + "."):
            monkeypatch.delitem(sys.modules, known)
    monkeypatch.setitem(sys.modules, module, None)
    return perform(choose(source).reader, source, Limits())


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("pyarrow", "parquet", "data"),
        ("pyarrow", "feather", "data"),
        ("pyarrow", "ORC", "data"),
        ("h5py", "HDF5", "data"),
        ("h5py", "Keras 3", "data"),
        ("scipy", "MATLAB 5", "data"),
        ("py7zr", "7z", "archives"),
    ],
)
def test_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    found = read_without(module, name, tmp_path, monkeypatch)
    assert found.state is State.PARTIAL
    assert any(f"install judge[{extra}]" in problem for problem in found.problems)
    assert found.facts["install"] == f"judge[{extra}]"


def test_rows_and_columns_of_parquet_need_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_without("pyarrow", "parquet", tmp_path, monkeypatch)
    assert (found.facts["rows"], found.facts["columns"]) == (2000, ["id", "score", "label"])
    assert found.facts["dtypes"] == {"id": "int64", "score": "double", "label": "binary"}


def test_names_in_hdf5_need_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_without("h5py", "HDF5", tmp_path, monkeypatch)
    assert {"model", "rows", "w", "b"} <= set(found.facts["names"])


def test_the_footer_agrees_with_the_library() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {f"column {i}": pyarrow.array(range(7), pyarrow.int32()) for i in range(40)}
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), out, row_group_size=2)
    rows, names, types = parquet_footer(out.getvalue().to_pybytes())
    assert (rows, names, set(types)) == (7, list(columns), {"int32"})
