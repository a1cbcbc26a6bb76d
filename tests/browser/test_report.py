"""The HTML report in a real browser: it is read, filtered and steered by keyboard, and hostile text does nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Labels for the small run: the second verdict is wrong."""
    folder = tmp_path / "labels"
    folder.mkdir()
    listed = [
        {"requirement_id": 0, "criteria": "Data is loaded in `src/load.py`.", "satisfied": False},
        {"requirement_id": 1, "criteria": "A model is trained.", "satisfied": False},
    ]
    (folder / "Alpha.json").write_text(json.dumps({"name": "Alpha", "requirements": listed}), encoding="utf-8")
    return folder


@pytest.fixture
def small(folders: Any, tmp_path: Path) -> Path:
    path: Path = folders.small_run(tmp_path / "small")
    return path


def _visible(page: Any) -> list[str]:
    return [card.get_attribute("id") for card in page.query_selector_all(".card") if card.is_visible()]


def test_a_report_is_read_and_filtered(
    show: Callable[..., Any], write: Callable[..., Path], small: Path, labels: Path
) -> None:
    opened = show(write(small, labels=(labels,)))
    page = opened.page
    assert len(_visible(page)) == 5
    assert _visible(page)[0] == "r0t0-1"  # the one that differs from its label comes first
    page.get_by_role("checkbox", name="Unsatisfied").uncheck()
    page.get_by_role("checkbox", name="Error").uncheck()
    page.get_by_role("checkbox", name="Not reached").uncheck()
    assert _visible(page) == ["r0t0-1", "r0t0-2"]
    assert page.locator("#found").inner_text() == "2 of 5 requirements"
    page.get_by_role("button", name="Show all").click()
    assert len(_visible(page)) == 5
    page.get_by_role("searchbox").fill("loads nothing")
    page.locator("#found", has_text="1 of 5").wait_for()
    assert _visible(page) == ["r0t0-0"]
    page.keyboard.press("Escape")
    page.locator("#category").select_option(label="Output")
    assert _visible(page) == ["r0t0-2"]
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("checkbox", name="Differs from label").check()
    assert _visible(page) == ["r0t0-1"]
    assert "the judge disagrees" in page.locator("#r0t0-1").inner_text()
    assert opened.complaints == [] and opened.requests == []


def test_quoted_lines_are_marked_in_their_context(
    show: Callable[..., Any], write: Callable[..., Path], small: Path
) -> None:
    page = show(write(small)).page
    quote = page.locator("#r0t0-0 .quote")
    assert quote.locator("mark").count() == 2
    assert "line 10 of load" in quote.locator("mark").first.inner_text()
    assert "line 7 of load" in quote.inner_text()
    marked = page.evaluate("getComputedStyle(document.querySelector('mark')).backgroundColor")
    plain = page.evaluate("getComputedStyle(document.querySelector('.quote pre')).backgroundColor")
    assert marked != plain
    assert "not found" in page.locator("#r0t0-1").inner_text()


def test_the_picture_shows_blocked_paths_and_leads_to_the_cards(
    show: Callable[..., Any], write: Callable[..., Path], small: Path
) -> None:
    page = show(write(small)).page
    picture = page.locator("#r0t0 .graph")
    assert picture.locator(".edge.blocked").count() == 3
    dashes = page.evaluate("getComputedStyle(document.querySelector('.edge.blocked')).strokeDasharray")
    assert dashes != "none"
    picture.get_by_role("link", name=re.compile("Requirement 2: Satisfied, blocked")).click()
    assert page.url.endswith("#r0t0-2")
    assert page.locator("#r0t0-2").bounding_box()["y"] < 900


def test_a_link_opens_the_evidence_it_leads_to(
    show: Callable[..., Any], write: Callable[..., Path], small: Path
) -> None:
    page = show(write(small)).page
    page.locator("#r0t0-0 .evidence > summary").click()
    page.locator("#r0t0-0 .evidence .link a").click()
    text = page.locator("#r0t0-e1 pre")
    text.wait_for(state="visible")
    assert "line 20 of load" in text.inner_text()


def test_the_keyboard_is_enough(show: Callable[..., Any], write: Callable[..., Path], small: Path) -> None:
    page = show(write(small)).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    summary = page.locator("#r0t0-0 .evidence > summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#r0t0-0 .evidence").get_attribute("open") is not None


def test_light_and_dark(show: Callable[..., Any], write: Callable[..., Path], small: Path) -> None:
    path = write(small)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = show(path).page
    dark = show(path, color_scheme="dark").page
    assert light.evaluate(ground) != dark.evaluate(ground)
    both = {light.evaluate(ground), dark.evaluate(ground)}
    for page in (light, dark):
        before = page.evaluate(ground)
        page.locator("#theme").click()
        assert page.evaluate(ground) != before and page.evaluate(ground) in both


def test_it_can_be_read_without_javascript(show: Callable[..., Any], write: Callable[..., Path], small: Path) -> None:
    page = show(write(small), java_script_enabled=False).page
    assert "loads nothing" in page.locator("#r0t0-0").inner_text()
    assert page.locator("#r0t0-0 mark").first.is_visible()
    assert not page.locator("#tools").is_visible() and not page.locator("#theme").is_visible()
    page.locator("#r0t0-0 .evidence > summary").click()
    assert page.locator("#r0t0-0 .evidence ul").is_visible()


@pytest.mark.parametrize("name", ["small", "hostile"])
def test_a_phone_needs_no_scrolling_sideways(
    show: Callable[..., Any], write: Callable[..., Path], folders: Any, tmp_path: Path, name: str
) -> None:
    run = getattr(folders, f"{name}_run")(tmp_path / name)
    page = show(write(run), viewport={"width": 360, "height": 700}).page
    page.evaluate("document.querySelectorAll('details').forEach((item) => { item.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_signs_differ_in_shape(show: Callable[..., Any], write: Callable[..., Path], small: Path) -> None:
    page = show(write(small)).page
    shapes = page.evaluate("Array.from(document.querySelectorAll('symbol'), (item) => item.innerHTML)")
    assert len(set(shapes)) == 4
    words = page.evaluate("Array.from(document.querySelectorAll('.card .verdict'), (item) => item.textContent)")
    assert sorted(set(words)) == ["Error", "Not reached", "Satisfied", "Unsatisfied"]


@pytest.mark.parametrize("policy", [True, False], ids=["as it is", "without its policy"])
def test_hostile_text_does_nothing(
    show: Callable[..., Any], write: Callable[..., Path], folders: Any, tmp_path: Path, policy: bool
) -> None:
    run = folders.hostile_run(tmp_path / "hostile")
    (tmp_path / "labels").mkdir()
    listed = [{"requirement_id": n, "criteria": text, "satisfied": True} for n, text in enumerate(folders.HOSTILE)]
    value = {"name": "Hostile", "requirements": listed}
    (tmp_path / "labels" / "x.json").write_text(json.dumps(value), encoding="utf-8")
    path = write(run, run, labels=(tmp_path / "labels",))
    if not policy:  # escaping alone must be enough
        text = path.read_text(encoding="utf-8")
        bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert bare != text
        path.write_text(bare, encoding="utf-8")
    opened = show(path)
    page = opened.page
    page.evaluate("document.querySelectorAll('details').forEach((item) => { item.open = true; })")
    page.get_by_role("searchbox").fill("octocat")
    page.locator("#found", has_text=" of ").wait_for()
    page.get_by_role("button", name="Show all").click()
    for link in page.query_selector_all("#r0t0 .card a")[:10]:
        link.click()
    page.wait_for_timeout(300)
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert opened.requests == [] and opened.complaints == []
    assert page.evaluate("document.querySelectorAll('script').length") == 1
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert page.evaluate("document.querySelectorAll('iframe, base, object, embed, form, link').length") == 0
    shown = page.evaluate("document.body.innerText")
    assert "window.pwned=1</script>" in shown and "\\u202e" in shown
    assert not set(shown) & set("\u202e\u2066\u200b\x1b\x07\x00")


def test_the_policy_stops_what_would_get_in(show: Callable[..., Any], write: Callable[..., Path], small: Path) -> None:
    path = write(small)
    text = path.read_text(encoding="utf-8")
    bad = '<img src="http://127.0.0.1:9/x.png" onerror="window.pwned=1"><script>window.pwned=2</script>'
    path.write_text(text.replace("<footer>", f"{bad}<footer>"), encoding="utf-8")
    opened = show(path)
    opened.page.wait_for_timeout(200)
    assert opened.page.evaluate("typeof window.pwned") == "undefined"
    assert len(opened.complaints) >= 3
    assert len(_visible(opened.page)) == 5  # its own script still runs
