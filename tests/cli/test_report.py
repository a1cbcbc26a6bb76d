"""``judge report`` from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def run(judge: Callable[..., Any], lab: Any, tmp_path: Path) -> Path:
    """A finished run with a scripted model."""
    lab.add("Alpha", [[], [0], [1]])
    lab.add("Beta", [[]])
    lab.answer(("Alpha", 0, {"verdict": "UNSATISFIED", "reason": "it is not there"}))
    out = tmp_path / "run"
    ran = judge("run", lab.tasks, "--workspace", lab.workspaces, "--model", lab.model, "--out", out)
    assert ran.code == 0, ran.err
    return out


def test_the_page_goes_into_the_run_folder(judge: Callable[..., Any], run: Path) -> None:
    ran = judge("report", run)
    assert ran.code == 0
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "it is not there" in page and "75.00%" in page
    assert "75.00%" in ran.out and "(3 of 4)" in ran.out
    assert judge("report", run).code == 0  # a second time, over the first


def test_a_run_with_a_report_goes_on(judge: Callable[..., Any], lab: Any, run: Path) -> None:
    judge("report", run, "-f", "html", "-f", "junit")
    ran = judge("run", lab.tasks, "--workspace", lab.workspaces, "--model", lab.model, "--out", run)
    assert ran.code == 0


def test_several_formats_go_into_a_folder(judge: Callable[..., Any], run: Path, tmp_path: Path) -> None:
    names = ["html", "markdown", "junit", "csv", "json"]
    ran = judge(
        "report", run, *(word for name in names for word in ("--format", name)), "--out", tmp_path / "o", "--json"
    )
    assert [item["format"] for item in ran.json()["files"]] == names
    assert all(Path(item["path"]).is_file() for item in ran.json()["files"])
    assert ran.json()["runs"][0]["counts"]["independent"]["rate"] == 0.75
    assert json.loads((tmp_path / "o" / "report.json").read_text(encoding="utf-8"))["runs"][0]["counts"]["tasks"] == 2


def test_one_format_goes_into_a_file_or_to_stdout(judge: Callable[..., Any], run: Path, tmp_path: Path) -> None:
    assert judge("report", run, "-f", "junit", "-o", tmp_path / "x.xml").code == 0
    assert (tmp_path / "x.xml").read_text(encoding="utf-8").startswith("<?xml")
    ran = judge("report", run, "-f", "markdown", "-o", "-")
    assert ran.out.startswith("### judge: 3 of 4")


def test_judgments_and_several_runs_are_reported_here(judge: Callable[..., Any], run: Path) -> None:
    ran = judge("report", run / "judgments", run, "--labels", run / "judgments")
    assert ran.code == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "2 runs" in page and "100.00%" in page
    assert not (run / "judgments" / "report.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("absent",),
        (".", "--format", "html"),
        ("{run}", "--format", "pdf"),
        ("{run}", "--labels", "absent"),
        ("{run}", "--open", "maybe"),
        ("{run}", "-f", "html", "-f", "csv", "-o", "-"),
        ("{run}", "-o", "/dev/null/x/report.html"),
        (),
    ],
)
def test_wrong_use_is_one_line(judge: Callable[..., Any], run: Path, words: tuple[str, ...]) -> None:
    ran = judge("report", *(word.replace("{run}", str(run)) for word in words))
    assert ran.code == 2
    assert len(ran.err.strip().splitlines()) == 1 and "defect" not in ran.err
