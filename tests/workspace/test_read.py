"""Reading through the door: paths as people write them, bounds, files that change, links put in place meanwhile."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from judge.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n", encoding="utf-8")
    (root / "src.txt").write_text("no", encoding="utf-8")
    (root / "src0").write_text("no", encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "path", ["src/a.py", "./src/a.py", "src//a.py", "src/a.py/", "/workspace/src/a.py", "src/../src/a.py"]
)
def test_paths_as_people_write_them(root: Path, path: str) -> None:
    entry = Workspace.open(root).find(path)
    assert entry is not None
    assert entry.path == "src/a.py"


@pytest.mark.parametrize("path", ["SRC/a.py", "src", "", "..", "../w/src/a.py", "src/a.py\0", "\ud800", "\\", "src/a"])
def test_paths_that_are_no_file(root: Path, path: str) -> None:
    found = Workspace.open(root)
    assert found.find(path) is None
    assert found.read_bytes(path, 10).problem == "no such file"
    assert found.content_hash(path)


NFC, NFD = "r\u00e9sultats/\u00e4\u00f6.csv", "re\u0301sultats/a\u0308o\u0308.csv"


@pytest.mark.parametrize(("listed", "asked"), [(NFD, NFC), (NFC, NFD), (NFC, NFC)])
def test_a_name_in_another_form_of_unicode_is_found(root: Path, listed: str, asked: str) -> None:
    path = root / listed
    path.parent.mkdir()
    path.write_text("x", encoding="utf-8")
    found = Workspace.open(root)
    for spelling in (asked, f"./{asked}", f"/workspace/{asked}", f"x/../{asked}"):
        entry = found.find(spelling)
        assert entry is not None and entry.path == listed
    assert found.read_text(asked, 10).text == "x"
    folder = asked.partition("/")[0]
    assert found.is_folder(folder)
    assert [item.path for item in found.children(folder)] == [listed]
    assert found.find(asked.upper()) is None and not found.is_folder(folder.upper())


def test_the_exact_name_comes_first_and_a_doubtful_one_is_none(root: Path) -> None:
    both = ("\u1e69.txt", "s\u0323\u0307.txt")  # one character, and a letter with two marks
    for name in both:
        (root / name).write_text(name, encoding="utf-8")
    found = Workspace.open(root)
    for name in both:
        entry = found.find(name)
        assert entry is not None and entry.path == name
    assert found.find("\u1e63\u0307.txt") is None, "two files say the same"


def test_an_absolute_path_into_the_workspace_is_found(root: Path) -> None:
    assert Workspace.open(root).find(str(root / "src" / "a.py")) is not None


def test_a_folder_named_workspace_is_no_prefix(root: Path) -> None:
    (root / "workspace").mkdir()
    (root / "workspace" / "b").write_text("", encoding="utf-8")
    found = Workspace.open(root)
    assert found.find("/workspace/b") is not None
    assert found.find("workspace/b") is not None


def test_folders_and_children(root: Path) -> None:
    found = Workspace.open(root)
    assert found.is_folder("src/")
    assert found.is_folder(".")
    assert not found.is_folder("src/a.py")
    assert [entry.path for entry in found.children("./src/")] == ["src/a.py"]
    assert len(found.children(".")) == 3
    assert found.children("nowhere") == ()


def test_reads_are_bounded(root: Path) -> None:
    found = Workspace.open(root)
    content = found.read_bytes("src/a.py", 2, tail=2)
    assert (content.data, content.size, content.truncated, content.tail) == (b"x ", 6, True, b"1\n")
    assert not found.read_bytes("src/a.py", 6).truncated
    assert found.read_bytes("src/a.py", -1).data == b""


def test_a_sparse_gigabyte_costs_little(root: Path) -> None:
    with open(root / "big.bin", "wb") as file:
        file.truncate(1 << 30)
    start = time.process_time()
    found = Workspace.open(root)
    assert found.read_bytes("big.bin", 1000).size == 1 << 30
    assert found.digest()
    assert time.process_time() - start < 5


def test_text_in_any_encoding(root: Path) -> None:
    (root / "l.txt").write_bytes("a\r\ncafé\r\n".encode("utf-16"))
    text = Workspace.open(root).read_text("l.txt", 1000)
    assert (text.text, text.encoding, text.binary) == ("a\ncafé\n", "utf-16-le", False)


def test_a_file_that_changes_is_told(root: Path) -> None:
    found = Workspace.open(root)
    (root / "src" / "a.py").write_text("x = 1\ny = 2\n", encoding="utf-8")
    content = found.read_bytes("src/a.py", 100)
    assert content.data == b"x = 1\ny = 2\n"
    assert "changed" in content.problem
    (root / "src" / "a.py").unlink()
    assert found.read_bytes("src/a.py", 100).problem


@pytest.mark.parametrize("trick", ["file", "folder", "fifo", "directory", "root"])
def test_what_is_put_in_the_place_of_a_listed_file_does_not_lead_out(root: Path, trick: str) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("secret", encoding="utf-8")
    found = Workspace.open(root)
    if trick == "root":
        root.rename(root.parent / "moved")
        shutil.copytree(outside, root / "src")
    else:
        (root / "src" / "a.py").unlink()
    if trick == "file":
        (root / "src" / "a.py").symlink_to(outside / "a.py")
    if trick == "folder":
        (root / "src").rmdir()
        (root / "src").symlink_to(outside)
    if trick == "fifo":
        os.mkfifo(root / "src" / "a.py")
    if trick == "directory":
        (root / "src" / "a.py").mkdir()
    content = found.read_bytes("src/a.py", 100)
    assert content.data == b""
    assert content.problem
    assert found.content_hash("src/a.py")


def test_digest_tells_contents_and_names_not_places(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "copy"
    shutil.copytree(root, other)
    assert Workspace.open(root).digest() == Workspace.open(other).digest()
    (other / "src" / "a.py").write_text("x = 2\n", encoding="utf-8")
    assert Workspace.open(root).digest() != Workspace.open(other).digest()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_files_and_folders(root: Path) -> None:
    (root / "src" / "a.py").chmod(0)
    (root / "locked").mkdir(mode=0)
    found = Workspace.open(root)
    (root / "locked").chmod(0o700)
    assert not found.complete
    assert "unreadable" in found.read_bytes("src/a.py", 10).problem
