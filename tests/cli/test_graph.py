"""``judge graph`` through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx
import pytest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ws [1]"
    (root / "src").mkdir(parents=True)
    (root / "src" / "train.py").write_text(
        "from sklearn.svm import SVC\n"
        "def train(path):\n"
        "    model = SVC().fit([[1], [2]], [0, 1])\n"
        "    open(path, 'w').write(str(model.score([[1]], [0])))\n"
        "def unused():\n"
        "    return open('x')\n"
        "def later():\n"
        "    raise NotImplementedError\n"
        "if __name__ == '__main__':\n"
        "    train('results/score.txt')\n"
    )
    (root / "results").mkdir()
    (root / "results" / "score.txt").write_text("1.0")
    return root


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of the program, away from the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "judge" / "graph"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "judge", "graph", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_summary_answers_the_first_questions(workspace: Path) -> None:
    done = run(workspace)
    assert done.returncode == 0, done.stderr
    for part in (
        "python: 1 file",
        "src/train.py:9  main guard",
        "src/train.py:5  function unused",
        "src/train.py:7  function later",
        "results/score.txt  by src/train.py:4",
    ):
        assert part in done.stdout
    assert "no such file" not in done.stdout


def test_json_is_node_link_data(workspace: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.json"
    shown = run(workspace, "--json")
    assert run(workspace, "--format", "json", "--out", out).returncode == 0
    data = json.loads(shown.stdout)
    assert data == json.loads(out.read_text())
    graph = networkx.node_link_graph(data, edges="edges")
    edges = {(a, b, d["kind"]) for a, b, d in graph.edges(data=True)}
    assert ("src/train.py::train", "results/score.txt", "writes-file") in edges


def test_graphml_and_dot(workspace: Path) -> None:
    assert networkx.parse_graphml(run(workspace, "--format", "graphml").stdout).number_of_nodes() > 5
    assert run(workspace, "-f", "dot").stdout.startswith("digraph workspace {")


def test_focus(workspace: Path) -> None:
    text = run(workspace, "--focus", "src/train.py:train").stdout
    assert "model = SVC()" in text and "results/score.txt" in text
    data = json.loads(run(workspace, "--focus", "src/train.py:unused", "--json").stdout)
    assert "src/train.py::train" not in {node["id"] for node in data["nodes"]}
    for place in ("src/none.py", "src/train.py:none"):
        missing = run(workspace, "--focus", place)
        assert missing.returncode == 2 and missing.stderr.count("\n") == 1


def test_depth_follows_more_steps(workspace: Path) -> None:
    (workspace / "src" / "run.py").write_text("from src.train import train\ndef go():\n    train('a.txt')\ngo()\n")
    near, far = (
        {
            node["id"]
            for node in json.loads(run(workspace, "--focus", "src/run.py:go", "--depth", depth, "--json").stdout)[
                "nodes"
            ]
        }
        for depth in (1, 2)
    )
    assert "src/train.py::train" in near and "results/score.txt" not in near and "results/score.txt" in far
    assert "    writes results/score.txt" in run(workspace, "--focus", "src/run.py:go", "--depth", "2").stdout


def test_outlines(workspace: Path) -> None:
    assert run(workspace, "--outline", "src/train.py").stdout.startswith("def train(path)  [L2-4]\n")
    assert run(workspace, "--outline", ".").stdout.startswith("src/train.py\n  def train(path)")
    missing = run(workspace, "--outline", "results/score.txt")
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1


def test_the_page(workspace: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.html"
    assert run(workspace, "--format", "html", "--out", out).returncode == 0
    text = out.read_text()
    assert text.startswith("<!doctype html>") and "ws [1]" in text and "def train(path)" in text
    assert run(workspace, "-f", "html", "--focus", "src/train.py:train").stdout.count("def unused") == 0


def test_facts_are_kept_outside_the_workspace(workspace: Path, cache: Path) -> None:
    fresh = run(workspace, "--no-cache", "--json").stdout
    assert not cache.exists()
    assert run(workspace, "--json").stdout == fresh and cache.is_dir()
    assert run(workspace, "--json").stdout == fresh
    for path in cache.iterdir():
        path.write_bytes(b"garbage" * 1000)
    damaged = run(workspace, "--json")
    assert damaged.stdout == fresh and damaged.stderr.count("\n") <= 1 and damaged.returncode == 0


def test_a_cache_inside_the_workspace_is_not_used(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(workspace / "cache"))
    assert run(workspace).returncode == 0 and not (workspace / "cache").exists()


def test_files_can_be_left_out(workspace: Path) -> None:
    (workspace / "extra").mkdir()
    (workspace / "extra" / "big.py").write_text("def other():\n    pass\n")
    assert "extra/big.py" in run(workspace, "--json").stdout
    assert "extra/big.py" not in run(workspace, "--json", "--ignore", "extra/").stdout


def test_a_database_in_memory_is_no_file(workspace: Path) -> None:
    (workspace / "src" / "train.py").write_text(
        "import sqlite3\n"
        "NAME = ':memory:'\n"
        "sqlite3.connect(':memory:')\n"
        "sqlite3.connect(NAME)\n"
        "sqlite3.connect('file::memory:?cache=shared', uri=True)\n"
        "sqlite3.connect('file:a?mode=memory&cache=shared', uri=True)\n"
        "sqlite3.connect('data/loans.db')\n"
    )
    written = run(workspace).stdout.partition("Written files\n")[2]
    assert "data/loans.db  by src/train.py:7" in written and written.count("src/train.py") == 1


def test_bad_input_is_one_line(workspace: Path, tmp_path: Path) -> None:
    for arguments in (
        [tmp_path / "none"],
        [workspace, "--format", "png"],
        [workspace, "--out", workspace / "g.json"],
        [workspace, "--depth", "2"],
        [workspace, "--outline", "src", "--json"],
        [workspace, "--json", "--format", "html"],
        [workspace, "--out", tmp_path / "none" / "g.json"],
    ):
        done = run(*arguments)
        assert done.returncode == 2, done
        assert done.stdout == "" and "Traceback" not in done.stderr
    assert not (workspace / "g.json").exists()


def test_nothing_is_executed_or_written(workspace: Path) -> None:
    (workspace / "evil.py").write_text("open('evil.txt', 'w').write('x')\nraise SystemExit(9)\n")
    before = sorted(path.name for path in workspace.rglob("*"))
    assert run(workspace).returncode == 0
    assert sorted(path.name for path in workspace.rglob("*")) == before


@pytest.mark.parametrize("end", ["\n", ""])
def test_lines_are_counted_as_editors_do(workspace: Path, end: str) -> None:
    code = workspace / "src" / "train.py"
    code.write_text(code.read_text().rstrip("\n") + end)
    assert "python: 1 file, 10 lines" in run(workspace).stdout
    assert "src/train.py  lines 1-10" in run(workspace, "--focus", "src/train.py").stdout
    assert "1–10" in run(workspace, "--format", "html").stdout


def test_a_workspace_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(empty).stdout == f"no files to look at in {empty}\n"
    assert "There are no files to look at in empty." in run(empty, "--format", "html").stdout
    assert [node["kind"] for node in json.loads(run(empty, "--json").stdout)["nodes"]] == ["folder"]
    (empty / "LICENSE").write_text("Do what you like.\n")
    assert run(empty).stdout == f"no code to look at in {empty}\n"
    assert "There is no code to look at in empty." in run(empty, "--format", "html").stdout


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("g.html", (), "<!doctype html>"),
        ("g.JSON", (), "{"),
        ("g.graphml", (), "<graphml"),
        ("g.dot", (), "digraph"),
        ("g.txt", (), "Languages"),
        ("g", (), "Languages"),
        ("g.html", ("--format", "dot"), "digraph"),
        ("g.html", ("--format", "text"), "Languages"),
        ("g.html", ("--json",), "{"),
        ("g.html", ("--outline", "src"), "def train"),
    ],
)
def test_the_ending_of_a_file_chooses_the_format(
    workspace: Path, tmp_path: Path, name: str, options: tuple[str, ...], start: str
) -> None:
    done = run(workspace, "--out", tmp_path / name, *options)
    assert done.returncode == 0 and done.stderr == f"judge: wrote {tmp_path / name}\n"
    assert start.lower() in (tmp_path / name).read_text().lower()[:60]
