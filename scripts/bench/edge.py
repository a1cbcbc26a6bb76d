#!/usr/bin/env python3
"""Measures how often the generated edge cases find a bug, and that they never find one in right code.

.venv/bin/python scripts/bench/edge.py [--seeds 10] [--examples 100] [--only NAME]

Each problem is a reference, a right answer of another style, and an answer with one typical mistake. Everything here is
our own code and runs in this process. ``boundary`` says how many of the boundary inputs show the bug; ``random`` in how
many seeds it is found, and the number of the input that shows it first (median and worst).
"""

from __future__ import annotations

import argparse
import copy
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from judge.score.edge import Outcome, RandomSource, Verdict, boundary_inputs, find_counterexamples, parse_signature
from judge.score.edge.identity import same
from judge.score.suite.model import LoadedSuite, Suite


@dataclass(frozen=True)
class Problem:
    """A reference, one right and one wrong answer.

    Attributes:
        name: Of the mistake.
        signature: What is known of the function.
        reference: The oracle; what it raises is not asked.
        right: Another right answer.
        wrong: The mistake.
        domain: Domains of the suite.
        requires: Which inputs are defined.
    """

    name: str
    signature: str
    reference: Callable[..., Any]
    right: Callable[..., Any]
    wrong: Callable[..., Any]
    domain: Mapping[str, str] = field(default_factory=dict)
    requires: Callable[..., bool] = lambda *args: True


def two_sum(nums: list[int], target: int) -> list[int] | None:
    for j in range(len(nums)):
        for i in range(j):
            if nums[i] + nums[j] == target:
                return [i, j]
    return None


def two_sum_right(nums: list[int], target: int) -> list[int] | None:
    seen: dict[int, int] = {}
    for j, value in enumerate(nums):
        if target - value in seen:
            return [seen[target - value], j]
        seen.setdefault(value, j)
    return None


def two_sum_wrong(nums: list[int], target: int) -> list[int] | None:
    for i in range(len(nums)):
        for j in range(i + 1, len(nums)):
            if nums[i] + nums[j] == target:
                return [i, j]
    return None


def merge(spans: list[list[int]], touching: bool = True) -> list[list[int]]:
    merged: list[list[int]] = []
    for low, high in sorted(spans):
        if merged and (low <= merged[-1][1] if touching else low < merged[-1][1]):
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    return merged


def merge_right(spans: list[list[int]]) -> list[list[int]]:
    found: list[list[int]] = []
    for span in sorted([list(span) for span in spans], key=lambda span: span[0]):
        if found and found[-1][1] >= span[0]:
            found[-1] = [found[-1][0], max(found[-1][1], span[1])]
        else:
            found.append(span)
    return found


def common(one: list[int], other: list[int]) -> list[int]:
    left = list(other)
    kept = []
    for item in one:
        if item in left:
            left.remove(item)
            kept.append(item)
    return kept


def common_right(one: list[int], other: list[int]) -> list[int]:
    counts = {item: other.count(item) for item in other}
    kept = []
    for item in one:
        if counts.get(item, 0):
            counts[item] -= 1
            kept.append(item)
    return kept


def same_ignoring_case(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def to_int32(number: int) -> int:
    return (number + 2**31) % 2**32 - 2**31


def to_int32_right(number: int) -> int:
    number &= 0xFFFFFFFF
    return number - 2**32 if number >= 2**31 else number


def largest_gap(nums: list[int]) -> int:
    ordered = sorted(nums)
    return max((b - a for a, b in pairwise(ordered)), default=0)


def rotated(items: list[int], steps: int) -> list[int]:
    if not items:
        return []
    steps %= len(items)
    return items[-steps:] + items[:-steps] if steps else list(items)


def rotated_right(items: list[int], steps: int) -> list[int]:
    size = len(items)
    return [items[(index - steps) % size] for index in range(size)]


def find_first(items: list[int], wanted: int) -> int:
    return next((index for index, item in enumerate(items) if item == wanted), -1)


def find_any(items: list[int], wanted: int) -> int:
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        low, high = (middle + 1, high) if items[middle] < wanted else (low, middle - 1)
    return -1


def balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def balanced_right(text: str) -> bool:
    while "()" in text:
        text = text.replace("()", "")
    return not text


PROBLEMS = (
    Problem("pair order", "(nums: list[int], target: int) -> list[int] | None", two_sum, two_sum_right, two_sum_wrong),
    Problem(
        "touching intervals",
        "(spans: list[list[int]]) -> list[list[int]]",
        merge,
        merge_right,
        lambda spans: merge(spans, touching=False),
        {"spans": "lists(lists(integers(-50, 50), min_size=2, max_size=2), max_size=20)"},
        lambda spans: all(low < high for low, high in spans),
    ),
    Problem(
        "dropped duplicates",
        "(one: list[int], other: list[int]) -> list[int]",
        common,
        common_right,
        lambda one, other: [item for item in dict.fromkeys(one) if item in other],
    ),
    Problem(
        "case of other alphabets",
        "(one: str, other: str) -> bool",
        same_ignoring_case,
        lambda one, other: (one.casefold(),) == (other.casefold(),),
        lambda one, other: one.lower() == other.lower(),
    ),
    Problem(
        "overflow",
        "(number: int) -> int",
        to_int32,
        to_int32_right,
        lambda number: number if abs(number) < 2**31 else to_int32(number) or number,
        {"number": "integers(-2**33, 2**33)"},
    ),
    Problem(
        "empty input",
        "(nums: list[int]) -> int",
        largest_gap,
        lambda nums: max([b - a for a, b in pairwise(sorted(nums))] or [0]),
        lambda nums: max(b - a for a, b in pairwise(sorted(nums))),
    ),
    Problem(
        "steps beyond the length",
        "(items: list[int], steps: int) -> list[int]",
        rotated,
        rotated_right,
        lambda items, steps: items[-steps:] + items[:-steps],
    ),
    Problem(
        "first of equal ones",
        "(items: list[int], wanted: int) -> int",
        find_first,
        lambda items, wanted: items.index(wanted) if wanted in items else -1,
        find_any,
        requires=lambda items, wanted: items == sorted(items),
    ),
    Problem(
        "closing before opening",
        "(text: str) -> bool",
        balanced,
        balanced_right,
        lambda text: text.count("(") == text.count(")"),
        {"text": "text('()', max_size=30)"},
    ),
)


def suite_of(problem: Problem, examples: int) -> LoadedSuite:
    suite = Suite.model_validate(
        {
            "schema": 1,
            "problem": "bench",
            "target": {"entry": "f"},
            "inputs": {"domain": dict(problem.domain)},
            "edge_cases": {"random": {"examples": examples}},
        }
    )
    return LoadedSuite(suite=suite, path=Path("bench.yaml"), files={}, digest="")


def checker(problem: Problem, answer: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], Outcome]:
    def check(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        if not problem.requires(*args, **kwargs):
            return Outcome(Verdict.DROP)
        wanted = problem.reference(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        try:
            got = answer(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        except Exception as error:  # noqa: BLE001 - whatever an answer raises, it is wrong
            return Outcome(Verdict.FAIL, f"it raised {type(error).__name__}")
        return Outcome(Verdict.PASS if same(got, wanted) else Verdict.FAIL, expected=repr(wanted), actual=repr(got))

    return check


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--only", default="", help="part of the name of a mistake")
    options = parser.parse_args()
    print(f"{'mistake':24} {'boundary':>10} {'random':>8} {'median':>7} {'worst':>6} {'dropped':>8}  smallest")
    alarms, started = 0, time.process_time()
    for problem in (problem for problem in PROBLEMS if options.only in problem.name):
        suite, signature = suite_of(problem, options.examples), parse_signature(problem.signature)
        fixed = boundary_inputs(suite, signature)
        right, wrong = checker(problem, problem.right), checker(problem, problem.wrong)
        hits = sum(wrong(item.args, item.kwargs).verdict is Verdict.FAIL for item in fixed)
        alarms += sum(right(item.args, item.kwargs).verdict is Verdict.FAIL for item in fixed)
        firsts: list[int] = []
        dropped, smallest = 0, ""
        for seed in range(options.seeds):
            source = RandomSource(suite, signature, seed)
            good = find_counterexamples(right, suite, signature, seed, source=source)
            bad = find_counterexamples(wrong, suite, signature, seed, source=source)
            alarms += len(good.counterexamples)
            dropped += bad.dropped
            if bad.first_failure is not None:
                firsts.append(bad.first_failure)
                texts = [", ".join(map(repr, found.args)) for found in bad.counterexamples]
                smallest = min([*texts, *([smallest] if smallest else [])], key=len)
        median = statistics.median(firsts) if firsts else 0
        found = f"{len(firsts)}/{options.seeds}"
        print(
            f"{problem.name:24} {f'{hits}/{len(fixed)}':>10} {found:>8} {median:7.1f} {max(firsts, default=0):6} "
            f"{dropped / options.seeds:8.1f}  {smallest[:50]}"
        )
    print(f"false alarms on right answers: {alarms}; {time.process_time() - started:.1f} CPU seconds")


if __name__ == "__main__":
    main()
