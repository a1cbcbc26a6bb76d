"""What a workspace holds that the graph is made of: sources, and files that say how code is run."""

from __future__ import annotations

import hashlib
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.modules.graph.documents import MAX_DOCUMENT, MAX_DOCUMENTS, is_document
from judge.modules.graph.foreign import why_foreign
from judge.modules.graph.languages import PAGES, Language, language_of, language_of_script
from judge.modules.graph.manifests import is_project
from judge.modules.graph.python.runners import is_runner

if TYPE_CHECKING:
    from judge.workspace import Entry, Text, Workspace

MAX_BYTES = 4 * 1024 * 1024
"""Largest source file that is analysed."""
MAX_NOTEBOOK = 32 * 1024 * 1024
MAX_TOTAL = 256 * 1024 * 1024
"""Source bytes that are analysed in all."""
MAX_PAGE = 512 * 1024
"""Largest web page that is searched for scripts."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file that is to be analysed.

    Attributes:
        path: Workspace path.
        text: Its text.
        language: Its language.
    """

    path: str
    text: str
    language: Language

    @property
    def hash(self) -> str:
        """A hash of the text."""
        return text_hash(self.text)

    @property
    def is_notebook(self) -> bool:
        """Whether its code lies in cells."""
        return self.path.endswith(".ipynb")


@dataclass(slots=True)
class Sources:
    """What was read before anything is parsed.

    Attributes:
        files: The sources, in the order of the listing.
        languages: Language of every source file by path, also of those that are not analysed.
        unparsed: Source files that are not analysed, with the reason.
        runners: Text of build files, scripts and web pages by path.
        documents: Text of configuration files and documents that may name other files, by path.
    """

    files: list[Source] = field(default_factory=list)
    languages: dict[str, str] = field(default_factory=dict)
    unparsed: dict[str, str] = field(default_factory=dict)
    runners: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)


def read_sources(workspace: Workspace) -> Sources:
    """Read every source file of a workspace; never raises for what is in them."""
    sources = Sources()
    total, room = 0, MAX_DOCUMENTS
    for entry in workspace.files:
        path, suffix = entry.path, posixpath.splitext(entry.path)[1].lower()
        language = _language(workspace, entry, suffix)
        problem = "no source"
        if language is not None:
            sources.languages[path] = language.name
            problem = _problem(entry, suffix, language, total)
            if problem:
                sources.unparsed[path] = problem
        runs = _is_runner(entry, suffix)
        tells = entry.size <= min(MAX_DOCUMENT, room) and is_document(path)
        if problem and not runs and not tells:
            continue
        text = workspace.read_text(entry, MAX_NOTEBOOK if suffix == ".ipynb" else MAX_BYTES)
        if runs:
            sources.runners[path] = text.text
        if tells:
            room -= entry.size
            sources.documents[path] = text.text
        if language is not None and not problem:
            total += entry.size
            _file(sources, path, text, language)
    return sources


def _is_runner(entry: Entry, suffix: str) -> bool:
    if suffix in PAGES:
        return entry.size <= MAX_PAGE
    return entry.size <= MAX_BYTES and (is_runner(entry.path) or is_project(entry.path))


def _language(workspace: Workspace, entry: Entry, suffix: str) -> Language | None:
    """The language by the name, or for a file without an extension by its first line."""
    language = language_of(entry.path)
    if language is not None or suffix or not 2 < entry.size <= MAX_BYTES:
        return language
    head = workspace.read_bytes(entry, 100).data
    return language_of_script(head.decode("utf-8", "replace")) if head.startswith(b"#!") else None


def _problem(entry: Entry, suffix: str, language: Language, total: int) -> str:
    """Why a source is not analysed, or an empty string."""
    if not language.analysed:
        return language.missing or "no grammar"
    limit = MAX_NOTEBOOK if suffix == ".ipynb" else MAX_BYTES
    return "too large to analyse" if entry.size > limit or total + entry.size > MAX_TOTAL else ""


def _file(sources: Sources, path: str, read: Text, language: Language) -> None:
    text = read.text
    if read.binary:
        sources.unparsed[path] = "no text"
        return
    foreign = why_foreign(path, text, language.name)
    if foreign:
        sources.unparsed[path] = foreign
        return
    language = language.dialect(text)
    sources.languages[path] = language.name
    sources.files.append(Source(path, text, language))


def text_hash(text: str) -> str:
    """A hash of a text, the same wherever it lies."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
