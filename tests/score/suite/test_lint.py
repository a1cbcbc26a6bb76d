"""A suite is asked of its own reference, in the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.score.sandbox import Level, Sandbox
from judge.score.suite import load_suite
from judge.score.suite.findings import LintReport
from judge.score.suite.lint import lint_suite

FOLDER = Path(__file__).resolve().parents[3] / "devai" / "suites"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/suite.yaml"))
HEAD = """\
schema: 1
problem: double
target: {kind: function, entry: double, signature: "(items: list[int]) -> list[int]"}
reference: {file: reference.py}
edge_cases: {auto: false}
"""
RIGHT = "def double(items):\n    return [item * 2 for item in items]\n"


def _lint(folder: Path, text: str, reference: str = RIGHT, **files: str) -> LintReport:
    (folder / "suite.yaml").write_text(text, encoding="utf-8")
    for name, content in {"reference": reference, **files}.items():
        (folder / f"{name}.py").write_text(content, encoding="utf-8")
    return lint_suite(load_suite(folder), Sandbox(Level.NONE))


def _found(report: LintReport) -> list[tuple[int, str, str]]:
    return [(finding.line, finding.severity, finding.message) for finding in report.findings]


@pytest.mark.parametrize("name", ["door_limiter", "recent_cache"])
def test_bundled_suites_are_sound(name: str) -> None:
    report = lint_suite(load_suite(FOLDER / name), Sandbox(Level.NONE))
    assert report.ok and report.findings == ()
    assert report.asked >= 10


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_bundled_suites_are_sound(name: str) -> None:
    report = lint_suite(load_suite(FOLDER / name), Sandbox(Level.NONE))
    assert report.ok and report.findings == ()


def test_a_sound_suite(tmp_path: Path) -> None:
    report = _lint(tmp_path, HEAD + "cases:\n  - {args: [[1]], expected: [2]}\n  - {args: [[]], expected: []}\n")
    assert report == LintReport((), 2)


def test_a_wrong_expected_value_is_an_error_on_its_line(tmp_path: Path) -> None:
    report = _lint(tmp_path, HEAD + "cases:\n  - {args: [[1]], expected: [2]}\n  - {args: [[2]], expected: [5]}\n")
    assert not report.ok
    assert _found(report) == [(8, "error", "the reference fails: [0]: 4 is not 5; expected [5]; it gave [4]")]
    assert str(report.findings[0]).startswith("8:5: error: cases[1]: the reference fails")
    assert report.findings[0].as_dict()["line"] == 8


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("def double(items):\n    raise KeyError('x')\n", "KeyError"),
        ("def double(items):\n    items.append(1)\n    return [2]\n", "the call changed its arguments"),
        ("def double(items):\n    while True: pass\n", "it gave"),
        ("import os\ndef double(items):\n    os._exit(0)\n", "it gave"),
    ],
)
def test_a_reference_that_does_not_work(tmp_path: Path, reference: str, message: str) -> None:
    text = HEAD + "limits: {cpu_s: 0.5, wall_s: 2}\ncases:\n  - {args: [[1]], expected: [2]}\n"
    found = _found(_lint(tmp_path, text, reference))
    assert [line for line, severity, _ in found if severity == "error"] == [8]
    assert message in found[0][2]


def test_a_reference_that_cannot_be_loaded(tmp_path: Path) -> None:
    report = _lint(tmp_path, HEAD + "cases:\n  - {args: [[1]], expected: [2]}\n", "1 / 0\n" + RIGHT)
    assert not report.ok


def test_a_reference_that_changes_its_mind(tmp_path: Path) -> None:
    reference = "import random\ndef double(items):\n    return [random.random()]\n"
    report = _lint(tmp_path, HEAD + "cases:\n  - {args: [[1]], reference: true}\n", reference)
    assert [line for line, severity, _ in _found(report) if severity == "error"] == [7]


def test_an_oracle_that_accepts_anything_is_doubted(tmp_path: Path) -> None:
    cases = (
        "cases:\n  - {args: [[1]], property: ['checks.py:fine']}\n  - {args: [[2]], property: ['checks.py:short']}\n"
    )
    checks = "def fine(args, kwargs, output):\n    return True\n"
    checks += "def short(args, kwargs, output):\n    return len(output) == 1\n"
    report = _lint(tmp_path, HEAD + cases, checks=checks)
    assert report.ok
    assert [(line, severity) for line, severity, _ in _found(report)] == [(7, "warning")]
    assert "any answer passes" in report.findings[0].message


def test_a_checker_that_accepts_anything_is_doubted(tmp_path: Path) -> None:
    text = HEAD + "compare: {checker: 'checks.py:fine'}\ncases:\n  - {args: [[1]], expected: [2]}\n"
    report = _lint(tmp_path, text, checks="def fine(args, kwargs, output, expected):\n    return True\n")
    assert [(line, severity) for line, severity, _ in _found(report)] == [(8, "warning")]


def test_a_checker_that_fails_is_an_error(tmp_path: Path) -> None:
    text = HEAD + "compare: {checker: 'checks.py:bad'}\ncases:\n  - {args: [[1]], expected: [2]}\n"
    report = _lint(tmp_path, text, checks="def bad(args, kwargs, output, expected):\n    raise OSError('no')\n")
    assert [(line, severity) for line, severity, _ in _found(report)] == [(8, "error")]
    assert "cannot be judged" in report.findings[0].message


def test_repeated_questions_are_counted(tmp_path: Path) -> None:
    cases = "cases:\n" + "  - {args: [[1]], expected: [2]}\n" * 2 + "  - {args: [[true]], expected: [2]}\n"
    report = _lint(tmp_path, HEAD + cases)
    assert _found(report) == [(8, "warning", "asks the same as cases[0]: 3 cases are fewer questions than they seem")]


def test_a_generator_that_fails(tmp_path: Path) -> None:
    cases = "cases:\n  - {args: [[1]], expected: [2]}\n  - {generate: {file: gen.py, func: make}, expected: 1}\n"
    report = _lint(tmp_path, HEAD + cases, gen="def make(seed):\n    raise OSError('no input today')\n")
    assert [(line, severity) for line, severity, _ in _found(report)] == [(8, "error")]
    assert "no input today" in report.findings[0].message


def test_timed_inputs_that_ignore_their_seed(tmp_path: Path) -> None:
    text = (
        HEAD + "performance: {inputs: {file: gen.py, func: make, size: 3}}\ncases:\n  - {args: [[1]], expected: [2]}\n"
    )
    same = _lint(tmp_path, text, gen="def make(size, seed):\n    return [[1] * size]\n")
    assert [(line, severity) for line, severity, _ in _found(same)] == [(6, "warning")]
    assert "same input for every seed" in same.findings[0].message
    broken = _lint(tmp_path, text, gen="def make(size):\n    return [[1] * size]\n")
    assert [(line, severity) for line, severity, _ in _found(broken)] == [(6, "error")]
    other = _lint(tmp_path, text, gen="def make(size, seed):\n    return [[seed] * size]\n")
    assert other.findings == ()


def test_conditions_that_no_input_meets(tmp_path: Path) -> None:
    text = HEAD.replace("auto: false", "auto: true") + "inputs: {requires: ['len(items) > 10**9']}\n"
    report = _lint(tmp_path, text + "cases:\n  - {args: [[1]], expected: [2]}\n")
    assert any(severity in ("error", "warning") and line == 6 for line, severity, _ in _found(report)), report


def test_a_reference_that_lacks_the_properties_of_generated_inputs(tmp_path: Path) -> None:
    text = HEAD.replace("auto: false", "property: [sorted]") + "cases:\n  - {args: [[1]], expected: [2]}\n"
    report = _lint(tmp_path, text)
    assert not report.ok
    assert {finding.line for finding in report.findings if finding.severity == "error"} == {5}


def test_notes_of_loading_come_along(tmp_path: Path) -> None:
    report = _lint(tmp_path, HEAD + "cases:\n  - {args: [[no]], expected: [0]}\n")
    assert (7, "warning") in [(line, severity) for line, severity, _ in _found(report)]


def test_without_a_reference_only_the_text_is_read(tmp_path: Path) -> None:
    text = HEAD.replace("reference: {file: reference.py}\n", "")
    report = _lint(tmp_path, text + "cases:\n  - {args: [[1]], expected: [2]}\n")
    assert report.ok and report.asked == 0
    assert "there is no reference" in report.findings[0].message
