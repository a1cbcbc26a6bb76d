"""The page of a workspace graph: places of boxes, what it says without JavaScript, and hostile names."""

from __future__ import annotations

import html
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.report.graph_layout import HEIGHT, WIDTH, lay_out
from judge.report.graph_model import Arrow, Box, Picture
from judge.report.graph_page import graph_page

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre><svg onload=alert(1)>",
    "<!--",
    "a\u202eb\0c\ud800",
    "{{7*7}} ${7*7}",
)


@st.composite
def forests(draw: st.DrawFn) -> list[Box]:
    count = draw(st.integers(1, 40))
    boxes = []
    for number in range(count):
        parent = draw(st.integers(-1, number - 1))
        weight = draw(st.floats(0, 1e6))
        boxes.append(Box(f"k{number}", "file", "n", "p", parent, weight))
    return boxes


@given(forests())
@settings(max_examples=100, deadline=None)
def test_boxes_lie_inside_each_other_and_apart(boxes: list[Box]) -> None:
    places = lay_out(boxes)
    assert places == lay_out(boxes)
    for number, box in enumerate(boxes):
        x, y, w, h = places[number]
        px, py, pw, ph = places[box.parent] if box.parent >= 0 else (0, 0, WIDTH, HEIGHT)
        slack = 1e-6 * WIDTH
        assert w >= 0 and h >= 0
        assert x >= px - slack and y >= py - slack and x + w <= px + pw + slack and y + h <= py + ph + slack
        for other in range(number):
            if boxes[other].parent == box.parent:
                ox, oy, ow, oh = places[other]
                wide = min(x + w, ox + ow) - max(x, ox)
                high = min(y + h, oy + oh) - max(y, oy)
                assert wide <= slack or high <= slack


def test_room_goes_by_weight() -> None:
    places = lay_out([Box("a", "file", "a", "", -1, 300), Box("b", "file", "b", "", -1, 100)])
    areas = [place.w * place.h for place in places]
    assert areas[0] / areas[1] == pytest.approx(3, rel=0.05)
    assert lay_out([]) == []


def _picture(names: tuple[str, ...]) -> Picture:
    boxes = [Box(".", "folder", names[0], names[0], -1, 1)]
    boxes += [
        Box(f"k{number}", "function", name, name, 0, 5, 1, 9, False, {"signature": name, name: name})
        for number, name in enumerate(names)
    ]
    arrows = [Arrow(1, number, "calls", 3, name) for number, name in enumerate(names, 1)]
    return Picture(names[0], "1", boxes, arrows, 0, [("Entry points", list(names)), (names[0], ["x"])])


def test_hostile_names_are_text() -> None:
    text = graph_page(_picture(HOSTILE))
    assert text.count("<script>") == 2 and text.count("</script>") == 2
    assert not re.search(r"<(img|svg|iframe|object|link)\b", text)
    assert "\0" not in text and "\u202e" not in text
    text.encode("utf-8")
    held = re.search(r'<pre id="data" hidden>(.*?)</pre>', text, re.DOTALL)
    assert held is not None and "<" not in held.group(1)
    data = json.loads(html.unescape(held.group(1)))
    assert [box[1] for box in data["boxes"][1:]] == list(HOSTILE)
    assert data["arrows"][1] == [1, 2, 0, 3, HOSTILE[1]]


def test_the_page_can_be_read_without_javascript() -> None:
    text = graph_page(_picture(("alpha", "beta")))
    body = re.sub(r'<section id="map" hidden.*?</section>', "", text, flags=re.DOTALL)
    for part in ("Entry points", "alpha", "beta", "1–9", "Functions", "2 functions"):
        assert part in body
    assert "default-src 'none'" in text and "http" not in body.replace("http-equiv", "")


def test_large_graphs_say_what_is_left_out() -> None:
    boxes = [Box(f"k{number}", "method", f"m{number}", "", -1, 1) for number in range(1500)]
    text = graph_page(Picture("big", "1", boxes, [], 12_345))
    assert "12,345 small definitions left out" in text and "The first 1,000 are listed." in text
    assert graph_page(Picture("empty", "1", [], []))
