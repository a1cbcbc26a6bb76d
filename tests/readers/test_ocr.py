"""Writing on pictures, videos and scanned pages: read when it is asked for, told when it cannot be."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from judge.readers import Document, DocumentStore, Family, Limits, Source, State, Writings
from judge.readers import picture as picture_reader
from judge.readers import writing as writing_reader
from judge.readers.ocr import Line, figure_labels
from judge.workspace import Workspace
from tests.readers.formats.makers import figure, save, video

Read = Callable[..., Document]

needs_ocr = pytest.mark.skipif(not writing_reader.ocr_installed(), reason="needs judge[ocr]")


def encoded(picture: Image.Image, format_: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, format_)
    return out.getvalue()


@needs_ocr
def test_a_figure_is_read_with_its_labels(read: Read) -> None:
    found = read("a.png", encoded(figure(title="Training loss per epoch")), ocr=True)
    assert found.facts["title"] == "Training loss per epoch"
    assert (found.facts["x_label"], found.facts["y_label"]) == ("Epoch", "Accuracy (%)")
    assert found.facts["writing_score"] > 0.8
    assert "Training loss per epoch" in found.text
    assert found.state is State.SOUND


@needs_ocr
def test_writing_of_many_sizes_and_grounds(read: Read) -> None:
    picture = Image.new("RGB", (1200, 500), (20, 30, 60))
    draw = ImageDraw.Draw(picture)
    draw.text((40, 40), "Confusion matrix", fill="white", font=ImageFont.load_default(60))
    draw.text((40, 200), "precision 0.93", fill=(255, 220, 0), font=ImageFont.load_default(22))
    found = read("a.jpg", encoded(picture, "JPEG"), ocr=True)
    assert {"Confusion matrix", "precision 0.93"} <= set(found.facts["writing"])


@needs_ocr
@pytest.mark.parametrize(
    "size", [(3, 3), (1, 900), (900, 1), (4000, 40), pytest.param((5000, 4000), marks=pytest.mark.slow)]
)
def test_pictures_of_odd_sizes(read: Read, size: tuple[int, int]) -> None:
    found = read("a.jpg", encoded(Image.effect_noise(size, 60).convert("RGB"), "JPEG"), ocr=True)
    assert found.state is State.SOUND
    assert "writing" in found.facts, found.facts


@needs_ocr
@pytest.mark.slow
def test_a_wall_of_text_is_bounded(read: Read) -> None:
    picture = Image.new("RGB", (2000, 2000), "white")
    draw = ImageDraw.Draw(picture)
    for row in range(50):
        for column in range(4):
            draw.text(
                (10 + column * 500, 5 + row * 40),
                f"word {row} and {column}",
                fill="black",
                font=ImageFont.load_default(26),
            )
    found = read("a.png", encoded(picture), ocr=True)
    assert found.state is State.SOUND
    assert 0 < len(found.facts["writing"]) <= 120
    assert found.facts["writing_left_out"] > 0


@needs_ocr
def test_scanned_pages_get_text(read: Read) -> None:
    found = read("a.pdf", encoded(figure(title="Quarterly report"), "PDF"), ocr=True)
    assert (found.family, found.facts["ocr_pages"]) == (Family.DOCUMENT, 1)
    assert "Quarterly report" in found.text
    plain = read("a.pdf", encoded(figure(title="Quarterly report"), "PDF"))
    assert (plain.facts["scanned_pages"], plain.text) == (1, "")


@needs_ocr
@pytest.mark.slow
def test_writing_in_a_video(tmp_path: Path) -> None:
    pytest.importorskip("av")
    video(tmp_path / "a.mp4", "mpeg4", size=(640, 480), frames=5)
    store = DocumentStore(Workspace.open(tmp_path))
    try:
        assert "Training loss" in store.get("a.mp4", ocr=True).facts["writing"]
    finally:
        store.close()


@needs_ocr
def test_writing_is_read_when_it_is_asked_for_and_kept_from_then_on(tmp_path: Path) -> None:
    save(tmp_path / "a.png", figure(), "PNG")
    (tmp_path / "b.txt").write_text("plain\n", encoding="utf-8")
    store = DocumentStore(Workspace.open(tmp_path))
    try:
        assert "writing" not in store.get("a.png").facts
        read = store.get("a.png", ocr=True)
        assert "Training loss" in read.facts["writing"]
        assert store.get("a.png", ocr=True) is read
        assert store.get("a.png") is read
        assert store.get("b.txt", ocr=True) is store.get("b.txt")
    finally:
        store.close()


@needs_ocr
@pytest.mark.slow
def test_writing_is_kept_from_run_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work, kept = tmp_path / "work", tmp_path / "kept"
    work.mkdir()
    save(work / "a.png", figure(), "PNG")
    store = DocumentStore(Workspace.open(work), writings=Writings(kept))
    first = store.get("a.png", ocr=True)
    store.close()
    assert len(list(kept.iterdir())) == 1
    later = DocumentStore(Workspace.open(work), writings=Writings(kept))
    monkeypatch.setattr(later, "_fresh", lambda entry, limits: pytest.fail("read anew") if limits.ocr else first)
    assert later.get("a.png", ocr=True).facts["writing"] == first.facts["writing"]
    later.close()
    next(kept.iterdir()).write_bytes(b"{broken")
    again = DocumentStore(Workspace.open(work), writings=Writings(kept))
    assert again.get("a.png", ocr=True) == first
    again.close()


def test_what_was_not_all_read_is_not_kept(tmp_path: Path) -> None:
    kept = Writings(tmp_path / "kept")
    for facts in ({"note": "not read"}, {"writing": ["a"], "writing_left_out": 3}):
        kept.put("0" * 64, Limits(), Document("a.png", "png", Family.IMAGE, State.SOUND, facts=facts))
    assert kept.get("a.png", "0" * 64, Limits()) is None
    whole = Document("a.png", "png", Family.IMAGE, State.SOUND, facts={"writing": ["a"]})
    kept.put("0" * 64, Limits(), whole)
    assert kept.get("a.png", "0" * 64, Limits()) == whole
    assert kept.get("b.png", "0" * 64, Limits()) is None
    (tmp_path / "file").write_text("", encoding="utf-8")
    Writings(tmp_path / "file").put("0" * 64, Limits(), whole)


def test_without_the_extra_the_document_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing_reader, "ocr_installed", lambda: False)
    data = encoded(figure())
    found = picture_reader.READER.read(Source("a.png", ".png", data, len(data), False), Limits(ocr=True))
    assert (found.state, found.problems) == (State.SOUND, ())
    assert "judge[ocr]" in found.facts["note"] and "judge[ocr]" not in found.text, "it is told once"
    assert found.facts["install"] == "judge[ocr]"
    assert "writing" not in found.facts


def test_an_ocr_that_fails_makes_the_picture_no_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("models are missing")

    monkeypatch.setattr(writing_reader, "ocr_installed", lambda: True)
    monkeypatch.setattr(writing_reader, "read_writing", fail)
    data = encoded(figure())
    found = picture_reader.READER.read(Source("a.png", ".png", data, len(data), False), Limits(ocr=True))
    assert (found.state, found.problems) == (State.SOUND, ())
    assert "the OCR failed" in found.facts["note"]


def test_labels_are_told_by_their_place() -> None:
    lines = (
        Line("ROC curve", 0.99, (0.4, 0.02, 0.6, 0.08)),
        Line("0.5", 0.99, (0.4, 0.9, 0.45, 0.93)),
        Line("False positive rate", 0.99, (0.35, 0.94, 0.65, 0.98)),
        Line("True positive rate", 0.98, (0.02, 0.3, 0.05, 0.7), upright=True),
        Line("AUC = 0.97", 0.98, (0.7, 0.7, 0.9, 0.75)),
    )
    assert figure_labels(lines) == {
        "title": "ROC curve",
        "x_label": "False positive rate",
        "y_label": "True positive rate",
    }
    assert figure_labels(()) == {}
