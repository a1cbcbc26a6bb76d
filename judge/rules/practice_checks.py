"""Practices seen in how code is put together: bound SQL parameters, scores on rows that were not trained on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.live import LiveFile
from judge.rules.sql_text import find_statements
from judge.rules.term_checks import is_test

_BOUND = re.compile(
    r"\b(?:bound|bind|parameteri[sz]ed|prepared|placeholders?|injections?)\b|string (?:formatting|concatenation)",
    re.IGNORECASE,
)
_SQL = r"\bSQL\b|\bquer(?:y|ies)\b|\bstatements?\b|\bdatabase\b"
_HELD_OUT = (
    r"\b(?:held[- ]out|hold[- ]?out|unseen|test (?:set|data|split|samples?|rows?|images?)|validation (?:set|data))\b"
)
_FITS = ("fit", "fit_transform", "train")
_GUESSES = ("predict", "predict_proba", "score")


def check_bound_sql(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> Finding | None:
    """Where SQL is to take its values as parameters: no statement is put together from strings."""
    if not (criterion.says(_BOUND.pattern) and criterion.says(_SQL)):
        return None
    bound: tuple[LiveFile, int] | None = None
    for file in evidence.live.select(paths or None):
        if is_test(file.path) or file.path.endswith((".sql", ".md", ".html")):
            continue
        for statement in find_statements(file.text.full, file.path):
            line = file.text.full.count("\n", 0, statement.offset) + 1
            if statement.built:
                because = f"{file.path}:{line} puts values into the text of a statement"
                return unmet(because, 0.82, file.cite(line))
            bound = bound or ((file, line) if statement.bound else None)
    if bound is None:
        return None
    file, line = bound
    because = f"{file.path}:{line} binds its parameters, and no statement has values put into its text"
    return met(because, 0.76, file.cite(line))


def check_held_out(evidence: Evidence, criterion: Criterion, path: str) -> Finding | None:
    """Where a result is of held-out rows: the code that writes it predicts other rows than it fitted."""
    if not criterion.says(_HELD_OUT):
        return None
    for code, access in evidence.writers(path):
        file = evidence.live.files[code]
        calls = [call for call in file.calls if call.scope == access.scope and call.args and call.args[0].text]
        fitted = {call.args[0].text for call in calls if call.name in _FITS}
        guessed = [call for call in calls if call.name in _GUESSES]
        if guessed and all(call.args[0].text in fitted for call in guessed):
            call = guessed[-1]
            rows = call.args[0].text
            because = f"{path} is of rows that were trained on: {code}:{call.line} predicts {rows}, as was fitted"
            return unmet(because, 0.78, file.cite(call.line))
    return None
