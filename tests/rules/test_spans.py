"""Quoted terms and paths in criteria."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.rules.spans import SpanKind, find_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("saved as `results/metrics.txt`.", [("results/metrics.txt", SpanKind.FILE)]),
        ("under `models/saved_models/`.", [("models/saved_models/", SpanKind.FOLDER)]),
        ('visualized using "seaborn," and saved', [("seaborn", SpanKind.WORDS)]),
        ("loaded in 'src/data_loader.py'.", [("src/data_loader.py", SpanKind.FILE)]),
        ("Save it in models/saved_models/.", [("models/saved_models/", SpanKind.FOLDER)]),
        ("Write out.csv next to it", [("out.csv", SpanKind.FILE)]),
        ("from [this link](https://example.org/a.zip), used", [("https://example.org/a.zip", SpanKind.URL)]),
        ("the `--dry-run` flag", [("--dry-run", SpanKind.FLAG)]),
        ("answers `GET /items/{id}`", [("GET /items/{id}", SpanKind.ROUTE)]),
        ('calls `load_dataset("x/y")` there', [('load_dataset("x/y")', SpanKind.CODE)]),
        ("the `app_id` field", [("app_id", SpanKind.IDENTIFIER)]),
        ('created using "D3.js" or "Bokeh"', [("D3.js", SpanKind.WORDS), ("Bokeh", SpanKind.WORDS)]),
        ('The "CNN/Daily Mail" news', [("CNN/Daily Mail", SpanKind.WORDS)]),
        ("It isn't what it's called", []),
        ("about 3.5 percent, v1.2 of it, e.g. this", []),
    ],
)
def test_spans_are_told_apart(text: str, expected: list[tuple[str, SpanKind]]) -> None:
    assert [(span.text, span.kind) for span in find_spans(text)] == expected


def test_paths_are_brought_to_one_form() -> None:
    assert find_spans("`./results//a.txt`")[0].path == "results/a.txt"


@given(st.text(max_size=300))
def test_any_text_gives_ordered_spans_that_do_not_overlap(text: str) -> None:
    spans = find_spans(text)
    for left, right in itertools.pairwise(spans):
        assert left.end <= right.start
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
