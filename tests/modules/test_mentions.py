"""What a criterion names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.modules.locate.mentions import Named, mentions


def named(text: str, *kinds: Named) -> list[str]:
    return [item.text for item in mentions(text) if not kinds or item.kind in kinds]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("saved as `results/metrics/performance.txt`.", ["results/metrics/performance.txt"]),
        ("saved under `./results//figures/`", ["results/figures/"]),
        ("in `/workspace/src/train.py`", ["src/train.py"]),
        ("in src\\data\\load.py today", ["src/data/load.py"]),
        ("Save the model in models/saved_models/.", ["models/saved_models/"]),
        ('the report "final report.pdf" exists', ["final report.pdf"]),
        ("written to 'out.csv'", ["out.csv"]),
        ("see [the plot](results/loss.png)", ["results/loss.png"]),
        ("with `Dockerfile`", ["Dockerfile"]),
        ("file `a[1].txt`", ["a[1].txt"]),
        ("`тест/файл.txt` has text", ["тест/файл.txt"]),
        ("in `.github/workflows/ci.yml`", [".github/workflows/ci.yml"]),
    ],
)
def test_paths(text: str, expected: list[str]) -> None:
    assert named(text, Named.FILE, Named.FOLDER) == expected


@pytest.mark.parametrize(
    "text",
    [
        "accuracy of at least 0.95 at version 1.2.3",
        "e.g. a chart, i.e. a plot",
        "The repository at `https://github.com/x/y` has been downloaded.",
        "see https://example.org/data.csv",
        "`x = df.head()`",
    ],
)
def test_what_is_no_file(text: str) -> None:
    assert named(text, Named.FILE) == []


def test_patterns_and_symbols() -> None:
    assert named("as `results/epoch_<n>.png` and `out/*.csv`", Named.PATTERN) == ["results/epoch_<n>.png", "out/*.csv"]
    assert named("`load_data()` and `Trainer.fit` and train_model", Named.SYMBOL) == [
        "load_data",
        "Trainer.fit",
        "train_model",
    ]
    assert named('the "Pima Indians Diabetes" data', Named.TERM) == ["Pima Indians Diabetes"]


def test_words_with_a_slash_are_never_sure() -> None:
    assert all(not item.quoted for item in mentions("train and/or test, input/output"))


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    for item in mentions(text):
        assert item.text


@pytest.mark.parametrize(
    ("command", "path"),
    [("python src/predict.py", "src/predict.py"), ("python3 run.py --fast", "run.py"), ("bash demo.sh", "demo.sh")],
)
def test_a_command_names_its_script(command: str, path: str) -> None:
    (found,) = mentions(f"Running `{command}` prints it.")
    assert (found.text, found.kind) == (path, Named.FILE)
