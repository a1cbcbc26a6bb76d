"""Files that name other files: nothing outside of them is ever read, whatever the format offers."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.readers import Document, State

Read = Callable[..., Document]
SECRET = "the-secret-of-the-house"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outside")


def test_hdf5_links_storage_and_virtual_sets_stay_inside(read: Read, outside: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(outside / "other.h5", "w") as other:
        other["numbers"] = [42.5, 43.5]
        other.attrs["note"] = SECRET
    (outside / "raw").write_bytes(SECRET.encode())
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        file["linked"] = h5py.ExternalLink(str(outside / "other.h5"), "/numbers")
        file["group"] = h5py.ExternalLink(str(outside / "other.h5"), "/")
        size = len(SECRET)
        file.create_dataset("stored", shape=(size,), dtype="u1", external=[(str(outside / "raw"), 0, size)])
        layout = h5py.VirtualLayout(shape=(2,), dtype="f8")
        layout[:] = h5py.VirtualSource(str(outside / "other.h5"), "numbers", shape=(2,))
        file.create_virtual_dataset("virtual", layout)
        file["own"] = [1.0, 2.0, 3.0]
    found = read("a.h5", out.getvalue())
    assert found.state is State.SOUND
    assert found.facts["arrays"]["own"]["max"] == 3.0
    assert "42.5" not in found.text and SECRET not in found.text
    assert all("max" not in found.facts["arrays"][name] for name in ("stored", "virtual"))
    assert len(found.facts["links_out"]) == 3
    assert any("not looked at" in problem for problem in found.problems)


def test_onnx_weights_in_other_files_are_told(read: Read, outside: Path) -> None:
    onnx = pytest.importorskip("onnx")
    numpy = pytest.importorskip("numpy")
    weights = onnx.numpy_helper.from_array(numpy.ones((4, 4), dtype="f4"), "w")
    node = onnx.helper.make_node("MatMul", ["x", "w"], ["y"])
    sides = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4, 4]) for name in ("x", "y")]
    model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", sides[:1], sides[1:], [weights]))
    path = outside / "model.onnx"
    onnx.save_model(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    found = read("a.onnx", path.read_bytes())
    assert (found.state, found.facts["external_weights"], found.facts["parameters"]) == (State.SOUND, 1, 16)
    assert "1 tensors lie in other files, not read" in found.problems


def test_sqlite_neither_attaches_nor_writes(read: Read, outside: Path) -> None:
    path = outside / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute(f"CREATE VIEW v AS SELECT load_extension('{outside}/x.so')")
    connection.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    found = read("a.db", before)
    assert (found.state, found.facts["views"], found.facts["triggers"]) == (State.SOUND, ["v"], ["g"])
    assert sorted(item.name for item in outside.iterdir()) == ["a.db"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", ["word/document.xml", "word/footnotes.xml", "word/comments.xml"])
def test_office_parts_load_nothing(read: Read, outside: Path, part: str) -> None:
    (outside / "secret").write_text(SECRET, encoding="utf-8")
    hostile = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{outside}/secret">]><w:document xmlns:w="w">&a;</w:document>'
    plain = '<w:document xmlns:w="w"><w:p><w:t>words</w:t></w:p></w:document>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("word/document.xml", plain)
        if part != "word/document.xml":
            archive.writestr(part, hostile)
    data = out.getvalue()
    if part == "word/document.xml":
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(part, hostile)
        data = out.getvalue()
    found = read("a.docx", data)
    assert found.state is State.BROKEN
    assert SECRET not in found.text


def test_archives_write_nothing(read: Read, tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../escaped.txt", "x")
        archive.writestr(f"{tmp_path}/absolute.txt", "x")
    found = read("inner/a.zip", out.getvalue())
    assert found.text.count("leads out of the folder") == 2
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")) == ["inner/a.zip"]
