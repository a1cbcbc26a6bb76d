"""Adds to a document what its pictures say, as far as OCR can tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.readers.document import ReaderProblem
from judge.readers.extras import advice
from judge.readers.ocr import figure_labels, ocr_installed, read_writing
from judge.readers.parts import Clock

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from judge.readers.ocr import Line


@dataclass(frozen=True, slots=True)
class Writing:
    """What OCR found on one picture.

    Attributes:
        lines: The lines, from top to bottom.
        left_out: Lines that there was no time or room for.
        note: Why it could not be read, or an empty string.
    """

    lines: tuple[Line, ...] = ()
    left_out: int = 0
    note: str = ""


def lines_on(picture: Picture, clock: Clock) -> Writing:
    """The writing on a picture.

    Nothing that goes wrong with the OCR makes the file worse, so it is told, never raised.
    """
    if not ocr_installed():
        return Writing(note=advice("ocr"))
    try:
        return Writing(*read_writing(picture, clock))
    except ReaderProblem as problem:
        return Writing(note=str(problem))
    except Exception as error:  # noqa: BLE001 - task boundary: whatever the OCR raises
        return Writing(note=f"the OCR failed: {type(error).__name__}")


def add_writing(text: str, facts: dict[str, Any], picture: Picture, clock: Clock) -> str:
    """The text with the writing on the picture below it; facts on the writing are added.

    Args:
        text: What is said of the picture so far.
        facts: Gets ``writing``, ``writing_score``, and ``title``, ``x_label``, ``y_label`` of a figure; or ``note``.
        picture: The picture in RGB.
        clock: Stops the reading.
    """
    writing = lines_on(picture, clock)
    lines = writing.lines
    if writing.note:
        facts["note"] = f"writing on it was not read: {writing.note}"
        if not ocr_installed():
            facts["install"] = "judge[ocr]"
        return text  # the facts are shown above it
    facts["writing"] = [line.text for line in lines]
    if writing.left_out:
        facts["writing_left_out"] = writing.left_out
    if not lines:
        return f"{text}\nno writing found on it"
    facts["writing_score"] = round(sum(line.score for line in lines) / len(lines), 3)
    facts.update(figure_labels(lines))
    return "\n".join([text, "writing on it, read by OCR:", *(line.text for line in lines)])
