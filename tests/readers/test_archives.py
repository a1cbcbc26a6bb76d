"""Archives: listed, looked into a little, never unpacked."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable

from judge.readers import Document, State

Read = Callable[..., Document]


def packed(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(mode: str, *names: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 3
            archive.addfile(info, io.BytesIO(b"abc"))
    return out.getvalue()


def test_zip(read: Read) -> None:
    found = read("a.zip", packed(a=b"1", b=b"22"))
    assert (found.state, found.facts["members"], found.facts["unpacked_bytes"]) == (State.SOUND, ["a", "b"], 3)
    assert read("a.zip", packed()).state is State.EMPTY
    whole = packed(a=b"some words" * 50, b=b"other words" * 50)
    assert read("a.zip", whole[:-30]).state is State.BROKEN
    damaged = bytearray(whole)
    damaged[40:50] = b"\xff" * 10
    assert read("a.zip", bytes(damaged)).state is State.BROKEN


def test_bombs(read: Read) -> None:
    found = read("a.zip", packed(bomb=bytes(80_000_000)))
    assert found.state is State.UNREADABLE
    assert found.facts["members"] == ["bomb"]
    assert read("a.gz", gzip.compress(bytes(80_000_000))).state is State.UNREADABLE


def test_tar_and_packed(read: Read) -> None:
    assert read("a.tar", tarred("w", "x", "../../evil")).facts["members"] == ["x", "../../evil"]
    for mode, name in (("w:gz", "a.tar.gz"), ("w:bz2", "a.tar.bz2"), ("w:xz", "a.tar.xz"), ("w:gz", "a.tgz")):
        found = read(name, tarred(mode, "x"))
        assert (found.state, found.facts["member_count"]) == (State.SOUND, 1)
    found = read("data.csv.gz", gzip.compress(b"a,b\n1,2\n"))
    assert found.text == "a,b\n1,2\n"
    assert read("a.gz", gzip.compress(b"x" * 1000)[:20]).state is State.BROKEN
    assert read("a.tar", tarred("w", "x")[:600]).state in {State.BROKEN, State.SOUND}
    assert read("a.tar.gz", "words").state is State.MISMATCH
