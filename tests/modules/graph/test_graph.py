"""The graph as a whole: nodes, edges, exports, other languages, notebooks, map."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx
import pytest

from judge.modules.graph import EdgeKind, EntryKind, NodeKind, build_graph, outline, workspace_map
from judge.modules.graph.facts import Body
from judge.tokens import count
from judge.workspace import Workspace
from tests.modules.graph.conftest import Make

FILES: dict[str, str | bytes] = {
    "src/train.py": """
        import torch.nn as nn
        import matplotlib.pyplot as plt
        from src.data import load
        class Net(nn.Module):
            def forward(self, x): return x + load()
        def plot(path):
            plt.savefig(path)
            plt.show()
        if __name__ == "__main__":
            net = Net()
            net(1)
            plot("results/loss.png")
    """,
    "src/data.py": "def load():\n    return open('data/x.csv').read()\n",
    "tests/test_data.py": "from src.data import load\ndef test_load():\n    assert load()\n",
    "data/x.csv": "a,b\n1,2\n",
    "results/loss.png": b"\x89PNG",
    "config.yaml": "a: 1\n",
    "README.md": "# x\n",
}


def _edges(graph, kind: EdgeKind) -> set[tuple[str, str]]:  # type: ignore[no-untyped-def]
    return {(a, b) for a, b, data in graph.nx.edges(data=True) if data["kind"] == kind}


def test_nodes_and_edges(make: Make) -> None:
    graph = make(FILES)
    kinds = {key: data["kind"] for key, data in graph.nx.nodes(data=True)}
    assert kinds["src"] == NodeKind.FOLDER
    assert kinds["src/train.py"] == NodeKind.MODULE
    assert kinds["src/train.py::Net"] == NodeKind.CLASS
    assert kinds["src/train.py::Net.forward"] == NodeKind.METHOD
    assert kinds["src/train.py::plot"] == NodeKind.FUNCTION
    assert kinds["package:torch"] == NodeKind.PACKAGE
    assert kinds["results/loss.png"] == NodeKind.ARTEFACT
    assert kinds["config.yaml"] == NodeKind.CONFIG
    assert kinds["README.md"] == NodeKind.FILE
    assert ("src/train.py::plot", "results/loss.png") in _edges(graph, EdgeKind.WRITES_FILE)
    assert ("src/data.py::load", "data/x.csv") in _edges(graph, EdgeKind.READS_FILE)
    assert ("src/train.py::Net", "package:torch") in _edges(graph, EdgeKind.INHERITS)
    assert ("src/train.py", "src/data.py") in _edges(graph, EdgeKind.IMPORTS)
    assert ("src/train.py", "src/train.py::Net") in _edges(graph, EdgeKind.CALLS)
    assert ("tests/test_data.py::test_load", "src/data.py::load") in _edges(graph, EdgeKind.TESTS)
    assert ("src", "src/train.py") in _edges(graph, EdgeKind.CONTAINS)
    assert ("src/train.py::plot", "package:matplotlib") in _edges(graph, EdgeKind.DISPLAYS)
    node = graph.nx.nodes["src/train.py::Net.forward"]
    assert (node["line"], node["end_line"], node["reachable"], node["qualname"]) == (6, 6, True, "Net.forward")


def test_node_link_is_what_networkx_reads_and_is_deterministic(make: Make, tmp_path: Path) -> None:
    graph = make(FILES)
    data = json.loads(json.dumps(graph.to_node_link()))
    again = networkx.node_link_graph(data, edges="edges")
    assert again.number_of_edges() == graph.nx.number_of_edges()
    assert all(
        {"kind", "path", "name", "qualname", "line", "end_line", "reachable"} <= set(item) for item in data["nodes"]
    )
    assert all("kind" in item for item in data["edges"])
    code = (
        "import sys, json; from pathlib import Path; from judge.workspace import Workspace;"
        "from judge.modules.graph import build_graph;"
        "print(json.dumps(build_graph(Workspace.open(Path(sys.argv[1]))).to_node_link()))"
    )
    for seed in ("1", "2"):
        env = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin"}
        shown = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "ws")], capture_output=True, text=True, check=True, env=env
        )
        assert json.loads(shown.stdout) == data


def test_bodies(make: Make) -> None:
    source = """
        import logging
        def a(): pass
        def b(): ...
        def c():
            \"\"\"Doc.\"\"\"
        def d(): raise NotImplementedError("later")
        def e(): return None
        def f(x): return x
        def g(): return {"acc": 0.95}
        def h():
            print("training done")
            return 0.97
        def i():
            # TODO: implement
            return []
        def j(x): return x + 1
        def k():
            acc = 0.93
            return acc
        def l(x):
            for i in x:
                yield i
        class M:
            pass
        class N:
            def go(self): pass
        class O:
            x = 1
        def p(): logging.info("x")
    """
    code = make({"a.py": source}).files["a.py"]
    bodies = {item.name: item.body for item in code.definitions}
    assert {name for name, body in bodies.items() if body is Body.STUB} == {"a", "b", "c", "d", "i", "M", "N", "go"}
    assert {name for name, body in bodies.items() if body is Body.TRIVIAL} == {"e", "f", "g", "h", "k", "p"}


def test_notebooks_are_ordered_cells(make: Make) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "import nothing"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "!pip install x\n", "import numpy as np\n"]},
        {"cell_type": "code", "source": "def f(x):\n    return np.sqrt(x)\nfiles = !ls\n"},
        {"cell_type": "code", "source": "%%bash\npython job.py\n"},
        {"cell_type": "code", "source": "np.save('x.npy', f(3))\nf?\n"},
        {"cell_type": "code", "source": "this is broken (\n"},
    ]
    graph = make({"nb.ipynb": json.dumps({"cells": cells, "nbformat": 4}), "job.py": "X = 1\n"})
    code = graph.files["nb.ipynb"]
    assert [item.name for item in code.definitions] == ["f"]
    assert graph.entries == {"job.py": EntryKind.MENTIONED, "nb.ipynb": EntryKind.NOTEBOOK}
    assert graph.writers("x.npy")[0][0] == "nb.ipynb"
    assert [cell.number for cell in graph.cells["nb.ipynb"]] == [2, 3, 4, 5, 6]
    assert "nb.ipynb#cell-3" in graph.nx
    lines = code.source.split("\n")
    assert all(call.name in lines[call.line - 1] for call in code.calls)


def test_javascript_and_typescript(make: Make) -> None:
    graph = make(
        {
            "index.html": '<script src="js/app.js"></script><button onclick="clicked()">x</button>',
            "js/app.js": """
                import { draw } from "./view.js";
                const fs = require("fs");
                class Board extends Base { add(x) { return draw(x); } empty() {} }
                function clicked() { return draw(2); }
                function unused() { return draw(1); }
                const arrow = (x) => { throw new Error("not implemented"); };
                new Board().add(1);
                fs.writeFileSync("out/x.json", "{}");
                document.addEventListener("click", arrow);
            """,
            "js/view.js": "export function draw(x) { return document.title + x; }\nexport function spare() { return draw(1); }\n",
            "lib/types.ts": "export interface Item { id: number }\nexport class Store { add(item: Item): void { this.items.push(item); } }\n",
            "ui/App.tsx": "export function App() { return <Panel title='x'/>; }\nfunction Panel(p) { return <b>{p.title}</b>; }\n",
            "main.go": "package main\nfunc main() {}\n",
        }
    )
    app = {item.qualname: item for item in graph.files["js/app.js"].definitions}
    assert graph.entries["js/app.js"] is EntryKind.MENTIONED
    assert app["Board"].bases == ("Base",) and app["Board.add"].reachable
    assert app["clicked"].reachable and not app["unused"].reachable
    assert app["Board.empty"].body is Body.STUB and app["arrow"].body is Body.STUB
    assert {item.local for item in graph.files["js/app.js"].imports} == {"js/view.js", ""}
    view = {item.name: item.reachable for item in graph.files["js/view.js"].definitions}
    assert view == {"draw": True, "spare": False}
    assert graph.writers("out/x.json")[0][0] == "js/app.js"
    assert "fs.writeFileSync" in {call.target for call in graph.files["js/app.js"].calls}
    assert {item.qualname for item in graph.files["lib/types.ts"].definitions} == {"Item", "Store", "Store.add"}
    assert {item.qualname for item in graph.files["ui/App.tsx"].definitions} == {"App", "Panel"}
    assert graph.languages["main.go"] == "go" and "main.go" in graph.files
    assert graph.nx.nodes["main.go"]["language"] == "go"


def test_outline_and_map(make: Make, tmp_path: Path) -> None:
    graph = make({**FILES, "src/old.py": "def dead():\n    return open('x')\ndef stub():\n    pass\n"})
    workspace = Workspace.open(tmp_path / "ws")
    assert "def forward(self, x): return x + load()  [L6]" in outline(graph.files["src/train.py"])
    assert "def stub()  [L3-4, stub, not reached]" in outline(graph.files["src/old.py"])
    text = workspace_map(graph, workspace, 2000)
    for part in (
        "src/train.py (main guard)",
        "results/loss.png",
        "results/loss.png <- src/train.py:8 in plot",
        "not reached",
    ):
        assert part in text
    for budget in (20, 60, 150):
        assert count(workspace_map(graph, workspace, budget)) <= budget


def test_definitions_by_any_name(make: Make) -> None:
    graph = make(FILES)
    assert graph.definitions("forward")[0][0] == "src/train.py"
    assert graph.definitions("src.train.Net.forward") == graph.definitions("Net.forward")
    assert graph.definitions("nothing") == ()


def test_an_empty_workspace(tmp_path: Path) -> None:
    graph = build_graph(Workspace.open(tmp_path))
    assert graph.files == {} and graph.entry_points() == () and list(graph.nx) == ["."]
    assert graph.summary() == ""


@pytest.mark.shared
def test_the_public_workspace(shared_dir: Path) -> None:
    root = next((shared_dir / "devai" / "workspaces" / "OpenHands").glob("39*"))
    graph = build_graph(Workspace.open(root))
    assert graph.writers("results/metrics/performance.txt")[0][0] == "src/train.py"
    assert graph.writers("results/performance.txt") == ()
    assert "sklearn.svm.SVR" in {call.target for call in graph.files["src/model.py"].calls if call.reachable}
