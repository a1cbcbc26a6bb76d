"""Alignment pages: drawn from data alone, and text stays text."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from judge.metrics.sampling import Sampling
from judge.metrics.subject import cover, measure
from judge.report.alignment import alignment_html, alignment_markdown, alignment_text, svg, tables
from judge.report.alignment.figures import steps
from judge.report.alignment.markdown import escape
from judge.results import AgentAlignment, AlignmentReport, Row, SubjectKind
from judge.schemas import VerdictValue

S, U = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED


@pytest.fixture
def report() -> AlignmentReport:
    scores = [0.9, 0.8, 0.6, 0.3, 0.2, 0.1]
    rows = [
        Row(f"t{n % 3}", n, "It <i>works</i>.", "", label=n % 2 == 0, verdict=S if s > 0.5 else U, score=s)
        for n, s in enumerate(scores)
    ]
    made = measure("a & b", SubjectKind.JUDGE, rows, Sampling(resamples=50), coverage=cover(rows, {"t0", "t1", "t2"}))
    agent = AgentAlignment(agent="X<Y", labels="l", tasks=3, requirements=6, labeled=6, human_met=3, judges=(made,))
    return AlignmentReport(resamples=50, seed=0, agents=(agent,), notes=("a note",))


def test_the_figures_are_well_formed(report: AlignmentReport) -> None:
    page = alignment_html(report)
    drawings = ["<svg viewBox" + part.split("</svg>")[0] + "</svg>" for part in page.split("<svg viewBox")[1:]]
    assert len(drawings) == 2
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    assert "a &amp; b: average precision" in page
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_the_area_under_the_steps_is_the_average_precision(report: AlignmentReport) -> None:
    curve = report.agents[0].judges[0].curve
    assert curve is not None
    spots = list(steps(curve))
    area = sum((x - before) * y for (before, _), (x, y) in pairwise(spots))
    assert area == pytest.approx(curve.average_precision.value)


def test_every_cell_is_in_every_output(report: AlignmentReport) -> None:
    text, note, page = alignment_text(report), alignment_markdown(report), alignment_html(report)
    page = page.replace("<small>", " ").replace("</small>", "")
    for item in tables(report):
        for cell in {cell for row in item.rows for cell in row}:
            assert cell in text
            assert escape(cell) in note
            assert svg.escape(cell) in page


def test_a_limit_keeps_the_first_rows_of_each_judge(report: AlignmentReport) -> None:
    (by_task,) = [item for item in tables(report) if item.title == "By task"]
    assert len(by_task.rows) == 3
    short = by_task.first(1)
    assert short.rows == by_task.rows[:1]
    assert "1 of 3 rows" in short.note


@pytest.mark.parametrize("width", [20, 60, 80, 1000])
def test_wide_tables_are_cut_by_columns_and_lose_nothing(report: AlignmentReport, width: int) -> None:
    for item in tables(report):
        parts = item.fitting(width)
        assert parts[0].heads[:2] == parts[-1].heads[:2] == item.heads[:2]
        shown = [head for part in parts for head in part.heads]
        assert set(shown) == set(item.heads)
        assert all(len(part.rows) == len(item.rows) for part in parts)
        assert width < 1000 or parts == (item,)


@pytest.mark.parametrize("text", ["a|b", "<b>", "*x*", "[x](y)", "# x", "@all", "`x`", "a\nb", "https://x.example"])
def test_markdown_is_defused(text: str) -> None:
    made = escape(text)
    assert "\n" not in made and "://" not in made
    for char in "|<>@":
        assert char not in made
