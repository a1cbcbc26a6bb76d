"""Random inputs: the same for a seed everywhere, counted by kind, shrunken where they fail."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.errors import InputError
from judge.score.compare import show
from judge.score.edge import Outcome, RandomSource, Verdict, find_counterexamples, kinds_of_call, parse_signature
from judge.score.edge.identity import identity
from judge.score.suite.model import LoadedSuite, Suite

SIGNATURE = parse_signature("(nums: list[int], word: str = '', *, flag: bool = False)")


def suite_of(examples: int = 60, **inputs: Any) -> LoadedSuite:
    suite = Suite.model_validate(
        {
            "schema": 1,
            "problem": "p",
            "target": {"entry": "f"},
            "inputs": inputs,
            "edge_cases": {"random": {"examples": examples}},
        }
    )
    return LoadedSuite(suite=suite, path=Path("p.yaml"), files={}, digest="")


def verdict(good: bool) -> Outcome:
    return Outcome(Verdict.PASS if good else Verdict.FAIL, "" if good else "wrong", "wanted", "got")


class Asked:
    """Remembers what was asked, in order."""

    def __init__(self, right: Any = lambda args, kwargs: True) -> None:
        self.inputs: list[bytes] = []
        self.right = right

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        self.inputs.append(identity((args, kwargs)))
        return verdict(self.right(args, kwargs))


def test_one_seed_gives_the_same_inputs_whatever_the_answers() -> None:
    right, wrong = Asked(), Asked(lambda args, kwargs: len(args[0]) < 2)
    find_counterexamples(right, suite_of(), SIGNATURE, 4)
    found = find_counterexamples(wrong, suite_of(), SIGNATURE, 4)
    assert len(right.inputs) == 60
    assert wrong.inputs[:60] == right.inputs
    assert len(set(right.inputs)) == 60
    assert sum(found.asked.values()) == 60
    other = Asked()
    find_counterexamples(other, suite_of(), SIGNATURE, 5)
    assert other.inputs != right.inputs


_PRINT = """
import hashlib, sys
from pathlib import Path
{before}
from judge.score.compare import show
from judge.score.edge import RandomSource, parse_signature
from judge.score.suite.model import LoadedSuite, Suite
suite = Suite.model_validate({{"schema": 1, "problem": "p", "target": {{"entry": "f"}}, "inputs": {{"domain": {{
    "d": "from_regex('[a-c]+x?') | text(characters(categories=['Lu']), max_size=3)"}}}}}})
loaded = LoadedSuite(suite=suite, path=Path("p.yaml"), files={{}}, digest="")
signature = parse_signature("(a: set[str], b: dict[str, float], c: list[int] | None, d: str, e: bytes)")
found = []
for drawn in RandomSource(loaded, signature, 11).inputs():
    found.append(show(drawn.input.args, 5000))
    if len(found) == 80:
        break
print(hashlib.sha256("\\n".join(found).encode("utf-8", "surrogatepass")).hexdigest())
"""


def test_neither_hash_seed_nor_loaded_modules_change_the_draws_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "local_module.py").write_text("NUMBERS = [123456, 777777, 'unusual']\n", encoding="utf-8")
    said = set()
    for hash_seed, before in (("1", ""), ("2", "import local_module, json, decimal")):
        found = subprocess.run(
            [sys.executable, "-c", _PRINT.format(before=before)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(found.stdout)
    assert len(said) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["local_module.py"]


def test_kinds_are_counted_and_several_failures_are_told_apart() -> None:
    def right(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        return args[0] != [] and len(set(args[0])) == len(args[0])

    found = find_counterexamples(Asked(right), suite_of(200), parse_signature("(nums: list[int])"), 0)
    kinds = [item.category for item in found.counterexamples]
    assert {"empty", "duplicate"} <= set(kinds)
    assert len(kinds) == len(set(kinds))
    for item in found.counterexamples:
        assert item.category in kinds_of_call(item.args, item.kwargs)
        assert not right(item.args, item.kwargs)
        assert item.outcome.reason == "wrong"
    smallest = {item.category: item.args for item in found.counterexamples}
    assert smallest["empty"] == ([],)
    assert smallest["duplicate"] == ([0, 0],)
    for kind, asked in found.asked.items():
        assert 0 <= found.passed[kind] <= asked
    assert found.passed["empty"] == 0


def test_counterexamples_are_made_smaller() -> None:
    signature = parse_signature("(word: str, number: int)")

    def right(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        return len(args[0]) < 3 or args[1] < 4

    found = find_counterexamples(Asked(right), suite_of(200), signature, 1)
    assert found.counterexamples
    sizes = [len(show(item.args)) for item in found.counterexamples if item.category == "ordinary"]
    assert all(size <= len("('aaa', 4)") for size in sizes)
    assert found.first_failure is not None


def test_no_draw_leaves_the_domain_not_even_when_shrinking() -> None:
    suite = suite_of(
        80, domain={"nums": "lists(integers(3, 9), min_size=2, max_size=5)", "word": "sampled_from(['x', 'y'])"}
    )

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        assert 2 <= len(args[0]) <= 5
        assert all(3 <= item <= 9 for item in args[0])
        assert {*args[1:], *([kwargs["word"]] if "word" in kwargs else [])} <= {"x", "y"}
        return verdict(sum(args[0]) < 12)

    found = find_counterexamples(check, suite, SIGNATURE, 2)
    assert found.counterexamples


def test_undefined_inputs_are_dropped_counted_and_replaced() -> None:
    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        return verdict(True) if args[0] % 2 == 0 else Outcome(Verdict.DROP)

    found = find_counterexamples(check, suite_of(100), parse_signature("(n: int)"), 0)
    assert sum(found.asked.values()) == 100
    assert found.dropped > 20
    assert found.counterexamples == ()


def test_a_suite_that_defines_next_to_nothing_ends_and_says_so() -> None:
    found = find_counterexamples(
        lambda args, kwargs: Outcome(Verdict.DROP), suite_of(20), parse_signature("(n: int)"), 0
    )
    assert found.asked == {}
    assert found.dropped == 200
    assert "only 0" in found.notes[0]


def test_few_possible_inputs_are_asked_once_each() -> None:
    asked = Asked()
    found = find_counterexamples(asked, suite_of(100), parse_signature("(a: bool, b: bool)"), 0)
    assert len(asked.inputs) == 4
    assert found.asked == {"ordinary": 4}


def test_a_function_without_parameters_is_asked_once() -> None:
    asked = Asked()
    find_counterexamples(asked, suite_of(), parse_signature("()"), 0)
    assert len(asked.inputs) == 1


def test_time_ends_the_search() -> None:
    found = find_counterexamples(Asked(), suite_of(), SIGNATURE, 0, wall_s=-1.0)
    assert found.asked == {}
    assert "time" in found.notes[0]


def test_what_is_no_longer_asked_fails_without_an_example() -> None:
    count = 0

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        nonlocal count
        count += 1
        return verdict(False) if count == 1 else Outcome(Verdict.UNASKED, "too slow")

    found = find_counterexamples(check, suite_of(), SIGNATURE, 0)
    assert sum(found.asked.values()) == 60
    assert sum(found.passed.values()) == 0
    assert len(found.counterexamples) == 1


def test_answers_that_change_do_not_break_the_search() -> None:
    count = 0

    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        nonlocal count
        count += 1
        return verdict(count % 3 != 0)

    found = find_counterexamples(check, suite_of(), SIGNATURE, 0)
    assert found.counterexamples


def test_no_values_for_a_parameter_is_a_note() -> None:
    found = find_counterexamples(Asked(), suite_of(), parse_signature("(a: int, b: Movie)"), 0)
    assert found.asked == {}
    assert "Movie" in found.notes[0]


def test_an_impossible_domain_is_one_line() -> None:
    suite = suite_of(domain={"a": "text(characters(categories=['Lu'], max_codepoint=40), min_size=1)"})
    with pytest.raises(InputError) as caught:
        find_counterexamples(Asked(), suite, parse_signature("(a)"), 0)
    assert "\n" not in str(caught.value)


def test_a_source_can_serve_many_submissions() -> None:
    source = RandomSource(suite_of(), SIGNATURE, 9)
    first, second = Asked(), Asked()
    find_counterexamples(first, suite_of(), SIGNATURE, 9, source=source)
    find_counterexamples(second, suite_of(), SIGNATURE, 9, source=source)
    assert first.inputs == second.inputs
    alone = Asked()
    find_counterexamples(alone, suite_of(), SIGNATURE, 9)
    assert alone.inputs == first.inputs


def test_arguments_of_a_search_reach_small_alike_and_extreme_values() -> None:
    kinds: set[str] = set()
    meets = 0
    texts = hashlib.sha256()
    for drawn in RandomSource(suite_of(200), parse_signature("(nums: list[int], target: int)"), 0).inputs():
        kinds |= set(drawn.input.categories)
        nums, target = drawn.input.args
        meets += target in nums
        texts.update(show(nums).encode())
        if drawn.place >= 150:
            break
    assert {"empty", "single", "duplicate", "order", "sign", "extreme", "large"} <= kinds
    assert meets >= 15
