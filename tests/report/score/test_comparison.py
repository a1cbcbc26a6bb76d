"""Two scorings side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judge.report.markdown import LIMIT
from judge.report.score import ScoreComparison, compare_reports, comparison_markdown, comparison_text
from judge.results.score import ScoreReport

Make = Callable[..., Any]


def _pair(report: Make, submission: Make) -> tuple[ScoreReport, ScoreReport]:
    """The first failed case fixed, the second otherwise wrong, the first passed one broken, one new."""
    before = submission("a.py", 70.0, wrong=2, right=2)
    bad, worse, good, kept = before.cases
    cases = (
        bad.model_copy(update={"passed": True, "actual": "[0, 1]", "reason": ""}),
        worse.model_copy(update={"actual": "[]"}),
        good.model_copy(update={"passed": False, "reason": "wrong now", "actual": "7"}),
        kept,
        kept.model_copy(update={"id": "new", "passed": False}),
    )
    dimensions = (before.dimensions[0].model_copy(update={"points": 40.0}), *before.dimensions[1:])
    after = before.model_copy(
        update={"cases": cases, "total": 74.0, "dimensions": dimensions, "flags": (), "source_hash": "ef" * 32}
    )
    return report(before), report(after)


def test_what_changed_is_named(report: Make, submission: Make) -> None:
    a, b = _pair(report, submission)
    found = compare_reports(a, b)
    assert found.same_suite and found.notes == ()
    (item,) = found.submissions
    assert (item.before, item.after, item.change) == (70.0, 74.0, 4.0)
    assert {part.name: part.change for part in item.dimensions} == {
        "correctness": 4.0,
        "edge_cases": 0.0,
        "performance": pytest.approx(0.0),
        "quality": None,
    }
    assert [(case.kind, case.id) for case in item.cases] == [
        ("broken", "good-0"),
        ("fixed", "bad-0"),
        ("differs", "bad-1"),
        ("added", "new"),
    ]
    assert (item.flags_added, item.flags_removed) == ((), ("hard-coded",))
    assert ScoreComparison.model_validate_json(found.model_dump_json()) == found


def test_a_report_does_not_differ_from_itself(plain: ScoreReport) -> None:
    found = compare_reports(plain, plain)
    assert [item.submission for item in found.submissions] == [item.submission for item in plain.submissions]
    assert all(not item.cases and not item.change and not item.flags_added for item in found.submissions)
    assert "<details>" not in comparison_markdown(found)


def test_submissions_that_are_on_one_side_only(plain: ScoreReport, report: Make, submission: Make) -> None:
    found = compare_reports(plain, report(submission("model_a/1.py"), submission("new.py")))
    rows = {item.submission: item for item in found.submissions}
    assert rows["new.py"].before is None and rows["new.py"].notes == ("not in A",)
    assert rows["model_a/2.py"].after is None and rows["model_a/2.py"].flags_removed == ()
    assert "not scored in A: the disk is full" in rows["model_b/1.py"].notes


def test_two_single_submissions_are_compared_by_any_name(report: Make, submission: Make) -> None:
    (item,) = compare_reports(report(submission("a.py")), report(submission("b.py"))).submissions
    assert item.submission == "a.py → b.py" and item.change == 0


def test_other_suites_sandboxes_and_seeds_are_said(plain: ScoreReport) -> None:
    other = plain.model_copy(update={"suite_hash": "00", "sandbox": "none", "seed": 5})
    found = compare_reports(plain, other)
    assert not found.same_suite and len(found.notes) == 3
    assert "The suites are not the same" in comparison_markdown(found)


def test_the_markdown_is_inert_and_bounded(hostile: ScoreReport, report: Make, submission: Make) -> None:
    a, b = _pair(report, submission)
    text = comparison_markdown(compare_reports(a, b))
    assert "| a.py | 70.0 | 74.0 | +4.0 | +4.0 | 0.0 | 0.0 | – |" in text
    assert "| broken | <code>boundary/good&#45;0</code> |" in text
    text = comparison_markdown(compare_reports(a, hostile))
    assert "@" not in text and "](" not in text and "<script" not in text and "\x1b" not in text
    many = [
        report(*(submission(f"{number}.py", total, wrong=40) for number in range(300))).model_copy(
            update={"seed": seed}
        )
        for seed, total in enumerate((50.0, 60.0))
    ]
    broken = many[1].model_copy(
        update={
            "submissions": tuple(
                item.model_copy(
                    update={"cases": tuple(case.model_copy(update={"passed": False}) for case in item.cases)}
                )
                for item in many[1].submissions
            )
        }
    )
    text = comparison_markdown(compare_reports(many[0], broken))
    assert len(text.encode()) <= LIMIT
    assert "are left out" in text


def test_the_text_for_a_terminal_says_the_same_and_steers_nothing(
    hostile: ScoreReport, report: Make, submission: Make
) -> None:
    a, b = _pair(report, submission)
    lines = [" ".join(line.split()) for line in comparison_text(compare_reports(a, b)).splitlines()]
    assert any(line.startswith("a.py 70.0 74.0 +4.0 +4.0 0.0 0.0") for line in lines)
    assert "broken boundary/good-0: ([0]) gave [], now 7" in lines
    text = comparison_text(compare_reports(a, hostile))
    assert not set("\x1b\x00\x07\u202e\u2066") & set(text)
    assert not [line for line in text.splitlines() if line.startswith("::")]
