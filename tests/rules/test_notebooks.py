"""Code in a notebook that was never run has made nothing."""

from __future__ import annotations

import json

import pytest

from judge.schemas import VerdictValue
from tests.rules.conftest import JudgeIt
from tests.rules.test_gray_box import trajectory

CRITERION = "The sum of the numbers is saved in `results/sum.txt`."
WRITES = "import random\nwith open('results/sum.txt', 'w') as file:\n    file.write(str(sum([random.random()])))\n"
UNSURE, SURE = 0.6, 0.8


def notebook(count: int | None) -> str:
    cell = {"cell_type": "code", "source": WRITES, "execution_count": count, "outputs": [], "metadata": {}}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_an_artefact_of_a_notebook_that_was_run(judge_it: JudgeIt) -> None:
    judgment = judge_it(CRITERION, {"work.ipynb": notebook(1), "results/sum.txt": "0.5\n"})
    assert judgment.verdict is VerdictValue.SATISFIED and judgment.confidence >= SURE
    assert "written by work.ipynb" in judgment.reason


def test_an_artefact_that_only_an_unexecuted_notebook_writes_is_less_sure(judge_it: JudgeIt) -> None:
    judgment = judge_it(CRITERION, {"work.ipynb": notebook(None), "results/sum.txt": "0.5\n"})
    assert judgment.confidence <= UNSURE
    assert judgment.reason == "results/sum.txt is sound, though the notebook that writes it, work.ipynb, was never run."


def test_a_script_that_writes_it_as_well_comes_before_the_notebook(judge_it: JudgeIt) -> None:
    files = {"a.ipynb": notebook(None), "work.py": WRITES, "results/sum.txt": "0.5\n"}
    judgment = judge_it(CRITERION, files)
    assert judgment.confidence >= SURE and "written by work.py:" in judgment.reason


@pytest.mark.parametrize(
    ("action", "ran"),
    [
        ("jupyter nbconvert --to notebook --execute work.ipynb", True),
        ("jupyter nbconvert --to html work.ipynb", False),
        ("ls", False),
    ],
)
def test_a_step_that_runs_the_notebook_counts(judge_it: JudgeIt, action: str, ran: bool) -> None:
    files = {"work.ipynb": notebook(None), "results/sum.txt": "0.5\n"}
    judgment = judge_it(CRITERION, files, trajectory((action, "done")))
    assert ("never run" not in judgment.reason) is ran, judgment.reason
