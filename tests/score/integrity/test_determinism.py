"""Answers that change, with real workers."""

from pathlib import Path

import pytest

from judge.score.execute import Program
from judge.score.integrity import Difference, determinism
from judge.score.questions import AsReference, Properties, Question
from judge.score.sandbox import Sandbox, open_sandbox
from judge.score.suite.model import Compare, Suite
from judge.score.suite_side import SuiteSide

SUITE = Suite.model_validate(
    {"schema": 1, "problem": "p", "target": {"entry": "f"}, "limits": {"cpu_s": 0.4, "wall_s": 5}}
)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return open_sandbox("best")


def questions(rules: Compare | None = None, properties: bool = False) -> list[Question]:
    oracle = Properties(("sorted",)) if properties else AsReference()
    return [Question(f"q{n}", "written", "", 1.0, oracle, rules or Compare(), args=(n,)) for n in range(8)]


def run(sandbox: Sandbox, source: str, asked: list[Question] | None = None, runs: int = 2) -> tuple[Difference, ...]:
    program = Program({"s.py": source.encode()}, "s.py", "f", "function")
    side: SuiteSide = None  # type: ignore[assignment] - nothing is generated
    return determinism(program, sandbox, SUITE, asked or questions(), side, 3, runs)


def test_a_function_of_its_input_shows_no_difference(sandbox: Sandbox, tmp_path: Path) -> None:
    assert (
        run(sandbox, "from functools import lru_cache\n@lru_cache\ndef f(n): return {'a': n, 'b': {n, n + 1}}\n") == ()
    )


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("seen = []\ndef f(n):\n    seen.append(n)\n    return len(seen)\n", "state"),
        ("import random\ndef f(n): return random.random()\n", "chance"),
        ("def f(n): return list({str(n), str(n + 100), 'abc', 'def', 'ghi', 'jkl'})\n", "hash seed"),
        ("seen = []\ndef f(n):\n    seen.append(n)\n    if len(seen) > 4: raise ValueError\n    return n\n", "state"),
    ],
)
def test_each_cause_is_told_apart(sandbox: Sandbox, source: str, cause: str) -> None:
    found = run(sandbox, source)
    assert found
    assert {item.cause for item in found} <= {cause, ""}
    assert found[0].text.startswith(found[0].question)


def test_an_order_that_the_suite_does_not_ask_for_is_no_difference(sandbox: Sandbox) -> None:
    source = "def f(n): return list({str(n), str(n + 100), 'abc', 'def', 'ghi', 'jkl'})\n"
    assert run(sandbox, source, questions(Compare(unordered=True))) == ()


def test_several_right_answers_and_one_run_are_not_compared(sandbox: Sandbox) -> None:
    source = "import random\ndef f(n): return [random.random()]\n"
    assert run(sandbox, source, questions(properties=True)) == ()
    assert run(sandbox, source, runs=1) == ()


def test_a_submission_that_hangs_dies_or_does_not_load_says_nothing(sandbox: Sandbox) -> None:
    for source in ("def f(n):\n    while True: pass\n", "import os\ndef f(n): os._exit(1)\n", "def f(:\n"):
        assert run(sandbox, source) == ()
