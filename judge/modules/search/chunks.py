"""The texts of a workspace in pieces that mean something: a function, a cell, a section, a paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge.modules.graph.facts import DefKind
from judge.modules.search.aside import is_aside, is_generated
from judge.modules.search.base import Passage
from judge.modules.search.sections import Section, cells, headed, paragraphs
from judge.text import split_lines

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.modules.graph.facts import CodeFile, Definition
    from judge.workspace import Entry

_FILES = 4_000
_DOCUMENTS = 200
_CHUNKS = 20_000
_CHARS = 16_000_000
_SIZE = 2_000_000
_DOCUMENT_SIZE = 20_000_000
_WHOLE_CLASS = 40
_ROWS = 5
_READ = frozenset((".ipynb", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".epub", ".pptx", ".html", ".htm", ".eml"))
_HEADED = frozenset((".md", ".markdown", ".rst", ".txt", ".adoc"))
_ROWED = frozenset((".csv", ".tsv", ".jsonl", ".ndjson", ".log", ".arff", ".dat", ".svg"))


class Chunk(NamedTuple):
    """A piece of a file.

    Attributes:
        path: The file.
        name: The symbol, heading or cell; empty when it has none.
        line: First line, as lines are numbered where the file is shown; None when they are not.
        end_line: Last line.
        text: Its text; empty for a file of which only the name is known.
    """

    path: str
    name: str
    line: int | None
    end_line: int | None
    text: str

    @property
    def passage(self) -> Passage:
        """As it is ranked."""
        return Passage(self.text, self.path, self.name)


def chunks_of(case: Case) -> tuple[Chunk, ...]:
    """The chunks of a workspace, by path; of huge workspaces as many as the bounds allow, shallow files first.

    Args:
        case: Any requirement on the workspace.
    """
    found: list[Chunk] = []
    left = _CHARS
    documents = _DOCUMENTS
    entries = [entry for entry in case.workspace.files if not is_aside(entry.path)]
    for entry in sorted(entries, key=lambda item: (item.path.count("/"), item.path))[:_FILES]:
        rich = entry.suffix in _READ
        documents -= rich
        chunks = list(_chunks(case, entry, rich and documents >= 0)) if left > 0 else []
        left -= sum(len(chunk.text) for chunk in chunks)
        found += chunks or [Chunk(entry.path, "", None, None, "")]
        if len(found) > _CHUNKS:
            break
    return tuple(sorted(found, key=lambda chunk: (chunk.path, chunk.line or 0)))


def _chunks(case: Case, entry: Entry, rich: bool) -> Iterator[Chunk]:
    code = case.graph.files.get(entry.path)
    if code is not None and entry.suffix != ".ipynb":
        if not is_generated(code.source, code=True):
            yield from code_chunks(code)
        return
    if rich and entry.size <= _DOCUMENT_SIZE:
        document = case.documents.get(entry.path)
        lines = split_lines(document.text)
        counted = document.lines_match or entry.suffix == ".ipynb"
        sections = cells(lines) if entry.suffix == ".ipynb" else paragraphs(lines)
        yield from (_chunk(entry.path, section, counted) for section in sections if section.text.strip())
    elif entry.size <= _SIZE and entry.suffix not in _READ:
        text = case.workspace.read_text(entry, _SIZE)
        if text.binary or is_generated(text.text, code=entry.path in case.graph.languages):
            return
        lines = split_lines(text.text)
        if entry.suffix in _ROWED:
            lines = lines[:_ROWS]
        sections = headed(lines) if entry.suffix in _HEADED else paragraphs(lines)
        yield from (_chunk(entry.path, section, True) for section in sections if section.text.strip())


def _chunk(path: str, section: Section, counted: bool) -> Chunk:
    line, end = (section.line, section.end_line) if counted else (None, None)
    return Chunk(path, section.title, line, end, section.text)


def code_chunks(code: CodeFile) -> Iterator[Chunk]:
    """One chunk a function, method or small class; the head of a large class, and what stands outside of all."""
    lines = split_lines(code.source)
    spans: list[tuple[int, int, str]] = []
    last = 0
    for item in sorted(code.definitions, key=lambda item: (item.line, -item.end_line)):
        if item.line <= last or item.line > len(lines):
            continue
        last = min(_end(item, code.definitions), len(lines))
        spans.append((item.line, last, item.qualname))
    yield from _rest(code.path, lines, spans)
    for line, end, name in spans:
        yield Chunk(code.path, name, line, end, "\n".join(lines[line - 1 : end]))


def _end(item: Definition, definitions: Sequence[Definition]) -> int:
    """Last line of a definition's own chunk: that of a large class ends where its first method begins."""
    if item.kind is not DefKind.CLASS or item.end_line - item.line < _WHOLE_CLASS:
        return item.end_line
    inner = [other.line for other in definitions if item.line < other.line <= item.end_line]
    return min(inner) - 1 if inner else item.end_line


def _rest(path: str, lines: Sequence[str], spans: Sequence[tuple[int, int, str]]) -> Iterator[Chunk]:
    """Runs of lines outside of all definitions that say something."""
    start = 1
    for line, end, _ in [*spans, (len(lines) + 1, len(lines) + 1, "")]:
        run = lines[start - 1 : line - 1]
        if any(text.strip() and not text.lstrip().startswith("@") for text in run):
            sections = paragraphs(run, start)
            yield from (_chunk(path, section, True) for section in sections if section.text.strip())
        start = end + 1
