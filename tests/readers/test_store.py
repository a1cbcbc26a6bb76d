"""The store, the reading process, and whatever bytes come."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image

from judge.readers import Document, DocumentStore, Limits, Source, State, read_document, readers
from judge.readers.choose import choose, suffix_of
from judge.readers.isolate import Isolation
from judge.readers.perform import perform
from judge.readers.registry import PLACES, Place, reader_named
from judge.workspace import Workspace

Read = Callable[..., Document]
SUFFIXES = sorted({suffix for reader in readers() for suffix in reader.suffixes})


def png() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((40, 40), 90).save(out, "PNG")
    return out.getvalue()


def test_names_of_readers_are_unique() -> None:
    assert len({reader.name for reader in readers()}) == len(PLACES)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_the_table_says_of_a_reader_what_its_module_says(place: Place) -> None:
    reader = reader_named(place.name)
    assert (reader.name, " ".join(sorted(reader.suffixes))) == (place.name, place.suffixes)
    assert reader.isolated is place.isolated


def test_the_process_that_reads_can_be_started_before_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    store = DocumentStore(Workspace.open(tmp_path))
    store.start()
    early = store._isolation._process
    assert early is not None
    assert store.get("a.png").state is State.SOUND
    assert store._isolation._process is early
    store.close()
    assert early.poll() is not None


def test_no_process_is_started_for_files_that_need_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    store = DocumentStore(Workspace.open(tmp_path))
    store.start()
    assert store._isolation._process is None


@pytest.mark.parametrize(
    ("path", "suffix"),
    [("a/b.CSV", ".csv"), (".env", ".env"), (".env.local", ".env"), ("Makefile", "makefile"), ("x.tar.gz", ".gz")],
)
def test_suffixes(path: str, suffix: str) -> None:
    assert suffix_of(path) == suffix


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    found = read_document(Workspace.open(tmp_path), "nowhere.png")
    assert (found.state, found.problems) == (State.UNREADABLE, ("no such file",))


def test_a_file_that_vanished(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    workspace = Workspace.open(tmp_path)
    (tmp_path / "a.txt").unlink()
    found = read_document(workspace, "a.txt")
    assert found.state is State.UNREADABLE
    assert found.problems


def test_documents_are_read_once_by_many_threads(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    (tmp_path / "b.txt").write_text("x\n", encoding="utf-8")
    store = DocumentStore(Workspace.open(tmp_path))
    found: list[Document] = []
    threads = [
        threading.Thread(target=lambda name=name: found.append(store.get(name)))  # type: ignore[misc]
        for name in ["a.png", "b.txt", "./a.png"] * 5
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(document) for document in found}) == 2
    assert all(document.state is State.SOUND for document in found)
    store.close()


def test_a_process_that_hangs_is_ended_and_started_again() -> None:
    process = Isolation()
    picture = reader_named("picture")
    source = Source("a.png", ".png", png(), len(png()), False)
    assert process.read(picture, source, Limits()).state is State.SOUND
    running = process._process
    assert running is not None
    os.kill(running.pid, signal.SIGSTOP)
    start = time.monotonic()
    found = process.read(picture, source, Limits(max_seconds=0.5))
    assert found.state is State.UNREADABLE
    assert "longer than" in found.problems[0]
    assert time.monotonic() - start < 10
    assert running.poll() is not None
    assert process.read(picture, source, Limits()).state is State.SOUND
    process.close()


def test_a_process_that_dies_is_started_again() -> None:
    process = Isolation()
    picture = reader_named("picture")
    source = Source("a.png", ".png", png(), len(png()), False)
    process.read(picture, source, Limits())
    assert process._process is not None
    process._process.kill()
    process._process.wait()
    assert process.read(picture, source, Limits()).state is State.SOUND
    process.close()


def test_the_process_does_not_load_modules_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "judge.py", "PIL.py", "sitecustomize.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'harm')!r}, 'w').close()", encoding="utf-8")
    (tmp_path / "a.png").write_bytes(png())
    monkeypatch.chdir(tmp_path)
    assert read_document(Workspace.open(tmp_path), "a.png").state is State.SOUND
    assert not (tmp_path / "harm").exists()


def test_the_process_ends_with_its_store(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    store = DocumentStore(Workspace.open(tmp_path))
    store.get("a.png")
    running = store._isolation._process
    assert running is not None
    del store
    for _ in range(100):
        if running.poll() is not None:
            break
        time.sleep(0.05)
    assert running.poll() is not None


def test_a_reader_that_fails_gives_a_document() -> None:
    from dataclasses import replace

    def explode(source: Source, limits: Limits) -> Document:
        raise RuntimeError("a\nb")

    found = perform(replace(reader_named("text"), read=explode), Source("a", "a", b"x", 1, False), Limits())
    assert found.state is State.BROKEN
    assert "\n" not in found.problems[0]


def test_text_of_a_hostile_file_is_valid_unicode(read: Read) -> None:
    found = read("a.ipynb", '{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = \\"\\ud800\\""}]}')
    found.text.encode()


HEADS = [
    b"", b"%PDF-1.4\n", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff\xe0", b"PK\x03\x04", b"SQLite format 3\x00",
    b"\x93NUMPY\x01\x00v\x00{", b"\x80\x04\x95", b"RIFF\x24\0\0\0WAVEfmt ", b"\x1f\x8b\x08", b"\x89HDF\r\n\x1a\n",
    b"GGUF", b"<svg ",
    b"{\"nbformat\": 4, \"cells\": [", b"<?xml ", b"II*\x00", b"BM", b"x\x9c", b"PAR1", b"%YAML 1.1\n---\n",
    b"ARROW1\0\0", b"\xff\xff\xff\xff\x80\0\0\0", b"ORC\n", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"7z\xbc\xaf\x27\x1c\0\4",
    b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh9", b"{\\rtf1 ",
    b"From: a\nTo: b\nSubject: c\n", b"MATLAB 5.0 MAT-file", b"\x08\x07\x12\x03abc", b"\x08\x01\x12", b"\x18\0\0\0TFL3",
    b"GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0", b"\x40\0\0\0\0\0\0\0{\"a\":", b"\x5d\0\0\x80\0" + b"\xff" * 8,
]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(suffix=st.sampled_from(SUFFIXES), head=st.sampled_from(HEADS), body=st.binary(max_size=400))
@example(suffix=".npy", head=b"\x93NUMPY\x01\x00", body=b"\x05\x00{'a'}")
def test_any_bytes_give_a_document(isolation: Isolation, suffix: str, head: bytes, body: bytes) -> None:
    data = head + body or b"x"
    source = Source("f" + suffix, suffix, data, len(data), False)
    reader = choose(source).reader
    found = (isolation.read if reader.isolated else perform)(reader, source, Limits())
    assert isinstance(found.state, State)
    assert "broke down" not in " ".join(found.problems)
    found.text.encode()


@settings(max_examples=100, deadline=None)
@given(
    suffix=st.sampled_from([".csv", ".json", ".yaml", ".toml", ".ini", ".xml", ".html", ".md", ".ipynb", ".env"]),
    text=st.text(),
)
def test_any_text_gives_a_document(suffix: str, text: str) -> None:
    data = text.encode("utf-8", "replace") or b"x"
    source = Source("f" + suffix, suffix, data, len(data), False)
    assert isinstance(perform(choose(source).reader, source, Limits()).state, State)


def test_thirty_ordinary_files_take_little_time(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"m{number}.py").write_text("def f():\n    return 1\n" * 100, encoding="utf-8")
        (tmp_path / f"d{number}.csv").write_text("a,b\n" + "1,2\n" * 500, encoding="utf-8")
        picture = Image.new("RGB", (640, 480), "white")
        picture.paste("blue", (number, 10, 300, 300))
        picture.save(tmp_path / f"p{number}.png")
    read_document(Workspace.open(tmp_path), "p0.png")  # so that imports are not counted
    start = time.process_time()
    store = DocumentStore(Workspace.open(tmp_path))
    assert all(store.get(entry.path).state is State.SOUND for entry in store.workspace.files)
    assert time.process_time() - start < 1
    store.close()
