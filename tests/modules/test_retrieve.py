"""Which steps are retrieved: what made, ran, tested and measured the files in question; late ones first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from judge.config import DEFAULT_MODULES
from judge.engine.evidence import Pipeline
from judge.modules.base import Bounds, Case, Strategies
from judge.schemas import Evidence, EvidenceKind

Make = Callable[..., Case]
RUN = "def main():\n    with open('results/score.txt', 'w') as out:\n        out.write('1')\n\n\nmain()\n"
FILES: dict[str, str | bytes] = {"src/run.py": RUN, "results/score.txt": "1\n"}


def gather(case: Case) -> list[Evidence]:
    return asyncio.run(Pipeline(DEFAULT_MODULES).gather(case))


def steps(found: Sequence[Evidence]) -> dict[int, str]:
    return {item.step: item.why for item in found if item.step is not None}


def states(found: Sequence[Evidence]) -> str:
    return next((item.text for item in found if item.title == "files in the trajectory"), "")


def heredoc(path: str, text: str) -> str:
    return f"cat > {path} << 'EOF'\n{text}EOF"


WROTE = {"action": heredoc("src/run.py", RUN)}
RAN = {"action": "python src/run.py", "environment": "Accuracy: 0.91\n"}
NOISE = [{"action": f"ls {n}", "environment": "nothing"} for n in range(12)]


def test_the_run_of_the_tests_is_there_when_tests_use_the_file_or_are_meant(make_case: Make) -> None:
    files = FILES | {"tests/test_run.py": "from src.run import main\n\n\ndef test_main():\n    main()\n"}
    tested = {"action": "python -m pytest -q", "environment": "F.\n=== 1 failed, 1 passed in 0.1s ==="}
    rows = [{}, WROTE, tested, *NOISE]
    for criterion in ("It runs in `src/run.py`.", "Unit tests cover the whole program."):
        assert "tests" in steps(gather(make_case(files, criterion, steps=rows)))[2]
    assert 2 not in steps(gather(make_case(files | {"notes.md": "x"}, "Notes are in `notes.md`.", steps=rows)))


@pytest.mark.parametrize(
    ("action", "result"),
    [
        ("npm test", "Tests:       2 passed, 2 total"),
        ("cargo test", "test result: ok. 3 passed; 0 failed"),
        ("go test ./...", "ok  \texample.com/x\t0.01s"),
        ("python -m unittest", "Ran 3 tests in 0.001s\n\nOK"),
        ("./check.sh", "====== 3 passed in 0.2s ======"),
    ],
)
def test_test_runs_of_other_tools_are_known(make_case: Make, action: str, result: str) -> None:
    rows = [{}, {"action": action, "environment": result}, *NOISE]
    found = steps(gather(make_case(FILES, "The tests pass.", steps=rows)))
    assert found[1] == "last run of the tests"


def test_the_last_print_of_a_measure_in_the_criterion_is_there(make_case: Make) -> None:
    rows = [{}, RAN, {"action": "python -c 'x'", "environment": "accuracy = 0.97"}, *NOISE]
    found = steps(gather(make_case(FILES, "The accuracy is above 95%.", steps=rows)))
    assert found[2] == "last to print accuracy"


def test_the_last_look_at_an_artefact_is_there(make_case: Make) -> None:
    rows = [{}, WROTE, RAN, {"action": "cat results/score.txt", "environment": "1"}, *NOISE]
    assert 3 in steps(gather(make_case(FILES, "The score is in `results/score.txt`.", steps=rows)))


@pytest.mark.parametrize(
    ("rows", "criterion", "told"),
    [
        ([WROTE, {"action": "echo 1 > results/score.txt"}], "`results/score.txt`", "typed in by the agent in step 2"),
        (
            [WROTE, RAN, {"action": "rm results/score.txt"}],
            "`results/score.txt`",
            "removed in step 3 and not made again",
        ),
        ([WROTE, {"action": "ls"}, {"action": "python other.py"}], "`src/run.py`", ""),
        ([WROTE, {"action": "ls"}], "`src/run.py`", "no step ran it"),
        (
            [
                WROTE,
                {"action": "python src/run.py", "environment": "Traceback (most recent call last):\nValueError: no"},
            ],
            "`src/run.py`",
            "its last run failed, in step 2: ValueError: no",
        ),
        ([WROTE, RAN, WROTE], "`src/run.py`", "changed in step 3 and not run since"),
        ([WROTE, RAN], "`src/run.py`", ""),
    ],
)
def test_a_doubtful_last_state_of_a_file_is_told(
    make_case: Make, rows: list[dict[str, Any]], criterion: str, told: str
) -> None:
    text = states(gather(make_case(FILES, f"It is in {criterion}.", steps=[{}, *rows, {"thought": "done"}])))
    assert told in text if told else not text


def test_settings_may_be_typed_in(make_case: Make) -> None:
    files = FILES | {"config.json": '{"k": 1}\n', "load.py": "import json\njson.load(open('config.json'))\n"}
    rows = [{}, {"action": "echo '{\"k\": 1}' > config.json"}, {"thought": "done"}]
    assert "typed in" not in states(gather(make_case(files, "Settings are in `config.json`.", steps=rows)))


@pytest.mark.parametrize(("drop", "kept"), [("beginning", {28, 29}), ("end", {1, 2}), ("middle", {1, 29})])
def test_the_part_that_is_given_up_first_can_be_chosen(make_case: Make, drop: str, kept: set[int]) -> None:
    rows = [{}, *({"thought": f"dendrogram {n} " + "word " * 60} for n in range(29)), {"thought": "done"}]
    bounds = Bounds(retrieve_tokens=330, step_tokens=300)
    case = make_case(FILES, "A `dendrogram` is drawn.", steps=rows, bounds=bounds, strategies=Strategies(drop=drop))
    assert kept <= set(steps(gather(case)))


@pytest.mark.parametrize(
    ("cut", "there", "gone"), [("beginning", "LAST", "FIRST"), ("end", "FIRST", "LAST"), ("middle", "LAST", "CENTRE")]
)
def test_the_part_of_a_step_that_is_cut_can_be_chosen(make_case: Make, cut: str, there: str, gone: str) -> None:
    text = "FIRST " + "word " * 20_000 + "CENTRE " + "word " * 20_000 + "LAST"
    rows = [{}, {"action": "python src/run.py", "environment": text}, {"thought": "done"}]
    case = make_case(FILES, "It is in `src/run.py`.", steps=rows, strategies=Strategies(cut=cut))
    found = next(item for item in gather(case) if item.step == 1)
    assert there in found.text and gone not in found.text and found.tokens <= 820


def test_steps_are_ranked_by_the_chosen_method(make_case: Make) -> None:
    rows = [{}, {"thought": "I draw the dendrogramm now."}, *NOISE]
    case = make_case(FILES, "A dendrogram of clusters.", steps=rows)
    assert 1 not in steps(gather(case))
    assert 1 in steps(gather(replace(case, strategies=Strategies("fuzzy"))))


def test_a_long_trajectory_is_soon_done(make_case: Make) -> None:
    body = "\n".join(f"line {n} of some output with numbers 0.{n}" for n in range(800))
    rows = [{}, *({"action": f"python src/run.py {n}", "environment": f"{n} {body}"} for n in range(250))]
    case = make_case(FILES, "The score is saved in `results/score.txt`.", steps=rows)
    pipeline = Pipeline(DEFAULT_MODULES)
    start = time.process_time()
    found = asyncio.run(pipeline.gather(case))
    first = time.process_time() - start
    again = asyncio.run(pipeline.gather(case))
    assert first < 30 and time.process_time() - start - first < 10
    assert [item.text for item in again] == [item.text for item in found]
    assert sum(item.tokens for item in found if item.kind == EvidenceKind.STEP) <= case.bounds.retrieve_tokens
