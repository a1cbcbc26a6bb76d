"""Broken, huge and malicious sources: never an exception, what parses is kept."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.modules.graph.notebook_cells import notebook_code
from judge.modules.graph.python.link import link
from judge.modules.graph.python.parse import parse_module
from tests.modules.graph.conftest import Make


def _names(graph, path: str = "a.py") -> list[str]:  # type: ignore[no-untyped-def]
    return [item.name for item in graph.files[path].definitions]


@pytest.mark.parametrize(
    "broken",
    [
        "def bad(:\n    pass\n",
        "x = (1, 2\n",
        "print 'python 2'\n",
        "class :\n    pass\n",
        "if True:\nprint(1)\n",
        "s = 'not closed\n",
        "\0\0\0\n",
        "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n",
    ],
)
def test_what_parses_is_kept(make: Make, broken: str) -> None:
    source = f"import os\ndef before():\n    return os.getcwd()\n{broken}\ndef after():\n    return sorted([1])\n"
    graph = make({"a.py": source, "b.py": "def fine():\n    return sorted([1])\n"})
    assert graph.files["a.py"].error
    assert "before" in _names(graph) and "after" in _names(graph)
    assert {item.name: item.line for item in graph.files["a.py"].definitions}["after"] == 5 + broken.count("\n")
    assert _names(graph, "b.py") == ["fine"]


@pytest.mark.parametrize(
    "nested",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "[" * 5000 + "]" * 5000,
        "x = " + "+".join(["1"] * 20_000),
        "x = " + "-" * 20_000 + "1",
        "x = a" + ".b" * 20_000,
        "x = f" + "(1)" * 20_000,
        "x = " + "lambda: " * 3000 + "1",
        "x = " + "f(" * 90 + "1" + ")" * 90,
        "\n".join("    " * depth + "if x:" for depth in range(99)) + "\n" + "    " * 99 + "pass",
        "if x: pass\n" + "elif x: pass\n" * 3000,
    ],
    ids=["parens", "lists", "sum", "minus", "attributes", "calls", "lambdas", "nested calls", "ifs", "elifs"],
)
def test_deep_nesting(make: Make, nested: str) -> None:
    graph = make({"a.py": f"def before():\n    return sorted([1])\n{nested}\ndef after():\n    return sorted([1])\n"})
    assert {"before", "after"} <= set(_names(graph))


def test_odd_bytes_and_encodings(make: Make) -> None:
    graph = make(
        {
            "latin.py": "# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\ndef f():\n    return sorted(NAME)\n".encode(
                "latin-1"
            ),
            "bom.py": b"\xef\xbb\xbfdef g():\n    return sorted([1])\n",
            "crlf.py": b"def h():\r\n    return sorted([1])\r\n",
            "binary.py": bytes(range(256)) * 10,
            "empty.py": b"",
            "surrogate.py": "x = '\\ud800'\nopen('\\ud800.txt', 'w')\n",
            "wide.py": "def 名前():\n    return '日本' # コメント # zwei\n",
        }
    )
    assert _names(graph, "latin.py") == ["f"] and _names(graph, "bom.py") == ["g"] and _names(graph, "crlf.py") == ["h"]
    assert graph.unparsed["binary.py"] == "no text"
    assert graph.files["wide.py"].comments == ((2, "コメント # zwei"),)
    assert graph.nx.number_of_nodes() > 7
    assert graph.summary()


def test_generated_and_minified_sources(make: Make) -> None:
    rows = "\n".join(f"DATA_{i} = [{', '.join(str(j) for j in range(40))}]" for i in range(3000))
    graph = make(
        {
            "tables.py": rows,
            "many.py": "x = 0\n" + "x = x + 1\nprint(x)\n" * 5000,
            "app.min.js": "function a(){return 1};" * 3000,
            "run.py": "import tables\nprint(tables.DATA_1)\n",
        }
    )
    assert graph.unparsed["app.min.js"] == "minified or generated"
    assert len(graph.files["many.py"].calls) == 5000


@pytest.mark.parametrize(
    "source",
    [
        "x = y\ny = x\nx()\n",
        "def f(): return f()\nf().g()\n",
        "def f(x): return g(x)\ndef g(x): return f(x)\nf(1).h()\n",
        "class A(B): pass\nclass B(A): pass\nA().f()\n",
        "class A(A): pass\nA().f()\n",
        "from a import *\nfrom a import x\nx()\n",
        "import a\na.a.a.a.f()\n",
        "x = [x for x in x]\nx()\n",
        "s = 'a'\n" + "s = s + s\n" * 60 + "open(s, 'w')\n",
        "\n".join(f"def f{i}(x): return f{i + 1}(x) or f{i + 1}([x])" for i in range(60)) + "\nf0(open).go()\n",
        "\n".join(f"def f{i}(g): return f{(i + 7) % 40}(f{(i + 3) % 40})" for i in range(40)) + "\nf0(f1)\n",
        "self = self.self = self\nself.x()\n",
    ],
)
def test_cycles_and_explosions_end(make: Make, source: str) -> None:
    start = time.process_time()
    graph = make({"a.py": source})
    assert graph.files["a.py"].calls or graph.files["a.py"].definitions
    assert time.process_time() - start < 5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*list("abx=.()[]{}:,'\"\n #\\@+-*%f\t0"), *["def ", "class ", "import ", "\n    "]])).map(
        "".join
    )
)
def test_any_text_is_survived(source: str) -> None:
    module = parse_module("a.py", source)
    linked = link([module], lambda _: None, {})
    assert linked.modules[0].path == "a.py"


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["cells", "source", "cell_type", "metadata", "worksheets"]), inner)
        ),
        max_leaves=10,
    )
)
def test_any_notebook_is_survived(data: object) -> None:
    import json

    notebook_code(json.dumps(data))


def test_yaml_bombs_and_odd_configurations_are_survived(make: Make) -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12)
    )
    graph = make(
        {
            "bomb.yaml": bomb,
            "bad.json": "{",
            "pyproject.toml": "[project\n",
            "package.json": "[1, 2]",
            "run.py": "import yaml, json\nc = yaml.safe_load(open('bomb.yaml'))\nd = json.load(open('bad.json'))\nopen(c['l'][0], 'w')\nopen(d['x'], 'w')\n",
        }
    )
    assert len(graph.files["run.py"].accesses) >= 4


def test_time_grows_with_size_and_not_faster(make: Make) -> None:
    def source(count: int) -> str:
        return "import numpy as np\n" + "".join(
            f"def f{i}(x, y=1):\n    z = np.sqrt(x) + y\n    return f{max(i - 1, 0)}(z)\n" for i in range(count)
        )

    def seconds(count: int) -> float:
        start = time.process_time()
        link([parse_module("a.py", source(count))], lambda _: None, {})
        return time.process_time() - start

    seconds(50)
    small, large = (min(seconds(count) for _ in range(3)) for count in (400, 2000))
    # Five times the size: 25 times the time would be quadratic; the least of three runs is what noise leaves.
    assert large < 15 * small + 0.5
