"""Files that a requirement may be about, each with the reason and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.graph.kinds import EntryKind
from judge.modules.locate.match import Hit, Matcher, Resolution
from judge.modules.locate.mentions import Mention, Named, mentions
from judge.modules.locate.neighbours import neighbours
from judge.modules.locate.symbols import Symbols
from judge.modules.search.aside import is_aside

if TYPE_CHECKING:
    from judge.modules.graph.facts import FileAccess

_TEXT_TOP = 0.45
_LEAST = 0.1
_PREREQUISITE = 0.4
_TASK = 0.3
_FITS = 0.3
"""What a file named in the background gains by how well its words fit the criterion."""
_PRODUCED = 0.8
_SYMBOL = 0.75
_USED = 0.55
_ASIDE = 0.35
_LITERAL = 0.6
_CLAIMS = 0.6
"""Text for people says what was done, which is no evidence; it comes after code and results that fit as well."""
_ENTRY = 0.2
_CODE = 0.15
_ARTEFACTS = 20
_PROSE = (".md", ".rst", ".pdf", ".docx", ".html")
_READS = re.compile(r"\b(?:load|read|import|use|open|parse|consume|fed|feed)\w*\b", re.IGNORECASE)
PATHS = frozenset({Named.FILE, Named.FOLDER, Named.PATTERN})
"""Kinds of mention that name paths."""


def producers(case: Case, resolved: Iterable[Resolution]) -> Iterator[Hit]:
    """Code that writes, reads or names an artefact of the criterion, whether it is there or not."""
    wants_readers = bool(_READS.search(case.requirement.criteria))
    for item in resolved:
        artefacts = [hit.path for hit in item.hits[:_ARTEFACTS] if _is_artefact(case, hit.path)]
        if item.missing and item.named.rsplit("/", 1)[-1]:
            artefacts.append(item.named)
        for artefact in artefacts:
            writers = case.graph.writers(artefact)
            yield from _accesses(writers, artefact, "writes", _PRODUCED)
            # Who reads a result tells little of how it was made.
            score = _USED if not writers or wants_readers else _ASIDE
            yield from _accesses(case.graph.readers(artefact), artefact, "reads", score)
            if not writers:
                yield from _named_in_code(case, artefact)


def _accesses(pairs: Iterable[tuple[str, FileAccess]], artefact: str, did: str, score: float) -> Iterator[Hit]:
    for path, access in pairs:
        yield Hit(path, f"line {access.line} {did} `{access.pattern or artefact}`", score)


def symbols(table: Symbols, named: Iterable[Mention]) -> Iterator[Hit]:
    """Code that defines what the criterion names."""
    for item in named:
        if item.kind == Named.SYMBOL:
            yield from table.find(item.text)


def accepted(item: Resolution, sure: set[str]) -> tuple[Hit, ...]:
    """Near misses worth reading; words with a slash in running text (``and/or``) are no paths."""
    if item.named not in sure:
        return ()
    near = (hit for hit in item.near if not hit.path.endswith("/"))
    return tuple(hit._replace(why=f"`{item.named}` itself is not there; {hit.why}") for hit in near)


def programs(case: Case, hits: Sequence[Hit]) -> Iterator[Hit]:
    """What runs by itself, and the other code of a small workspace, for a criterion that leads to nothing.

    Args:
        case: The requirement.
        hits: What the criterion itself leads to.
    """
    if any(hit.score >= _USED for hit in hits):
        return
    for path in case.graph.entry_points()[: case.bounds.max_files]:
        if case.graph.entries[path] is not EntryKind.TEST and not is_aside(path):
            yield Hit(path, "runs by itself, and nothing in the criterion leads elsewhere", _ENTRY)
    code = [path for path, file in case.graph.files.items() if file.definitions and not is_aside(path)]
    if len(code) <= case.bounds.max_files:
        yield from (Hit(path, "code of a small workspace", _CODE) for path in code)


def by_text(fit: Mapping[str, float], limit: int) -> Iterator[Hit]:
    """Files whose path, symbols or text fit the criterion, by how well they do."""
    for path, share in list(fit.items())[:limit]:
        if share >= _LEAST:
            score = _TEXT_TOP * share * (_CLAIMS if path.lower().endswith(_PROSE) else 1)
            yield Hit(path, "its path, symbols or text fit the criterion", score)


def _is_artefact(case: Case, path: str) -> bool:
    """Whether a file may have been made by code: notebooks may, other source files are written by hand."""
    return path not in case.graph.files or path.endswith(".ipynb")


def _named_in_code(case: Case, artefact: str) -> Iterator[Hit]:
    """Code that holds the name of an artefact in a string, when no write of it was recognised."""
    name = artefact.rstrip("/").rsplit("/", 1)[-1]
    for path, code in case.graph.files.items():
        line = next((item.line for item in code.strings if item.value.endswith(name)), None)
        if line is not None and path != artefact:
            yield Hit(path, f"line {line} names `{name}`", _LITERAL)


def around(case: Case, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Helpers and settings of the code that was named or that makes what was named."""
    code = [hit for hit in hits if hit.path in case.graph.files]
    named = [hit.path for hit in code if hit.score > _PRODUCED]
    makers = [hit.path for hit in code if _SYMBOL <= hit.score <= _PRODUCED and hit.path not in named]
    return neighbours(case, named, makers)


def leads(case: Case, resolved: Sequence[Resolution], hits: Sequence[Hit]) -> bool:
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


def background(case: Case, matcher: Matcher, fit: Mapping[str, float]) -> Iterator[Hit]:
    """Files named by prerequisites and by the task itself, at lower rank, the better the more they fit."""
    for number in case.requirement.prerequisites:
        for other in case.task.requirements:
            if other.requirement_id == number:
                yield from _named_in(other.criteria, f"prerequisite {number}", matcher, _PREREQUISITE, fit)
    yield from _named_in(case.task.query, "the task", matcher, _TASK, fit)


def _named_in(text: str, source: str, matcher: Matcher, score: float, fit: Mapping[str, float]) -> Iterator[Hit]:
    for item in mentions(text):
        if item.kind in PATHS:
            for hit in matcher.resolve(item, source).hits:
                yield Hit(hit.path, hit.why, score * hit.score + _FITS * fit.get(hit.path, 0.0))


def best(hits: Iterable[Hit], limit: int) -> list[Hit]:
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
