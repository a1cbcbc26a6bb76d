"""``judge score`` as a user runs it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from judge.score import Level, open_sandbox

SUITE: dict[str, Any] = {
    "schema": 1,
    "problem": "double",
    "target": {"kind": "function", "entry": "double", "signature": "(n: int) -> int"},
    "reference": {"file": "reference.py"},
    "cases": [
        {"id": "two", "args": [2], "expected": 4},
        {"id": "text", "args": ["x"], "raises": "TypeError"},
        {"id": "zero", "tier": "edge", "category": "empty", "args": [0], "expected": 0},
    ],
    "edge_cases": {"random": {"examples": 20}},
}
GOOD = '''"""Doubles."""


def double(n: int) -> int:
    """Doubles a number.

    Args:
        n: The number.

    Returns:
        Twice as much.

    Raises:
        TypeError: It is no number.
    """
    if not isinstance(n, int):
        raise TypeError(n)
    return 2 * n
'''
BAD = "def double(n):\n    if not isinstance(n, int):\n        raise TypeError(n)\n    return 2 * abs(n)\n"
TOTAL = ("correctness", "edge_cases", "performance", "quality")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.yaml").write_text(yaml.safe_dump(SUITE))
    (tmp_path / "reference.py").write_text(GOOD)
    (tmp_path / "subs").mkdir()
    (tmp_path / "subs" / "good.py").write_text(GOOD)
    (tmp_path / "subs" / "bad.py").write_text(BAD)
    return tmp_path


@pytest.fixture
def judge(judge_here: Any) -> Any:
    return judge_here


def scores(place: Path) -> dict[str, Any]:
    report = json.loads((place / "runs" / "score-double" / "score.json").read_text())
    return {item["submission"]: item for item in report["submissions"]}


def test_scores_a_folder_and_writes_all_reports(judge: Any, place: Path) -> None:
    ran = judge("score", "suite.yaml", "subs")
    assert ran.code == 0, ran.err
    assert "good.py" in ran.out and "bad.py" in ran.out and "performance not measured" in ran.out
    out = place / "runs" / "score-double"
    names = {path.name for path in out.iterdir()}
    assert {"score.json", "score.md", "score.html", "badge.svg", "badge.json", "junit.xml"} <= names
    found = scores(place)
    good = {part["name"]: part for part in found["good.py"]["dimensions"]}
    assert tuple(good) == TOTAL
    assert good["correctness"]["value"] == good["edge_cases"]["value"] == 1
    assert good["performance"]["value"] is None and good["performance"]["weight"] == 0
    assert sum(part["weight"] for part in good.values()) == pytest.approx(100)
    assert good["correctness"]["weight"] == pytest.approx(100 * 40 / 80)
    assert found["bad.py"]["total"] < found["good.py"]["total"]
    smallest = [item for item in found["bad.py"]["counterexamples"] if item["source"] == "random"]
    assert "-1" in {item["input"] for item in smallest}, "the counterexample is shrunken"


def test_a_second_run_scores_nothing_again_and_the_same_seed_gives_the_same(judge: Any, place: Path) -> None:
    assert judge("score", "suite.yaml", "subs").code == 0
    first = scores(place)
    ran = judge("score", "suite.yaml", "subs")
    assert "2 of 2 submissions are finished from before" in ran.err
    assert scores(place) == first
    assert judge("score", "suite.yaml", "subs", "--fresh").code == 0
    again = scores(place)
    for item in (*first.values(), *again.values()):
        item.pop("seconds")
    assert again == first
    (place / "subs" / "bad.py").write_text(GOOD)
    ran = judge("score", "suite.yaml", "subs")
    assert "1 of 2 submissions are finished" in ran.err
    assert scores(place)["bad.py"]["total"] == scores(place)["good.py"]["total"]


def test_the_gate(judge: Any, place: Path) -> None:
    ran = judge("score", "suite.yaml", "subs", "--fail-under", "99")
    assert ran.code == 1
    assert "bad.py" in ran.err and "below 99" in ran.err
    assert judge("score", "suite.yaml", "subs/good.py", "--fail-under", "90").code == 0


def test_json_is_the_report_alone(judge: Any, place: Path) -> None:
    ran = judge("score", "--json", "suite.yaml", "subs")
    report = json.loads(ran.out)
    assert report["schema_version"] == 1 and report["suite"] == "double"
    assert report == json.loads((place / "runs" / "score-double" / "score.json").read_text())


def test_samples_of_models(judge: Any, place: Path) -> None:
    for model, texts in {"one": (GOOD, BAD, BAD), "two": (GOOD, GOOD, GOOD)}.items():
        folder = place / "models" / model
        folder.mkdir(parents=True)
        for number, text in enumerate(texts):
            (folder / f"{number}.py").write_text(text)
    report = json.loads(judge("score", "suite.yaml", "models", "--json").out)
    rates = {item["model"]: item for item in report["pass_at_k"]}
    assert rates["one"]["samples"] == 3 and rates["one"]["passed"] == 1
    assert rates["one"]["values"]["1"] == pytest.approx(1 / 3)
    assert rates["two"]["values"]["1"] == 1
    assert {item["model"] for item in report["models"]} == {"one", "two"}


def test_lint(judge: Any, place: Path) -> None:
    assert judge("score", "lint", "suite.yaml").code == 0
    (place / "reference.py").write_text(GOOD.replace("2 * n", "2 * n + (n == 2)"))
    ran = judge("score", "lint", "suite.yaml")
    assert ran.code == 1
    assert "5 is not 4" in ran.out and "suite.yaml:2" in ran.out


def test_every_mistake_of_a_suite_with_its_line(judge: Any, place: Path) -> None:
    (place / "suite.yaml").write_text(
        "schema: 1\nproblem: p\ntarget: {kind: funktion}\nwieghts: {}\ncases:\n  - {args: 3}\n"
    )
    ran = judge("score", "suite.yaml", "subs")
    assert ran.code == 2
    assert "suite.yaml:3" in ran.err and "suite.yaml:4" in ran.err and "suite.yaml:6" in ran.err
    assert "weights" in ran.err


def test_generate_writes_cases_that_a_suite_can_hold(judge: Any, place: Path) -> None:
    shown = judge("score", "generate", "suite.yaml")
    assert shown.code == 0 and "cases" in shown.out
    assert judge("score", "generate", "suite.yaml", "--out", "cases.yaml").code == 0
    text = (place / "cases.yaml").read_text()
    suite = yaml.safe_dump({key: value for key, value in SUITE.items() if key != "cases"}) + text
    (place / "suite.yaml").write_text(suite)
    assert judge("score", "lint", "suite.yaml").code == 0
    assert judge("score", "suite.yaml", "subs/good.py").code == 0
    cases = scores(place)["good.py"]["cases"]
    assert len([case for case in cases if case["source"] == "written"]) > 5
    assert all(case["passed"] for case in cases)


def test_compare(judge: Any, place: Path) -> None:
    judge("score", "suite.yaml", "subs", "--out", "one")
    (place / "subs" / "bad.py").write_text(GOOD)
    judge("score", "suite.yaml", "subs", "--out", "two")
    ran = judge("score", "compare", "one", "two")
    assert ran.code == 0 and "bad" in ran.out
    changed = json.loads(judge("score", "compare", "one", "two/score.json", "--json").out)
    assert changed
    assert judge("score", "compare", "one", "nowhere").code == 2
    (place / "x.json").write_text('{"suite": 3}')
    ran = judge("score", "compare", "one", "x.json")
    assert ran.code == 2 and len([line for line in ran.err.splitlines() if "x.json" in line]) == 1


def test_a_reviewer_overrides_an_item_of_quality_and_it_stays_visible(judge: Any, place: Path) -> None:
    review = {"submission": "bad.py", "item": "docstring", "value": 1.0, "author": "Mira", "reason": "private helper"}
    (place / "review.yaml").write_text(yaml.safe_dump([review]))
    judge("score", "suite.yaml", "subs")
    before = scores(place)["bad.py"]
    assert judge("score", "suite.yaml", "subs", "--overrides", "review.yaml").code == 0
    after = scores(place)["bad.py"]
    item = next(item for item in after["quality"]["items"] if item["name"] == "docstring")
    assert item["value"] == 1.0 and item["author"] == "Mira" and item["overridden_from"] is not None
    assert after["total"] > before["total"]
    unchanged = ("correctness", "edge_cases")
    assert [part["value"] for part in after["dimensions"] if part["name"] in unchanged] == [
        part["value"] for part in before["dimensions"] if part["name"] in unchanged
    ]
    assert "Mira" in (place / "runs" / "score-double" / "score.html").read_text()
    (place / "review.yaml").write_text(yaml.safe_dump([{**review, "value": 7}]))
    ran = judge("score", "suite.yaml", "subs", "--overrides", "review.yaml")
    assert ran.code == 2 and "entry 1" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", "nowhere.yaml", "subs"), "nowhere.yaml"),
        (("score", "suite.yaml", "nowhere"), "nowhere"),
        (("score", "suite.yaml"), "SUBMISSION"),
        (("score", "suite.yaml", "subs", "--jobs", "0"), "--jobs"),
        (("score", "suite.yaml", "subs", "--fail-under", "101"), "--fail-under"),
        (("score", "baseline", "suite.yaml"), "inputs for timing"),
    ],
)
def test_wrong_use_is_one_line(judge: Any, place: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = judge(*arguments)
    assert ran.code == 2
    assert words.lower() in ran.err.lower() and "Traceback" not in ran.err


@pytest.mark.parametrize(
    "source",
    ["", "def double(n:\n", "import nothing_there\n", "x = 1\n", "\x00", "raise SystemExit(0)\n", "while True: pass\n"],
    ids=["empty", "syntax", "import", "no entry", "nul", "exit", "loop"],
)
def test_broken_submissions_get_few_points_and_no_error(judge: Any, place: Path, source: str) -> None:
    suite = {**SUITE, "limits": {"cpu_s": 0.5, "wall_s": 1.0}}
    (place / "suite.yaml").write_text(yaml.safe_dump(suite))
    (place / "subs" / "bad.py").write_text(source)
    ran = judge("score", "suite.yaml", "subs")
    assert ran.code == 0, ran.err
    found = scores(place)
    bad = {part["name"]: part["value"] for part in found["bad.py"]["dimensions"]}
    assert bad["correctness"] == 0 and bad["edge_cases"] == 0 and not found["bad.py"]["error"]
    assert found["good.py"]["total"] > 95


def test_required_means_a_proven_sandbox_or_nothing(judge: Any, place: Path) -> None:
    best = open_sandbox("best")
    ran = judge("score", "suite.yaml", "subs", "--sandbox", "required")
    if best.level in (Level.BUBBLEWRAP, Level.NAMESPACES) and all(best.barriers.values()):
        assert ran.code == 0
        assert best.level.value in ran.out
    else:
        assert ran.code == 2
        assert "sandbox" in ran.err


def test_without_a_sandbox_it_says_so(judge: Any, place: Path) -> None:
    ran = judge("score", "suite.yaml", "subs", "--sandbox", "none")
    assert ran.code == 0
    assert "none" in ran.out and "sandbox" in ran.err


def test_texts_that_no_file_can_hold_or_that_would_steer_a_terminal(judge: Any, place: Path) -> None:
    (place / "subs" / "bad.py").write_text('raise Exception("\\ud800\\n::error::x\\x1b[2J")\n')
    (place / "subs" / "a\n::error file=x::pwned\x1b]0;t\x07.py").write_text(BAD)
    ran = judge("score", "suite.yaml", "subs", "--details")
    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out + ran.err
    assert not [line for line in (ran.out + ran.err).splitlines() if line.startswith("::")]
    assert len(scores(place)) == 3


def test_a_pattern_that_a_message_makes_slow_does_not_hang(judge: Any, place: Path) -> None:
    cases = [{"id": "slow", "args": ["x"], "raises": "TypeError", "match": "^(a+)+$"}]
    (place / "suite.yaml").write_text(yaml.safe_dump({**SUITE, "cases": cases, "edge_cases": {"auto": False}}))
    (place / "subs" / "bad.py").write_text("def double(n):\n    raise TypeError('a' * 60 + '!')\n")
    assert judge("score", "suite.yaml", "subs/bad.py").code == 0
    assert not scores(place)["bad.py"]["cases"][0]["passed"]


def test_an_exception_of_the_same_name_is_another_one_and_a_text_of_a_subclass_is_text(judge: Any, place: Path) -> None:
    (place / "subs" / "bad.py").write_text("class TypeError(Exception): pass\n" + GOOD)
    assert judge("score", "suite.yaml", "subs").code == 0
    case = next(case for case in scores(place)["bad.py"]["cases"] if case["id"] == "text")
    assert not case["passed"]
    suite = {**SUITE, "cases": [{"args": [3], "property": ["idempotent"]}], "edge_cases": {"auto": False}}
    (place / "suite.yaml").write_text(yaml.safe_dump(suite))
    (place / "subs" / "bad.py").write_text(
        "class N(int): pass\ndef double(n):\n    if type(n) is not int: raise TypeError\n    return N(abs(n))\n"
    )
    assert judge("score", "suite.yaml", "subs/bad.py").code == 0
    assert scores(place)["bad.py"]["cases"][0]["passed"]


def test_jobs_are_what_was_asked_for(judge: Any, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def score_all(*arguments: Any) -> tuple[()]:
        asked.append(arguments[4])
        return ()

    monkeypatch.setattr("judge.engine.scoring.score_all", score_all)
    judge("score", "suite.yaml", "subs", "--jobs", "7", "--out", "seven")
    judge("score", "suite.yaml", "subs", "--out", "all")
    assert asked == [7, os.cpu_count()]
