"""Criteria of any length take time that grows with their length alone; threads may share a workspace."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge.modules.base import Case
from judge.modules.graph import build_graph
from judge.readers import DocumentStore
from judge.rules import LiveCache, judge_requirement
from judge.schemas import Requirement, Setting, Task
from judge.tasks import load_tasks
from judge.trajectories.printed import read_answers, read_tally, starts_tests
from judge.workspace import Workspace

SHAPES = [
    "saved in `results/m{}.txt` and ",
    "saved in `results/m.txt` and ",
    '"term {}" or ',
    "at least 5 {} epochs with 3 layers, ",
    "random forest or SVM, k-means and PCA; ",
    "`a",
    "A. B. ",
    "neither without rather than ",
    "[a](http://x",
    "removed and dropped lines ",
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_length_alone(tmp_path: Path, shape: str) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "m.txt").write_text("accuracy: 0.5\n")
    (tmp_path / "a.py").write_text("print(open('results/m.txt').read())\n")
    workspace = Workspace.open(tmp_path)
    graph, documents, cache = build_graph(workspace), DocumentStore(workspace), LiveCache()

    def seconds(length: int) -> float:
        text = "".join(shape.replace("{}", str(n)) for n in range(length // len(shape)))
        requirement = Requirement(requirement_id=0, criteria=text)
        task = Task(name="t", query="q", requirements=(requirement,))
        started = time.process_time()
        judge_requirement(Case(task, requirement, workspace, documents, graph, None, Setting.BLACK_BOX), cache)
        return time.process_time() - started

    seconds(200)
    small, large = seconds(4_000), seconds(32_000)
    # Eight times the text; the square would be 64 times the time.
    assert large < 24 * small + 0.5


@pytest.mark.parametrize("piece", ["0 a, ", "a" * 50, "no a ", "epoch 1", "GET / ", '"', "ok 1\n", "Tests: 1 ", "(1 "])
def test_hostile_output_is_read_in_time(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    started = time.process_time()
    read_tally(text)
    read_answers([("GET", "/x")], text)
    starts_tests(text)
    assert time.process_time() - started < 2.0


def test_threads_that_share_a_workspace_agree_with_one(root: Path) -> None:
    # A task without figures: how much OCR reads depends on how busy the machine is.
    task = next(item.task for item in load_tasks([root / "devai" / "tasks"]).tasks if item.task.name.startswith("08_"))
    workspace = Workspace.open(root / "devai" / "workspaces" / task.name)
    graph, documents = build_graph(workspace), DocumentStore(workspace)

    def cases() -> list[Case]:
        return [
            Case(task, requirement, workspace, documents, graph, None, Setting.BLACK_BOX)
            for requirement in task.requirements
        ]

    alone = LiveCache()
    expected = [judge_requirement(case, alone).reason for case in cases()]
    shared = LiveCache()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda case: judge_requirement(case, shared).reason, cases() * 3))
    assert found == expected * 3
