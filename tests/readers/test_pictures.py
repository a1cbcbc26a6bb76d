"""Pictures: what is blank, what is not, and what is no picture."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from judge.readers import Document, Family, State

Read = Callable[..., Document]


def encode(picture: Image.Image, format_: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, format_, **options)
    return out.getvalue()


def canvas(size: tuple[int, int] = (640, 480), colour: object = "white") -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", size, colour)  # type: ignore[arg-type]
    return picture, ImageDraw.Draw(picture)


def axes() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """An empty plot as plotting libraries draw it: frame, ticks outside, numbers."""
    picture, draw = canvas()
    draw.rectangle((80, 58, 576, 427), outline="black")
    for step in range(6):
        draw.line((80 + step * 99, 427, 80 + step * 99, 432), fill="black")
        draw.text((72 + step * 99, 436), f"0.{step}", fill="black")
        draw.line((75, 427 - step * 73, 80, 427 - step * 73), fill="black")
        draw.text((50, 420 - step * 73), f"0.{step}", fill="black")
    return picture, draw


@pytest.mark.parametrize("colour", ["white", "black", (31, 119, 180)])
@pytest.mark.parametrize("format_", ["PNG", "JPEG", "WEBP", "BMP", "TIFF"])
def test_one_flat_colour_is_blank(read: Read, colour: object, format_: str) -> None:
    suffix = {"JPEG": "jpg", "TIFF": "tif"}.get(format_, format_.lower())
    found = read(f"a.{suffix}", encode(canvas(colour=colour)[0], format_))
    assert (found.state, found.facts["blank"], found.family) == (State.BLANK, True, Family.IMAGE)


def test_nothing_but_transparency_is_blank(read: Read) -> None:
    assert read("a.png", encode(Image.new("RGBA", (64, 64), (200, 10, 10, 0)))).state is State.BLANK
    assert read("a.png", encode(Image.new("I;16", (64, 64), 500))).state is State.BLANK


def test_faint_noise_is_blank_and_strong_noise_is_not(read: Read) -> None:
    faint = Image.effect_noise((200, 200), 1).convert("RGB")
    assert read("a.png", encode(faint)).state is State.BLANK
    found = read("a.png", encode(Image.effect_noise((200, 200), 90).convert("RGB")))
    assert found.state is State.SOUND
    assert found.facts["stddev"] > 20


def test_little_on_white_is_not_blank(read: Read) -> None:
    picture, draw = canvas()
    draw.line((10, 400, 600, 50), fill="black")
    found = read("a.png", encode(picture))
    assert (found.state, found.facts["empty_axes"]) == (State.SOUND, False)
    picture, draw = canvas()
    for x in range(50, 600, 60):
        draw.ellipse((x, x / 2, x + 4, x / 2 + 4), fill="red")
    assert read("a.png", encode(picture)).state is State.SOUND


def test_empty_axes_are_told_from_plots(read: Read) -> None:
    found = read("a.png", encode(axes()[0]))
    assert (found.state, found.facts["empty_axes"]) == (State.SOUND, True)
    assert found.facts["ink"] > 0
    gridded, draw = axes()
    for step in range(1, 5):
        draw.line((80 + step * 99, 58, 80 + step * 99, 427), fill=(176, 176, 176))
        draw.line((80, 58 + step * 73, 576, 58 + step * 73), fill=(176, 176, 176))
    assert read("a.png", encode(gridded)).facts["empty_axes"] is True


@pytest.mark.parametrize("what", ["line", "flat line", "points", "bars", "dense"])
def test_plots_are_not_empty_axes(read: Read, what: str) -> None:
    picture, draw = axes()
    if what == "line":
        draw.line((90, 400, 560, 80), fill="black")
    elif what == "flat line":
        draw.line((100, 240, 550, 240), fill="black")
    elif what == "points":
        for x in range(120, 540, 80):
            draw.ellipse((x, x / 2 + 60, x + 4, x / 2 + 64), fill="black")
    elif what == "bars":
        for x in range(100, 540, 80):
            draw.rectangle((x, 150 + x / 4, x + 50, 427), fill=(31, 119, 180))
    else:
        picture.paste(Image.effect_noise((490, 360), 80).convert("RGB"), (83, 62))
    assert read("a.png", encode(picture)).facts["empty_axes"] is False


def test_measures_and_the_scaled_part(read: Read) -> None:
    picture = Image.effect_noise((3000, 1000), 90).convert("RGB")
    found = read("a.jpg", encode(picture, "JPEG"))
    part = found.images[0]
    assert (found.facts["width"], found.facts["height"], found.facts["mode"]) == (3000, 1000, "RGB")
    assert (part.width, part.height) == (1024, 341)
    with Image.open(io.BytesIO(base64.b64decode(part.data_base64))) as decoded:
        assert decoded.size == (1024, 341)
    assert read("a.jpg", encode(picture, "JPEG"), image_side=0).images == ()


def frames(count: int, *, moving: bool) -> bytes:
    pictures = []
    for number in range(count):
        picture, draw = canvas((60, 60))
        draw.rectangle((5 + number * moving * 3, 5, 20 + number * moving * 3, 20), fill="red")
        pictures.append(picture)
    if moving:
        return encode(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=50)
    # Pillow joins equal frames to one: put single-frame files together by hand.
    single = encode(pictures[0], "GIF")
    body = single[single.index(b",", 13 + 3 * 2 ** ((single[10] & 7) + 1)) : -1]
    return single[: -1 - len(body)] + body * count + b";"


def test_animations(read: Read) -> None:
    found = read("a.gif", frames(8, moving=True))
    assert (found.facts["frames"], found.facts["distinct_frames"], found.facts["animated"]) == (8, 8, True)
    still = read("a.gif", frames(4, moving=False))
    assert (still.facts["frames"], still.facts["identical_frames"]) == (4, True)
    assert still.problems
    many = read("a.gif", frames(120, moving=True))
    assert many.facts["frames_looked_at"] <= 50


def test_an_animation_that_starts_blank_is_not_blank(read: Read) -> None:
    first = canvas((60, 60))[0]
    second, draw = canvas((60, 60))
    draw.rectangle((5, 5, 30, 30), fill="red")
    data = encode(first, "GIF", save_all=True, append_images=[second, second.rotate(90)], duration=50)
    assert read("a.gif", data).state is State.SOUND


def test_another_kind_of_picture_than_the_extension_says(read: Read) -> None:
    png = encode(Image.effect_noise((50, 50), 90).convert("RGB"))
    found = read("a.jpg", png)
    assert (found.state, found.facts["actual_format"]) == (State.SOUND, "png")
    assert read("a.gif", png).state is State.MISMATCH
    assert read("a.png", "<!DOCTYPE html><html>404</html>").state is State.MISMATCH
    assert read("a.png", "placeholder").state is State.MISMATCH
    assert read("a.txt", png).state is State.MISMATCH
    assert read("a.py", png).state is State.MISMATCH
    assert read("a.png", b"\x00\x01\x02\x03" * 50).state is State.BROKEN


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
def test_cut_pictures_are_broken(read: Read, format_: str) -> None:
    data = encode(Image.effect_noise((300, 300), 90).convert("RGB"), format_)
    suffix = {"JPEG": "jpg", "TIFF": "tif"}.get(format_, format_.lower())
    assert read(f"a.{suffix}", data[: len(data) // 2]).state is State.BROKEN


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_huge_pictures_are_only_measured(read: Read) -> None:
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(7501) * 1000) for _ in range(60)) + packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0))
    found = read("a.png", b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    assert found.state in {State.PARTIAL, State.UNREADABLE}
    medium = encode(Image.new("1", (9000, 9000)))
    assert read("a.png", medium).state is State.PARTIAL


def test_svg(read: Read) -> None:
    doctype = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'
    found = read("a.svg", doctype + '<svg width="10" height="20"><circle r="3"/><path d="M0 0L1 1"/></svg>')
    assert (found.state, found.family, found.facts["elements"]) == (State.SOUND, Family.IMAGE, 2)
    assert read("a.svg", '<svg width="1"/>').state is State.BLANK
    assert read("a.svg", '<svg><rect width="5" height="5" fill="white"/></svg>').state is State.BLANK
    assert read("a.svg", "<html></html>").state is State.MISMATCH
    assert read("a.svg", "<svg><circle").state is State.BROKEN


def test_a_signature_with_nothing_behind_it_is_broken_however_long_the_file(read: Read) -> None:
    assert read("a.png", b"\x89PNG\r\n\x1a\n" + bytes(5000), max_bytes=1000).state is State.BROKEN
