"""Real measurements; only facts that no noise can turn are asserted."""

from pathlib import Path

import pytest

from judge.errors import InputError
from judge.results.score import PerformanceResult
from judge.score.execute import Program
from judge.score.integrity import judge_flags, scan
from judge.score.performance import load_baseline, measure, points_share, record_baseline, write_baseline
from judge.score.sandbox import Sandbox, open_sandbox
from judge.score.suite import LoadedSuite, load_suite

REFERENCE = """\
def work(size, seed):
    value = seed
    for step in range(size):
        value = (value * 1103515245 + step) & 0x7FFFFFFF
    return value
"""
TWENTY = REFERENCE.replace("work", "once") + (
    "\ndef work(size, seed):\n    return [once(size, seed) for _ in range(20)][0]\n"
)
QUADRATIC = (
    REFERENCE.replace("work", "fast")
    + """

def work(size, seed):
    for step in range(size):
        for other in range(step // 4):
            pass
    return fast(size, seed)
"""
)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return open_sandbox("best")


def suite_at(
    folder: Path, *, more: str = "", generator: str = "", reference: str | None = REFERENCE, **top: str
) -> LoadedSuite:
    make = generator or "def make(size, seed):\n    return [size, seed]\n"
    (folder / "gen.py").write_text(make, "utf-8")
    text = "schema: 1\nproblem: work\n"
    text += "".join(f"{key}: {value}\n" for key, value in top.items())
    if "target" not in top:
        text += "target: {entry: work}\n"
    if reference is not None:
        (folder / "reference.py").write_text(reference, "utf-8")
        text += "reference: {file: reference.py}\n"
    text += "cases:\n  - {args: [0, 1], expected: 1}\n" if "cases" not in top else ""
    text += f"performance:\n  iterations: 6\n  rounds: 2\n  inputs: {{file: gen.py, func: make, size: 3000}}\n{more}"
    (folder / "suite.yaml").write_text(text, "utf-8")
    return load_suite(folder / "suite.yaml")


def program(source: str, kind: str = "function", asynchronous: bool = False) -> Program:
    entry = "Work" if kind == "class" else "work"
    return Program({"submission.py": source.encode()}, "submission.py", entry, kind, asynchronous)  # type: ignore[arg-type]


def run(
    sandbox: Sandbox, suite: LoadedSuite, source: str, reference: str = REFERENCE, **kind: object
) -> PerformanceResult:
    return measure(sandbox, suite, program(source, **kind), program(reference, **kind), 1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_twenty_times_the_work_is_penalised_and_the_twin_is_measured(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path)
    slow = run(sandbox, suite, TWENTY)
    assert (slow.penalised, slow.by, slow.wrong, slow.signs) == (True, "cpu", "", ())
    assert slow.cpu is not None
    assert slow.cpu.low > 5
    assert points_share(slow, suite.suite.performance) < 0.4
    twin = run(sandbox, suite, REFERENCE)
    assert (len(twin.ratios), twin.wrong, twin.signs, twin.baseline) == (6, "", (), "reference")
    assert twin.cpu is not None
    assert 0.4 < twin.cpu.median < 2.5


@pytest.mark.slow
def test_sleeping_is_seen_on_the_wall(sandbox: Sandbox, tmp_path: Path) -> None:
    result = run(
        sandbox,
        suite_at(tmp_path),
        "import time\n" + REFERENCE.replace("    return", "    time.sleep(0.1)\n    return"),
    )
    assert result.penalised
    assert result.wall is not None
    assert result.wall.low > 5


@pytest.mark.slow
def test_quadratic_growth_is_seen(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, more="  growth: {sizes: [500, 8000], points: 5}\n")
    result = run(sandbox, suite, QUADRATIC)
    assert result.growth is not None
    assert result.growth.faster
    assert points_share(result, suite.suite.performance) <= 0.5


@pytest.mark.slow
def test_frozen_clocks_change_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    frozen = "import time\nfor name in ('time', 'perf_counter', 'process_time', 'clock_gettime', 'monotonic'):\n"
    frozen += "    setattr(time, name, lambda *a: 0.0)\n"
    result = run(sandbox, suite_at(tmp_path), frozen + TWENTY)
    assert result.penalised
    assert result.cpu is not None
    assert result.cpu.low > 5


def test_fast_garbage_when_timed_is_worth_nothing_and_flagged(sandbox: Sandbox, tmp_path: Path) -> None:
    cheat = "import gc\n" + REFERENCE.replace(
        "    value = seed", "    if not gc.isenabled():\n        return 7\n    value = seed", 1
    )
    suite = suite_at(tmp_path)
    result = run(sandbox, suite, cheat)
    assert "wrongly" in result.wrong
    assert points_share(result, suite.suite.performance) == 0.0
    flags = judge_flags(scan(cheat.encode()), [], performance=result)
    assert "timing" in {flag.kind for flag in flags if flag.certain}


def test_an_answer_that_is_wrong_always_is_no_cheating(sandbox: Sandbox, tmp_path: Path) -> None:
    result = run(sandbox, suite_at(tmp_path), "def work(size, seed):\n    return 7\n")
    assert result.wrong
    assert result.signs == ()


@pytest.mark.slow
def test_a_memory_by_content_does_not_help(sandbox: Sandbox, tmp_path: Path) -> None:
    cached = TWENTY.replace("def work", "from functools import lru_cache\n@lru_cache\ndef work")
    assert run(sandbox, suite_at(tmp_path), cached).penalised


def test_a_thread_that_works_ahead_is_flagged(sandbox: Sandbox, tmp_path: Path) -> None:
    helper = "import threading\n\n\ndef _busy():\n    while True:\n        sum(range(1000))\n\n\n"
    helper += "threading.Thread(target=_busy, daemon=True).start()\n\n\n"
    result = run(sandbox, suite_at(tmp_path), helper + REFERENCE)
    flags = judge_flags(scan((helper + REFERENCE).encode()), [], performance=result)
    assert "background" in {flag.kind for flag in flags if flag.certain}


@pytest.mark.parametrize(
    ("body", "word"),
    [("raise KeyError(size)", "KeyError"), ("import os; os._exit(0)", "crashed"), ("while True: pass", "stopped")],
)
def test_a_submission_that_fails_when_timed(sandbox: Sandbox, tmp_path: Path, body: str, word: str) -> None:
    suite = suite_at(tmp_path, limits="{cpu_s: 0.5, wall_s: 5}")
    result = run(sandbox, suite, f"def work(size, seed):\n    {body}\n")
    assert word in result.wrong
    assert points_share(result, suite.suite.performance) == 0.0


@pytest.mark.slow
def test_classes_are_timed_with_their_calls(sandbox: Sandbox, tmp_path: Path) -> None:
    klass = (
        "class Work:\n    def __init__(self, start):\n        self.value = start\n"
        "    def step(self, size):\n        for n in range(size): self.value += n % 3\n        return self.value\n"
    )
    suite = suite_at(
        tmp_path,
        generator="def make(size, seed):\n    return [[seed], [['step', [size]], ['step', [size // 2], {}]]]\n",
        target="{kind: class, entry: Work}",
        reference=klass,
        cases="[{init: [1], calls: [[step, [3]]], expected: [4]}]",
    )
    result = run(
        sandbox,
        suite,
        klass.replace("self.value += n % 3", "self.value += sum([n % 3] + [0] * 300)"),
        klass,
        kind="class",
    )
    assert result.wrong == ""
    assert result.penalised


@pytest.mark.slow
def test_work_in_place_is_part_of_the_timed_answer(sandbox: Sandbox, tmp_path: Path) -> None:
    sort = "def work(values):\n    values.sort()\n"
    suite = suite_at(
        tmp_path,
        generator="def make(size, seed):\n    return [[(n * seed) % 1009 for n in range(size // 10)]]\n",
        reference=sort,
        inputs="{mutation: allow}",
        cases="[{args: [[2, 1]], expected: null, expected_args: [[1, 2]]}]",
    )
    assert run(sandbox, suite, sort, sort).wrong == ""
    assert "arguments afterwards" in run(sandbox, suite, "def work(values):\n    pass\n", sort).wrong


@pytest.mark.slow
def test_coroutines_are_timed(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, target="{entry: work, async: allow}")
    result = run(sandbox, suite, "async " + REFERENCE.replace("value = seed", "value = seed + 0"), asynchronous=True)
    assert result.wrong == ""
    assert result.cpu is not None


def test_a_generator_or_a_reference_that_fails_is_the_suite_s_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, generator="def make(size, seed):\n    return 1 / 0\n")
    with pytest.raises(InputError, match="generator"):
        run(sandbox, suite, REFERENCE)
    suite = suite_at(tmp_path, reference="def work(size, seed):\n    raise ValueError\n")
    with pytest.raises(InputError, match="reference"):
        run(sandbox, suite, REFERENCE, "def work(size, seed):\n    raise ValueError\n")


def test_what_cannot_be_measured_is_said(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, more="  baseline: baseline.json\n")
    result = run(sandbox, suite, REFERENCE)
    assert any("judge score baseline" in note and "reference itself" in note for note in result.notes)
    assert points_share(result, suite.suite.performance) is not None, "the reference is the measure then"
    (tmp_path / "baseline.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="no baseline"):
        run(sandbox, suite, REFERENCE)


@pytest.mark.slow
def test_a_stored_baseline_is_the_measure(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, more="  baseline: baseline.json\n")
    made = record_baseline(sandbox, suite, program(TWENTY), program(REFERENCE), 2)
    assert made.cpu.low > 5
    write_baseline(made, tmp_path / "baseline.json")
    assert load_baseline(tmp_path / "baseline.json") == made
    twin = run(sandbox, suite, REFERENCE)
    assert (twin.baseline, twin.penalised) == ("stored", False)
    suite = suite_at(tmp_path, more="  baseline: baseline.json\n", reference=REFERENCE + "\n# changed\n")
    assert any("stale" in note for note in run(sandbox, suite, REFERENCE).notes)


@pytest.mark.slow
def test_without_a_reference_the_kernels_are_a_weak_ruler(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, reference=None, more="  baseline: baseline.json\n")
    made = record_baseline(sandbox, suite, program(REFERENCE), None, 2)
    assert made.ruler == "calibration"
    write_baseline(made, tmp_path / "baseline.json")
    slow = measure(sandbox, suite, program(TWENTY), None, 3)
    assert (slow.baseline, slow.penalised) == ("calibration", True)
    assert any("weak" in note for note in slow.notes)


def test_neither_reference_nor_baseline(sandbox: Sandbox, tmp_path: Path) -> None:
    suite = suite_at(tmp_path, reference=None)
    assert "neither" in measure(sandbox, suite, program(REFERENCE), None, 1).notes[0]
