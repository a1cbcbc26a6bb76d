"""One submission through the whole pipeline: functions, classes, programs, async, in-place work, cheats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from judge.results.score import SubmissionReport
from judge.score import Level, Sandbox, ScoreOptions, Scorer, find_submissions, load_suite, prepare

Run = Callable[..., SubmissionReport]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Scores one source against a suite; the walls of the sandbox have tests of their own."""

    def score(suite: dict[str, Any], reference: str, source: str, **files: str) -> SubmissionReport:
        whole = {"schema": 1, "problem": "p", "reference": {"file": "reference.py"}, **suite}
        (tmp_path / "suite.yaml").write_text(yaml.safe_dump(whole))
        (tmp_path / "reference.py").write_text(reference)
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        (tmp_path / "s").mkdir(exist_ok=True)
        (tmp_path / "s" / "a.py").write_text(source)
        prepared = prepare(load_suite(tmp_path / "suite.yaml"), Sandbox(Level.NONE))
        with Scorer(prepared, ScoreOptions()) as scorer:
            return scorer.score(find_submissions([tmp_path / "s"])[0])

    return score


def values(report: SubmissionReport) -> dict[str, float | None]:
    return {part.name: part.value for part in report.dimensions}


SORT = {
    "target": {"kind": "function", "entry": "order", "signature": "(xs: list[int]) -> list[int]"},
    "cases": [{"id": "three", "args": [[3, 1, 2]], "expected": [1, 2, 3]}],
}
SORTED = "def order(xs):\n    return sorted(xs)\n"


@pytest.mark.parametrize(
    "source",
    [
        "order = lambda xs: sorted(xs)\n",
        "class Order:\n\tdef __call__(self, xs):\n\t\treturn [*sorted(xs)]\norder = Order()\n",
        "import functools\n@functools.wraps(sorted)\ndef order(xs):\n    return (y := sorted(xs))\n",
        "def order(l):\n  if len(l) < 2: return l[:]\n  a, b = order(l[::2]), order(l[1::2])\n  o = []\n"
        "  while a and b: o.append((a if a[-1] > b[-1] else b).pop())\n  return a + b + o[::-1]\n",
        "# -*- coding: latin-1 -*-\nfrom functools import lru_cache\n@lru_cache\ndef f(t): return tuple(sorted(t))\n"
        "def order(xs): print('hm'); return list(f(tuple(xs)))\n",
    ],
)
def test_correct_but_unusual_styles_keep_everything_but_quality(run: Run, source: str) -> None:
    report = run(SORT, SORTED, source)
    assert values(report)["correctness"] == values(report)["edge_cases"] == 1
    assert not [flag for flag in report.flags if flag.certain]


def test_a_mistake_in_one_kind_of_input_has_its_smallest_example(run: Run) -> None:
    report = run(SORT, SORTED, "def order(xs):\n    return sorted(set(xs))\n")
    assert values(report)["correctness"] == 1
    assert (values(report)["edge_cases"] or 0) < 1
    assert any(item.category == "duplicate" and item.source == "random" for item in report.counterexamples)


def test_changing_the_input_is_wrong_unless_it_is_allowed(run: Run) -> None:
    source = "def order(xs):\n    xs.sort()\n    return xs\n"
    report = run(SORT, SORTED, source)
    assert values(report)["correctness"] == 0
    assert report.cases[0].mutated and "changed its arguments" in report.cases[0].reason
    report = run({**SORT, "inputs": {"mutation": "allow"}}, SORTED, source)
    assert values(report)["correctness"] == values(report)["edge_cases"] == 1


def test_a_function_that_works_in_place_is_held_against_what_the_reference_leaves(run: Run) -> None:
    suite = {
        "target": {"kind": "function", "entry": "tidy", "signature": "(xs: list[int]) -> None"},
        "inputs": {"mutation": "allow"},
        "cases": [
            {"args": [[2, 1]], "expected": None, "expected_args": [[1, 2]]},
            {"args": [[5, 4, 3]], "reference": True},
        ],
    }
    reference = "def tidy(xs):\n    xs.sort()\n"
    assert values(run(suite, reference, reference))["correctness"] == 1
    lazy = run(suite, reference, "def tidy(xs):\n    sorted(xs)\n")
    assert values(lazy)["correctness"] == 0
    assert "afterwards" in lazy.cases[0].reason


def test_a_class(run: Run) -> None:
    suite = {
        "target": {"kind": "class", "entry": "Counter", "init": [1]},
        "cases": [
            {"calls": [["add", [2]], ["total", []]], "expected": [None, 3]},
            {"init": [5], "calls": [["total", []]], "reference": True},
            {"calls": [["add", ["x"]]], "raises": "TypeError"},
        ],
    }
    reference = (
        "class Counter:\n    def __init__(self, n):\n        self.n = n\n"
        "    def add(self, k):\n        self.n += k\n    def total(self):\n        return self.n\n"
    )
    assert values(run(suite, reference, reference))["correctness"] == 1
    shared = reference.replace("self.n = n", "Counter.n = getattr(Counter, 'n', n)").replace(
        "self.n +=", "Counter.n +="
    )
    assert (values(run(suite, reference, shared))["correctness"] or 0) < 1


def test_a_program(run: Run) -> None:
    suite = {
        "target": {"kind": "program"},
        "cases": [
            {"stdin": "2 3\n", "stdout": "5\n"},
            {"stdin": "x\n", "stdout": "", "exit": 3},
            {"stdin": "4 4\n", "reference": True},
        ],
    }
    reference = (
        "import sys\ntry:\n    print(sum(map(int, sys.stdin.read().split())))\nexcept ValueError:\n    sys.exit(3)\n"
    )
    assert values(run(suite, reference, reference))["correctness"] == 1
    report = run(suite, reference, "print(5)\n")
    assert values(report)["correctness"] == pytest.approx(1 / 3)
    assert any("exit code 0, not 3" in case.reason for case in report.cases)


def test_an_async_function(run: Run) -> None:
    suite = {
        "target": {"kind": "function", "entry": "double", "async": "allow", "signature": "(n: int) -> int"},
        "cases": [{"args": [2], "expected": 4}],
    }
    source = "import asyncio\nasync def double(n):\n    await asyncio.sleep(0)\n    return 2 * n\n"
    report = run(suite, source, source)
    assert values(report)["correctness"] == values(report)["edge_cases"] == 1
    assert values(run(suite, source, "def double(n):\n    return 2 * n\n"))["correctness"] == 1


def test_what_changes_from_run_to_run_is_not_solved(run: Run) -> None:
    source = "def order(xs):\n    return sorted(xs, key=lambda x: hash(str(x)))\n"
    cases = [{"id": str(n), "args": [list(range(n))], "expected": list(range(n))} for n in (2, 3, 4)]
    report = run({**SORT, "cases": cases, "edge_cases": {"auto": False}}, SORTED, source)
    assert (values(report)["correctness"] or 0) < 1


def test_answers_learnt_by_heart_are_capped(run: Run) -> None:
    cases = [{"id": str(n), "args": [[n, n - 1, n + 3]], "expected": [n - 1, n, n + 3]} for n in range(10, 26)]
    table = {str([n, n - 1, n + 3]): [n - 1, n, n + 3] for n in range(10, 26)}
    report = run({**SORT, "cases": cases}, SORTED, f"T = {table}\ndef order(xs):\n    return T.get(str(xs), [])\n")
    assert values(report)["correctness"] == 1
    assert any(flag.kind == "hardcoded" and flag.certain for flag in report.flags)
    assert report.total <= 15 < report.uncapped


def test_inputs_that_the_reference_does_not_define_judge_nobody(run: Run) -> None:
    suite = {
        "target": {"kind": "function", "entry": "half", "signature": "(n: int) -> int"},
        "cases": [{"args": [4], "expected": 2}, {"args": [-2], "raises": "ValueError"}],
    }
    reference = (
        "def half(n):\n    if n < 0:\n        raise ValueError(n)\n    if n % 2:\n        raise AssertionError(n)\n"
        "    return n // 2\n"
    )
    tolerant = "def half(n):\n    if n < 0:\n        raise ValueError('negative')\n    return n // 2\n"
    report = run(suite, reference, tolerant)
    assert values(report)["edge_cases"] == 1
    assert any(case.status == "raised" for case in report.cases if case.source == "boundary"), "declared ones are asked"


def test_relations_between_answers(run: Run) -> None:
    suite = {
        **SORT,
        "edge_cases": {
            "boundary": {"max": 4},
            "random": {"examples": 5},
            "metamorphic": [{"name": "shift", "transform": "rel.py:shifted", "relation": "rel.py:same"}],
        },
    }
    rel = (
        "def shifted(args, kwargs):\n    return [[x + 1 for x in args[0]]]\n"
        "def same(one, two, args, changed):\n    return [x + 1 for x in one] == two\n"
    )
    assert values(run(suite, SORTED, SORTED, rel=rel))["edge_cases"] == 1
    wrong = run(suite, SORTED, "def order(xs):\n    return sorted(xs, key=lambda x: x % 7)\n", rel=rel)
    shifts = [item for item in wrong.categories if item.category == "relation shift"]
    assert shifts and shifts[0].passed < shifts[0].asked


def test_a_checker_accepts_any_right_answer(run: Run) -> None:
    suite = {
        "target": {"kind": "function", "entry": "pick", "signature": "(xs: list[int]) -> int"},
        "inputs": {"requires": ["len(xs) > 0"]},
        "compare": {"checker": "chk.py:member"},
        "cases": [{"args": [[1, 2, 3]]}],
    }
    chk = "def member(args, kwargs, output, expected):\n    return output in args[0]\n"
    first = "def pick(xs):\n    return xs[0]\n"
    last = "def pick(xs):\n    return xs[-1]\n"
    report = run(suite, first, last, chk=chk)
    assert values(report)["correctness"] == values(report)["edge_cases"] == 1
    assert values(run(suite, first, "def pick(xs):\n    return -99999\n", chk=chk))["correctness"] == 0
