"""What files that are no code say of others: entries of configuration files, pictures and links of documents."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from judge.modules.graph.data_files import parse_data
from judge.modules.graph.facts import Mention

MAX_DOCUMENT = 256 * 1024
"""Bytes of the largest document that is read."""
MAX_DOCUMENTS = 16 * 1024 * 1024
"""Bytes of all documents that are read."""
MAX_ENTRIES = 400
"""Entries of one configuration file."""
MAX_MENTIONS = 400
MAX_DEPTH = 8
MAX_STEPS = 20_000
"""Values that are looked at; aliases can make a small file hold endless ones."""
MAX_VALUE = 200
_FORMATS = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}
_LINES = frozenset({".ini", ".cfg", ".conf", ".properties", ".env"})
_MARKUP = frozenset({".md", ".markdown", ".rst", ".tex", ".html", ".htm", ".xhtml", ".qmd", ".rmd"})
_RUNS = frozenset({"makefile", "gnumakefile", "dockerfile", "procfile", "justfile"})
_LOCKS = re.compile(r"(?:^|/)(?:[\w.-]*lock[\w.-]*|go\.sum|npm-shrinkwrap\.json|\.package-lock\.json)$", re.IGNORECASE)
_PATH = re.compile(r"^(?![a-z][\w+.-]*://)(?!.*\s-)[^\n\t<>|*?\"]{1,300}$")
_NAMED = re.compile(
    r"^(?:\.{0,2}/)?(?:[\w .@+-]+/)*[\w .@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$|^(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*$"
)
_ENTRY = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(.*?)[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"^\s*\[([^\]\n]{1,80})\]\s*$")
_SHOWN = re.compile(
    r"!\[[^\]\n]{0,300}\]\(\s*<?([^)\s>]{1,300})|<(?:img|video|audio|source|embed|iframe)\b[^>]{0,500}?\bsrc\s*=\s*[\"']?([^\"'\s>]{1,300})"
    r"|^\s*\.\.\s+(?:image|figure)::\s*(\S{1,300})|\\includegraphics(?:\[[^\]\n]{0,200}\])?\{([^}\n]{1,300})\}",
    re.IGNORECASE | re.MULTILINE,
)
_LINKED = re.compile(
    r"(?<!!)\[[^\]\n]{1,300}\]\(\s*<?([^)\s>]{1,300})|<a\b[^>]{0,500}?\bhref\s*=\s*[\"']?([^\"'\s>]{1,300})|`([^`\s]{1,200})`"
    r"|\\(?:input|include|bibliography|lstinputlisting)\{([^}\n]{1,300})\}|^\s*\.\.\s+(?:include|literalinclude)::\s*(\S{1,300})",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[\w./@+-]{3,200}")


def is_document(path: str) -> bool:
    """Whether a file may name others: configuration, documentation, build files; lock files are left out."""
    name = posixpath.basename(path).lower()
    suffix = posixpath.splitext(name)[1]
    if _LOCKS.search(path):
        return False
    known = suffix in _FORMATS or suffix in _LINES or suffix in _MARKUP
    return known or name in _RUNS or name.startswith((".env", "dockerfile", "makefile"))


def mentions(texts: Mapping[str, str]) -> dict[str, tuple[Mention, ...]]:
    """What documents say, by path; those that say nothing are left out."""
    found = {path: tuple(_of(path, text)) for path, text in texts.items()}
    return {path: items for path, items in found.items() if items}


def looks_like_path(text: str) -> bool:
    """Whether the value of an entry names a file or folder."""
    return _PATH.match(text) is not None and _NAMED.match(text) is not None and not re.fullmatch(r"[\d.]+", text)


def _of(path: str, text: str) -> Iterator[Mention]:
    suffix = posixpath.splitext(path)[1].lower()
    if suffix in _FORMATS:
        yield from _entries(_FORMATS[suffix], text)
    elif suffix in _LINES or posixpath.basename(path).lower().startswith(".env"):
        yield from _plain_entries(text)
    elif suffix in _MARKUP:
        yield from _markup(text)
    else:
        yield from _words(text)


def _entries(kind: str, text: str) -> Iterator[Mention]:
    """Entries of a structured file, each with the first line after the one before it that says its key."""
    ends = _ends(text)
    position = 0
    for number, (key, value) in enumerate(_flat(parse_data(kind, text))):
        if number >= MAX_ENTRIES:
            return
        name = key.rpartition(".")[2]
        found = text.find(name, position)
        if found >= 0:
            position = found
        yield _entry(key, value, bisect_left(ends, max(0, position)) + 1)


def _flat(data: object) -> Iterator[tuple[str, object]]:
    """Dotted keys and plain values; a list of texts gives each of them."""
    stack: list[tuple[str, object, int]] = [("", data, 0)]
    for _ in range(MAX_STEPS):
        if not stack:
            return
        key, value, depth = stack.pop()
        if isinstance(value, dict) and depth < MAX_DEPTH:
            items = list(value.items())[: MAX_ENTRIES + 1]
            stack.extend((f"{key}.{name}" if key else str(name), item, depth + 1) for name, item in reversed(items))
        elif isinstance(value, list) and depth < MAX_DEPTH and key:
            texts = [(key, item, MAX_DEPTH) for item in value[:20] if isinstance(item, str)]
            stack.extend(reversed(texts))
        elif key and not isinstance(value, dict | list):
            yield key[:200], value


def _plain_entries(text: str) -> Iterator[Mention]:
    """Entries of ini, properties and env files."""
    section = ""
    for number, line in enumerate(text.split("\n")[:5_000], 1):
        head = _SECTION.match(line)
        if head:
            section = head.group(1).strip()
            continue
        found = _ENTRY.match(line)
        if found and not line.lstrip().startswith(("#", ";", "//")):
            key = f"{section}.{found.group(1)}" if section else found.group(1)
            yield _entry(key, found.group(2).strip("\"'"), number)


def _entry(key: str, value: object, line: int) -> Mention:
    plain = value if isinstance(value, str | int | float | bool) else None
    if isinstance(plain, str):
        plain = plain[:MAX_VALUE]
    target = plain if isinstance(plain, str) and looks_like_path(plain) else ""
    return Mention(target, line, key=key, value=plain)


def _markup(text: str) -> Iterator[Mention]:
    """Pictures a document shows, and files it links to or names in code type."""
    ends = _ends(text)
    for pattern, display in ((_SHOWN, True), (_LINKED, False)):
        for number, match in enumerate(pattern.finditer(text)):
            if number >= MAX_MENTIONS:
                break
            target = next(group for group in match.groups() if group)
            target = target.split("#")[0].split("?")[0].replace("%20", " ")
            if target and not re.match(r"[a-z][\w+.-]*:|//|\{|#", target, re.IGNORECASE) and "{{" not in target:
                yield Mention(target, bisect_left(ends, match.start()) + 1, display)


def _words(text: str) -> Iterator[Mention]:
    """Words of build files that may be paths; only existing ones are kept later."""
    found: set[str] = set()
    for number, line in enumerate(text.split("\n")[:5_000], 1):
        if line.lstrip().startswith("#"):
            continue
        for word in _WORD.findall(line):
            if word not in found and ("." in word or "/" in word) and len(found) < MAX_MENTIONS:
                found.add(word)
                yield Mention(word, number)


def _ends(text: str) -> list[int]:
    return [match.start() for match in re.finditer("\n", text)]
