"""A workspace graph as one self-contained HTML file: a map to move about in, and the same as lists and tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from judge.report.graph_layout import HEIGHT, WIDTH, lay_out
from judge.report.graph_model import Box, Picture
from judge.report.markup import Html, element, escape, join
from judge.report.page import header, page
from judge.text import plural

_ROWS = 1_000
"""Rows of one table."""
_LINES = 100
"""Lines of one list."""
_ORDER = ("folder", "module", "cell", "class", "function", "method", "artefact", "file", "config", "package", "group")
_PLURAL = {"class": "classes"}
_FILES = frozenset({"folder", "module", "artefact", "file"})
_KEYS = (
    ("Arrow keys", "move the map"),
    ("+ and −", "zoom"),
    ("0", "show everything"),
    ("[ and ]", "previous and next box beside the chosen one"),
    ("Enter and Backspace", "into the chosen box, and out of it"),
    ("/", "search"),
    ("Escape", "choose nothing"),
)


def graph_page(picture: Picture) -> str:
    """The whole document; it loads nothing, and can be read without JavaScript."""
    body = join(
        element("a", {"class": "skip", "href": "#summary"}, "Skip to the lists"),
        _header(picture),
        element(
            "main",
            {"id": "main", "tabindex": -1},
            _map(picture),
            _summary(picture),
            _tables(picture),
            element("pre", {"id": "data", "hidden": True}, escape(_data(picture), 1 << 40)),
        ),
        element("footer", None, f"Written by judge {picture.version}. This file loads nothing from the network."),
    )
    title = f"{picture.title} · workspace graph"
    return page(title, body, styles=("graph.css",), scripts=("graph-view.js", "graph-panel.js"))


def _header(picture: Picture) -> Html:
    counts = Counter(box.kind for box in picture.boxes)
    words = [plural(counts[kind], kind, _PLURAL.get(kind, "")) for kind in _ORDER[:-1] if counts[kind]]
    words.append(plural(len(picture.arrows), "relation"))
    if picture.left_out:
        words.append(f"{picture.left_out:,} small definitions left out")
    return header("judge graph", picture.title, " · ".join(words))


def _map(picture: Picture) -> Html:
    """The map; the script shows it when it runs."""
    search = element(
        "input",
        {"type": "search", "id": "search", "placeholder": "Search names and paths",
         "aria-label": "Search names and paths", "autocomplete": "off", "spellcheck": "false"},
    )  # fmt: skip
    buttons = [
        element("button", {"type": "button", "class": "button", "id": key, "aria-label": words}, sign)
        for key, words, sign in (
            ("closer", "Zoom in", "+"),
            ("farther", "Zoom out", "−"),
            ("fit", "Show everything", "Fit"),
        )
    ]
    drawn = {box.kind for box in picture.boxes}
    kinds = [kind for kind in _ORDER[:-1] if kind in drawn] + sorted(drawn - set(_ORDER))
    relations = sorted({arrow.kind for arrow in picture.arrows})
    stage = element(
        "div",
        {"id": "stage"},
        element(
            "canvas",
            {"id": "canvas", "tabindex": 0, "role": "application", "aria-describedby": "keys",
             "aria-label": "Map of the workspace: boxes in boxes, larger ones have more lines"},
        ),
        element("p", {"id": "tip", "hidden": True}),
        element("div", {"id": "zoom"}, *buttons),
    )  # fmt: skip
    side = element(
        "aside",
        {"id": "side", "aria-label": "Search and details"},
        search,
        element("p", {"id": "found", "role": "status"}),
        element("ul", {"id": "hits"}),
        element("div", {"id": "details", "tabindex": -1, "aria-live": "polite"}),
    )
    return element(
        "section",
        {"id": "map", "hidden": True, "aria-label": "Map"},
        element(
            "div",
            {"id": "tools"},
            _choices("kinds", "Show", kinds),
            _choices("relations", "Relations", relations),
            _choices("more", "Mark", ["not reached", "relations between files"]),
        ),
        element("div", {"id": "view"}, stage, side),
        _keys(),
    )


def _choices(name: str, title: str, values: Sequence[str]) -> Html:
    boxes = [
        element(
            "label",
            {"class": "check"},
            element("input", {"type": "checkbox", "name": name, "value": value, "checked": name != "more"}),
            element("span", {"class": f"swatch k-{value.replace(' ', '-')}"}) if name == "kinds" else None,
            value,
        )
        for value in values
    ]
    return element("fieldset", {"id": name}, element("legend", None, title), *boxes)


def _keys() -> Html:
    pairs = [(element("dt", None, key), element("dd", None, words)) for key, words in _KEYS]
    mouse = "Drag to move, turn the wheel to zoom, click to choose, double-click to go there."
    return element(
        "details",
        {"id": "keys"},
        element("summary", None, "How to move about"),
        element("p", {"class": "dim"}, mouse),
        element("dl", None, *(part for pair in pairs for part in pair)),
    )


def _summary(picture: Picture) -> Html:
    parts = []
    for title, lines in picture.sections:
        more = [element("li", {"class": "dim"}, f"and {len(lines) - _LINES:,} more")] if len(lines) > _LINES else []
        items = [element("li", None, line.strip()) for line in lines[:_LINES]]
        short = len(lines) <= 12
        parts.append(
            element(
                "details",
                {"class": "panel", "open": short},
                element("summary", None, element("h3", None, title), " ", _dim(str(len(lines)))),
                element("ul", {"class": "lines"}, *items, *more),
            )
        )
    nothing = None if parts else element("p", None, f"There {_lacking(picture)} to look at in {picture.title}.")
    return element("section", {"id": "summary"}, element("h2", None, "In short"), nothing, *parts)


def _lacking(picture: Picture) -> str:
    return "is no code" if any(box.kind in _FILES - {"folder"} for box in picture.boxes) else "are no files"


def _dim(text: str) -> Html:
    return element("span", {"class": "dim"}, text)


def _tables(picture: Picture) -> Html:
    """Everything that is drawn, kind by kind."""
    leaving = Counter(arrow.source for arrow in picture.arrows)
    entering = Counter(arrow.target for arrow in picture.arrows)
    parts = []
    for kind in _ORDER[:-1]:
        chosen = [(number, box) for number, box in enumerate(picture.boxes) if box.kind == kind]
        if chosen:
            parts.append(_table(kind, chosen, leaving, entering))
    return element("section", {"id": "tables"}, element("h2", None, "Everything"), *parts)


def _table(kind: str, chosen: Sequence[tuple[int, Box]], leaving: Counter[int], entering: Counter[int]) -> Html:
    head = element(
        "tr", None, *(element("th", {"scope": "col"}, word) for word in ("Name", "Lines", "Reached", "To", "From"))
    )
    rows = [
        element(
            "tr",
            None,
            element("td", None, _named(box)),
            element("td", None, f"{box.line}–{box.end_line}" if box.line else ""),
            element("td", None, {True: "yes", False: "no", None: ""}[box.reachable]),
            element("td", None, str(leaving[number] or "")),
            element("td", None, str(entering[number] or "")),
        )
        for number, box in chosen[:_ROWS]
    ]
    more = f" The first {_ROWS:,} are listed." if len(chosen) > _ROWS else ""
    table = element("table", None, element("thead", None, head), element("tbody", None, *rows))
    return element(
        "details",
        {"class": "panel"},
        element(
            "summary", None, element("h3", None, _PLURAL.get(kind, f"{kind}s").capitalize()),
            " ", _dim(f"{len(chosen):,}.{more}" if more else f"{len(chosen):,}"),
        ),
        element("div", {"class": "scroll"}, table),
    )  # fmt: skip


def _named(box: Box) -> Iterable[Html | str]:
    name = box.facts.get("signature") or (box.path if box.kind in _FILES else box.name)
    yield element("code", None, name or box.name)
    if box.path and box.path != name:
        yield element("small", None, box.path)


def _data(picture: Picture) -> str:
    """What the script draws, as JSON in ASCII."""
    kinds = list(dict.fromkeys(box.kind for box in picture.boxes))
    relations = list(dict.fromkeys(arrow.kind for arrow in picture.arrows))
    kind_of, relation_of = ({name: number for number, name in enumerate(names)} for names in (kinds, relations))
    reached = {True: 1, False: 0, None: -1}
    boxes = [
        [kind_of[box.kind], box.name[:300], box.path[:1000], box.parent,
         *(round(value, 4) for value in place), box.line, box.end_line, reached[box.reachable], dict(box.facts)]
        for box, place in zip(picture.boxes, lay_out(picture.boxes), strict=True)
    ]  # fmt: skip
    arrows = [
        [arrow.source, arrow.target, relation_of[arrow.kind], arrow.line, arrow.name[:300]] for arrow in picture.arrows
    ]
    return json.dumps(
        {"kinds": kinds, "relations": relations, "size": [WIDTH, HEIGHT], "boxes": boxes, "arrows": arrows},
        separators=(",", ":"),
    )
