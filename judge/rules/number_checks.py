"""Numbers of a criterion that are settings of code or counts of things: folds, splits, epochs, rows, images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judge.readers import Document, Family
from judge.rules.criterion import Criterion, Role
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unknown, unmet
from judge.rules.live import LiveFile
from judge.rules.run_checks import folds_shown, printed_count
from judge.rules.thresholds import check_thresholds
from judge.rules.wording import counted
from judge.rules.words import number, squash

_NUMBER = r"(\d[\d,]*(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred)"
_LEAST = r"(?P<least>at least|no fewer than|no less than|minimum of|more than|or more)"
_FOLDS = re.compile(rf"\b{_NUMBER}[\s-]*folds?\b", re.IGNORECASE)
_SPLIT = re.compile(
    r"\b(\d{1,2})\s*%?\s*[/:-]\s*(\d{1,2})\s*%?(?:\s*[/:-]\s*\d{1,2})?\b(?=[^.;]{0,60}\b(?:split|train|test))|"
    r"\bsplit[^.;]{0,40}?\b(\d{1,2})\s*%?\s*[/:-]\s*(\d{1,2})\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:\b{_LEAST}\s+)?\b{_NUMBER}(?P<more>\s+or more)?\s+(?:[a-z]+\s+){{0,2}}?"
    r"(?P<noun>(?!is\b|was\b|has\b|its\b|this\b|as\b)[a-z]+s)\b",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"\b(?:k|n|depth|batch size|learning rate|seed|random_state|port)\s*(?:=|of|is|:)?\s*(\d+(?:\.\d+)?)\b",
    re.IGNORECASE,
)

_PERCENT = re.compile(r"(?<![\d.])(\d{1,2}(?:\.\d+)?)\s*(?:%|percent\b|per cent\b)", re.IGNORECASE)

SETTINGS: dict[str, tuple[str, ...]] = {
    "epochs": ("epochs", "n_epochs", "num_epochs", "max_epochs", "num_train_epochs"),
    "episodes": ("episodes", "n_episodes", "num_episodes", "max_episodes"),
    "candidates": ("n_iter",),
    "combinations": ("n_iter",),
    "trials": ("n_trials", "max_trials", "max_evals"),
    "trees": ("n_estimators", "n_trees", "num_trees", "trees"),
    "estimators": ("n_estimators",),
    "clusters": ("n_clusters", "k", "num_clusters"),
    "components": ("n_components",),
    "neighbors": ("n_neighbors", "k"),
    "neighbours": ("n_neighbors", "k"),
    "topics": ("n_components", "num_topics", "n_topics"),
    "timesteps": ("total_timesteps",),
    "steps": ("total_timesteps", "max_steps", "n_steps"),
    "iterations": ("n_iter", "max_iter", "iterations", "num_iterations"),
    "simulations": ("n_simulations", "num_simulations", "simulations", "n_sims"),
    "layers": ("num_layers", "n_layers"),
}
"""Nouns that code keeps in settings, with the usual names of these."""

_NO_ROWS = frozenset(
    "columns features categories classes classifiers models methods clusters points percent folds layers metrics "
    "sections pages parts plots figures charts images languages seconds minutes hours days weeks months years degrees "
    "pixels frames characters decimals words tests axes things ways kinds types levels colors colours".split()
)


def check_numbers(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> list[Finding]:
    """Findings on the numbers that a criterion states."""
    findings = check_thresholds(evidence, criterion)
    folds = _FOLDS.search(criterion.masked)
    if folds:
        seen = folds_shown(evidence, criterion, paths)
        static = _constant(evidence, paths, [number(folds.group(1)) or 0], f"{folds.group(1)} folds", True)
        findings.append(seen or static)
    split = _SPLIT.search(criterion.masked)
    if split:
        first, second = (float(part) for part in split.groups() if part)
        if 90 <= first + second <= 100:
            shares = [first / 100, second / 100, first, second]
            findings.append(_constant(evidence, paths, shares, f"a split of {first:g} to {second:g}"))
    for match in _COUNTED.finditer(criterion.masked):
        findings += _counted(evidence, criterion, paths, match)
    if not findings and not criterion.of_role(Role.OUTPUT):
        for match in _PERCENT.finditer(criterion.masked):
            percent = float(match.group(1))
            shares = [percent / 100, percent, 1 - percent / 100, 100 - percent]
            findings.append(_constant(evidence, paths, shares, match.group(0).strip()))
    if not findings:
        for match in _ASSIGNED.finditer(criterion.masked):
            value = number(match.group(1))
            if value is not None and value not in (0, 1):
                findings.append(_constant(evidence, paths, [value], match.group(0).strip()))
    return findings


def _counted(evidence: Evidence, criterion: Criterion, paths: Sequence[str], match: re.Match[str]) -> Iterator[Finding]:
    """Things that are counted: settings of code first, then rows of a table that the same sentence names."""
    wanted, noun = number(match.group(2)), match.group("noun").lower()
    if wanted is None or wanted < 2:
        return
    least = (
        bool(match.group("least") or match.group("more"))
        or re.match(r"\s+or more\b", criterion.masked[match.end() :]) is not None
    )
    what = match.group(0).strip()
    shown = printed_count(evidence, paths, noun, wanted, least, what)
    if shown is not None:
        yield shown
        return
    if noun in SETTINGS:
        finding = _setting(evidence, paths, SETTINGS[noun], wanted, least, what)
        if finding is not None:
            yield finding
    if noun == "layers":
        yield from _layers(evidence, paths, wanted, least, what)
    periods = re.search(
        r"\b(?:next|coming|following|last|each of)\s*$",
        criterion.masked[max(0, match.start() - 40) : match.start()],
        re.IGNORECASE,
    )
    if noun in _NO_ROWS and not periods:
        return
    for place in criterion.of_role(Role.OUTPUT):
        start, end = criterion.sentences[place.sentence]
        if place.folder or not start <= match.start() < end or not evidence.exists(place.path):
            continue
        rows = _rows(evidence.document(place.path), criterion)
        if rows is not None:
            told = f"{place.path} has {counted(rows, 'row')}"
            met_by = "as many as are asked for" if rows == wanted else f"enough for {what}"
            text = f"{told}, {met_by}" if rows >= wanted else f"{told}; {what} are asked for"
            cite = evidence.file_citation(place.path)
            yield met(text, 0.84) if rows >= wanted else unmet(text, 0.84, cite)


_LAYER = re.compile(r"\b(conv\w*|lstm|gru|dense|linear|hidden|fully connected|dropout)\b", re.IGNORECASE)
_LAYER_CALLS = {
    "conv": r"Conv",
    "lstm": r"LSTM",
    "gru": r"GRU",
    "dense": r"Dense|Linear",
    "line": r"Linear",
    "drop": r"Dropout",
}


def _layers(evidence: Evidence, paths: Sequence[str], wanted: float, least: bool, what: str) -> Iterator[Finding]:
    """Layers of one kind, counted where they are written out; a loop that makes them leaves the number open."""
    kind = _LAYER.search(what)
    pattern = next((p for k, p in _LAYER_CALLS.items() if kind and kind.group(1).lower().startswith(k)), None)
    if pattern is None:
        return
    for file in evidence.live.select(paths or None):
        calls = [call for call in file.calls if re.match(rf"(?:Lazy)?(?:{pattern})", call.name)]
        if not calls:
            continue
        looped = re.search(r"\bfor\b[^\n]*|ModuleList|\*\[", file.text.code) is not None
        enough = len(calls) >= wanted if least else len(calls) == wanted
        if enough or looped:
            looping = "" if enough else ", with a loop that may make more"
            told = f"{file.path} makes {counted(len(calls), 'such layer')} from line {calls[0].line} on{looping}"
            yield met(told, 0.7, file.cite(calls[0].line))
        elif len(calls) < wanted:
            yield unmet(
                f"{file.path} makes {counted(len(calls), 'such layer')}; {what} are asked for",
                0.76,
                file.cite(calls[0].line),
            )
        return


def _rows(document: Document, criterion: Criterion) -> int | None:
    """Rows of a table; of a database those of the table that the criterion names."""
    if document.family is Family.DATABASE:
        named = {squash(span.text) for span in criterion.spans}
        counts = [
            table.get("rows") for table in document.facts.get("tables", ()) if squash(str(table.get("name"))) in named
        ]
        known = [count for count in counts if isinstance(count, int)]
        return min(known) if known else None
    rows = document.facts.get("rows")
    return rows if document.family is Family.TABLE and isinstance(rows, int) else None


def _setting(
    evidence: Evidence, paths: Sequence[str], names: Sequence[str], wanted: float, least: bool, what: str
) -> Finding | None:
    """The value that live code or a settings file gives to one of these names; None when it gives none."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else None)
    found = [
        (file, line, value) for file in (*files, *evidence.live.plain.values()) for line, value in _values(file, names)
    ]
    if not found:
        return None
    for file, line, value in found:
        if value >= wanted if least else abs(value - wanted) < 1e-9:
            return met(f"{file.path}:{line} sets {value:g}; {what} are asked for", 0.74, file.cite(line))
    file, line, value = found[0]
    return unmet(f"{file.path}:{line} sets {value:g}; {what} are asked for", 0.74, file.cite(line))


def _values(file: LiveFile, names: Sequence[str]) -> Iterator[tuple[int, float]]:
    for call in file.calls:
        for name in names:
            value = call.keywords.get(name)
            if value is not None and value.known and isinstance(value.constant, (int, float)):
                yield call.line, float(value.constant)
    pattern = rf"(?i)(?<![\w.])[\"']?(?:{'|'.join(map(re.escape, names))})[\"']?\s*(?::\s*int\s*)?[=:]\s*(\d[\d_]*)\b"
    for match in re.finditer(pattern, file.text.full):
        yield file.text.full.count("\n", 0, match.start()) + 1, float(match.group(1).replace("_", ""))


def _constant(
    evidence: Evidence, paths: Sequence[str], values: Sequence[float], what: str, default_five: bool = False
) -> Finding:
    """Whether live code holds one of these numbers."""
    files = evidence.live.select(evidence.live.closure(paths) if paths else None)
    for file in (*files, *evidence.live.plain.values()):
        text = file.text.full
        for match in re.finditer(r"(?<![\w.])(\d[\d_]*\.?\d*(?:e-?\d+)?|\.\d+)(?![\w.])", text):
            try:
                value = float(match.group(1).replace("_", ""))
            except ValueError:
                continue
            if any(abs(value - wanted) < 1e-9 for wanted in values):
                line = text.count("\n", 0, match.start()) + 1
                return met(
                    f"{file.path}:{line} has the number {match.group(1)}; {what} is asked for", 0.7, file.cite(line)
                )
        defaults = re.search(r"cross_val_score\([^)]*\)|KFold\(\s*(?:shuffle[^)]*)?\)|GridSearchCV\(", text)
        if default_five and 5.0 in values and defaults:
            return met(f"{file.path} relies on the default of 5 folds", 0.62)
    if not files:
        return unknown(f"whether {what} is in any code")
    return unmet(f"{what} is asked for, but no such number is in the code", 0.62)
