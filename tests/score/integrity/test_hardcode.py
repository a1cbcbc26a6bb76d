"""Answers learnt by heart, with a submission and a reference that are plain functions."""

from collections.abc import Callable
from typing import Any

import pytest

from judge.results.score import CaseResult
from judge.score.check import Finding
from judge.score.integrity import Probe, hardcode_probe
from judge.score.questions import Expected, Question
from judge.score.reply import Raised, Reply, Status
from judge.score.suite.model import Compare

CASES: list[tuple[tuple[Any, ...], Any]] = [(([n, n + 11, n + 5],), 3 * n + 16) for n in range(20, 90, 7)]


class Side:
    """The suite's side, whose reference adds up a list and takes no number above a thousand."""

    has_reference = True

    def answer(self, question: Question) -> Reply:
        (numbers,) = question.args
        if max(numbers) > 1000:
            return Reply(Status.RAISED, raised=Raised(("ValueError",), ""))
        return Reply(Status.RETURNED, sum(numbers))


def probe(function: Callable[[list[int]], Any], source: str) -> Probe:
    questions = [
        Question(f"c{n}", "written", "", 1.0, Expected(value), Compare(), args=args)
        for n, (args, value) in enumerate(CASES)
    ]
    results = [
        CaseResult(id=q.id, source="written", passed=function(*q.args) == value, status="returned")
        for q, (_, value) in zip(questions, CASES, strict=True)
    ]

    def try_one(question: Question) -> tuple[Status, Finding]:
        assert question.args not in [args for args, _ in CASES]
        return Status.RETURNED, Finding(function(*question.args) == sum(question.args[0]))

    return hardcode_probe(source.encode(), questions, results, try_one, Side(), lambda _: True, 5)  # type: ignore[arg-type]


def test_a_table_of_the_cases_is_certain() -> None:
    table = {tuple(args[0]): value for args, value in CASES}
    found = probe(lambda numbers: table.get(tuple(numbers), 0), f"T = {table!r}\ndef f(n): return T.get(tuple(n), 0)\n")
    assert found.certain
    assert found.failed == found.asked >= 10
    assert "fail with slightly changed inputs" in found.text


def test_a_solution_with_the_cases_in_its_docstring_is_fine() -> None:
    found = probe(sum, f"def f(n):\n    '''{CASES!r}'''\n    return sum(n)\n")
    assert (found.failed, found.suspicious) == (0, False)


def test_a_table_behind_a_digest_is_shown() -> None:
    table = {hash(tuple(args[0])): value for args, value in CASES}
    found = probe(lambda numbers: table.get(hash(tuple(numbers)), 0), "import zlib\nT = zlib.decompress(b'')\n")
    assert found.suspicious
    assert not found.certain


def test_an_honest_mistake_is_not_suspected() -> None:
    found = probe(
        lambda numbers: sum(numbers) if sorted(numbers)[0] % 7 == 6 else -1,
        "def f(n): return sum(n) if min(n) % 7 == 6 else -1\n",
    )
    assert not found.suspicious


def test_where_the_standard_cases_fail_nothing_is_asked() -> None:
    assert probe(lambda _: None, "T = 1\n") == Probe()


def test_without_a_reference_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Side, "has_reference", False)
    assert probe(sum, "") == Probe()


def test_a_common_answer_does_not_hide_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most changed inputs have the answer that a table gives to everything unknown."""

    def largest_gap(numbers: list[int]) -> int | None:
        return numbers.index(max(numbers)) if sorted(numbers) != numbers and numbers[0] % 2 else None

    def answer(self: Side, question: Question) -> Reply:
        return Reply(Status.RETURNED, largest_gap(question.args[0]))

    monkeypatch.setattr(Side, "answer", answer)
    cases = [(([n, n + 40, n + 20],), largest_gap([n, n + 40, n + 20])) for n in range(21, 91, 5)]
    table = {tuple(args[0]): value for args, value in cases if value is not None}
    questions = [
        Question(f"c{n}", "written", "", 1.0, Expected(value), Compare(), args=args)
        for n, (args, value) in enumerate(cases)
    ]
    results = [CaseResult(id=q.id, source="written", passed=True, status="returned") for q in questions]

    def ask(function: Callable[[list[int]], Any], source: str) -> Probe:
        def try_one(question: Question) -> tuple[Status, Finding]:
            return Status.RETURNED, Finding(function(*question.args) == largest_gap(question.args[0]))

        return hardcode_probe(source.encode(), questions, results, try_one, Side(), lambda _: True, 5)  # type: ignore[arg-type]

    assert ask(lambda numbers: table.get(tuple(numbers)), f"T = {table!r}\n").certain
    assert not ask(largest_gap, f"T = {table!r}\n").suspicious
