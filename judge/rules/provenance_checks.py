"""Where an artefact comes from: computed by code that runs, typed in, copied, or left from an earlier state."""

from __future__ import annotations

import ast
import re

from judge.modules.graph.facts import Value
from judge.readers import Document, Family, State
from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.schemas import Citation
from judge.trajectories import Effect, FileHistory, Origin, Outcome

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
        for trouble in (_told_by_history(evidence, path), _constant(evidence, path)):
            if trouble is not None:
                return trouble
    writers = evidence.writers(path)
    cite = evidence.file_citation(path)
    if document.state is State.PARTIAL and not document.text:
        return met(f"{path} is there; its content could only be looked at in part", 0.58, cite)
    if writers:
        code, access = writers[0]
        where = evidence.live.files[code].cite(access.line)
        return met(f"{path} is sound and written by {code}:{access.line}", 0.88, cite, where)
    dead = evidence.dead_writers(path)
    if dead:
        code, access = dead[0]
        return met(f"{path} is sound, though {code}:{access.line}, which writes it, is not reached", 0.6, cite)
    return met(f"{path} is there and sound", 0.72, cite)


def is_computed(document: Document) -> bool:
    """Whether a file is of a kind that a program has to produce: figures, numbers, arrays, models; not prose."""
    if document.family in (Family.IMAGE, Family.ARRAY, Family.MODEL, Family.TABLE, Family.AUDIO, Family.VIDEO):
        return True
    words = re.findall(r"[A-Za-z]{2,}", document.text)
    numbers = re.findall(r"\d+(?:\.\d+)?", document.text)
    return document.family in (Family.TEXT, Family.DATA) and bool(numbers) and len(words) < 200


def _told_by_history(evidence: Evidence, path: str) -> Finding | None:
    history = evidence.history
    if history is None:
        return None
    last = history.last_write(path)
    if last is None:
        return None
    cite = Citation(step=last.step)
    if history.hand_written(path):
        return unmet(f"{path} was typed in by hand in step {last.step}, not computed", 0.85, cite)
    if last.origin is Origin.COPY and last.source and history.last_write(last.source) is None:
        return unmet(f"{path} was copied from {last.source} in step {last.step}, not computed", 0.76, cite)
    return _stale(history, path, last.order, cite)


def _stale(history: FileHistory, path: str, order: int, cite: Citation) -> Finding | None:
    """Code was changed after the artefact was made, and what ran after that failed."""
    changed = [
        event
        for event in history.all_events
        if event.order > order
        and event.effect in (Effect.WRITTEN, Effect.EDITED)
        and event.path.endswith((".py", ".js", ".ts", ".R", ".jl"))
        and not event.failed
    ]
    if not changed:
        return None
    failed = [run for run in history.runs if run.order > changed[0].order and run.outcome is Outcome.ERROR]
    later = [run for run in history.runs if run.order > changed[0].order and run.outcome is Outcome.OK]
    if failed and (not later or later[-1].order < failed[-1].order):
        because = f"{path} is from step {cite.step}, before {changed[0].path} was changed; what ran after that failed"
        return unmet(because, 0.7, cite, Citation(step=failed[-1].step))
    return None


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
