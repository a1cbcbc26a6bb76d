"""The formats: the same numbers in each, hostile text harmless in each, and within bounds."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from judge.engine.reporting import load_report
from judge.report import FORMATS, Report
from judge.report.junit import clean
from judge.report.markdown import LIMIT, text, to_markdown

VOID = {"meta", "img", "br", "hr", "input", "wbr"}


class _Page(HTMLParser):
    """Collects what a page would load or run, and checks that it is well-formed."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.handlers: list[str] = []
        self.count: dict[str, int] = {}
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.handlers.append(f"{tag} {name}")
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and (value or "").startswith("#"):
                self.targets.append((value or "")[1:])
            elif name in {"href", "src", "action", "data"}:
                self.loads.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _render(path: Path, name: str) -> str:
    return FORMATS[name].render(load_report([path]))


def test_every_format_has_the_same_numbers(small: Path) -> None:
    report = load_report([small])
    counts = report.runs[0].counts
    met = f"{counts.independent.met} of {counts.independent.of}"
    assert met == "2 of 3"
    assert met in to_markdown(report) and met in FORMATS["html"].render(report)
    value = json.loads(FORMATS["json"].render(report))
    assert value["runs"][0]["counts"]["independent"] == {"met": 2, "of": 3, "rate": pytest.approx(2 / 3)}
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"].render(report))))
    assert [row["verdict"] for row in rows] == ["UNSATISFIED", "SATISFIED", "SATISFIED", "ERROR", "PENDING"]
    suites = fromstring(FORMATS["junit"].render(report))
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors"), suites.get("skipped")) == (
        "5",
        "1",
        "1",
        "1",
    )


def test_junit_has_a_case_a_requirement(small: Path) -> None:
    suites: Element = fromstring(_render(small, "junit"))
    cases = suites.findall("./testsuite/testcase")
    kinds = [next((child.tag for child in case if child.tag != "system-out"), "passed") for case in cases]
    assert kinds == ["failure", "passed", "passed", "error", "skipped"]
    error = cases[3].find("error")
    assert error is not None and error.get("message") == "the provider was away"


def test_junit_of_a_gated_requirement(folders: Any, tmp_path: Path) -> None:
    run = folders.RunWriter(tmp_path / "run")
    run.task("T", [{"criteria": "x"}, {"criteria": "y", "prerequisites": [0]}])
    run.verdict("T", 0, "UNSATISFIED", votes=["UNSATISFIED"])
    run.verdict("T", 1, "UNSATISFIED", blocked_by=[0], confidence=1.0)
    suites = fromstring(_render(run.close(gate=True), "junit"))
    assert [item.get("type") for item in suites.iter("failure")] == ["unsatisfied", "blocked"]


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_can_stand_in_xml(value: str) -> None:
    root = Element("a", {"b": clean(value)})
    root.text = clean(value)
    from xml.etree.ElementTree import tostring

    assert (fromstring(tostring(root, encoding="unicode")).text or "") == clean(value)


def test_hostile_text_is_valid_xml_csv_and_json(hostile: Path) -> None:
    assert len(fromstring(_render(hostile, "junit")).findall(".//testcase")) == 15
    text = _render(hostile, "csv")
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1 and len(rows) == 16
    assert not [cell for row in rows[1:] for cell in row if re.match(r"[\s\xa0]*[=+@|%-]", cell)]
    assert json.loads(_render(hostile, "json"))["runs"]
    for name in FORMATS:
        assert not set(_render(hostile, name)) & set("\u202e\u2066\x00\x1b\x07")


def test_hostile_text_is_no_markup(hostile: Path) -> None:
    markup = _render(hostile, "html")
    page = _Page(markup)
    assert page.open == []
    assert page.loads == [] and page.handlers == []
    assert page.count["script"] == 1 and page.count["style"] == 2 and page.count["h1"] == 1
    assert not set(page.count) & {"iframe", "base", "link", "object", "embed", "form"}
    assert page.count.get("meta") == 5
    assert len(page.ids) == len(set(page.ids))
    assert set(page.targets) - set(page.ids) == set()
    assert len(markup) < 3_000_000 and "characters left out" in markup
    assert "default-src &#x27;none&#x27;" in markup or "default-src 'none'" in markup


def test_a_picture_is_shown_as_the_judge_saw_it(folders: Any, tmp_path: Path) -> None:
    import base64
    import hashlib

    run = folders.RunWriter(tmp_path / "run")
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 30)
    name = f"{hashlib.sha256(data).hexdigest()}.b64"
    (tmp_path / "run" / "evidence" / name).write_bytes(data)
    image = {"media_type": "image/png", "width": 4, "height": 4, "file": name}
    run.task("T", [{"criteria": "x"}])
    run.verdict("T", 0, "SATISFIED", evidence_hash=run.evidence({"path": "a.png", "images": [image]}))
    markup = _render(run.close(), "html")
    assert _Page(markup).loads == [f"data:image/png;base64,{data.decode()}"]


def test_evidence_that_several_were_judged_on_stands_once(small: Path) -> None:
    markup = _render(small, "html")
    assert markup.count("1| line 1 of load") == 1
    assert markup.count("only for the first") == 1


def test_a_file_with_much_evidence_stays_small(folders: Any, tmp_path: Path) -> None:
    run = folders.RunWriter(tmp_path / "run")
    run.task("T", [{"criteria": "x"} for _ in range(60)])
    for number in range(60):
        items = [{"path": f"{number}-{part}.txt", "text": f"{number}&" * 60_000} for part in range(3)]
        run.verdict("T", number, "SATISFIED", evidence_hash=run.evidence(*items))
    assert len(_render(run.close(), "html").encode()) < 10_000_000


def _shown(markdown: str) -> str:
    return html.unescape(markdown).replace("\u2060", "")


@given(st.text(max_size=200))
def test_any_text_is_one_harmless_line_of_markdown(value: str) -> None:
    out = text(value)
    assert "\n" not in out and "\r" not in out
    assert not set(out) & set("<>\"'`*_[](){}|~@:!$=\\^-")
    assert re.sub(r"&#\d+;", "", out).count("&") == 0 and re.sub(r"&#\d+;", "", out).count("#") == 0


@pytest.mark.parametrize(
    "value",
    [
        "@octocat",
        "#1",
        "octo/repo#12",
        "GH-7",
        "https://a.example",
        "www.a.example",
        "a@b.example",
        "deadbeefcafe",
        ":tada:",
    ],
)
def test_nothing_becomes_a_link_on_github(value: str) -> None:
    page = html.unescape(text(value))
    for pattern in (
        r"@[a-z0-9]", r"#\d", r"gh-\d", r"[a-z]+://", r"www\.", r"\b[0-9a-f]{7,40}\b", r":[a-z]+:",
    ):  # fmt: skip
        assert not re.search(pattern, page, re.IGNORECASE), pattern
    assert _shown(text(value)) == value


def test_hostile_markdown_is_balanced_and_its_own(hostile: Path) -> None:
    out = _render(hostile, "markdown")
    tags = re.findall(r"<[^>]*>", out)
    assert set(tags) <= {"<details>", "<summary>", "</summary>", "</details>", "<sub>", "</sub>", "<code>", "</code>"}
    assert out.count("<details>") == out.count("</details>")
    assert "](" not in out and "```" not in out and "@" not in out
    assert all(line.count("|") in {0, 7} for line in out.splitlines())
    assert len(out.encode()) <= LIMIT


def test_a_long_run_fits_into_a_comment(folders: Any, tmp_path: Path) -> None:
    run = folders.RunWriter(tmp_path / "run")
    for number in range(700):
        name = f"Task{number:03}"
        run.task(name, [{"criteria": "c " * 300}, {"criteria": "d"}])
        run.verdict(name, 0, "SATISFIED", reason="r " * 500)
        run.verdict(name, 1, "UNSATISFIED" if number == 650 else "SATISFIED")
    report = load_report([run.close()])
    out = to_markdown(report)
    assert len(out.encode()) <= LIMIT
    assert "left out" in out and out.index("Task650") < out.index("Task000")
    assert 0 < len(to_markdown(report, 4_000)) <= 4_000


def test_an_empty_report_renders() -> None:
    for item in FORMATS.values():
        assert item.render(Report(title="none", version="0", runs=()))
