"""Texts that are typeset: LaTeX and reStructuredText. The text is the file's lines; what it is made of are facts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.readers.parts import never, text_document, text_of

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_SECTION = re.compile(r"\\(?:part|chapter|(?:sub){0,2}section|paragraph)\*?\s*\{([^{}\n]{1,200})\}")
_GRAPHIC = re.compile(r"\\includegraphics\s*(?:\[[^\]\n]{0,300}\])?\s*\{([^{}\n]{1,300})\}")
_TEX_TITLE = re.compile(r"\\title\s*\{((?:[^{}]|\{[^{}]{0,200}\}){1,300})\}")
_BEGIN = re.compile(r"\\begin\s*\{(\w{1,40})\*?\}")
_CITE = re.compile(r"\\cite\w*\s*(?:\[[^\]\n]{0,100}\]){0,2}\{")
_COMMAND = re.compile(r"\\(?:begin|end)\s*\{\w{1,40}\*?\}|\\[A-Za-z@]+\*?|[{}$&~^_]")
_FORMULAS = ("equation", "align", "gather", "multline", "eqnarray", "displaymath")
_UNDERLINE = re.compile(r"^([^\sA-Za-z0-9])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"^\s*\.\. ([a-z-]{2,30})::\s*(\S[^\n]{0,300})?", re.MULTILINE)
_MAX_LINE = 2_000


def _read_tex(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    text = _COMMENT.sub("", decoded.text[: limits.max_chars])
    kinds: dict[str, int] = {}
    for match in _BEGIN.finditer(text):
        if match.group(1) in kinds or len(kinds) < 200:
            kinds[match.group(1)] = kinds.get(match.group(1), 0) + 1
    pictures = [name.strip() for name in _GRAPHIC.findall(text)]
    title = _TEX_TITLE.search(text)
    body = text.partition(r"\begin{document}")[2] or text
    facts: dict[str, Any] = {
        "title": " ".join(_COMMAND.sub(" ", title.group(1)).split()) if title else "",
        "headings": [" ".join(name.split()) for name in _SECTION.findall(text)][:50],
        "images": len(pictures) + kinds.get("tikzpicture", 0),
        "pictures": pictures[:50],
        "tables": kinds.get("tabular", 0) + kinds.get("longtable", 0) + kinds.get("tabularx", 0),
        "formulas": sum(kinds.get(name, 0) for name in _FORMULAS) + text.count(r"\["),
        "citations": len(_CITE.findall(text)),
        "words": len(_COMMAND.sub(" ", body).split()),
    }
    problems = []
    state = State.SOUND
    whole = not source.truncated and len(decoded.text) <= limits.max_chars
    if kinds.get("document") and whole and r"\end{document}" not in text:
        state = State.BROKEN
        problems.append(r"the end of the document is missing (\end{document})")
    elif kinds.get("document") and not facts["words"] and not facts["images"]:
        state = State.EMPTY
        problems.append("a document without a word")
    return text_document(source, limits, "tex", Family.MARKUP, decoded, facts=facts, problems=problems, state=state)


def _read_rst(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    text = decoded.text[: limits.max_chars]
    directives = [(match.group(1), (match.group(2) or "").strip()) for match in _DIRECTIVE.finditer(text)]
    pictures = [target for kind, target in directives if kind in {"image", "figure"} and target]
    headings = [
        title.strip()
        for title, line in pairwise(text.split("\n"))
        if _underlined(title[:_MAX_LINE]) and len(line) < _MAX_LINE and _UNDERLINE.match(line)
    ]
    facts: dict[str, Any] = {
        "headings": [heading[:120] for heading in headings[:50]],
        "images": len(pictures),
        "pictures": [name[:200] for name in pictures[:50]],
        "code_blocks": sum(kind in {"code", "code-block", "sourcecode"} for kind, _ in directives),
        "tables": sum(kind in {"table", "csv-table", "list-table"} for kind, _ in directives),
        "words": len(text.split()),
    }
    return text_document(source, limits, "rst", Family.MARKUP, decoded, facts=facts)


def _underlined(title: str) -> bool:
    return bool(title.strip()) and not _UNDERLINE.match(title)


TEX = Reader("tex", frozenset({".tex", ".ltx"}), never, _read_tex, textual=True)
RST = Reader("rst", frozenset({".rst"}), never, _read_rst, textual=True)
