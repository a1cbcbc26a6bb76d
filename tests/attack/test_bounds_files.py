"""Bounds on the files of a workspace: at each everything is read, past it less, and the judge is told."""

from __future__ import annotations

import io
import json
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.modules.graph import build_graph
from judge.modules.graph.reading import MAX_BYTES
from judge.readers import Document, read_document
from judge.readers.document import Limits, State
from judge.readers.isolate import Isolation
from judge.workspace import WalkOptions, Workspace
from judge.workspace.doors import MAX_LINKS

Make = Callable[[int], bytes]


@pytest.fixture(scope="module")
def isolation() -> Iterator[Isolation]:
    process = Isolation()
    yield process
    process.close()


def packed_zip(members: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(members):
            archive.writestr(f"f{number}.txt", "x")
    return out.getvalue()


def packed_tar(members: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number in range(members):
            archive.addfile(tarfile.TarInfo(f"f{number}"))
    return out.getvalue()


def entities(number: int) -> bytes:
    declared = "".join(f'<!ENTITY e{n} "v">' for n in range(number))
    return f"<!DOCTYPE x [{declared}]><x>&e0;</x>".encode()


def toml(characters: int) -> bytes:
    return b"a = 1\n".ljust(characters, b"#")


def ini(characters: int) -> bytes:
    return b"[a]\nb = 1\n".ljust(characters, b"#")


def mail(parts: int) -> bytes:
    """A mail of so many parts, itself included."""
    head = "From: a@b.c\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n"
    each = "".join(f"--B\nContent-Type: text/plain\n\npart {number}\n" for number in range(parts - 1))
    return f"{head}{each}--B--\n".encode()


def notebook(characters: int) -> bytes:
    output = {"output_type": "stream", "name": "stdout", "text": "y" * characters}
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": "print(1)", "outputs": [output]}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}).encode()


def operations(number: int) -> bytes:
    """A pickle of so many operations, an even number, all of them harmless."""
    return b"\x80\x04" + b"N0" * (number // 2 - 2) + b"N\x85."


def sheets(number: int) -> bytes:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for sheet in range(number):
        book.create_sheet(f"s{sheet}").append(["a", "b"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def tables(number: int) -> bytes:
    base = sqlite3.connect(":memory:")
    for table in range(number):
        base.execute(f"CREATE TABLE t{table} (a)")
        base.execute(f"INSERT INTO t{table} VALUES (1)")
    base.commit()
    try:
        return base.serialize()
    finally:
        base.close()


def data_sets(number: int) -> bytes:
    h5py = pytest.importorskip("h5py")
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        for item in range(number):
            file[f"d{item}"] = item
    return out.getvalue()


def groups(depth: int) -> bytes:
    h5py = pytest.importorskip("h5py")
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        file["/".join(["g"] * depth + ["x"])] = 1
    return out.getvalue()


def picture(width: int) -> bytes:
    from PIL import Image

    image = Image.new("1", (width, 100))
    image.putpixel((0, 0), 1)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


READ: tuple[tuple[str, Make, int, dict[str, Any], str], ...] = (
    ("a.txt", lambda size: b"x" * size, 1_000, {"max_bytes": 1_000}, "state partial"),
    ("b.txt", lambda size: b"x" * size, 1_000, {"max_chars": 1_000}, "text_cut"),
    ("a.png", picture, 100, {"max_pixels": 10_000}, "pixels, only measured"),
    ("a.xlsx", sheets, 10, {"max_pages": 10}, "only 10 of 11 sheets were looked at"),
    ("a.db", tables, 10, {"max_pages": 10}, "only 10 of 11 tables were looked at"),
    ("a.zip", packed_zip, 20_000, {}, "only 20000 members were listed"),
    ("a.tar", packed_tar, 20_000, {}, "only 20000 members were listed"),
    ("a.yaml", lambda depth: b"[" * depth + b"1" + b"]" * depth, 500, {}, "nested too deeply"),
    ("a.xml", entities, 100, {}, "entities is refused"),
    ("a.toml", toml, 1024 * 1024, {}, "too long to be parsed"),
    ("a.cfg", ini, 1024 * 1024, {}, "too long to be parsed"),
    ("a.csv", lambda size: b"a,b\n1," + b"x" * (size - 2) + b"\n2,3\n", 128 * 1024, {}, "a line of 131073 characters"),
    ("a.eml", mail, 200, {}, "only 200 of its parts were looked at"),
    ("a.ipynb", notebook, 4_000, {}, "1 more characters of this output are not shown"),
    ("a.h5", data_sets, 2_000, {}, "only looked at in part"),
    ("b.h5", groups, 30, {}, "only looked at 30 groups deep"),
)
"""Name, what makes it of a size, the bound, limits that are not the default, what is said past it."""


@pytest.mark.parametrize(("name", "make", "bound", "limits", "said"), READ, ids=[item[0] for item in READ])
def test_a_file_at_its_bound_is_whole_and_past_it_that_is_said(
    tmp_path: Path, isolation: Isolation, name: str, make: Make, bound: int, limits: dict[str, Any], said: str
) -> None:
    def told(size: int) -> tuple[Document, str]:
        (tmp_path / name).write_bytes(make(size))
        found = read_document(Workspace.open(tmp_path), name, Limits(**limits), isolation)
        cut = " text_cut" if found.facts.get("text_cut") else ""
        return found, f"state {found.state}{cut} {'; '.join(found.problems)} {found.text[-200:]}"

    at, words = told(bound)
    assert at.state in (State.SOUND, State.BLANK), words
    assert said not in words
    past, words = told(bound + 1)
    assert said in words
    assert len(past.text) <= Limits(**limits).max_chars


def test_a_long_pickle_is_listed_in_part(tmp_path: Path, isolation: Isolation) -> None:
    for number, complete in ((1_000_000, True), (1_000_002, False)):
        (tmp_path / "a.pkl").write_bytes(operations(number))
        found = read_document(Workspace.open(tmp_path), "a.pkl", Limits(), isolation)
        assert (found.facts["complete"], found.state is State.PARTIAL) == (complete, not complete)
    assert pickle.loads(operations(100)) == (None,), "the operations are those of a real pickle"


@pytest.mark.parametrize(("bound", "whole"), [(64, True), (65, False)])
def test_folders_beyond_the_depth_are_told(tmp_path: Path, bound: int, whole: bool) -> None:
    deepest = tmp_path.joinpath(*["d"] * bound)
    deepest.mkdir(parents=True)
    (deepest / "a.txt").write_text("x")
    found = Workspace.open(tmp_path)
    assert found.complete is whole
    assert len(found.files) == int(whole)
    assert bool(found.skipped) is not whole


@pytest.mark.parametrize(("bound", "whole"), [(5, True), (6, False)])
def test_files_beyond_the_count_are_told(tmp_path: Path, bound: int, whole: bool) -> None:
    for number in range(bound):
        (tmp_path / f"f{number}").write_text("x")
    found = Workspace.open(tmp_path, WalkOptions(max_files=5))
    assert found.complete is whole
    assert len(found.files) == 5
    assert bool(found.skipped) is not whole


@pytest.mark.parametrize(("links", "whole"), [(MAX_LINKS, True), (MAX_LINKS + 1, False)])
def test_links_beyond_the_count_are_told(tmp_path: Path, links: int, whole: bool) -> None:
    (tmp_path / "l0").write_text("x")
    for number in range(links):
        (tmp_path / f"l{number + 1}").symlink_to(f"l{number}")
    found = Workspace.open(tmp_path)
    assert (found.find(f"l{links}") is not None) is whole
    assert (f"l{links}" in {item.path for item in found.skipped}) is not whole


def test_source_code_beyond_its_size_is_named_and_not_analysed(tmp_path: Path) -> None:
    start = b"def f():\n    return 1\n#"
    (tmp_path / "at.py").write_bytes(start.ljust(MAX_BYTES, b"a"))
    (tmp_path / "past.py").write_bytes(start.ljust(MAX_BYTES + 1, b"a"))
    graph = build_graph(Workspace.open(tmp_path))
    assert {path for path, _ in graph.definitions("f")} == {"at.py"}
    assert "too large to analyse" in json.dumps(graph.to_node_link())
