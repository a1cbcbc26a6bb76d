"""Configuration entries, pictures and links of documents, notebooks that were run or not, foreign sources."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.modules.graph import EdgeKind, NodeKind, WorkspaceGraph
from judge.modules.graph.documents import is_document, mentions
from judge.modules.graph.foreign import why_foreign, why_foreign_name
from judge.modules.graph.notebook_cells import notebook_code
from judge.modules.graph.package_names import external_name
from tests.modules.graph.conftest import Make


def _edges(graph: WorkspaceGraph, kind: EdgeKind) -> set[tuple[str, str]]:
    return {(a, b) for a, b, data in graph.nx.edges(data=True) if data["kind"] == kind}


def test_configuration_entries(make: Make) -> None:
    graph = make(
        {
            "config/app.yaml": "out: results/x.txt\nlr: 0.1\nunused: 7\ndata:\n  train: data/in.csv\n",
            "settings.toml": '[paths]\nmodel = "models/m.pt"\nname = "plain words"\n',
            "app.ini": "[io]\nfile = data/in.csv\n; old = data/old.csv\n",
            ".env": "TABLE=data/in.csv\n",
            "package-lock.json": '{"a": "data/in.csv"}',
            "data/in.csv": "1",
            "results/x.txt": "1",
            "run.py": "import yaml\ncfg = yaml.safe_load(open('config/app.yaml'))\nprint(cfg['lr'])\n",
            "main.go": 'package main\nimport "os"\nfunc main() { os.ReadFile("settings.toml"); use("name") }\nfunc use(x string) { println(x) }\n',
        }
    )
    kinds = {key: data for key, data in graph.nx.nodes(data=True) if data["kind"] == NodeKind.CONFIG and "#" in key}
    assert set(kinds) == {
        "config/app.yaml#out",
        "config/app.yaml#lr",
        "config/app.yaml#data.train",
        "settings.toml#paths.model",
        "settings.toml#paths.name",
        "app.ini#io.file",
        ".env#TABLE",
    }
    assert (kinds["config/app.yaml#data.train"]["line"], kinds["config/app.yaml#lr"]["value"]) == (5, 0.1)
    references = _edges(graph, EdgeKind.REFERENCES)
    assert {
        ("config/app.yaml#out", "results/x.txt"),
        ("config/app.yaml#data.train", "data/in.csv"),
        ("app.ini#io.file", "data/in.csv"),
        (".env#TABLE", "data/in.csv"),
        ("run.py", "config/app.yaml#lr"),
        ("main.go::main", "settings.toml#paths.name"),
    } <= references
    assert ("config/app.yaml", "config/app.yaml#lr") in _edges(graph, EdgeKind.CONTAINS)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "a: &a {" + ", ".join(f"k{number}: *a" for number in range(49)) + "}\n"),
        ("b.yaml", "[" * 100_000),
        ("c.yaml", "a:\n" + "".join(" " * depth + "b:\n" for depth in range(1, 600))),
        ("d.json", "[" * 100_000 + "]" * 100_000),
        ("e.json", '{"a":' * 50_000),
        ("f.toml", "a = " + "[" * 50_000),
        ("g.md", "![" * 60_000 + "](" * 60_000),
        ("h.md", "<img " * 40_000),
        ("i.tex", "\\includegraphics[" * 10_000),
        ("j.ini", "[" * 100_000 + "\n" + "a=" * 100_000),
        ("Makefile", "a/" * 100_000),
    ],
)
def test_hostile_documents_end(path: str, text: str) -> None:
    start = time.process_time()
    mentions({path: text})
    assert time.process_time() - start < 5


def test_documents_show_and_name_files(make: Make) -> None:
    graph = make(
        {
            "README.md": "# x\n![p](results/plot.png)\n<img src='results/a.png' width=3>\n![gone](results/gone.png)\n[code](src/m.py#L3) `data/in.csv`\n![badge](https://x.io/b.svg)\n",
            "docs/report.tex": "\\includegraphics[width=1cm]{../results/plot.png}\n\\input{part.tex}\n",
            "docs/part.tex": "x\n",
            "docs/index.rst": ".. image:: ../results/a.png\n",
            "Makefile": "run:\n\tpython src/m.py\n# data/in.csv\n",
            "results/plot.png": b"\x89PNG",
            "results/a.png": b"\x89PNG",
            "data/in.csv": "1",
            "src/m.py": "print(1)\n",
        }
    )
    shown = _edges(graph, EdgeKind.DISPLAYS)
    assert shown == {
        ("README.md", "results/plot.png"),
        ("README.md", "results/a.png"),
        ("README.md", "results/gone.png"),
        ("docs/report.tex", "results/plot.png"),
        ("docs/index.rst", "results/a.png"),
    }
    assert graph.nx.nodes["results/gone.png"]["exists"] is False
    named = _edges(graph, EdgeKind.REFERENCES)
    assert {("README.md", "src/m.py"), ("README.md", "data/in.csv"), ("docs/report.tex", "docs/part.tex")} <= named
    assert ("Makefile", "src/m.py") in named and ("Makefile", "data/in.csv") not in named


def test_a_notebook_says_whether_it_was_run(make: Make) -> None:
    def cell(source: str, count: int | None, *outputs: object) -> dict[str, object]:
        return {"cell_type": "code", "source": [source], "execution_count": count, "outputs": list(outputs)}

    picture = {"output_type": "display_data", "data": {"text/plain": "x", "image/png": "xx"}}
    failed = {"output_type": "error", "ename": "NameError"}
    ran = {"cells": [cell("print(1)", 1, {"output_type": "stream"}), cell("plot()", 2, picture), cell("y", 3, failed)]}
    never = {"cells": [cell("open('out.txt', 'w')", None)]}
    in_r = {"cells": [cell("write.csv(d, 'r.csv')", 1)], "metadata": {"kernelspec": {"language": "R"}}}
    graph = make({"ran.ipynb": json.dumps(ran), "never.ipynb": json.dumps(never), "r.ipynb": json.dumps(in_r)})
    assert [item.outputs for item in graph.cells["ran.ipynb"]] == [("text",), ("image/png",), ("error: NameError",)]
    assert (graph.executed("ran.ipynb"), graph.executed("never.ipynb"), graph.executed("none.py")) == (
        True,
        False,
        None,
    )
    assert graph.nx.nodes["never.ipynb"]["executed"] is False
    assert graph.nx.nodes["ran.ipynb#cell-2"]["outputs"] == "image/png"
    assert graph.writers("r.csv")[0][0] == "r.ipynb" and str(graph.entries["r.ipynb"]) == "notebook"


@pytest.mark.parametrize(
    "outputs", [None, 3, [3], [{}], [{"output_type": "error", "ename": 7}], [{"output_type": "x", "data": {3: 4}}]]
)
def test_odd_outputs(outputs: object) -> None:
    cell = {"cell_type": "code", "source": "x", "outputs": outputs, "execution_count": True}
    found = notebook_code(json.dumps({"cells": [cell]}))
    assert len(found.cells) == 1 and not found.error


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("web/node_modules/a/b.js", "x", "vendored"),
        ("third_party/a.c", "x", "vendored"),
        ("js/jquery-3.6.0.js", "x", "vendored"),
        ("js/lib.js", "/*!\n * Lib v1.2.3\n * Released under the MIT license\n */\nfunction a() {}\n", "vendored"),
        ("js/app.min.js", "x", "minified or generated"),
        ("dist/assets/index-3fa94bc1.js", "x", "minified or generated"),
        ("api/user.pb.go", "x", "generated"),
        ("api/m.go", "// Code generated by mockgen. DO NOT EDIT.\npackage a\n", "generated"),
        ("a.js", "/* eslint-disable */\n// @generated by tool\n", "generated"),
        ("src/app.js", "// Generated by an assistant to solve the task\nmain();\n", ""),
        ("dist/report.html", "<p>x</p>", ""),
        ("src/app.js", "function a() {}\n" * 3000, ""),
        ("src/app.js", "a=1;" * 30_000, "minified or generated"),
    ],
)
def test_foreign_sources(path: str, text: str, why: str) -> None:
    language = {"js": "javascript", "go": "go", "c": "c", "html": "html"}[path.rsplit(".", 1)[1]]
    assert why_foreign(path, text, language) == why


def test_foreign_sources_make_no_claims(make: Make) -> None:
    graph = make(
        {
            "src/index.js": "main();\nfunction main() { return document.title; }\n",
            "static/d3-7.8.5.min.js": "function never() { return 1; }\n",
            "gen/a.pb.go": "package gen\nfunc Never() int { return g(1) }\n",
        }
    )
    assert set(graph.files) == {"src/index.js"}
    assert set(graph.unparsed) == {"static/d3-7.8.5.min.js", "gen/a.pb.go"}
    assert why_foreign_name("a/vendor/x.py") == "vendored"


@pytest.mark.parametrize(
    ("dotted", "name"),
    [
        ("numpy.linalg.norm", "numpy"),
        ("sklearn.svm.SVC().fit", "sklearn"),
        ("@scope/pkg/lib.call", "@scope/pkg"),
        ("fs/promises.readFile", "fs"),
        ("github.com/a/b/c.Do", "github.com/a/b"),
        ("org.junit.jupiter.Test", "org.junit"),
        ("stdio.h", "stdio"),
        ("", ""),
    ],
)
def test_names_of_packages(dotted: str, name: str) -> None:
    assert external_name(dotted) == name


@given(
    st.sampled_from(["a.json", "b.yaml", "c.toml", "d.ini", "e.md", "f.tex", "Makefile", ".env"]), st.text(max_size=400)
)
@settings(max_examples=200, deadline=None)
def test_any_document(path: str, text: str) -> None:
    assert is_document(path)
    lines = text.count("\n") + 1
    assert all(1 <= item.line <= lines for items in mentions({path: text}).values() for item in items)
