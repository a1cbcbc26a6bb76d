"""Markup: HTML, XML and Markdown. The text is the file's lines; what a reader of the page gets is in the facts."""

from __future__ import annotations

import html
import io
import re
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, feature_external_ges
from xml.sax.xmlreader import InputSource

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, never, text_document, text_of
from judge.text import looks_like_text

_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,40})")
_SRC = re.compile(r"""\bsrc\s*=\s*["']?([^"'>\s]{1,500})""", re.IGNORECASE)
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "template")}
_SHOWING = frozenset({"img", "svg", "canvas", "video", "audio", "iframe", "object", "embed"})
_BLOCKS = frozenset("p br div tr li h1 h2 h3 h4 h5 h6 table ul ol section article header footer pre title".split())
_ENTITY = re.compile(rb"<!ENTITY\s+[A-Za-z_][\w.:-]*\s+(?:\"[^\"&%<]{0,100}\"|'[^'&%<]{0,100}')\s*>")
_MAX_ENTITIES = 100
_HEADING = re.compile(r"^#{1,6}\s+(\S.*)$", re.MULTILINE)
_PICTURE = re.compile(
    r"!\[[^\]\n]{0,300}\]\(<?([^)\s>]{1,500})|<img\b[^>]{0,300}?src=[\"']([^\"']{1,500})", re.IGNORECASE
)
_FENCE = re.compile(r"^[ ]{0,3}(```|~~~)", re.MULTILINE)


def looks_like_html(text: str) -> bool:
    """Whether a text begins as an HTML page does."""
    head = text[:4000].lstrip()
    while head.startswith("<!--"):
        head = head.partition("-->")[2].lstrip()
    return _HTML.match(head) is not None


class _Page:
    """What an HTML page shows, found in one pass.

    The standard parser needs quadratic time for some unclosed tags, and what is wanted here is little.
    """

    def __init__(self) -> None:
        self.title = ""
        self.counts: dict[str, int] = {}
        self.shown = 0
        self.script = 0
        self.pictures: list[str] = []

    def scan(self, text: str, clock: Clock) -> bool:
        """Takes a page in; False when there was no time for all of it."""
        position = tags = 0
        while position < len(text):
            tags += 1
            if tags % 4096 == 0 and clock.over:
                return False
            start = text.find("<", position)
            end = len(text) if start < 0 else start
            self.shown += len(text[position:end].strip())
            if start < 0:
                break
            position = self._tag(text, start)
        return True

    def _tag(self, text: str, start: int) -> int:
        """Takes in what begins with ``<``; where to go on."""
        if text.startswith("<!--", start):
            return _after(text, "-->", start + 4)
        match = _TAG.match(text, start)
        if match is None:
            if text[start + 1 : start + 2] in {"!", "?"}:
                return _after(text, ">", start)
            self.shown += 1
            return start + 1
        end = _after(text, ">", start)
        if match.group(1):
            return end
        name = match.group(2).lower()
        if name in self.counts or len(self.counts) < 500:
            self.counts[name] = self.counts.get(name, 0) + 1
        if name == "img" and len(self.pictures) < 50:
            self.pictures += [found[:200] for found in _SRC.findall(text[start : min(end, start + 2000)])[:1]]
        return self._skip(text, name, end) if name in _RAW else end

    def _skip(self, text: str, name: str, start: int) -> int:
        """Passes over content that is no text of the page, to its closing tag."""
        closing = _RAW[name].search(text, start)
        end = closing.start() if closing else len(text)
        if name == "title":
            self.title = self.title or " ".join(text[start : start + 300].partition("<")[0].split())[:200]
        elif name == "script":
            self.script += end - start
        return end


def page_text(text: str) -> str:
    """What a page says, a block a line, in linear time."""
    parts: list[str] = []
    position = 0
    while position < len(text):
        start = text.find("<", position)
        parts.append(text[position : start if start >= 0 else len(text)])
        if start < 0:
            break
        match = _TAG.match(text, start)
        name = match.group(2).lower() if match else ""
        if text.startswith("<!--", start):
            position = _after(text, "-->", start + 4)
        elif match is None and text[start + 1 : start + 2] not in {"!", "?"}:
            parts.append("<")
            position = start + 1
        else:
            position = _after(text, ">", start)
        if name in _RAW and match and not match.group(1):
            closing = _RAW[name].search(text, position)
            position = closing.start() if closing else len(text)
        elif name in _BLOCKS:
            parts.append("\n")
        elif name in {"td", "th"} and match and match.group(1):
            parts.append(" | ")
    lines = (" ".join(line.split()) for line in html.unescape("".join(parts)).split("\n"))
    return "\n".join(line for line in lines if line)


def _after(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def _read_html(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    page = _Page()
    problems: list[str] = []
    if not page.scan(decoded.text, Clock(limits.max_seconds / 2)):
        problems.append("only looked at in part, it takes too long")
    counts = page.counts
    facts = {
        "title": page.title,
        "shown_chars": page.shown,
        "script_chars": page.script,
        "images": counts.get("img", 0) + counts.get("svg", 0) + counts.get("canvas", 0),
        "tables": counts.get("table", 0),
        "links": counts.get("a", 0),
        "scripts": counts.get("script", 0),
        "forms": counts.get("form", 0) + counts.get("input", 0) + counts.get("button", 0),
        "pictures": page.pictures,
    }
    state = State.SOUND
    if not counts and decoded.text.strip():
        state = State.MISMATCH
        problems.append("no tags in it")
    elif not page.shown and not page.script and not any(counts.get(tag) for tag in _SHOWING):
        state = State.EMPTY
        problems.append("the page shows nothing")
    return text_document(source, limits, "html", Family.MARKUP, decoded, facts=facts, problems=problems, state=state)


class TooLong(Exception):
    """Raised by a handler that has no time left."""


class _Outline(ContentHandler):
    """Counts elements; keeps nothing else."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.root = ""
        self.elements = 0
        self.chars = 0
        self.names: dict[str, int] = {}

    def startElement(self, name: str, attrs: Any) -> None:
        self.root = self.root or name
        self.elements += 1
        if self.elements % 4096 == 0 and self.clock.over:
            raise TooLong
        if len(self.names) < 200 or name in self.names:
            self.names[name] = self.names.get(name, 0) + 1

    def characters(self, content: str) -> None:
        self.chars += len(content.strip())


def _plain_entities(data: bytes) -> bool:
    """Whether all entities that XML declares are short texts, none of which stands in another one."""
    declared = data.count(b"<!ENTITY")
    return 0 < declared <= _MAX_ENTITIES and b"\0" not in data and len(_ENTITY.findall(data)) == declared


def parse_xml(data: bytes, handler: ContentHandler) -> None:
    """Runs XML through a handler without loading anything.

    Of the document's own entities only short ones of plain text are allowed, as drawing programs write them for names.

    Raises:
        ReaderProblem: It is not well-formed, or uses entities.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.expatreader import DefusedExpatParser

    # Drawing programs name a public document type, which is all right as long as nobody loads it.
    parser = DefusedExpatParser(forbid_dtd=False, forbid_entities=not _plain_entities(data), forbid_external=False)
    parser.setFeature(feature_external_ges, False)
    parser.setContentHandler(handler)
    source = InputSource()
    source.setByteStream(io.BytesIO(data))
    try:
        parser.parse(source)
    except DefusedXmlException as error:
        raise ReaderProblem(f"XML that defines or loads entities is refused ({type(error).__name__})") from None
    except SAXParseException as error:
        raise ReaderProblem(f"no well-formed XML: {error.getMessage()} in line {error.getLineNumber()}") from None
    except (SAXException, LookupError, ValueError, RecursionError) as error:
        raise ReaderProblem(f"no well-formed XML: {error}") from None


def _read_xml(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    outline = _Outline(Clock(limits.max_seconds / 2))
    problems: list[str] = []
    state = State.SOUND
    if decoded.text.strip() and not source.truncated:
        try:
            parse_xml(source.data, outline)
        except TooLong:
            state = State.PARTIAL
            problems.append("only looked at in part, it takes too long")
        except ReaderProblem as problem:
            starts = decoded.text.lstrip().startswith("<")
            state = State.BROKEN if starts else State.MISMATCH
            problems.append(str(problem))
    facts = {"root": outline.root, "elements": outline.elements, "text_chars": outline.chars}
    return text_document(source, limits, "xml", Family.MARKUP, decoded, facts=facts, problems=problems, state=state)


def _read_markdown(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    text = decoded.text[: limits.max_chars]
    pictures = [match.group(1) or match.group(2) for match in _PICTURE.finditer(text)]
    facts = {
        "headings": [match.group(1)[:120] for match in _HEADING.finditer(text)][:50],
        "images": len(pictures),
        "pictures": [name[:200] for name in pictures[:50]],
        "code_blocks": len(_FENCE.findall(text)) // 2,
        "words": len(text.split()),
    }
    return text_document(source, limits, "md", Family.MARKUP, decoded, facts=facts)


def _sniff_html(data: bytes) -> bool:
    return looks_like_text(data) and looks_like_html(data[:4000].decode("latin-1").lstrip("\xef\xbb\xbf"))


def _sniff_xml(data: bytes) -> bool:
    return data.removeprefix(b"\xef\xbb\xbf").startswith(b"<?xml")


HTML = Reader("html", frozenset({".html", ".htm", ".xhtml"}), _sniff_html, _read_html, textual=True)
XML = Reader(
    "xml",
    frozenset({".xml", ".xsd", ".xsl", ".rss", ".kml", ".gpx", ".plist", ".drawio"}),
    _sniff_xml,
    _read_xml,
    textual=True,
)
MARKDOWN = Reader("markdown", frozenset({".md", ".markdown", ".mdx"}), never, _read_markdown, textual=True)
