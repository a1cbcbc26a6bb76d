"""What is shown of a source file that does not fit: its signatures, and the parts that matter."""

from __future__ import annotations

from pathlib import Path

from judge.modules.excerpt import excerpt
from judge.modules.graph import build_graph
from judge.modules.graph.facts import CodeFile
from judge.tokens import count
from judge.workspace import Workspace


def _file(folder: Path, source: str) -> CodeFile:
    (folder / "a.py").write_text(source)
    return build_graph(Workspace.open(folder)).files["a.py"]


def _long(names: list[str]) -> str:
    parts = [
        f"def {name}(\n    first: int,\n    second=2,\n) -> str:\n"
        + "".join(f"    value_{item} = first + {item}\n" for item in range(30))
        + "    return str(value_1)\n"
        for name in names
    ]
    return "import os\n" + "\n".join(parts) + "\ndef later():\n    raise NotImplementedError\nload_table(1)\n"


def test_signatures_and_the_parts_that_matter_are_shown(tmp_path: Path) -> None:
    code = _file(tmp_path, _long(["load_table", "train_model", "plot_curve"]))
    text, first, last = excerpt(code.source, 500, "The curve is plotted by `plot_curve`.", code)
    assert count(text) <= 500 and first == 1
    assert "2-36: def load_table(first: int, second=2) -> str\n" in text
    assert "def train_model(first: int, second=2) -> str  [not reached]" in text
    assert "def later()  [stub, not reached]" in text
    assert "74| def plot_curve(" in text and last >= 74


def test_of_many_signatures_those_the_criterion_names_are_shown(tmp_path: Path) -> None:
    code = _file(tmp_path, _long([f"step_{number}" for number in range(120)] + ["plot_curve"]))
    text, _, _ = excerpt(code.source, 600, "The curve is plotted by `plot_curve`.", code)
    assert count(text) <= 600
    outline = text.split("\n… ")[0]
    assert "def plot_curve(first: int, second=2) -> str" in outline and "more definitions" in text
    shown = [int(line.split("-")[0]) for line in outline.split("\n")[1:]]
    assert shown == sorted(shown)


def test_a_file_that_fits_is_shown_whole(tmp_path: Path) -> None:
    code = _file(tmp_path, "def f():\n    return sorted([1])\n")
    assert excerpt(code.source, 500, "x", code) == ("1| def f():\n2|     return sorted([1])", 1, 2)
