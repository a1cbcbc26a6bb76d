"""The builder of markup: text stays text, and nothing that loads or runs can be built."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.report.markup import Html, element, escape, join, shorten
from judge.text import printable


class _Seen(HTMLParser):
    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.values: list[str | None] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(max_size=300))
def test_any_text_stays_text(text: str) -> None:
    seen = _Seen(element("p", {"title": text}, text, [text, None], 3))
    assert seen.tags == ["p"]
    assert seen.values == [printable(text)]
    assert seen.text == printable(text) * 2 + "3"


@given(st.text(alphabet=st.characters(), max_size=50))
def test_what_cannot_be_seen_is_written_out(text: str) -> None:
    shown = escape(text)
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\x00\x1b\x7f\r"
    )
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("script", {}),
        ("STYLE", {}),
        ("iframe", {}),
        ("a b", {}),
        ("p", {"onclick": "x"}),
        ("p", {"OnLoad": "x"}),
        ("p", {"style": "x"}),
        ("a", {"href": "javascript:x"}),
        ("a", {"href": "https://example.org"}),
        ("a", {"href": '#a" b'}),
        ("img", {"src": "x.png"}),
        ("img", {"src": "data:image/svg+xml;base64,AAAA"}),
        ("img", {"src": "data:text/html;base64,AAAA"}),
        ("p", {'x" y': "z"}),
    ],
)
def test_what_could_run_or_load_cannot_be_built(tag: str, attributes: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        element(tag, dict(attributes))


def test_markup_is_not_escaped_twice_and_flags_are_bare() -> None:
    inner = element("b", None, "a & b")
    assert join(inner, " < ", Html("<i>")) == "<b>a &amp; b</b> &lt; <i>"
    assert element("input", {"checked": True, "disabled": False, "name": None}) == "<input checked>"


def test_a_long_text_is_cut_and_says_so() -> None:
    cut = shorten("x" * 1_000_000, 1_000)
    assert len(cut) < 1_100 and "999,000 characters left out" in cut
