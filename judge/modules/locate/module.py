"""The module ``locate``: which files a requirement is about."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.locate.choose import ask_for_files
from judge.modules.locate.index import FileIndex
from judge.modules.locate.match import Hit, Matcher, Resolution
from judge.modules.locate.mentions import Mention, Named, mentions
from judge.modules.locate.neighbours import neighbours
from judge.modules.words import words
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

if TYPE_CHECKING:
    from judge.workspace import Workspace

_TEXT_TOP = 0.45
_WEAK = 0.3
_LEAST = 0.1
_PREREQUISITE = 0.4
_TASK = 0.3
_FITS = 0.3
"""What a file named in the background gains by how well its words fit the criterion."""
_RELEVANT = 0.5
"""When the criterion itself leads to files, others below this are left out."""
_PRODUCED = 0.8
_SYMBOL = 0.75
_USED = 0.55
_NAMED = 30
_ASIDE = 0.35
_LITERAL = 0.6
_CLAIMS = 0.6
"""Text for people says what was done, which is no evidence; it comes after code and results that fit as well."""
_MISSING = "not found as named"
_READS = re.compile(r"\b(?:load|read|import|use|open|parse|consume|fed|feed)\w*\b", re.IGNORECASE)
_PATHS = frozenset({Named.FILE, Named.FOLDER, Named.PATTERN})


class Locate:
    """Finds the files for requirements of one workspace; its tables are built once."""

    name = "locate"

    def __init__(self, *, use_graph: bool = True) -> None:
        """Makes a module for one workspace.

        Args:
            use_graph: Whether writers of artefacts and definitions of symbols are followed.
        """
        self._use_graph = use_graph
        self._lock = Lock()
        self._workspace: Workspace | None = None
        self._matcher: Matcher | None = None
        self._index: FileIndex | None = None

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item per located file, best first, after the notes on what is missing.

        Args:
            case: The requirement.
            found: Not used; locate comes first.

        Returns:
            Evidence without text: path, reason, and ``score`` among the facts.
        """
        hits, notes = await asyncio.to_thread(self._search, case)
        if case.model is not None and (not hits or hits[0].score < _WEAK) and case.workspace.files:
            chosen = await ask_for_files(case, case.model)
            hits = _best([*chosen, *hits], case.bounds.max_files)
        return [*notes, *(_item(hit) for hit in hits)]

    def _search(self, case: Case) -> tuple[list[Hit], list[Evidence]]:
        matcher, index = self._tables(case)
        named = mentions(case.requirement.criteria)
        resolved = [matcher.resolve(item, "the criterion") for item in named if item.kind in _PATHS]
        sure = {item.text for item in named if item.quoted or item.kind == Named.FILE}
        # `model.xyz` may be an attribute or a file of a rare kind: the tree tells.
        dotted = [replace(item, kind=Named.FILE) for item in named if item.kind == Named.SYMBOL and "." in item.text]
        resolved += [found for item in dotted if (found := matcher.resolve(item, "the criterion")).hits]
        named_hits = [hit for item in resolved for hit in (*item.hits, *_accepted(item, sure))]
        direct = list(named_hits)
        if self._use_graph:
            direct += self._producers(case, resolved)
            direct += self._symbols(case, named)
            direct += _around(case, direct)
        fit = dict(index.rank(words(case.requirement.criteria)))
        others = list(_background(case, matcher, fit))
        others += [
            Hit(
                path,
                "its path, symbols or text fit the criterion",
                _TEXT_TOP * share * (_CLAIMS if _is_prose(path) else 1),
            )
            for path, share in list(fit.items())[: case.bounds.max_files]
            if share >= _LEAST
        ]
        told = [item for item in resolved if item.hits or item.named in sure]
        if self._use_graph and _leads(case, told, direct):
            direct = [hit for hit in direct if hit.score >= _USED or hit.path in {own.path for own in named_hits}]
            others = [hit for hit in others if hit.score >= _RELEVANT]
        notes = [note for item in resolved for note in _notes(item, sure)]
        return _best([*direct, *others], case.bounds.max_files), notes

    def _tables(self, case: Case) -> tuple[Matcher, FileIndex]:
        with self._lock:
            if self._matcher is None or self._index is None or self._workspace is not case.workspace:
                self._workspace = case.workspace
                self._matcher = Matcher(case.workspace)
                self._index = FileIndex(case.workspace, case.graph if self._use_graph else None)
            return self._matcher, self._index

    def _producers(self, case: Case, resolved: Iterable[Resolution]) -> Iterator[Hit]:
        """Code that writes (or reads) an artefact named in the criterion, there or not."""
        for item in resolved:
            artefacts = [hit.path for hit in item.hits[:20] if _is_artefact(case, hit.path)]
            if item.missing and item.named.rsplit("/", 1)[-1]:
                artefacts.append(item.named)
            for artefact in artefacts:
                writers = case.graph.writers(artefact)
                for path, access in writers:
                    yield Hit(path, f"line {access.line} writes `{access.pattern or artefact}`", _PRODUCED)
                # Who reads a result tells little of how it was made.
                score = _USED if not writers or _READS.search(case.requirement.criteria) else _ASIDE
                for path, access in case.graph.readers(artefact):
                    yield Hit(path, f"line {access.line} reads `{access.pattern or artefact}`", score)
                if not writers:
                    yield from _named_in_code(case, artefact)

    def _symbols(self, case: Case, named: Iterable[Mention]) -> Iterator[Hit]:
        for item in named:
            if item.kind == Named.SYMBOL:
                for path, definition in case.graph.definitions(item.text):
                    yield Hit(path, f"line {definition.line} defines `{definition.qualname}`", _SYMBOL)


def _accepted(item: Resolution, sure: set[str]) -> tuple[Hit, ...]:
    """Near misses worth reading; words with a slash in running text (``and/or``) are no paths."""
    if item.named not in sure:
        return ()
    return tuple(hit for hit in item.near if not hit.path.endswith("/"))


def _is_artefact(case: Case, path: str) -> bool:
    """Whether a file may have been made by code: notebooks may, other source files are written by hand."""
    return path not in case.graph.files or path.endswith(".ipynb")


def _is_prose(path: str) -> bool:
    return path.lower().endswith((".md", ".rst", ".pdf", ".docx", ".html"))


def _named_in_code(case: Case, artefact: str) -> Iterator[Hit]:
    """Code that holds the name of an artefact in a string, when no write of it was recognised."""
    name = artefact.rstrip("/").rsplit("/", 1)[-1]
    for path, code in case.graph.files.items():
        line = next((item.line for item in code.strings if item.value.endswith(name)), None)
        if line is not None and path != artefact:
            yield Hit(path, f"line {line} names `{name}`", _LITERAL)


def _around(case: Case, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Helpers and settings of the code that was named or that makes what was named."""
    code = [hit for hit in hits if hit.path in case.graph.files]
    named = [hit.path for hit in code if hit.score > _PRODUCED]
    makers = [hit.path for hit in code if _SYMBOL <= hit.score <= _PRODUCED and hit.path not in named]
    return neighbours(case, named, makers)


def _leads(case: Case, resolved: Sequence[Resolution], hits: Sequence[Hit]) -> bool:
    """Whether the criterion itself leads to the code in question, so that nothing else need be guessed at.

    It does when every path in it is there or known to be written, and the code that makes or uses it is found.
    """
    if not resolved:
        return False
    for item in resolved:
        own = [hit.path for hit in item.hits]
        code = [case.graph.files[path] for path in own if path in case.graph.files]
        if any(not file.entry and not file.imported_by for file in code):
            return False  # nothing runs it: what runs instead must be seen
        if code or item.empty_folder:
            continue
        if not _made(case, own or [item.named]):
            return False
    return any(hit.path in case.graph.files and hit.score >= _USED for hit in hits)


def _made(case: Case, paths: Sequence[str]) -> bool:
    """Whether code surely writes one of the artefacts, as far as paths in code can tell."""
    from judge.modules.graph.facts import Access
    from judge.modules.graph.kinds import Exactness

    vague = {Exactness.LOOSE}
    return any(match.exactness not in vague for path in paths[:20] for match in case.graph.matches(path, Access.WRITE))


def _background(case: Case, matcher: Matcher, fit: Mapping[str, float]) -> Iterator[Hit]:
    """Files named by prerequisites and by the task itself, at lower rank, the better the more they fit."""
    for number in case.requirement.prerequisites:
        for other in case.task.requirements:
            if other.requirement_id == number:
                yield from _named_in(other.criteria, f"prerequisite {number}", matcher, _PREREQUISITE, fit)
    yield from _named_in(case.task.query, "the task", matcher, _TASK, fit)


def _named_in(text: str, source: str, matcher: Matcher, score: float, fit: Mapping[str, float]) -> Iterator[Hit]:
    for item in mentions(text):
        if item.kind in _PATHS:
            for hit in matcher.resolve(item, source).hits:
                yield Hit(hit.path, hit.why, score * hit.score + _FITS * fit.get(hit.path, 0.0))


def _best(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """Each file once with its best reason; further reasons raise it a little."""
    best: dict[str, Hit] = {}
    extra: dict[str, float] = {}
    for hit in hits:
        known = best.get(hit.path)
        extra[hit.path] = extra.get(hit.path, 0.0) + hit.score
        if known is None or hit.score > known.score:
            best[hit.path] = hit
    ranked = sorted(best.values(), key=lambda hit: (-hit.score, -extra[hit.path], hit.path.count("/"), hit.path))
    return ranked[:limit]


def _notes(item: Resolution, sure: set[str]) -> Iterator[Evidence]:
    if len(item.hits) > 1:
        names = ", ".join(f"`{hit.path}`" for hit in item.hits[:_NAMED])
        more = f" and {len(item.hits) - _NAMED} more" if len(item.hits) > _NAMED else ""
        yield _note(item.named, f"`{item.named}` names {len(item.hits)} files: {names}{more}.", (), "several files")
        return
    if item.empty_folder:
        yield _note(item.named, f"The folder `{item.named}` is there and holds no file.", (), "empty")
        return
    if not item.missing or item.named not in sure:
        return
    text = f"`{item.named}` is not in the workspace."
    if item.skipped:
        text += f" {item.skipped}."
    if item.near:
        text += " Nearest: " + "; ".join(f"`{hit.path}` ({hit.why})" for hit in item.near) + "."
    yield _note(item.named, text, item.near)


def _note(named: str, text: str, near: Sequence[Hit], what: str = _MISSING) -> Evidence:
    return Evidence(
        module="locate",
        kind=EvidenceKind.NOTE,
        title=f"{named}: {what}",
        text=text,
        why="named in the criterion",
        facts={"missing": named, "near": [hit.path for hit in near]} if what == _MISSING else {"named": named},
        tokens=count(text),
    )


def _item(hit: Hit) -> Evidence:
    return Evidence(
        module="locate",
        kind=EvidenceKind.FILE,
        title=hit.path,
        text="",
        path=hit.path,
        why=hit.why,
        facts={"score": round(hit.score, 3)},
    )
