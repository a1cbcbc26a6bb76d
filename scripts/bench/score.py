#!/usr/bin/env python3
"""Measures the scoring of speed: false penalties, found slow-downs, found growth; and how many submissions a minute.

.venv/bin/python scripts/bench/score.py aa [--scorings 100] [--busy 2]     # twins of the reference: penalties
.venv/bin/python scripts/bench/score.py slow [--scorings 100] [--busy 2]   # twice the work: penalties
.venv/bin/python scripts/bench/score.py growth [--scorings 20]             # quadratic ones found, linear ones wrongly
.venv/bin/python scripts/bench/score.py throughput [--scorings 100]        # submissions of 500 cases, without speed
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from judge.score.execute import Program
from judge.score.performance import measure
from judge.score.sandbox import Sandbox, open_sandbox
from judge.score.suite import load_suite
from judge.score.suite.model import LoadedSuite

GENERATOR = """\
from random import Random


def numbers(size, seed):
    return [size, seed]


def words(size, seed):
    random = Random(seed)
    return [[random.choice("abcdefgh") * random.randint(1, 4) for _ in range(size // 20)], size // 20]


def table(size, seed):
    random = Random(seed)
    return [[random.randrange(10**6) for _ in range(size // 10)]]


def line(size, seed):
    return [size, seed]
"""

WORK = {
    "numbers": """\
def work(size, seed):
    value, high = seed, 0
    for step in range(size):
        value = (value * 1103515245 + step) & 0x7FFFFFFF
        high = max(high, value % 1000)
    return high
""",
    "words": """\
def work(words, rounds):
    counts = {}
    for _ in range(20):
        for word in words:
            key = word.upper()[:3]
            counts[key] = counts.get(key, 0) + len(word)
    return sorted(counts.items())
""",
    "table": """\
def work(values):
    total = 0
    for shift in range(5):
        ordered = sorted(values, key=lambda value: (value >> shift) % 997)
        total += sum(a * b % 7 for a, b in zip(ordered, values))
    return total
""",
}

LINE = """\
def work(size, seed):
    total = seed
    for step in range(size):
        total = (total + step * step) % 1000003
    return total
"""

LINEAR = [
    LINE,
    LINE.replace("step * step", "pow(step, 2)"),
    """\
def work(size, seed):
    values = [step * step for step in range(size)]
    return (seed + sum(values)) % 1000003 if size else seed
""",
    """\
def work(size, seed):
    table = {}
    for step in range(size):
        table[step] = step * step
    return (seed + sum(sorted(table.values()))) % 1000003 if size else seed
""",
]
QUADRATIC = [
    """\
def work(size, seed):
    total = seed
    for step in range(size):
        total = (total + step * step) % 1000003
        for other in range(step // 8):
            pass
    return total
""",
    """\
def work(size, seed):
    seen, total = [], seed
    for step in range(size):
        if -1 not in seen:
            seen.append(step)
        total = (total + step * step) % 1000003
    return total
""",
    """\
def work(size, seed):
    values, total = list(range(size)), seed
    while values:
        step = values[0]
        values = values[1:]
        total = (total + step * step) % 1000003
    return total
""",
]


def make_suite(folder: Path, kind: str, source: str, growth: bool = False) -> LoadedSuite:
    """A suite whose reference is ``source``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "reference.py").write_text(source, "utf-8")
    (folder / "gen.py").write_text(GENERATOR, "utf-8")
    text = (
        f"schema: 1\nproblem: {kind}\ntarget: {{entry: work}}\nreference: {{file: reference.py}}\n"
        f"cases:\n  - {{generate: {{file: gen.py, func: {kind}, params: [100], seed: 1}}, reference: true}}\n"
        f"performance:\n  inputs: {{file: gen.py, func: {kind}, size: 2000}}\n"
    )
    (folder / "suite.yaml").write_text(text + ("  growth: {sizes: [250, 8000]}\n" if growth else ""), "utf-8")
    return load_suite(folder / "suite.yaml")


def program(source: str) -> Program:
    """A submission."""
    return Program({"submission.py": source.encode()}, "submission.py", "work", "function")


def twice(source: str) -> str:
    """The same with its work done twice."""
    return (
        source.replace("def work(", "def _once(") + "\n\ndef work(*args):\n    _once(*args)\n    return _once(*args)\n"
    )


def numbers_until(count: int, end: float) -> Iterator[int]:
    """Numbers below a count, until a moment is reached."""
    return (number for number in range(count) if time.monotonic() < end)


def speeds(sandbox: Sandbox, folder: Path, scorings: int, end: float, slow: bool) -> None:
    """Scores twins, or slow twins, of three problems in turn."""
    suites = {kind: make_suite(folder / kind, kind, source) for kind, source in WORK.items()}
    penalised = open_ = wrong = 0
    ratios, seconds = [], []
    for number in numbers_until(scorings, end):
        kind = list(WORK)[number % len(WORK)]
        reference = program(WORK[kind])
        submission = program(twice(WORK[kind])) if slow else reference
        started = time.monotonic()
        result = measure(sandbox, suites[kind], submission, reference, number)
        seconds.append(time.monotonic() - started)
        penalised += result.penalised
        open_ += result.inconclusive
        wrong += bool(result.wrong)
        if result.cpu is not None:
            ratios.append(result.cpu.median)
        if result.penalised is not slow and result.cpu is not None and result.wall is not None:
            print(f"  {kind} {number}: by {result.by or '-'}, cpu {result.cpu}, wall {result.wall}")
    what = "twice the work" if slow else "twins"
    print(f"{what}: {penalised} of {len(seconds)} penalised, {open_} inconclusive, {wrong} with a failed call")
    print(f"  CPU ratio of a scoring {min(ratios):.3f} .. {median(ratios):.3f} .. {max(ratios):.3f}")
    print(f"  {median(seconds):.1f} s a scoring (median), {max(seconds):.1f} s at most")


def growths(sandbox: Sandbox, folder: Path, scorings: int, end: float) -> None:
    """Scores quadratic and linear submissions against a linear reference."""
    suite = make_suite(folder / "line", "line", LINE, growth=True)
    half = (time.monotonic() + end) / 2
    for title, sources in (("quadratic", QUADRATIC), ("linear", LINEAR)):
        faster = missing = 0
        lows, highs, seconds = [], [], []
        for number in numbers_until(scorings, end if title == "linear" else half):
            source = sources[number % len(sources)]
            started = time.monotonic()
            result = measure(sandbox, suite, program(source), program(LINE), number)
            seconds.append(time.monotonic() - started)
            if result.growth is None:
                missing += 1
                print(f"  {title} {number}: {result.wrong} {' '.join(result.notes)}")
                continue
            faster += result.growth.faster
            lows.append(result.growth.low)
            highs.append(result.growth.high)
        print(f"{title}: {faster} of {len(seconds)} said to grow faster, {missing} not measured")
        if lows:
            print(f"  difference of slopes: lower ends from {min(lows):.2f}, upper ends to {max(highs):.2f}")
        print(f"  {median(seconds):.1f} s a scoring (median), {max(seconds):.1f} s at most")


def throughput(sandbox: Sandbox, folder: Path, submissions: int, jobs: int) -> None:
    """Scores submissions on 500 cases, without speed."""
    from judge.engine.scoring import score_all
    from judge.score import ScoreOptions, find_submissions, prepare

    suite = make_suite(folder / "many", "numbers", WORK["numbers"])
    cases = [
        f"  - {{args: [{n % 40}, {n}], reference: true, tier: {'standard' if n % 2 else 'edge'}}}" for n in range(500)
    ]
    text = (folder / "many" / "suite.yaml").read_text("utf-8").partition("cases:")[0]
    (folder / "many" / "suite.yaml").write_text(text + "cases:\n" + "\n".join(cases) + "\n", "utf-8")
    suite = load_suite(folder / "many" / "suite.yaml")
    (folder / "files").mkdir()
    for number in range(submissions):
        (folder / "files" / f"s{number:03}.py").write_text(WORK["numbers"] + f"# {number}\n", "utf-8")
    started = time.monotonic()
    prepared = prepare(suite, sandbox)
    found = find_submissions([folder / "files"])
    reports = score_all(prepared, found, ScoreOptions(performance=False), None, jobs, lambda _: None)
    seconds = time.monotonic() - started
    asked = sum(len(report.cases) for report in reports)
    print(f"throughput: {submissions} submissions, {asked} answers in {seconds:.1f} s with {jobs} jobs")
    print(f"  totals from {min(r.total for r in reports):.1f} to {max(r.total for r in reports):.1f}")


def spin() -> None:
    """Keeps a core busy."""
    while True:
        pass


def main() -> None:
    """Reads the arguments and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("aa", "slow", "growth", "throughput"))
    parser.add_argument("--scorings", type=int)
    parser.add_argument("--busy", type=int, default=0, help="endless loops beside it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=36_000, help="no further scoring is begun after this long")
    arguments = parser.parse_args()
    scorings = arguments.scorings or (20 if arguments.what == "growth" else 100)
    end = time.monotonic() + arguments.seconds
    sandbox = open_sandbox("best")
    loops = [multiprocessing.Process(target=spin, daemon=True) for _ in range(arguments.busy)]
    for loop in loops:
        loop.start()
    load = os.getloadavg()
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}, {sandbox.level.value}")
    print(f"load before {load[0]:.1f}, {arguments.busy} busy loops beside it, N = {scorings}")
    try:
        with tempfile.TemporaryDirectory() as name:
            if arguments.what == "growth":
                growths(sandbox, Path(name), scorings, end)
            elif arguments.what == "throughput":
                throughput(sandbox, Path(name), scorings, arguments.jobs)
            else:
                speeds(sandbox, Path(name), scorings, end, arguments.what == "slow")
    finally:
        for loop in loops:
            loop.kill()
    print(f"load after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
