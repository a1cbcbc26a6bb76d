"""What is made of the graph: formats for other programs, neighbourhoods, snippets, outlines."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import json
import re

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.modules.graph import outline, snippet
from judge.modules.graph.around import MAX_EDGES, around
from judge.modules.graph.export import dot, find_place, graphml, json_text, node_link, quote
from judge.modules.graph.picture import MAX_BOXES, picture
from judge.modules.graph.rows import Rows
from judge.modules.graph.summary import sections
from tests.modules.graph.conftest import Make

FILES: dict[str, str | bytes] = {
    "src/data.py": "def load(path):\n    return open(path).read()\n",
    "src/model.py": 'class Base:\n    pass\nclass Net(Base):\n    """A net."""\n    def fit(self, x): return helper(x)\ndef helper(x):\n    return x\n',
    "run.py": (
        "from src.data import load\nfrom src.model import Net\n"
        "def main(path='data/in.csv',\n         *,\n         depth=3):\n"
        '    """Train.\n\n    Then save.\n    """\n'
        "    net = Net()\n    net.fit(load(path))\n    open('results/out.txt', 'w').write('1')\n"
        "def dead():\n    pass\n"
        "if __name__ == '__main__':\n    main()\n"
    ),
    "results/out.txt": "1",
}
_LINE = re.compile(
    r'^  (?:rankdir=LR;|node \[.*\];|"(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")? \[(?:\w+=(?:"(?:[^"\\]|\\.)*"|\w+)(?:, )?)+\];)$'
)
ODD = st.text(st.characters(codec=None), min_size=1, max_size=12)


def test_node_link_is_that_of_networkx(make: Make) -> None:
    graph = make(FILES)
    theirs = networkx.node_link_data(graph.nx, edges="edges")
    assert node_link(graph.rows) == theirs
    assert json.loads(json_text(graph.rows)) == theirs
    assert json.loads(json_text(Rows())) == {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [],
        "edges": [],
    }


def test_graphml_is_read_back(make: Make) -> None:
    graph = make(
        {
            **FILES,
            'odd "name" <&>.txt': "x",
            "line\nbreak.txt": "x",
            "a\\b.txt": "x",
            "bell\a.txt": "x",
            "cr\r.txt": "x",
        }
    )
    again = networkx.parse_graphml(graphml(graph.rows), force_multigraph=True)
    assert again.number_of_nodes() == graph.nx.number_of_nodes()
    assert again.number_of_edges() == graph.nx.number_of_edges()
    assert again.nodes["run.py::main"]["reachable"] is True
    kinds = sorted(data["kind"] for *_, data in again.edges(data=True))
    assert kinds == sorted(data["kind"] for *_, data in graph.nx.edges(data=True))


@given(st.dictionaries(ODD, ODD, min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_name_survives_every_format(names: dict[str, str]) -> None:
    nodes = {
        key: {"kind": "function", "name": value, "qualname": value, "line": 1, "reachable": False}
        for key, value in names.items()
    }
    keys = list(nodes)
    rows = Rows(nodes, [(keys[0], key, {"kind": "calls", "line": 1, "name": names[key]}) for key in keys])
    again = networkx.parse_graphml(graphml(rows), force_multigraph=True)
    assert (again.number_of_nodes(), again.number_of_edges()) == (len(nodes), len(keys))
    lines = dot(rows).rstrip("\n").split("\n")
    assert lines[0] == "digraph workspace {" and lines[-1] == "}"
    assert [line for line in lines[1:-1] if not _LINE.match(line)] == []
    assert json.loads(json_text(rows))["nodes"][0]["id"] == keys[0]


def test_dot_quotes_and_shows_control_characters(make: Make) -> None:
    graph = make({**FILES, 'q"\n\\.txt': "x"})
    text = dot(graph.rows)
    assert text.count("\n") == graph.nx.number_of_nodes() + graph.nx.number_of_edges() + 4
    assert quote('a"b\\c\nd') == '"a\\"b\\\\c\\\\x0ad"'


def test_a_neighbourhood_grows_with_its_depth(make: Make) -> None:
    graph = make(FILES)
    near = graph.rows.around(find_place(graph, "src/model.py:helper"))
    assert set(near.nodes) == {"src/model.py", "src/model.py::helper", "src/model.py::Net.fit"}
    far = graph.rows.around("src/model.py::helper", 2)
    assert {"run.py::main", "src/model.py::Net"} <= set(far.nodes) and "src/data.py::load" not in far.nodes
    assert all(source in near.nodes and target in near.nodes for source, target, _ in near.edges)
    for place in ("src/model.py:fit", "./src/model.py::Net.fit", "src/model.py:Net.fit"):
        assert find_place(graph, place) == "src/model.py::Net.fit"
    for place in ("src/none.py", "src/model.py:none", ":x", ""):
        with pytest.raises(KeyError):
            find_place(graph, place)


def test_a_definition_is_shown_with_what_it_has_to_do_with(make: Make) -> None:
    graph = make(FILES)
    text = around(graph, "run.py:main")
    assert text.startswith("function run.py::main  lines 3-12\n")
    assert "  def main(path='data/in.csv', *, depth=3)\n  Train. Then save.\n" in text
    assert "    10      net = Net()" in text
    for line in (
        "  calls src/data.py::load  line 11",
        "  writes results/out.txt  line 12",
        "  called by run.py  line 16",
    ):
        assert line in text.split("\n")
    assert "    calls src/model.py::helper  line 5" in around(graph, "run.py:main", depth=2).split("\n")
    assert "(not reached from an entry point)" in around(graph, "run.py:dead")
    assert "  class Net(Base)  [L3-5]" in around(graph, "src/model.py").split("\n")
    assert "written by run.py::main" in around(graph, "results/out.txt")


def test_a_file_is_shown_with_who_calls_and_imports_it(make: Make) -> None:
    lines = around(make(FILES), "src/model.py").split("\n")
    assert "  imported by run.py  line 2" in lines
    near = make(
        {
            "a.py": "import b\n\ndef main():\n    b.work()\n    b.Thing().go()\n\nmain()\n",
            "b.py": "import json\ndef work():\n    return inner()\n\ndef inner():\n    return json.dumps(1)\n\n"
            "class Thing:\n    def go(self):\n        return inner()\n",
        }
    )
    text = around(near, "b.py").split("\n")
    entering = text[text.index("To here") :]
    assert "  imported by a.py  line 1" in entering
    assert "  work called by a.py::main  line 4" in entering
    assert not any("b.py::" in line for line in entering), "what is within the file is no caller of it"
    leaving = text[text.index("From here") : text.index("To here")]
    assert "  inner calls json.dumps  line 6" in leaving
    assert any(line.startswith("  go called by a.py::main") for line in around(near, "b.py:Thing").split("\n"))


def test_many_callers_of_a_file_are_cut(make: Make) -> None:
    calls = "".join(f"def f{number}():\n    b.work()\n" for number in range(MAX_EDGES + 5))
    text = around(make({"a.py": f"import b\n{calls}", "b.py": "def work():\n    return 1\n"}), "b.py")
    assert text.count("work called by") == MAX_EDGES
    assert "  and 5 more" in text.split("\n")


MANIFESTS = (
    "go.mod", "package.json", "web/package-lock.json", "Cargo.toml", "Cargo.lock", "pyproject.toml", "uv.lock",
    "requirements.txt", "requirements-dev.txt", "dev_requirements.txt", "requirements.in", "CMakeLists.txt", "pom.xml",
    "build.gradle", "app/build.gradle.kts", "tsconfig.json", "tsconfig.app.json", ".eslintrc.json", "App.csproj",
    "App.sln", "setup.cfg", "tox.ini", "config.yaml", "README.txt", "LICENSE.txt", "docs/index.rst", "src/code.py",
    "src/code.go", "src/page.tsx", "appsettings.Development.json", "gradle.properties", "Gemfile.lock",
)  # fmt: skip
ARTEFACTS = (
    "data.csv",
    "results/scores.json",
    "results/config_report.txt",
    "notes.txt",
    "plot.png",
    "my.package.json.bak",
)


def test_manifests_settings_and_sources_are_not_among_the_files_no_code_writes(make: Make) -> None:
    graph = make(dict.fromkeys((*MANIFESTS, *ARTEFACTS), "x\n"))
    listed = dict(sections(graph))["Files no code writes"]
    assert sorted(listed) == sorted(ARTEFACTS)


def test_a_snippet_has_signature_docstring_and_line_numbers(make: Make) -> None:
    graph = make(FILES)
    found = snippet(graph, "run.py", "main")
    assert (found.line, found.end_line, found.qualname, found.reachable) == (3, 12, "main", True)
    assert found.signature == "def main(path='data/in.csv', *, depth=3)"
    assert found.docstring == "Train. Then save."
    assert found.numbered(2) == "     3  def main(path='data/in.csv',\n     4           *,\n        … 8 more lines"
    assert snippet(graph, "src/model.py", "fit").qualname == "Net.fit"
    assert snippet(graph, "src/model.py", "Net").docstring == "A net."
    for path, symbol in (("run.py", "nothing"), ("none.py", "main"), ("run.py", "main@99")):
        with pytest.raises(KeyError):
            snippet(graph, path, symbol)


def test_outlines_hold_signatures_only(make: Make) -> None:
    graph = make(
        {
            "a.py": "@decorated(\n    1,\n)\ndef f(\n    x: int = 1,\n    y=(1, 2),\n) -> str:\n    return 'text'\nclass C:\n    def m(self): pass\n",
            "a.js": "function go(a,\n  b) {\n  return a(b);\n}\n",
        }
    )
    assert outline(graph.files["a.py"]).split("\n") == [
        "def f(x: int = 1, y=(1, 2)) -> str  [L1-8, trivial]",
        "class C  [L9-10, stub]",
        "  def m(self): pass  [L10, stub]",
    ]
    assert "function go(a, b)  [L1-4" in outline(graph.files["a.js"])
    assert outline(graph.files["a.py"], signatures=False).startswith("f(x, y)")


def test_the_same_definition_twice_is_told_apart(make: Make) -> None:
    graph = make({"a.py": "def f(): return 1\ndef f(): return sorted([2])\nf()\n"})
    assert snippet(graph, "a.py", "f").line == 2
    assert snippet(graph, "a.py", "f@1").line == 1
    assert "return 1" in around(graph, "a.py::f") or "return sorted" in around(graph, "a.py::f")


def test_everything_is_drawn_inside_what_holds_it(make: Make) -> None:
    drawn = picture(make(FILES), "ws", "1")
    by_key = {box.key: number for number, box in enumerate(drawn.boxes)}
    parents = {box.key: drawn.boxes[box.parent].key for box in drawn.boxes if box.parent >= 0}
    assert parents["src/model.py::Net.fit"] == "src/model.py::Net" and parents["src/model.py"] == "src"
    assert all(box.parent < number for number, box in enumerate(drawn.boxes))
    arrows = {(arrow.source, arrow.target, arrow.kind) for arrow in drawn.arrows}
    assert (by_key["run.py::main"], by_key["results/out.txt"], "writes-file") in arrows
    box = drawn.boxes[by_key["run.py::main"]]
    assert box.facts["signature"].startswith("def main(") and box.facts["says"] == "Train."
    assert ("Entry points", ["run.py:15  main guard"]) in [(title, list(lines)) for title, lines in drawn.sections]


def test_of_a_huge_graph_the_smallest_definitions_are_left_out(make: Make) -> None:
    graph = make(FILES)
    nodes = {
        f"f::{number}": {"kind": "function", "name": "f", "path": "", "line": 1, "end_line": number}
        for number in range(MAX_BOXES + 50)
    }
    nodes |= graph.rows.nodes
    drawn = picture(graph, "ws", "1", Rows(nodes, graph.rows.edges))
    assert drawn.left_out == len(nodes) - MAX_BOXES
    assert {"src", "run.py"} <= {box.key for box in drawn.boxes} and "f::0" not in {box.key for box in drawn.boxes}
