"""Scores in each format: the same numbers, hostile text harmless, within bounds."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from judge.errors import InputError
from judge.report.markdown import LIMIT
from judge.report.score import (
    score_badge_endpoint,
    score_badge_svg,
    score_html,
    score_junit,
    score_markdown,
    write_reports,
)
from judge.report.score.budget import ROOM, Budget
from judge.report.score.charts import SpeedRow, speeds
from judge.results.score import GrowthResult, Interval, ScoreReport, SubmissionReport

VOID = {"meta", "img", "br", "hr", "input", "wbr"}
STEERING = set("\u202e\u202c\u2066\u2069\u200b\x00\x1b\x07")
Make = Callable[..., Any]


class _Page(HTMLParser):
    """What a page would load or run; checks that it is well-formed."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.bad: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.text: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in {"style", "src", "action"}:
                self.bad.append(f"{tag} {name}")
            if name == "href" and not (value or "").startswith("#"):
                self.bad.append(f"{tag} {value}")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.targets.append((value or "")[1:])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("name", ["plain", "hostile", "big"])
def test_the_page_is_whole_and_loads_nothing(name: str, request: pytest.FixtureRequest) -> None:
    page = _Page(score_html(request.getfixturevalue(name)))
    assert page.open == page.bad == []
    assert page.tags.count("script") == 1
    assert page.tags.count("h1") == 1
    assert len(page.ids) == len(set(page.ids))
    assert set(page.targets) <= set(page.ids)


def test_the_page_shows_everything_of_a_submission(plain: ScoreReport) -> None:
    text = " ".join(_Page(score_html(plain)).text)
    for wanted in ("78.4", "36.0 / 40", "not measured", "not asked for", "empty inputs fail", "bad-1", "[1, 1], 3",
                   "None is not a list", "changed its arguments", "timeout", "hard-coded", "reads frames",
                   "Set from 0.25 to 1.00 by Ada: names of the paper", "line 3: 'f' has no docstring", "D103",
                   "1.94×", "the disk is full", "0.250", "71.5", "bubblewrap"):  # fmt: skip
        assert wanted in text, wanted
    assert "<polyline" not in text and score_html(plain).count('class="chart"') >= 5


def test_hostile_text_is_shown_as_text(hostile: ScoreReport) -> None:
    markup = score_html(hostile)
    assert "<script>window.pwned" not in markup
    assert not STEERING & set(markup)
    assert "</script><script>window.pwned=1</script>" in html.unescape(markup)


def test_the_page_stays_small_and_says_what_is_left_out(big: ScoreReport, report: Make, submission: Make) -> None:
    one = submission("a.py", 1.0, wrong=3000, right=30_000)
    long = "x" * 3_000
    cases = tuple(case.model_copy(update={"input": long, "actual": long}) for case in one.cases)
    huge = report(one.model_copy(update={"cases": cases}))
    budget = Budget.of(huge)
    assert budget.passed < 30_000
    markup = score_html(huge)
    assert len(markup) < ROOM * 1.5
    assert "more cases in score.json." in markup
    assert markup.count(">bad-") >= 1000  # what failed comes first
    assert len(score_html(big)) < ROOM * 1.7


def test_a_page_of_nothing(report: Make, submission: Make) -> None:
    assert "There is no submission." in score_html(report())
    bare = SubmissionReport(submission="a.py", total=0, uncapped=0, dimensions=())
    _Page(score_html(report(bare)))


def test_pictures_survive_strange_numbers(report: Make, submission: Make) -> None:
    odd = Interval(median=float("inf"), low=0.0, high=float("nan"), confidence=0.9)
    assert speeds([SpeedRow("a", odd)], "t") == ""
    assert "chart" in speeds([SpeedRow("a", odd, (1.0,))], "t")
    one = submission()
    growth = GrowthResult(
        sizes=(0, 1), reference_s=(0.0, 1.0), candidate_s=(1.0,), excess=0, low=0, high=0, faster=False
    )
    speed = one.performance.model_copy(update={"cpu": odd, "growth": growth})
    _Page(score_html(report(one.model_copy(update={"performance": speed}))))


def test_markdown_holds_table_details_and_overrides(plain: ScoreReport) -> None:
    text = score_markdown(plain)
    assert "### judge score: Two numbers that add up: 3 submissions, best 96.0, median 87.2, 1 not scored" in text
    rows = [line for line in text.splitlines() if line.startswith("| model&#95;a/1.py")]
    assert rows and "**78.4**" in rows[0] and "36.0 / 40" in rows[0] and "2 of 5 cases failed" in rows[0]
    assert "| Correctness | 36.0 / 40 | █████████░ 90% |  |" in text
    assert "**1.00** instead of 0.25, set by Ada&#58; names of the paper" in text
    assert "<code>&#91;1, 1&#93;, 3</code>" in text
    assert text.count("<details>") == text.count("</details>")


def test_markdown_of_hostile_text_is_inert(hostile: ScoreReport) -> None:
    text = score_markdown(hostile)
    assert len(text.encode()) <= LIMIT
    assert not STEERING & set(text)
    assert not [line for line in text.splitlines() if re.match(r"\s*::|\s*#\[", line)]
    tags = re.findall(r"<[^>]*>", text)
    assert set(tags) <= {"<details>", "</details>", "<summary>", "</summary>", "<b>", "</b>", "<code>", "</code>",
                         "<sub>", "</sub>"}  # fmt: skip
    assert "@" not in text and "](" not in text and "://" not in text and "`" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    heads = [line.count("|") for line in rows if set(line) <= set("|- :")]
    assert {line.count("|") for line in rows} == set(heads)


def test_the_check_before_a_comment_lets_our_markdown_pass(
    plain: ScoreReport, hostile: ScoreReport, big: ScoreReport, root: Path, tmp_path: Path
) -> None:
    spec = importlib.util.spec_from_file_location("body", root / ".github" / "actions" / "score" / "comment_body.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for one in (plain, hostile, big):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr("score.md", score_markdown(one))
        text = module.body(str(tmp_path / "a.zip"))
        assert text == f"<!-- judge-score -->\n{score_markdown(one)}"
        assert len(text.encode()) <= LIMIT


def test_markdown_stays_within_the_limit(big: ScoreReport, hostile: ScoreReport) -> None:
    for limit in (LIMIT, 30_000):
        text = score_markdown(big, limit)
        assert len(text.encode()) <= limit
        assert "To stay short: " in text
        assert text.count("<details>") == text.count("</details>")
    many = hostile.model_copy(update={"submissions": hostile.submissions * 300})
    text = score_markdown(many)
    assert len(text.encode()) <= LIMIT
    assert "more submissions." in text


def test_junit_counts_cases_and_keeps_names_apart(plain: ScoreReport, report: Make, submission: Make) -> None:
    suites = fromstring(score_junit(plain))
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("9", "2", "1")
    assert [suite.get("name") for suite in suites.findall("testsuite")] == [
        item.submission for item in plain.submissions
    ]
    failure = suites.find(".//failure")
    assert failure is not None and failure.get("type") == "timeout" and failure.get("message") == "None is not a list"
    assert "input: [1, 0], 3" in (failure.text or "")
    one = submission()
    same = one.model_copy(update={"cases": (one.cases[0], one.cases[0])})
    names = [case.get("name") for case in fromstring(score_junit(report(same))).findall(".//testcase")]
    assert names == ["written/bad-0", "written/bad-0 (2)"]


def test_junit_of_hostile_text_is_xml(hostile: ScoreReport) -> None:
    text = score_junit(hostile)
    assert not STEERING & set(text)
    assert len(fromstring(text).findall(".//testcase")) == 10


@pytest.mark.parametrize(
    ("total", "color"),
    [(100.0, "brightgreen"), (80.0, "green"), (60.0, "yellowgreen"), (50.0, "yellow"), (30.0, "orange"), (0.0, "red")],
)
def test_the_badge_says_the_total(total: float, color: str, report: Make, submission: Make) -> None:
    one = report(submission(total=total).model_copy(update={"flags": ()}))
    found = score_badge_endpoint(one)
    assert found == {"schemaVersion": 1, "label": "judge score", "message": f"{total:.1f} / 100", "color": color}
    drawing = fromstring(score_badge_svg(one))
    assert drawing.get("aria-label") == f"judge score: {total:.1f} / 100"


def test_the_badge_of_several_flagged_or_broken(plain: ScoreReport, hostile: ScoreReport, report: Make) -> None:
    assert score_badge_endpoint(plain)["message"] == "78.4 to 96.0, 3 submissions, errors"
    assert score_badge_endpoint(plain)["color"] == "lightgrey"
    assert score_badge_endpoint(hostile)["message"] == "3.0 to 78.4, 2 submissions, flagged"
    assert score_badge_endpoint(hostile)["color"] == "red"
    assert score_badge_endpoint(report())["message"] == "no submissions"
    assert "owned" not in score_badge_svg(hostile)


def test_all_files_are_written_and_can_be_read_again(tmp_path: Path, hostile: ScoreReport) -> None:
    names = write_reports(hostile, tmp_path)
    assert sorted(names) == sorted(path.name for path in tmp_path.iterdir())
    assert set(names) == {"score.json", "score.md", "score.html", "badge.svg", "badge.json", "junit.xml"}
    data = (tmp_path / "score.json").read_text(encoding="utf-8")
    assert not STEERING & set(data)
    assert ScoreReport.model_validate_json(data) == hostile
    assert json.loads((tmp_path / "badge.json").read_text())["schemaVersion"] == 1
    write_reports(hostile, tmp_path)
    assert len(list(tmp_path.iterdir())) == 6


def test_a_folder_that_is_not_there_is_an_input_error(tmp_path: Path, plain: ScoreReport) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_reports(plain, tmp_path / "absent")
