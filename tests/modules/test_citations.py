"""Quotes are looked up, corrected, or shown to be invented."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.modules.ask.citations import all_found, verify_citations
from judge.modules.base import Case
from judge.readers import DocumentStore
from judge.schemas import Citation, Evidence, EvidenceKind, Requirement, Step, Task, Trajectory
from judge.workspace import Workspace

CODE = """import os


def load(path):
    data = read(path)
    return data


def save(x):
    write(x)
    return data
"""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "b [1].txt").write_bytes("größer\r\nzweite Zeile\r\n".encode("latin-1"))
    workspace = Workspace.open(tmp_path)
    task = Task(name="t", query="q", requirements=(Requirement(requirement_id=0, criteria="c"),))
    steps = (Step(step=0, action="ls"), Step(step=7, environment="Accuracy: 0.91\ndone"))
    graph: Any = SimpleNamespace(files={})
    return Case(
        task=task,
        requirement=task.requirements[0],
        workspace=workspace,
        documents=DocumentStore(workspace),
        graph=graph,
        trajectory=Trajectory(name="t", format="devai", steps=steps),
    )


def check(case: Case, *evidence: Evidence, **values: Any) -> Citation:
    (found,) = verify_citations(case, [Citation(**values)], evidence)
    return found


def test_a_right_quote_at_the_right_lines(case: Case) -> None:
    found = check(case, path="src/a.py", line=5, end_line=6, quote="data = read(path)\n    return data")
    assert (found.verified, found.line, found.end_line) == (True, 5, 6)


@pytest.mark.parametrize(
    ("quote", "line", "expected"),
    [
        ("def save(x):", 1, (9, 9)),
        ("  data   =  read(path)", 11, (5, 5)),
        ("return data", 10, (11, 11)),
        ("return data", 4, (6, 6)),
        ("def load(path):\n    data = read(path)", 99, (4, 5)),
        ("5|     data = read(path)\n6|     return data", 5, (5, 6)),
        ("def load(path): ... return data", 1, (4, 6)),
    ],
)
def test_a_quote_elsewhere_corrects_the_lines(case: Case, quote: str, line: int, expected: tuple[int, int]) -> None:
    found = check(case, path="./src/a.py", line=line, quote=quote)
    assert (found.verified, found.line, found.end_line) == (True, *expected)
    assert found.path == "src/a.py"


@pytest.mark.parametrize(
    "values",
    [
        {"path": "src/a.py", "line": 5, "quote": "data = read_csv(path)"},
        {"path": "src/none.py", "line": 1, "quote": "import os"},
        {"path": "../../etc/passwd", "quote": "root:"},
        {"path": None, "quote": "import os"},
        {"step": 7, "quote": "Accuracy: 0.99"},
        {"path": "src/a.py", "quote": "a ... b"},
        {"path": "src/a.py", "quote": "..."},
    ],
)
def test_what_is_not_there_is_not_verified(case: Case, values: dict[str, Any]) -> None:
    assert check(case, **values).verified is False


def test_without_a_quote_nothing_is_claimed(case: Case) -> None:
    assert check(case, path="src/a.py", line=3).verified is None


def test_other_encodings_and_odd_names(case: Case) -> None:
    found = check(case, path="b [1].txt", line=2, quote="größer")
    assert (found.verified, found.line) == (True, 1)


def test_steps_are_corrected_too(case: Case) -> None:
    found = check(case, step=3, quote="Accuracy:  0.91")
    assert (found.verified, found.step) == (True, 7)


def test_facts_that_were_shown_may_be_quoted(case: Case) -> None:
    note = Evidence(module="locate", kind=EvidenceKind.NOTE, title="x", text="`r.pdf` is not in the workspace.")
    assert check(case, note, path="r.pdf", quote="`r.pdf` is not in the workspace").verified is True


def test_the_sum_over_citations() -> None:
    def cited(value: bool | None) -> Citation:
        return Citation(path="x", verified=value)

    assert all_found([]) is None
    assert all_found([cited(None)]) is None
    assert all_found([cited(True), cited(None)]) is True
    assert all_found([cited(True), cited(False)]) is False
