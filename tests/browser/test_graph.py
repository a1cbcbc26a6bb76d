"""The page of a workspace graph in a real browser: looked at, searched, filtered, steered by keyboard, and attacked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.modules.graph import build_graph
from judge.modules.graph.picture import picture
from judge.report.graph_page import graph_page
from judge.workspace import Workspace

FILES = {
    "run.py": "from lib.net import Net\ndef main():\n    open('out/a.txt', 'w').write(str(Net().fit()))\nmain()\n",
    "lib/net.py": "class Net:\n    def fit(self):\n        return helper(2)\ndef helper(x):\n    return x + 1\n"
    "def unused():\n    return sorted([1])\n",
    "out/a.txt": "1",
}
HOSTILE = {
    "</script><script>alert(1)<!--.py": "def f(): return g()\ndef g(): return 1\nf()\n",
    '"><img src=x onerror=alert(1)>.txt': "x",
    "{{1}}'`.py": 'open("</pre><svg onload=alert(2)>.png", "w")\n',
}


@pytest.fixture
def page_of(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Writes the page of a workspace of these files."""

    def write(files: dict[str, str]) -> Path:
        root = tmp_path / "ws"
        for name, text in files.items():
            path = root / name if "</" not in name else root / name.replace("/", "\u2215")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        graph = build_graph(Workspace.open(root))
        target = tmp_path / "graph.html"
        target.write_text(graph_page(picture(graph, "ws", "1")), encoding="utf-8", errors="backslashreplace")
        return target

    return write


def _details(page: Any) -> str:
    text: str = page.locator("#details").inner_text()
    return text


def _search(page: Any, text: str) -> None:
    page.get_by_role("searchbox").fill(text)
    page.locator("#found", has_text="found").wait_for()


def test_searching_and_choosing_shows_what_a_thing_has_to_do_with(
    show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]
) -> None:
    opened = show(page_of(FILES))
    page = opened.page
    assert page.locator("#map").is_visible() and "Choose a box" in _details(page)
    _search(page, "helper")
    page.locator("#hits button").first.click()
    text = _details(page)
    for part in ("helper", "def helper(x)", "lib/net.py", "4–5", "← calls (1)", "fit"):
        assert part in text
    page.locator("#details").get_by_role("button", name="fit").click()
    assert "→ calls (1)" in _details(page)
    _search(page, "unused")
    page.keyboard.press("Enter")
    assert "no entry point gets here" in _details(page)
    assert opened.requests == [] and opened.complaints == []


def test_the_mouse_moves_zooms_and_chooses(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    page = show(page_of(FILES)).page
    eye = "[judgeGraph.eye.x, judgeGraph.eye.y, judgeGraph.eye.scale]"
    room = page.locator("#canvas").bounding_box()
    middle = (room["x"] + room["width"] / 3, room["y"] + room["height"] / 2)
    page.mouse.click(*middle)
    assert page.locator("#details h2").count() == 1
    before = page.evaluate(eye)
    page.mouse.move(*middle)
    page.mouse.wheel(0, -300)
    zoomed = page.evaluate(eye)
    assert zoomed[2] > before[2] * 1.3
    page.mouse.down()
    page.mouse.move(middle[0] + 120, middle[1] + 60, steps=4)
    page.mouse.up()
    moved = page.evaluate(eye)
    assert moved[0] < zoomed[0] and moved[1] < zoomed[1] and moved[2] == zoomed[2]
    page.get_by_role("button", name="Show everything").click()
    assert page.evaluate(eye)[2] == pytest.approx(before[2])
    page.mouse.dblclick(*middle)
    assert page.evaluate(eye)[2] > before[2]


def test_the_keyboard_is_enough(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    page = show(page_of(FILES)).page
    page.keyboard.press("/")
    page.keyboard.type("net.py")
    page.locator("#found", has_text="found").wait_for()
    page.keyboard.press("Enter")
    assert "module" in _details(page)
    page.locator("#canvas").focus()
    page.keyboard.press("Enter")
    assert "Lies in" in _details(page) and "net.py" in _details(page)
    first = page.locator("#details h2").inner_text()
    page.keyboard.press("]")
    assert page.locator("#details h2").inner_text() != first
    page.keyboard.press("[")
    assert page.locator("#details h2").inner_text() == first
    page.keyboard.press("Backspace")
    assert "net.py" in page.locator("#details h2").inner_text()
    before = page.evaluate("judgeGraph.eye.scale")
    page.keyboard.press("+")
    assert page.evaluate("judgeGraph.eye.scale") > before
    page.keyboard.press("Escape")
    assert page.locator("#details h2").count() == 0


def test_kinds_and_relations_are_filtered(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    page = show(page_of(FILES)).page
    _search(page, "lib/net.py")
    everything = page.locator("#hits button").count()
    page.get_by_role("checkbox", name="function").uncheck()
    assert page.locator("#hits button").count() < everything
    page.get_by_role("checkbox", name="function").check()
    assert page.locator("#hits button").count() == everything
    page.get_by_role("checkbox", name="not reached").check()
    page.get_by_role("checkbox", name="relations between files").check()
    assert page.evaluate("judgeGraph.state.dead && judgeGraph.state.files")


def test_hostile_names_do_nothing(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    opened = show(page_of(HOSTILE))
    page = opened.page
    for word in ("script", "img", "svg", "{{1}}"):
        _search(page, word)
        assert page.locator("#hits button").count() >= 1
        page.locator("#hits button").first.click()
        assert page.locator("#details h2").count() == 1
    assert page.locator("img, svg, iframe").count() == 0
    assert page.locator("script").count() == 2
    assert opened.complaints == [] and opened.requests == []


def test_without_javascript_the_lists_are_there(
    show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]
) -> None:
    page = show(page_of(FILES), java_script_enabled=False).page
    assert not page.locator("#map").is_visible() and not page.locator("#data").is_visible()
    assert "run.py:4" in page.locator("#summary").inner_text()
    functions = page.locator("#tables details", has_text="Functions")
    functions.locator("summary").click()
    assert "def helper(x)" in functions.inner_text()


def test_both_themes_and_small_screens(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    path = page_of(FILES)
    paper = "getComputedStyle(document.body).backgroundColor"
    light, dark = (show(path, color_scheme=scheme).page for scheme in ("light", "dark"))
    assert light.evaluate(paper) != dark.evaluate(paper)
    light.get_by_role("button", name="Dark theme").click()
    assert light.evaluate(paper) == dark.evaluate(paper)
    small = show(path, viewport={"width": 390, "height": 800}).page
    assert small.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert small.locator("#canvas").is_visible()


def test_thousands_of_boxes_stay_quick(show: Callable[..., Any], page_of: Callable[[dict[str, str]], Path]) -> None:
    files = {
        f"pkg{number % 20}/m{number}.py": "".join(
            f"def f{number}_{item}(x):\n    return x + {item}\n" for item in range(24)
        )
        for number in range(200)
    }
    opened = show(page_of(files))
    page = opened.page
    assert page.evaluate("judgeGraph.boxes.length") > 5000
    # Frames are not timed, because machines differ: a paint that takes a second would be far from usable anywhere.
    spent = page.evaluate(
        "(() => { const at = performance.now(); judgeGraph.fit(); return performance.now() - at; })()"
    )
    assert spent < 1000
    _search(page, "f7_3")
    page.locator("#hits button").first.click()
    assert "f7_3" in _details(page)
    assert opened.complaints == []
