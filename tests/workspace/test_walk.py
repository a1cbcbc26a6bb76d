"""What the walk lists, what it leaves out, and the bounds it keeps."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from judge.errors import ConfigError, InputError
from judge.workspace import Skip, WalkOptions, Workspace


def paths(workspace: Workspace) -> list[str]:
    return [entry.path for entry in workspace.files]


def reasons(workspace: Workspace) -> dict[str, Skip]:
    return {skip.path: skip.reason for skip in workspace.skipped}


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n", encoding="utf-8")


def test_files_are_listed_sorted_and_caches_left_out(tmp_path: Path) -> None:
    noise = [
        ".git/HEAD",
        "node_modules/a/b.js",
        "src/__pycache__/m.pyc",
        "vendor/x.go",
        "lib/site-packages/n.py",
        "m.pyc",
    ]
    make(tmp_path, "b.txt", "a.py", "src/m.py", "build/result.png", "dist/out.csv", "env/notes.txt", *noise)
    (tmp_path / ".gitignore").write_text("*\n", encoding="utf-8")
    found = Workspace.open(tmp_path)
    assert paths(found) == [
        ".gitignore",
        "a.py",
        "b.txt",
        "build/result.png",
        "dist/out.csv",
        "env/notes.txt",
        "src/m.py",
    ]
    assert reasons(found)["node_modules"] is Skip.IGNORED
    assert found.complete


def test_environments_and_build_trees_are_told_by_what_lies_in_them(tmp_path: Path) -> None:
    make(
        tmp_path,
        "env/pyvenv.cfg",
        "env/lib/x.py",
        "build/CMakeCache.txt",
        "build/a.o",
        "target/CACHEDIR.TAG",
        "ok/a.txt",
    )
    assert paths(Workspace.open(tmp_path)) == ["ok/a.txt"]
    assert len(paths(Workspace.open(tmp_path, WalkOptions(ignore=("!env/",))))) == 3
    assert len(paths(Workspace.open(tmp_path, WalkOptions(default_ignores=False)))) == 6


def test_the_users_patterns_win(tmp_path: Path) -> None:
    make(tmp_path, "vendor/a.py", "data/big.bin", "data/keep.bin")
    options = WalkOptions(ignore=("!vendor/", "*.bin", "!keep.bin"))
    assert paths(Workspace.open(tmp_path, options)) == ["data/keep.bin", "vendor/a.py"]


def test_a_pattern_that_is_none_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pattern"):
        Workspace.open(tmp_path, WalkOptions(ignore=("!",)))


@pytest.mark.parametrize("make_it", [lambda path: None, lambda path: path.write_text("x", encoding="utf-8")])
def test_what_is_no_folder_is_refused(tmp_path: Path, make_it: object) -> None:
    make_it(tmp_path / "w")  # type: ignore[operator]
    with pytest.raises(InputError, match="no readable workspace"):
        Workspace.open(tmp_path / "w")


def test_odd_names_become_one_line_and_are_read(tmp_path: Path) -> None:
    raws = [
        b"a b",
        b"new\nline",
        b"\xff\xfe",
        b"back\\slash",
        "bidi\u202etxt".encode(),
        b"[red]x",
        "naïve".encode(),
    ]
    for raw in raws:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), raw))).write_bytes(raw)
    found = Workspace.open(tmp_path)
    assert len({entry.path for entry in found.files}) == len(raws)
    for entry in found.files:
        assert len(entry.path.splitlines()) == 1
        assert found.read_bytes(entry.path, 100).data == entry.raw
        assert found.find(entry.path) == entry
    assert found.find("new\nline") is not None
    assert found.find("back\\slash") is not None


def test_links_out_of_the_workspace_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "out/secret.txt", "w/in.txt", "w/sub/x.txt")
    root = tmp_path / "w"
    (root / "abs").symlink_to(tmp_path / "out/secret.txt")
    (root / "rel").symlink_to("../out/secret.txt")
    (root / "folder").symlink_to("../out")
    (root / "chain").symlink_to("folder/secret.txt")
    (root / "sneaky").symlink_to("sub/../../out/secret.txt")
    (root / "root").symlink_to("/")
    (root / "gone").symlink_to("nowhere")
    found = Workspace.open(root)
    assert paths(found) == ["in.txt", "sub/x.txt"]
    assert set(reasons(found)) == {"abs", "rel", "folder", "chain", "sneaky", "root", "gone"}
    assert reasons(found)["gone"] is Skip.LINK_BROKEN
    assert all(
        reasons(found)[name] is Skip.LINK_OUTSIDE for name in ("abs", "rel", "folder", "chain", "sneaky", "root")
    )


def test_links_inside_are_followed_and_loops_survived(tmp_path: Path) -> None:
    make(tmp_path, "runs/3/m.txt", "data/d.csv")
    (tmp_path / "latest").symlink_to("runs/3")
    (tmp_path / "also").symlink_to(tmp_path / "runs" / "3")
    (tmp_path / "runs/3/data").symlink_to("../../data")
    (tmp_path / "file").symlink_to("data/d.csv")
    (tmp_path / "runs/up").symlink_to("..")
    (tmp_path / "self").symlink_to("self")
    found = Workspace.open(tmp_path)
    assert {"latest/m.txt", "also/m.txt", "runs/3/data/d.csv", "file"} <= set(paths(found))
    assert reasons(found)["runs/up"] is Skip.LINK_LOOP
    assert reasons(found)["self"] is Skip.LINK_LOOP
    assert found.find("latest/m.txt").link  # type: ignore[union-attr]
    assert found.read_bytes("latest/m.txt", 10).data == b"x\n"


def test_links_to_ignored_trees_do_not_bring_them_back(tmp_path: Path) -> None:
    make(tmp_path, "node_modules/a/b.js")
    (tmp_path / "libs").symlink_to("node_modules/a")
    assert paths(Workspace.open(tmp_path)) == []


def test_chains_of_doubled_links_do_not_explode(tmp_path: Path) -> None:
    for level in range(20):
        folder = tmp_path / f"d{level}"
        folder.mkdir()
        (folder / "f.txt").write_text("x", encoding="utf-8")
        for name in "ab":
            (folder / name).symlink_to(f"../d{level + 1}")
    start = time.monotonic()
    found = Workspace.open(tmp_path)
    assert len(found.files) < 2_000
    assert time.monotonic() - start < 20


def test_special_files_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(tmp_path, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{here}/s" if os.path.isdir("/proc/self/fd") else str(tmp_path / "s"))
        finally:
            os.close(here)
        found = Workspace.open(tmp_path)
    assert paths(found) == []
    assert all(reason is Skip.SPECIAL for reason in reasons(found).values())
    assert found.complete


def deepen(root: Path, depth: int) -> None:
    fd = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=fd)
        inner = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(os.open("deep.txt", os.O_WRONLY | os.O_CREAT, dir_fd=fd))
    os.close(fd)


def flatten(root: Path, depth: int) -> None:
    """Removes a tree that is too deep for the clean-up of pytest."""
    for _ in range(depth):
        top = root / "d"
        for name in os.listdir(top):
            os.rename(top / name, root / f"moved-{name}")
        top.rmdir()
        if (root / "moved-d").exists():
            (root / "moved-d").rename(root / "d")


def test_sixty_folders_deep_is_read(tmp_path: Path) -> None:
    deepen(tmp_path, 60)
    found = Workspace.open(tmp_path)
    assert len(found.files) == 1
    assert not found.read_bytes(found.files[0], 10).problem


def test_five_thousand_folders_deep_is_survived(tmp_path: Path) -> None:
    deepen(tmp_path, 5_000)
    try:
        found = Workspace.open(tmp_path)
        assert found.files == ()
        assert not found.complete
        assert [skip.reason for skip in found.skipped] == [Skip.TOO_DEEP]
        deeper = Workspace.open(tmp_path, WalkOptions(max_depth=300))
        assert len(deeper.folders) == 300
    finally:
        flatten(tmp_path, 5_000)


def test_bounds_on_files_and_time_are_told(tmp_path: Path) -> None:
    make(tmp_path, *(f"f{number}.txt" for number in range(300)))
    few = Workspace.open(tmp_path, WalkOptions(max_files=5))
    assert len(few.files) <= 5
    assert not few.complete
    assert Skip.TOO_MANY in reasons(few).values()
    late = Workspace.open(tmp_path, WalkOptions(max_seconds=-1))
    assert not late.complete
    assert Skip.TOO_SLOW in reasons(late).values()


@pytest.mark.slow
def test_a_hundred_thousand_files(tmp_path: Path) -> None:
    for folder in range(100):
        inner = tmp_path / f"d{folder}"
        inner.mkdir()
        fd = os.open(inner, os.O_RDONLY)
        for number in range(1_000):
            os.close(os.open(f"f{number}", os.O_WRONLY | os.O_CREAT, dir_fd=fd))
        os.close(fd)
    start = time.process_time()
    found = Workspace.open(tmp_path)
    assert len(found.files) == 100_000
    assert time.process_time() - start < 10
