"""Axes with nothing drawn in them, in the styles that plotting programs have, and drawings that only look alike."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from judge.readers import Document, State

Read = Callable[..., Document]
Draw = ImageDraw.ImageDraw
_FRAME = (80, 58, 576, 427)


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def numbers(draw: Draw, colour: str) -> None:
    for step in range(6):
        draw.text((72 + step * 99, 436), f"0.{step}", fill=colour)
        draw.text((50, 420 - step * 73), f"0.{step}", fill=colour)


def grid(draw: Draw, colour: str) -> None:
    for x in range(130, 560, 80):
        draw.line((x, 58, x, 427), fill=colour)
    for y in range(100, 420, 70):
        draw.line((80, y, 576, y), fill=colour)


def framed(draw: Draw) -> None:
    grid(draw, "#b0b0b0")
    draw.rectangle(_FRAME, outline="black")
    numbers(draw, "black")


def pale(draw: Draw) -> None:
    grid(draw, "#cccccc")
    draw.rectangle(_FRAME, outline="#cccccc")
    numbers(draw, "black")


def plate(draw: Draw) -> None:
    draw.rectangle(_FRAME, fill="#e5e5e5")
    grid(draw, "white")
    numbers(draw, "#555555")


def open_axes(draw: Draw) -> None:
    draw.line((80, 58, 80, 427), fill="black")
    draw.line((80, 427, 576, 427), fill="black")
    numbers(draw, "black")


def panels(draw: Draw) -> None:
    for left in (80, 350):
        for top in (40, 250):
            draw.rectangle((left, top, left + 230, top + 170), outline="black")
            draw.text((left + 20, top + 175), "0.5", fill="black")
            draw.text((left - 25, top + 90), "0.5", fill="black")


_STYLES = [framed, pale, plate, open_axes, panels]


@pytest.mark.parametrize("style", _STYLES)
def test_empty_axes_are_seen_in_every_style(read: Read, style: Callable[[Draw], None]) -> None:
    picture = Image.new("RGB", (640, 480), "white")
    style(ImageDraw.Draw(picture))
    found = read("a.png", png(picture))
    assert found.facts["empty_axes"]
    assert found.problems == ("a plot frame with nothing in it",)


@pytest.mark.parametrize("style", _STYLES)
@pytest.mark.parametrize("content", ["line", "point", "level line"])
def test_little_in_them_is_enough(read: Read, style: Callable[[Draw], None], content: str) -> None:
    picture = Image.new("RGB", (640, 480), "white")
    draw = ImageDraw.Draw(picture)
    style(draw)
    if content == "line":
        draw.line((120, 190, 290, 90), fill="#777777")
    elif content == "point":
        draw.rectangle((200, 120, 202, 122), fill="black")
    else:
        draw.line((100, 110, 300 if style is panels else 560, 110), fill="black")
    assert not read("a.png", png(picture)).facts["empty_axes"]


def test_a_board_of_lines_is_a_drawing(read: Read) -> None:
    for lines in (4, 7):  # an even number of lines pairs up as the frames of several plots do
        picture = Image.new("RGB", (480, 480), "white")
        draw = ImageDraw.Draw(picture)
        for place in range(lines):
            at = 40 + place * 400 // (lines - 1)
            draw.line((at, 40, at, 440), fill="black")
            draw.line((40, at, 440, at), fill="black")
        assert not read("a.png", png(picture)).facts["empty_axes"], lines


def test_a_few_words_on_a_large_page_are_not_blank(read: Read) -> None:
    picture = Image.new("L", (2400, 2400), 255)
    ImageDraw.Draw(picture).text((10, 10), "result: 42", fill=0)
    found = read("a.png", png(picture))
    assert (found.state, found.facts["blank"]) == (State.SOUND, False)


def test_masks_and_labels_are_not_blank_though_nobody_sees_them(read: Read) -> None:
    for values in ((0, 1), (3, 7)):
        picture = Image.new("L", (128, 128), values[0])
        ImageDraw.Draw(picture).rectangle((20, 20, 60, 60), fill=values[1])
        found = read("a.png", png(picture))
        assert (found.state, found.facts["blank"]) == (State.SOUND, False)
        assert found.facts["levels"] == {str(values[0]): 128 * 128 - 41 * 41, str(values[1]): 41 * 41}
        assert "too little to be seen" in found.problems[0]
    assert read("a.png", png(Image.new("L", (128, 128), 1))).state is State.BLANK


_SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="460" height="345"><metadata><title>Matplotlib v3.9</title></metadata>
<g id="figure_1"><g id="patch_1"><path d="M 0 345 L 460 345 L 460 0 z" style="fill: #ffffff"/></g>
<g id="axes_1"><g id="patch_2"><path d="M 57 307 L 414 307 L 414 41 L 57 41 z" style="fill: #ffffff"/></g>%s
<g id="matplotlib.axis_1"><g id="xtick_1"><g id="line2d_1"><path d="M 0 0 L 0 3"/></g></g></g>
<g id="patch_3"><path d="M 57 307 L 57 41" style="fill: none; stroke: #000000"/></g>
<g id="text_1"><!-- Loss --><g transform="translate(220 35)"><use/></g></g></g></g></svg>"""


@pytest.mark.parametrize(
    ("content", "empty"),
    [
        ("", True),
        ('<g id="line2d_9"><path d="M 1 1 L 2 2" style="fill: none"/></g>', False),
        ('<g id="patch_9"><path d="M 1 1 L 2 1 L 2 2 z" style="fill: #1f77b4"/></g>', False),
        ('<g id="text_9"><!-- hi --><g transform="translate(200 150)"><use/></g></g>', False),
    ],
)
def test_empty_axes_of_a_drawing_in_svg(read: Read, content: str, empty: bool) -> None:
    found = read("a.svg", _SVG % content)
    assert (found.state, found.facts["empty_axes"]) == (State.SOUND, empty)
    assert "Loss" in found.facts["writing"]
    assert not any("Matplotlib" in line for line in found.facts["writing"])


def test_empty_axes_on_a_single_page(read: Read) -> None:
    def page(content: bool) -> bytes:
        drawn = "60 60 340 260 re S " + "".join(f"{60 + 34 * step} 60 m {60 + 34 * step} 56 l S " for step in range(11))
        drawn += "".join(f"BT /F 9 Tf {55 + 68 * step} 45 Td (0.{step}) Tj ET " for step in range(6))
        drawn += "100 100 m 300 250 l S " if content else ""
        return (
            "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
            "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n"
            "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 440 360] /Contents 4 0 R /Resources << /Font << /F << "
            "/Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj\n"
            f"4 0 obj << /Length {len(drawn)} >> stream\n{drawn}\nendstream endobj\n"
            "trailer << /Root 1 0 R >>\n%%EOF\n"
        ).encode()

    assert read("a.pdf", page(False)).facts.get("empty_axes")
    assert not read("a.pdf", page(True)).facts.get("empty_axes")
