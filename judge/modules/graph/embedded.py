"""Code that stands inside other files: scripts and styles of pages and components."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.modules.graph.languages import Language
from judge.modules.graph.raw import Raw

MAX_PARTS = 50
_PAGES = frozenset({"html", "vue", "svelte"})
_OPEN = re.compile(r"<(script|style)\b([^>]{0,2000})>", re.IGNORECASE)
_TYPE = re.compile(r"""\b(?:type|lang)\s*=\s*["']?([\w/+.-]+)""", re.IGNORECASE)
_SCRIPTS = {
    "": "javascript",
    "module": "javascript",
    "text/javascript": "javascript",
    "application/javascript": "javascript",
    "text/babel": "javascript",
    "text/jsx": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "text/typescript": "typescript",
    "tsx": "tsx",
}

_CHUNK = re.compile(r"^[ \t]*```+[ \t]*(\{[ \t]*r\b[^}\n]{0,300}\})?", re.MULTILINE | re.IGNORECASE)


def parts(source: str, language: Language) -> Iterator[tuple[str, str]]:
    """Language and text of what is embedded, everything else blanked so that lines stay."""
    if language.name not in _PAGES:
        return
    spans: dict[str, list[tuple[int, int]]] = {}
    position = 0
    lowered = source.lower()
    for _ in range(MAX_PARTS):
        opening = _OPEN.search(source, position)
        if opening is None:
            break
        tag = opening.group(1).lower()
        end = lowered.find(f"</{tag}", opening.end())
        end = len(source) if end < 0 else end
        position = end
        kind = _TYPE.search(opening.group(2))
        name = _SCRIPTS.get(kind.group(1).lower() if kind else "") if tag == "script" else "css"
        if name and source[opening.end() : end].strip():
            spans.setdefault(name, []).append((opening.end(), end))
    for name, found in spans.items():
        yield name, only(source, found)


def only(source: str, spans: list[tuple[int, int]]) -> str:
    """The text with all but these stretches blanked."""
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces.append("\n" * source.count("\n", position, start))
        pieces.append(source[start:end])
        position = end
    return "".join(pieces)


def merge(raw: Raw, inner: Raw) -> None:
    """Add what an embedded part says to the facts of its file."""
    for name in ("definitions", "calls", "imports", "imported", "assigned", "strings", "shown", "comments"):
        getattr(raw, name).extend(getattr(inner, name))
    for scope, words in inner.words.items():
        known = raw.words.setdefault(scope, {})
        for word, line in words.items():
            known.setdefault(word, line)
    raw.error = raw.error or inner.error


def r_chunks(source: str) -> list[tuple[int, int]]:
    """Where the R chunks of a Markdown document are, without their fences."""
    found: list[tuple[int, int]] = []
    start = -1
    for fence in _CHUNK.finditer(source):
        if start >= 0:
            found.append((start, fence.start()))
            start = -1
        elif fence.group(1):
            end = source.find("\n", fence.end())
            start = len(source) if end < 0 else end + 1
    return [*found, (start, len(source))] if start >= 0 else found
