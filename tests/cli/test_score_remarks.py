"""What ``judge score`` tells a user: why points are missing, what was stopped, and what an override cannot mean."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

from judge.results.score import Interval
from judge.score import Baseline

from .test_score import BAD, GOOD, SUITE

SLOW = GOOD.replace("    return 2 * n\n", "    for _ in range(4000):\n        pass\n    return 2 * n\n")
GEN = "def make(size, seed):\n    return [seed + size]\n"
TIMED = {
    **SUITE,
    "edge_cases": {"auto": False},
    "performance": {"inputs": {"file": "gen.py", "func": "make", "size": 50}, "iterations": 6, "rounds": 1},
}
SHORT = {**SUITE, "limits": {"cpu_s": 0.3, "wall_s": 1.0}}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reference.py").write_text(GOOD)
    (tmp_path / "gen.py").write_text(GEN)
    (tmp_path / "subs").mkdir()
    write(tmp_path, SUITE)
    return tmp_path


def write(place: Path, suite: dict[str, Any], **sources: str) -> None:
    (place / "suite.yaml").write_text(yaml.safe_dump(suite))
    for name, source in sources.items():
        (place / "subs" / f"{name}.py").write_text(source)


@pytest.fixture
def judge(judge_here: Any) -> Any:
    return judge_here


def page(place: Path, name: str) -> str:
    return unescape((place / "out" / name).read_text())


def row(ran: Any, name: str) -> str:
    return next(line for line in ran.out.splitlines() if line.startswith(name))


def test_every_format_says_how_much_slower_it_is(judge: Any, place: Path) -> None:
    write(place, TIMED, slow=SLOW)
    ran = judge("score", "suite.yaml", "subs", "--details", "--out", "out")
    assert ran.code == 0, ran.err
    found = re.search(r"[\d.]+ times slower \([\d.]+ to [\d.]+\)", row(ran, "slow.py"))
    assert found, ran.out
    assert "speed: CPU time: " in ran.out and "% interval" in ran.out
    for name in ("score.md", "score.html"):
        assert found[0] in page(place, name), name


def test_a_cap_is_named_with_the_flag_and_the_total_without_it(judge: Any, place: Path) -> None:
    cases = [{"id": str(n), "args": [n], "expected": 2 * n} for n in range(100, 116)]
    table = {n: 2 * n for n in range(100, 116)}
    write(place, {**SUITE, "cases": cases}, heart=f"T = {table}\ndef double(n):\n    return T.get(n, 7)\n")
    ran = judge("score", "suite.yaml", "subs", "--out", "out")
    found = re.search(r"capped at 15 by hardcoded, [\d.]+ without", row(ran, "heart.py"))
    assert found, ran.out
    assert found[0] in page(place, "score.html") and found[0] in page(place, "score.md")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ndef double(n:\n", "does not parse: line 2: '(' was never closed"),
        ("x = 1\n", "has no double"),
        ("import nothing_there\n", "does not load: submission.py:1: ModuleNotFoundError"),
        ("import os\ndef double(n):\n    os._exit(3)\n", "the process ended in the middle of a call (exit 3)"),
        ("def double(n):\n    raise NotImplementedError\n", "raises NotImplementedError"),
    ],
    ids=["syntax", "no entry", "import", "exit", "raises"],
)
def test_one_reason_of_all_failures_is_said_once(judge: Any, place: Path, source: str, words: str) -> None:
    write(place, SUITE, bad=source)
    ran = judge("score", "suite.yaml", "subs", "--details")
    assert words in row(ran, "bad.py")
    details = ran.out.split("\nbad.py\n")[1]
    assert details.count(words) == 1, details
    assert "for this reason" in details and details.count("expected") <= 1


def test_wrong_answers_are_not_one_reason(judge: Any, place: Path) -> None:
    write(place, SUITE, bad="def double(n):\n    return None\n")
    ran = judge("score", "suite.yaml", "subs", "--details")
    assert "for this reason" not in ran.out
    assert "failed two: (2) gave None, expected 4\n" in ran.out, "the reason only repeats it"


def test_an_endless_loop_is_asked_few_times_and_explained_as_time_outs(judge: Any, place: Path) -> None:
    cases = [{"id": str(n), "args": [n], "expected": 2 * n} for n in range(6)]
    write(place, {**SHORT, "cases": [*cases, SUITE["cases"][2]]}, bad="def double(n):\n    while True: pass\n")
    ran = judge("score", "suite.yaml", "subs")
    assert "time-outs: more than 0.3 s of CPU time" in row(ran, "bad.py")
    (item,) = json.loads((place / "runs" / "score-double" / "score.json").read_text())["submissions"]
    assert {case["status"] for case in item["cases"]} == {"timeout"}
    assert sum(not case["reason"].startswith("not asked") for case in item["cases"]) == 3
    assert any("3 time-outs before" in note for note in item["notes"])
    assert [part["value"] for part in item["dimensions"]][:2] == [0, 0]


def test_time_outs_of_the_edge_cases_leave_the_standard_ones_alone(judge: Any, place: Path) -> None:
    source = GOOD.replace("    return 2 * n\n", "    while n <= 0:\n        pass\n    return 2 * n\n")
    write(place, SHORT, bad=source)
    judge("score", "suite.yaml", "subs")
    (item,) = json.loads((place / "runs" / "score-double" / "score.json").read_text())["submissions"]
    assert item["dimensions"][0]["value"] == 1
    failed = [case for case in item["cases"] if not case["passed"]]
    assert {case["status"] for case in failed} == {"timeout"}
    assert sum(not case["reason"].startswith("not asked") for case in failed) == 3


def test_notes_are_short_and_details_are_whole_and_broken_between_words(judge: Any, place: Path) -> None:
    long = " ".join(f"word{number}" for number in range(60))
    write(place, SUITE, bad=f"def double(n):\n    raise RuntimeError({long!r})\n")
    ran = judge("score", "suite.yaml", "subs", "--details")
    assert "…" in row(ran, "bad.py") and "word20" not in row(ran, "bad.py")
    details = ran.out.split("\nbad.py\n")[1]
    assert max(map(len, details.splitlines())) <= 200
    for number in range(40):
        assert re.search(rf"\bword{number}\b", details), "no word is torn"


def test_a_baseline_with_a_wide_interval_is_warned_of(judge: Any, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place, TIMED)

    def record(low: float, high: float) -> Baseline:
        wide = Interval(median=1.0, low=low, high=high, confidence=0.98)
        hashes = {"suite_hash": "0" * 64, "solution_hash": "0" * 64}
        return Baseline(problem="double", ruler="reference", cpu=wide, wall=wide, iterations=6, loops=1, seed=0,
                        size=50, python="3.11", **hashes)  # fmt: skip

    monkeypatch.setattr("judge.score.record_baseline", lambda *_: record(0.8, 1.6))
    ran = judge("score", "baseline", "suite.yaml")
    assert ran.code == 0
    assert "the interval is wide (0.800 to 1.600)" in ran.err and "performance.iterations" in ran.err
    monkeypatch.setattr("judge.score.record_baseline", lambda *_: record(0.9, 1.1))
    assert "wide" not in judge("score", "baseline", "suite.yaml").err


def test_a_stored_baseline_is_named_with_its_value(judge: Any, place: Path) -> None:
    suite = {**TIMED, "performance": {**TIMED["performance"], "baseline": "baseline.json"}}
    write(place, suite, good=GOOD)
    assert judge("score", "baseline", "suite.yaml").code == 0
    ran = judge("score", "suite.yaml", "subs", "--details", "--out", "out")
    assert ran.code == 0, ran.err
    value = json.loads((place / "baseline.json").read_text())["cpu"]["high"]
    words = f"Held against a stored baseline: {value:.2f}×"
    assert words in ran.out
    assert words in page(place, "score.md") and words in page(place, "score.html")


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_an_interrupt_says_what_is_kept(judge: Any, place: Path) -> None:
    loop = "def double(n):\n    while True: pass\n"
    write(place, {**SUITE, "limits": {"cpu_s": 30}}, a_good=GOOD, b_loop=loop)
    command = [sys.executable, "-m", "judge", "score", "suite.yaml", "subs", "--jobs", "1"]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    with started:
        assert started.stderr is not None
        try:
            while "1/2 submissions" not in (line := started.stderr.readline()):
                assert line, "it ended too early"
            os.killpg(started.pid, signal.SIGINT)  # as a terminal does: the workers get it too
            rest = started.stderr.read()
            assert started.wait(30) == 130
        finally:
            started.kill()
    said = "judge: interrupted: 1 of 2 scored and kept; run again with the same arguments to continue"
    assert said in rest.splitlines()
    assert not (place / "runs" / "score-double" / "score.json").exists()
    (place / "subs" / "b_loop.py").write_text(BAD)
    assert "1 of 2 submissions are finished from before" in judge("score", "suite.yaml", "subs").err


REVIEW = {"submission": "bad.py", "item": "docstring", "value": 1.0, "author": "Mira", "reason": "private helper"}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({**REVIEW, "item": "docstrings"}, "did you mean docstring?"),
        ({**REVIEW, "item": "zzz"}, "items: docstring, hints"),
        ({**REVIEW, "autor": "Mira"}, "did you mean author?"),
        ({**REVIEW, "value": 3}, "entry 1: value"),
        ({key: value for key, value in REVIEW.items() if key != "reason"}, "entry 1: reason"),
    ],
    ids=["near item", "far item", "key", "value", "missing"],
)
def test_a_wrong_override_is_an_input_error(judge: Any, place: Path, entry: dict[str, Any], words: str) -> None:
    write(place, SUITE, bad=BAD)
    (place / "review.yaml").write_text(yaml.safe_dump([entry]))
    ran = judge("score", "suite.yaml", "subs", "--overrides", "review.yaml")
    assert ran.code == 2
    assert words in ran.err and "review.yaml" in ran.err


def test_an_override_is_noted_and_one_for_nobody_is_warned_of(judge: Any, place: Path) -> None:
    write(place, SUITE, bad=BAD)
    (place / "review.yaml").write_text(yaml.safe_dump([REVIEW, {**REVIEW, "submission": "bat.py"}]))
    ran = judge("score", "suite.yaml", "subs", "--overrides", "review.yaml")
    assert ran.code == 0
    assert "1 override by Mira" in row(ran, "bad.py")
    (warning,) = [line for line in ran.err.splitlines() if "bat.py" in line]
    assert warning.startswith("judge: warning: review.yaml: ") and "did you mean bad.py?" in warning


def test_lint_of_a_folder_names_the_file(judge: Any, place: Path) -> None:
    suite = place / "suite"
    suite.mkdir()
    (suite / "reference.py").write_text(GOOD)
    wrong = {**SUITE, "cases": [{"id": "two", "args": [2], "expected": 5}]}
    (suite / "suite.yaml").write_text(yaml.safe_dump(wrong))
    ran = judge("score", "lint", "suite")
    assert ran.code == 1
    assert re.search(rf"^{re.escape(str(Path('suite') / 'suite.yaml'))}:\d+:\d+: error: ", ran.out, re.M), ran.out
    (suite / "suite.yaml").write_text("schema: 1\nproblem: p\nwieghts: {}\n")
    ran = judge("score", "lint", "suite")
    assert ran.code == 2
    assert f"{Path('suite') / 'suite.yaml'}:3:1: " in ran.err


def test_compare_says_when_weights_differ_and_compares_shares(judge: Any, place: Path) -> None:
    write(place, SUITE, bad=BAD)
    judge("score", "suite.yaml", "subs", "--out", "one")
    write(place, {**SUITE, "weights": {"correctness": 10, "edge_cases": 70, "quality": 20}})
    judge("score", "suite.yaml", "subs", "--out", "two")
    ran = judge("score", "compare", "one", "two")
    assert "The weights differ" in ran.out and "Edge cases 31.2 and 70" in ran.out
    found = json.loads(judge("score", "compare", "one", "two", "--json").out)
    (item,) = found["submissions"]
    parts = {part["name"]: part for part in item["dimensions"]}
    assert parts["correctness"]["before"] == parts["correctness"]["after"] == 100
    assert parts["edge_cases"]["change"] == pytest.approx(0)
    assert "weights differ" not in judge("score", "compare", "one", "one").out
