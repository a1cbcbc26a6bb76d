"""Where an artefact comes from: computed by code that runs, typed in, copied, or left from an earlier state."""

from __future__ import annotations

import ast
import re

from judge.modules.graph.facts import Value
from judge.readers import Document, Family, State
from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.lineage_checks import told_by_history
from judge.rules.story import Story

_SETTINGS = re.compile(
    r"(?:^|/)(?:config|conf|settings?|src|app|tests?|docs?|assets?|static|templates|fixtures)/|config|settings",
    re.IGNORECASE,
)
_COMPUTED = re.compile(
    r"\b(?:results?|metrics?|scores?|accuracy|precision|recall|loss|errors?|predictions?|figures?|plots?|curves?|matrix|"
    r"models?|measured|computed|calculated|evaluat\w+|trained|generated|recorded|logged|report of|time|profit|"
    r"rewards?|returns?|rates?)\b",
    re.IGNORECASE,
)


def check_provenance(evidence: Evidence, path: str, document: Document, criterion: Criterion) -> Finding:
    """Whether a sound artefact was really made, as far as code and trajectory tell."""
    if criterion.says(_COMPUTED.pattern) and not _SETTINGS.search(path) and is_computed(document):
        for trouble in (told_by_history(evidence, path, document, criterion), _constant(evidence, path)):
            if trouble is not None:
                return trouble
    writers = evidence.writers(path)
    cite = evidence.file_citation(path)
    if document.state is State.PARTIAL and not document.text:
        return met(f"{path} is there; its content could only be looked at in part", 0.58, cite)
    if writers:
        code, access = next((pair for pair in writers if not _never_ran(evidence, pair[0])), writers[0])
        where = evidence.live.files[code].cite(access.line)
        if _never_ran(evidence, code):
            because = f"{path} is sound, though the notebook that writes it, {code}, was never run"
            return met(because, 0.6, cite, where)
        return met(f"{path} is sound and written by {code}:{access.line}", 0.88, cite, where)
    dead = evidence.dead_writers(path)
    if dead:
        code, access = dead[0]
        return met(f"{path} is sound, though {code}:{access.line}, which writes it, is not reached", 0.6, cite)
    return met(f"{path} is there and sound", 0.72, cite)


def _never_ran(evidence: Evidence, code: str) -> bool:
    """Whether code is in a notebook none of whose cells has run, and no step of the trajectory ran it either."""
    if evidence.case.graph.executed(code) is not False:
        return False
    story = Story.of(evidence)
    return story is None or not any(run.script and story.starts(run.script, code) for run in story.runs((code,)))


def is_computed(document: Document) -> bool:
    """Whether a file is of a kind that a program has to produce: figures, numbers, arrays, models; not prose."""
    if document.family in (Family.IMAGE, Family.ARRAY, Family.MODEL, Family.TABLE, Family.AUDIO, Family.VIDEO):
        return True
    words = re.findall(r"[A-Za-z]{2,}", document.text)
    numbers = re.findall(r"\d+(?:\.\d+)?", document.text)
    return document.family in (Family.TEXT, Family.DATA) and bool(numbers) and len(words) < 200


def _constant(evidence: Evidence, path: str) -> Finding | None:
    """Code that writes a constant where a computed number belongs."""
    writers = [(code, access) for code, access in evidence.writers(path) if access.content is not None]
    texts = [_constant_text(access.content) for _, access in writers if access.content is not None]
    if not texts or any(text is None for text in texts):
        return None
    for (code, access), text in zip(writers, texts, strict=True):
        if text and re.search(r"\d", text):
            because = f"{path} is not computed: {code}:{access.line} writes the constant {text.strip()[:60]!r}"
            return unmet(because, 0.84, evidence.live.files[code].cite(access.line))
    return None


def _constant_text(value: Value) -> str | None:
    """The text of a value that is fixed in the source, None for one that is computed."""
    if value.known:
        return str(value.constant)
    try:
        return str(ast.literal_eval(value.text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
