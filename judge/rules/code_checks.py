"""Whether a concept is done by live code, where the criterion says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.modules.graph.facts import Body
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.live import LiveFile
from judge.rules.match import Hit, Scopes, find_hits
from judge.rules.vocabulary import Concept, Kind
from judge.rules.wording import listed, words_where
from judge.rules.words import STOPWORDS, spaced, split_words, stem, stems
from judge.schemas import Citation

HELPER_FACTOR = 0.92
"""A helper file that the named file imports and uses counts, a little less sure."""


def check_in_code(evidence: Evidence, concept: Concept, paths: Sequence[str], scopes: Scopes | None = None) -> Finding:
    """Whether live code shows a concept in the named files, or in files they use; everywhere when none is named."""
    if paths:
        here = evidence.live.select(paths)
        hits = find_hits(concept, here, scopes)
        factor = 1.0
        if not hits:
            helpers = [path for path in evidence.live.closure(paths) if path not in paths]
            hits = [hit for hit in find_hits(concept, evidence.live.select(helpers)) if _is_used(evidence, hit, paths)]
            factor = HELPER_FACTOR
    else:
        hits, factor = find_hits(concept, evidence.live.select(None), scopes), 1.0
    if hits:
        best = hits[0]
        return met(best.told(evidence.quoted(concept)), best.strength * factor, best.citation)
    where = ", ".join(paths) if paths else "the workspace"
    reason, citation = _why_not(evidence, concept, paths)
    citations = (citation,) if citation else ()
    because = f"no reachable code in {where} shows {evidence.quoted(concept)}{reason}"
    return unmet(because, 0.85 if citation else 0.78, *citations)


def check_absent(evidence: Evidence, concept: Concept, phrase: str, paths: Sequence[str]) -> Finding:
    """Whether a concept that must not be used, and that the criterion names so, is not used."""
    hits = [hit for hit in find_hits(concept, evidence.live.select(paths or None)) if hit.strength >= 0.8]
    if hits:
        because = f"{hits[0].told(listed([phrase]))}, which the criterion rules out"
        return unmet(because, 0.88, hits[0].citation)
    return met(f"{listed([phrase])} is not used", 0.8)


def _is_used(evidence: Evidence, hit: Hit, paths: Sequence[str]) -> bool:
    """Whether a helper's definition is what the named files (through their imports) really call."""
    if not hit.scope:
        return True
    top = hit.scope.split(".")[0]
    for path in evidence.live.closure(paths):
        file = evidence.live.files[path]
        if any(call.resolved.startswith(f"{hit.path}::{top}") for call in file.calls):
            return True
        if any(item.local == hit.path and item.name in (top, "*", "") for item in file.imports):
            return True
    return False


def _why_not(evidence: Evidence, concept: Concept, paths: Sequence[str]) -> tuple[str, Citation | None]:
    """What tempts to believe that it is there: dead code, a stub, an unused import, a comment."""
    for file in evidence.live.select(paths or None):
        for teller in (_dead_code, _unused_import, _comment):
            told = teller(file, concept)
            if told is not None:
                return told
    return "", None


def _dead_code(file: LiveFile, concept: Concept) -> tuple[str, Citation] | None:
    for call in file.dead_calls:
        if any(_mentions(concept, text) for text in (call.target, call.name)):
            return f"; {file.path}:{call.line} calls {call.name}, but is never reached", file.cite(call.line)
    for definition in file.dead:
        if _mentions(concept, definition.name):
            why = "has no body" if definition.body is Body.STUB else "is never reached"
            told = f"; {file.path}:{definition.line} defines {definition.qualname}, which {why}"
            return told, file.cite(definition.line)
    return None


def _unused_import(file: LiveFile, concept: Concept) -> tuple[str, Citation] | None:
    for item in file.file.imports:
        if not item.used and _mentions(concept, f"{item.module} {item.name}"):
            return f"; the import at {file.path}:{item.line} is not used", file.cite(item.line)
    return None


def _comment(file: LiveFile, concept: Concept) -> tuple[str, Citation] | None:
    for line, text in file.file.comments:
        if _mentions(concept, text):
            return f"; {file.path}:{line} only mentions it in a comment", file.cite(line)
    return None


def _mentions(concept: Concept, text: str) -> bool:
    words = spaced(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace(".", " "))
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(spaced(name))}(?![a-z0-9])", words) for name in concept.names
    ) or any(spaced(name).replace(" ", "") in words.replace(" ", "") for name in concept.names if len(name) > 5)


def check_described(evidence: Evidence, description: str, paths: Sequence[str]) -> Finding:
    """Whether live code is about what free text describes: its words stand in names and strings of real code."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else None)
    here = [file for file in files if not paths or file.path in paths]
    real = [d for file in here for d in file.definitions if d.body is Body.REAL]
    calls = [call for file in here for call in file.calls]
    where = ", ".join(paths) or "the workspace"
    if (
        not real
        and len(calls) < 3
        and not any(file.file.language not in ("python", "") and len(file.text.code.split()) > 8 for file in here)
    ):
        return unmet(f"{where} holds no code that does anything", 0.8, *(file.cite(1) for file in here[:1]))
    wanted = {word: stem(word) for word in split_words(description) if _telling(word)}
    if not wanted:
        return met(f"{where} holds real code", 0.6, *(here[0].cite(d.line) for d in real[:1]))
    stub = _called_stub(evidence, here, set(wanted.values()))
    if stub is not None:
        return stub
    present = {word for file in files for word in stems(file.text.full + " " + file.path)}
    found = [word for word, root in wanted.items() if _among(root, present)]
    share = len(found) / len(wanted)
    said = words_where(description, found.__contains__)
    cite = [file.cite(d.line, d.end_line) for file in here for d in file.definitions if d.body is Body.REAL][:2]
    if share >= DESCRIBED_SHARE:
        return met(f"the code of {where} speaks of {listed(said)}", 0.5 + 0.25 * share, *cite)
    missing = words_where(description, lambda word: word in wanted and word not in found)
    return unmet(f"no code of {where} speaks of {listed(missing, 'or')}", 0.6, *cite[:1])


DESCRIBED_SHARE = 0.55
"""Share of the telling words of a description that names and strings of live code must have."""


def _telling(word: str) -> bool:
    return len(word) > 2 and not word.isdigit() and word not in STOPWORDS and word not in _FILLER


_FILLER = frozenset(
    "number numbers amount amounts least most many several given chosen done made makes make put puts kept keeps "
    "computed computes calculated calculates determined counted properly correctly well whole own exactly directly "
    "additionally respectively comprise comprises comprising consist consists top other others line lines work works "
    "working allow allows able starts started possible appropriate suitable".split()
)
"""Words of ordinary sentences that say nothing of what the code is about."""

_RELATED: dict[str, tuple[str, ...]] = {
    "refus": ("rais", "throw", "abort", "reject", "error", "deni", "panic", "invalid", "exit", "die"),
    "reject": ("rais", "throw", "abort", "refus", "error", "deni", "panic", "invalid", "exit"),
    "invalid": ("error", "illeg", "bad", "valid", "wrong", "isdigit", "unknown", "possibl", "reject", "mistak"),
    "messag": ("print", "println", "printf", "echo", "alert", "flash", "consol", "write", "log", "eprintln"),
    "shown": ("print", "println", "printf", "render", "draw", "show", "display", "echo", "write", "textcont"),
    "show": ("print", "println", "printf", "render", "draw", "display", "echo"),
    "display": ("print", "println", "printf", "render", "draw", "show", "echo"),
    "print": ("println", "printf", "echo", "puts", "cat", "writ", "consol"),
    "random": ("rand", "secret", "shuffl", "choic", "uuid", "rng", "seed", "sampl"),
    "charact": ("char", "letter", "ascii", "string", "len", "rune"),
    "averag": ("mean", "avg"),
    "hidden": ("hide", "display", "visibl", "none"),
    "shuffl": ("random", "permut", "rand"),
    "screen": ("media", "width", "viewport", "window"),
    "pixel": ("px", "width"),
    "entri": ("main",),
    "point": ("main",),
    "command": ("flag", "argv", "arg", "argpars", "cli", "click", "typer", "clap"),
    "servic": ("server", "serv", "app", "cmd", "uvicorn", "gunicorn"),
    "quit": ("exit", "close", "break"),
    "keyboard": ("key", "keydown", "keyup", "arrow"),
}
"""Stems of everyday words, and of what code has in their place."""


def _among(root: str, present: set[str]) -> bool:
    """Whether a stem, a longer word of it, or an abbreviation of at least three letters is there."""
    return any(
        other.startswith(root) or (len(other) > 2 and root.startswith(other)) or other in _RELATED.get(root, ())
        for other in present
    )


_UNDONE = re.compile(
    r"not[ _-]?(?:yet[ _-])?implemented|(?:abort\(|status\w*\W{0,3}|,\s*)501\b|coming soon", re.IGNORECASE
)


def _called_stub(evidence: Evidence, files: Sequence[LiveFile], wanted: set[str]) -> Finding | None:
    """Live code that calls something without a body, whose name the criterion's words name."""
    for file in files:
        for call in file.calls:
            path, _, qualname = call.resolved.partition("::")
            target = evidence.live.files.get(path)
            named = stems(call.name)
            # The verb comes first in a function's name: "books can be added" says nothing of return_book.
            if target is None or not named or named[0] not in wanted:
                continue
            for definition in target.file.definitions:
                says_so = _UNDONE.search(target.full_text.lines(definition.line, definition.end_line).full) is not None
                if definition.qualname == qualname and (definition.body is Body.STUB or says_so):
                    because = (
                        f"{file.path}:{call.line} calls {qualname} ({path}:{definition.line}), which does nothing yet"
                    )
                    return unmet(because, 0.72, target.cite(definition.line, definition.end_line))
    return None


def is_code_kind(kind: Kind | None) -> bool:
    """Whether concepts of that kind are shown by code rather than by an artefact."""
    return kind in (Kind.METHOD, Kind.DATASET, Kind.LIBRARY, Kind.PREPROCESS, Kind.PRACTICE, Kind.APP)
