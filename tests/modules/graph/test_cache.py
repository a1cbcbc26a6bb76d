"""Facts that are kept between runs: the same answers, nothing parsed twice, and no harm from a bad cache."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from judge.modules.graph import GraphCache, WorkspaceGraph, build_graph
from judge.modules.graph import build as build_module
from judge.modules.graph.cache_codec import CodecError, decode, encode
from judge.modules.graph.facts import CodeFile
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.python.parse import parse_module
from judge.workspace import Workspace

NAME = "facts-1.sqlite"
FILES = {
    "src/train.py": """
        import json
        import yaml
        from pathlib import Path
        from src.model import Net
        CONFIG = yaml.safe_load(open('config.yaml'))
        def main(out='results/a.json', *rest, **more):
            '''Doc.'''
            net = Net(depth=3)  # a comment
            Path(out).write_text(json.dumps({'loss': net.fit([1.5, None, True, 2**70])}))
            open(CONFIG['path'], 'w')
        if __name__ == '__main__':
            main()
    """,
    "src/model.py": (
        "class Net:\n    def __init__(self, depth): self.depth = depth\n    def fit(self, x): return max(x)\n"
    ),
    "nb.ipynb": (
        '{"cells": [{"cell_type": "code", "source": ["x = 1\\n", "open(\'nb.txt\', \'w\')"]}], "metadata": {}}'
    ),
    "web/app.js": "import fs from 'fs';\nexport function go(a) { return fs.readFileSync('in.txt'); }\ngo(1);\n",
    "bad.py": "def f(:\n    pass\ndef g():\n    return sorted([1])\n",
    "config.yaml": "path: results/b.txt\n",
    "README.md": "![plot](results/p.png)\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, told: list[str]) -> Callable[[], GraphCache]:
    return lambda: GraphCache(tmp_path / "cache" / "graph", told.append)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the files that are parsed."""
    found: list[str] = []
    real = build_module.parse_source

    def parse(source):  # type: ignore[no-untyped-def]
        found.append(source.path)
        return real(source)

    monkeypatch.setattr("judge.modules.graph.cached.parse_source", parse)
    return found


def _same(one: WorkspaceGraph, other: WorkspaceGraph) -> None:
    assert one.summary() == other.summary()
    assert one.rows.nodes == other.rows.nodes
    assert one.rows.edges == other.rows.edges
    assert list(one.files) == list(other.files)
    for path, code in one.files.items():
        assert one.leads(path) == other.leads(path)
        for field in fields(CodeFile):
            assert getattr(code, field.name) == getattr(other.files[path], field.name), (path, field.name)
    assert (one.entries, one.library, one.cells, one.languages) == (
        other.entries,
        other.library,
        other.cells,
        other.languages,
    )


def _open(path: Path) -> Workspace:
    return Workspace.open(path)


def test_a_second_run_parses_nothing_and_says_the_same(
    root: Path, cache: Callable[[], GraphCache], parsed: list[str], told: list[str]
) -> None:
    fresh = build_graph(_open(root))
    first = build_graph(_open(root), cache())
    assert sorted(parsed) == ["bad.py", "nb.ipynb", "src/model.py", "src/train.py", "web/app.js"]
    _same(first, fresh)
    parsed.clear()
    second = build_graph(_open(root), cache())
    assert second.summary() == fresh.summary() and second.rows.edges == fresh.rows.edges
    _same(second, fresh)
    assert set(parsed) <= {"src/train.py"}  # it holds a number that JSON does not
    assert told == []


def test_who_calls_whom_is_known_without_linking_again(
    root: Path, cache: Callable[[], GraphCache], monkeypatch: pytest.MonkeyPatch
) -> None:
    build_graph(_open(root), cache())
    monkeypatch.setattr("judge.modules.graph.cached.analyse", None)
    again = build_graph(_open(root), cache())
    found = {(lead.resolved, lead.reachable) for lead in again.leads("src/train.py")}
    assert ("src/model.py::Net.fit", True) in found and ("src/train.py::main", True) in found
    assert [lead.resolved for lead in again.leads("web/app.js")] == ["web/app.js::go"]


def test_only_what_changed_is_parsed_again(root: Path, cache: Callable[[], GraphCache], parsed: list[str]) -> None:
    build_graph(_open(root), cache())
    parsed.clear()
    (root / "src" / "model.py").write_text("class Net:\n    def fit(self, x): return min(x)\n")
    again = build_graph(_open(root), cache())
    assert "web/app.js" not in parsed and "src/model.py" in parsed
    _same(again, build_graph(_open(root)))


def test_the_place_of_a_file_does_not_count(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], parsed: list[str]
) -> None:
    build_graph(_open(root), cache())
    parsed.clear()
    moved = tmp_path / "elsewhere"
    shutil.copytree(root, moved)
    (moved / "src" / "model.py").rename(moved / "src" / "other.py")
    graph = build_graph(_open(moved), cache())
    assert set(parsed) <= {"src/train.py"}
    assert graph.files["src/other.py"].definitions[0].name == "Net" and "src/model.py" not in graph.files
    _same(graph, build_graph(_open(moved)))


def test_a_changed_configuration_is_noticed(root: Path, cache: Callable[[], GraphCache]) -> None:
    assert build_graph(_open(root), cache()).writers("results/b.txt")
    (root / "config.yaml").write_text("path: results/c.txt\n")
    graph = build_graph(_open(root), cache())
    assert graph.writers("results/c.txt") and not graph.writers("results/b.txt")
    (root / "config.yaml").unlink()
    assert not build_graph(_open(root), cache()).writers("results/c.txt")


def test_nothing_of_the_place_of_the_workspace_is_kept(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache]
) -> None:
    build_graph(_open(root), cache()).rows  # noqa: B018 - they are kept when they are made
    path = tmp_path / "cache" / "graph" / NAME
    assert str(tmp_path).encode() not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert sorted(os.listdir(path.parent)) == [NAME]
    before = sorted(str(item) for item in root.rglob("*"))
    build_graph(_open(root), cache())
    assert sorted(str(item) for item in root.rglob("*")) == before


@pytest.mark.parametrize("damage", [b"", b"garbage" * 500, None], ids=["empty", "garbage", "torn"])
def test_a_damaged_cache_is_made_anew(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], told: list[str], damage: bytes | None
) -> None:
    build_graph(_open(root), cache())
    path = tmp_path / "cache" / "graph" / NAME
    data = path.read_bytes()
    torn = bytearray(data)
    torn[600 : len(data) // 2] = os.urandom(len(data) // 2 - 600)
    path.write_bytes(bytes(torn) if damage is None else damage)
    _same(build_graph(_open(root), cache()), build_graph(_open(root)))
    assert len(told) <= 1
    build_graph(_open(root), cache())
    told.clear()
    _same(build_graph(_open(root), cache()), build_graph(_open(root)))
    assert told == []


@pytest.mark.parametrize(
    "value", [b"{}", b"[]", b"null", b"[1, 2", b'["x", {}]', b'{"files": 3}', b"\xff", b"[[[[]]]]"]
)
def test_values_of_the_wrong_form_are_worked_out_again(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], value: bytes
) -> None:
    build_graph(_open(root), cache()).rows  # noqa: B018 - they are kept when they are made
    database = sqlite3.connect(tmp_path / "cache" / "graph" / NAME)
    with database:
        database.execute("UPDATE facts SET value = ?, sum = ?", (value, zlib.crc32(value)))
    database.close()
    _same(build_graph(_open(root), cache()), build_graph(_open(root)))


def test_another_schema_is_replaced(root: Path, tmp_path: Path, cache: Callable[[], GraphCache]) -> None:
    path = tmp_path / "cache" / "graph" / NAME
    path.parent.mkdir(parents=True, mode=0o700)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE facts (other TEXT)")
    database.close()
    path.chmod(0o600)
    for _ in range(3):
        _same(build_graph(_open(root), cache()), build_graph(_open(root)))


def test_a_locked_cache_is_done_without(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.modules.graph.cache._WAIT", 0.05)
    build_graph(_open(root), cache())
    database = sqlite3.connect(tmp_path / "cache" / "graph" / NAME, isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    (root / "new.py").write_text("def new():\n    return sorted([1])\n")
    graph = build_graph(_open(root), cache())
    database.close()
    assert graph.files["new.py"].definitions and len(told) == 1 and "locked" in told[0]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_read(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], told: list[str]
) -> None:
    build_graph(_open(root), cache())
    folder = tmp_path / "cache" / "graph"
    folder.chmod(0o500)
    (folder / NAME).chmod(0o400)
    try:
        (root / "new.py").write_text("x = 1\n")
        _same(build_graph(_open(root), cache()), build_graph(_open(root)))
        assert len(told) <= 1
    finally:
        folder.chmod(0o700)


def test_a_cache_folder_that_cannot_be_made(root: Path, tmp_path: Path, told: list[str]) -> None:
    (tmp_path / "file").write_text("x")
    graph = build_graph(_open(root), GraphCache(tmp_path / "file" / "graph", told.append))
    assert graph.files and len(told) == 1


def test_a_cache_that_others_can_write_is_refused(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], told: list[str]
) -> None:
    build_graph(_open(root), cache())
    (tmp_path / "cache" / "graph").chmod(0o777)
    assert build_graph(_open(root), cache()).files and "others may write" in told[0] and len(told) == 1


def test_a_link_in_place_of_the_database_is_not_followed(
    root: Path, tmp_path: Path, cache: Callable[[], GraphCache], told: list[str]
) -> None:
    target = tmp_path / "precious"
    target.write_text("data")
    folder = tmp_path / "cache" / "graph"
    folder.mkdir(parents=True, mode=0o700)
    (folder / NAME).symlink_to(target)
    assert build_graph(_open(root), cache()).files
    assert target.read_text() == "data" and len(told) == 1


def test_the_cache_is_bounded(tmp_path: Path) -> None:
    store = GraphCache(tmp_path / "graph", max_size=100_000)
    for number in range(60):
        store.save({f"k{number}": bytes([number]) * 5_000})
    kept = [number for number in range(60) if store.load([f"k{number}"])]
    assert kept and kept == list(range(kept[0], 60)) and len(kept) <= 20
    store.save({"huge": b"x" * 90_000})
    assert store.load(["huge"]) == {}
    assert (tmp_path / "graph" / NAME).stat().st_size < 400_000


def test_processes_share_a_cache(root: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from judge.workspace import Workspace;"
        "from judge.modules.graph import GraphCache, build_graph;"
        "told = [];"
        "graph = build_graph(Workspace.open(Path(sys.argv[1])), GraphCache(Path(sys.argv[2]), told.append));"
        "graph.rows; print(len(graph.files), len(told))"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(root), str(tmp_path / "shared")], stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].split() for process in started] == [["5", "0"]] * 4
    database = sqlite3.connect(tmp_path / "shared" / NAME)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_facts_survive_being_stored() -> None:
    module = parse_module("a.py", textwrap.dedent(FILES["src/model.py"]) + "x = {'a': [1, 2.5, None, True]}\n")
    again = decode(RawModule, encode(module))
    assert again == again and [getattr(again, item.name) for item in fields(RawModule) if item.name != "scopes"]
    assert encode(again) == encode(module)
    assert again.scopes[0].bindings["x"] == module.scopes[0].bindings["x"]
    for wrong in (b"", b"{}", b"[1]", b'"x"', b"[" * 2000):
        with pytest.raises(CodecError):
            decode(RawModule, wrong)
    for value in ({1, 2}, object(), "\ud800", 2**70):
        with pytest.raises(CodecError):
            encode([value])
