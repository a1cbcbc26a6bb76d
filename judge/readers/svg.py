"""SVG drawings: text with shapes in it."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.handler import ContentHandler

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.markup import TooLong, parse_xml
from judge.readers.parts import Clock, text_document, text_of
from judge.readers.svgaxes import SvgAxes
from judge.text import looks_like_text

_WRITING = frozenset({"text", "tspan", "textpath", "title", "desc"})
_LINES = 100
_LINE = 300
_LINKS = 20
_COMMENT = re.compile(r"<!-- ([^\n]{2,200}?) -->")
_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image", "use"})


class _Shapes(ContentHandler):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.elements = 0
        self.root = ""
        self.size = ("", "")
        self.shapes: dict[str, int] = {}
        self.view = ""
        self.lines: list[str] = []
        self.links: list[str] = []
        self._definitions = 0
        self._told = 0
        self._written: list[str] | None = None
        self._depth = 0
        self.axes = SvgAxes()

    def startElement(self, name: str, attrs: Any) -> None:
        tag = name.rpartition(":")[2].lower()
        self.elements += 1
        self.axes.start(tag, attrs)
        if self.elements % 4096 == 0 and self.clock.over:
            raise TooLong
        if not self.root:
            self.root = tag
            self.size = (str(attrs.get("width", ""))[:20], str(attrs.get("height", ""))[:20])
            self.view = str(attrs.get("viewBox", ""))[:60]
        self._definitions += tag == "defs"
        if tag in _SHAPES and not self._definitions and not _is_ground(attrs):
            self.shapes[tag] = self.shapes.get(tag, 0) + 1
        self._told += tag == "metadata"
        if tag in _WRITING and not self._told:
            self._depth += 1
            self._written = [] if self._written is None else self._written
        if tag in {"image", "use", "script", "feimage"}:
            self._link(str(attrs.get("xlink:href") or attrs.get("href") or ""))

    def _link(self, target: str) -> None:
        """Notes what is not in the file itself, and is never loaded."""
        if target and not target.startswith(("#", "data:")) and len(self.links) < _LINKS:
            self.links.append(target[:200])

    def characters(self, content: str) -> None:
        if self._written is not None and len(self._written) < _LINES:
            self._written.append(content[:_LINE])

    def endElement(self, name: str) -> None:
        self.axes.end()
        tag = name.rpartition(":")[2].lower()
        self._definitions -= tag == "defs"
        self._told -= tag == "metadata"
        if tag in _WRITING and self._written is not None and not self._told:
            self._depth -= 1
            if self._depth == 0:
                line = " ".join("".join(self._written).split())[:_LINE]
                if line and len(self.lines) < _LINES:
                    self.lines.append(line)
                self._written = None


def _is_ground(attrs: Any) -> bool:
    """Whether a shape is filled white and has no outline, as the ground of a figure."""
    style = "".join(str(attrs.get("style", "")).lower().split())
    fill = str(attrs.get("fill", "")).lower()
    white = fill in {"white", "#fff", "#ffffff", "none"} or any(
        f"fill:{name}" in style for name in ("white", "#fff", "#ffffff", "none")
    )
    return white and "stroke" not in attrs and ("stroke:" not in style or "stroke:none" in style)


def _look(data: bytes, text: str, shapes: _Shapes) -> tuple[State, str]:
    """Fills in what is drawn; the state and what is wrong."""
    try:
        parse_xml(data, shapes)
    except TooLong:
        return State.PARTIAL, "only looked at in part, it takes too long"
    except ReaderProblem as problem:
        return State.BROKEN if "<svg" in text else State.MISMATCH, str(problem)
    if shapes.root != "svg":
        return State.MISMATCH, f"the outermost element is {shapes.root}, not svg"
    return (State.BLANK, "nothing is drawn") if shapes.shapes in ({}, {"rect": 1}) else (State.SOUND, "")


def _read(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    shapes = _Shapes(Clock(limits.max_seconds / 2))
    state, problem = State.SOUND, ""
    if decoded.text.strip() and not source.truncated:
        state, problem = _look(source.data, decoded.text, shapes)
    problems = [problem] if problem else []
    by_matplotlib = "matplotlib" in decoded.text[:4000].lower()
    empty_axes = by_matplotlib and state is State.SOUND and shapes.axes.empty
    if empty_axes:
        problems.append("a plot frame with nothing in it")
    lines = shapes.lines
    if by_matplotlib:  # it draws letters as paths, and says in comments what they spell
        lines = list(dict.fromkeys([*lines, *_COMMENT.findall(decoded.text[: limits.max_chars])]))[:_LINES]
    facts: dict[str, Any] = {
        "width": shapes.size[0],
        "height": shapes.size[1],
        "shapes": shapes.shapes,
        "elements": sum(shapes.shapes.values()),
        "frames": 1,
        "blank": state is State.BLANK,
        "empty_axes": empty_axes,
        "writing": lines,
    }
    if shapes.view:
        facts["view_box"] = shapes.view
    if shapes.links:
        facts["links"] = shapes.links
    return text_document(source, limits, "svg", Family.IMAGE, decoded, facts=facts, problems=problems, state=state)


def _sniff(data: bytes) -> bool:
    return b"<svg" in data[:2000] and looks_like_text(data) and data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


READER = Reader("svg", frozenset({".svg"}), _sniff, _read, textual=True)
