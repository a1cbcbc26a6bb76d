"""Sound files are not called unsound, nor the reverse."""

from __future__ import annotations

from typing import Any

import pytest

from judge.readers import Document, Family, State
from judge.rules.criterion import parse_criterion
from judge.rules.soundness import artefact_trouble
from judge.rules.vocabulary import load_vocabulary


def document(path: str, family: Family, text: str = "", state: State = State.SOUND, **facts: Any) -> Document:
    return Document(path, path.rpartition(".")[2], family, state, text, facts)


@pytest.mark.parametrize(
    "given",
    [
        document("src/__init__.py", Family.CODE, state=State.EMPTY),
        document("pkg/py.typed", Family.BINARY, state=State.EMPTY),
        document("results.md", Family.MARKUP, "Accuracy: 0.93\n"),
        document("report.pdf", Family.DOCUMENT, "Accuracy: 0.93"),
        document("plot.pdf", Family.DOCUMENT, "", images=0, figure_pages=1),
        document("slides.pptx", Family.DOCUMENT, "Results", charts=1),
        document(
            "map.html", Family.MARKUP, "<html><script>var a={placeholder:'TODO'};</script><div id='m'></div></html>"
        ),
        document("still.gif", Family.IMAGE, frames=1),
        document("README.md", Family.MARKUP, "# App\n\nA TODO list application. Run `python app.py` to start it.\n"),
        document(
            "report.md",
            Family.MARKUP,
            "# Errors\nTraceback (most recent call last)\n  File x\nValueError: x\n" + "It was mended so.\n" * 9,
        ),
        document(
            "bn.npz",
            Family.ARRAY,
            arrays={
                "gamma": {"values": 64, "all_constant": True, "min": 1.0},
                "beta": {"values": 64, "all_constant": True, "min": 0.0},
            },
        ),
    ],
    ids=lambda given: given.path,
)
def test_sound(given: Document) -> None:
    assert artefact_trouble(given) == ""


@pytest.mark.parametrize(
    "given",
    [
        document("src/main.py", Family.CODE, state=State.EMPTY),
        document("report.docx", Family.DOCUMENT, "Title"),
        document("plot.pdf", Family.DOCUMENT, "0.0 0.2 0.4", figure_pages=1, empty_axes=True),
        document("page.html", Family.MARKUP, "<html><body><h1>Report</h1><p>Insert the results here</p></body></html>"),
        document("notes.md", Family.MARKUP, "TODO: write the report\n"),
        document("out.txt", Family.TEXT, "start\nTraceback (most recent call last)\n  File x\nValueError: x\n"),
        document("p.npy", Family.ARRAY, values=64, all_constant=True, min=0.0),
    ],
    ids=lambda given: given.path,
)
def test_unsound(given: Document) -> None:
    assert artefact_trouble(given)


@pytest.mark.parametrize(
    ("criterion", "given", "sound"),
    [
        ("The mask is saved as `mask.png`.", document("mask.png", Family.IMAGE, state=State.BLANK), True),
        ("The plot is saved as `plot.png`.", document("plot.png", Family.IMAGE, state=State.BLANK), False),
        ("The bias is initialised to zeros in `b.npy`.",
         document("b.npy", Family.ARRAY, values=64, all_constant=True, min=0.0), True),
        ("The predictions are saved in `b.npy`.",
         document("b.npy", Family.ARRAY, values=64, all_constant=True, min=0.0), False),
        ("The API is described in `api.md`.",
         document("api.md", Family.MARKUP, "# API\nGET /users/{user_id} returns a user with name and address."), True),
        ("The accuracy is in `r.txt`.", document("r.txt", Family.TEXT, "Accuracy: {accuracy:.2f} of 100"), False),
    ],
)  # fmt: skip
def test_what_the_criterion_asks_for_counts(criterion: str, given: Document, sound: bool) -> None:
    assert (artefact_trouble(given, parse_criterion(criterion, load_vocabulary())) == "") is sound
