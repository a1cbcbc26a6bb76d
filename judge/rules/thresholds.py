"""Thresholds of a criterion, compared with the values that result files give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.readers import Document
from judge.rules.criterion import Criterion, Role
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.metric_checks import metric_pattern, metric_values, metric_values_at
from judge.rules.vocabulary import Concept, Kind
from judge.rules.words import number, stems

_BOUND = re.compile(
    r"\b(at least|no less than|not less than|minimum(?: of)?|greater than|more than|above|over|exceed(?:s|ing)?|"
    r"higher than|better than|"
    r"at most|no more than|not more than|maximum(?: of)?|less than|below|under|lower than|up to|within)\s+"
    r"(?:a |an |the )?(\d[\d,]*\.?\d*\s*%?|0?\.\d+)",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"at least|no less|not less|minimum|greater|(?<!no )(?<!not )more than|above|over|exceed|higher|better",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*%?")
_GOES_ON = frozenset("on in is and or for at of when with as to by after over per using across".split())


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on a value.

    Attributes:
        limit: The number.
        lower: Whether values must not be below it; else not above.
        percent: Whether it was written with a percent sign.
        text: As written.
        start: Offset in the criterion.
    """

    limit: float
    lower: bool
    percent: bool
    text: str
    start: int

    def holds(self, value: float) -> bool:
        """Whether a value keeps the limit."""
        return value >= self.limit - 1e-9 if self.lower else value <= self.limit + 1e-9


def bounds_in(criterion: Criterion) -> Iterator[Bound]:
    """Limits on values; numbers that count things (``10 epochs``) are left to other checks."""
    for match in _BOUND.finditer(criterion.masked):
        follower = re.match(r"\s+([a-z]+)", criterion.masked[match.end() :])
        limit = number(match.group(2))
        metric = any(
            item.mention is not None and item.mention.concept.kind is Kind.METRIC and 0 <= item.start - match.end() <= 3
            for group in criterion.groups
            for item in group.items
        )
        if limit is not None and (metric or follower is None or follower.group(1) in _GOES_ON):
            percent = "%" in match.group(2)
            yield Bound(
                limit, _LOWER.search(match.group(1)) is not None, percent, match.group(0).strip(), match.start()
            )


def check_thresholds(evidence: Evidence, criterion: Criterion) -> list[Finding]:
    """Findings on the limits that a criterion sets on metrics and on other named quantities."""
    findings = []
    for bound in bounds_in(criterion):
        concept = _metric_near(criterion, bound)
        finding = _metric(evidence, criterion, bound, concept) if concept else _quantity(evidence, criterion, bound)
        if finding is not None:
            findings.append(finding)
    return findings


def _metric_near(criterion: Criterion, bound: Bound) -> Concept | None:
    near = [
        (abs(item.start - bound.start), item.mention.concept)
        for group in criterion.groups
        for item in group.items
        if item.mention is not None and item.mention.concept.kind is Kind.METRIC and abs(item.start - bound.start) < 90
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _metric(evidence: Evidence, criterion: Criterion, bound: Bound, concept: Concept) -> Finding:
    fraction = concept.high == 1.0
    scale = 100 if bound.percent or (fraction and bound.limit > 1) else 1
    scaled = Bound(bound.limit / scale, bound.lower, bound.percent, bound.text, bound.start)
    for path in _result_files(evidence, criterion):
        document = evidence.document(path)
        values = metric_values(concept, document)
        if not values:
            continue
        chosen = _value_named(criterion, concept, document) if len(values) > 1 else None
        value = values[-1] if chosen is None else chosen
        value = value / 100 if fraction and value > 1.5 else value
        cite = evidence.file_citation(path, metric_pattern(concept).pattern)
        text = f"{path} gives {value:g} for the {evidence.wording(concept)}; {bound.text} is asked for"
        return met(text, 0.86, cite) if scaled.holds(value) else unmet(text, 0.9, cite)
    return unmet(f"no result file gives the {evidence.wording(concept)} to compare with {bound.limit:g}", 0.66)


def _value_named(criterion: Criterion, concept: Concept, document: Document) -> float | None:
    """Of several values the one whose surroundings share the most words, or initials, with the criterion."""
    names = [
        item.text
        for group in criterion.groups
        for item in group.items
        if item.mention is None or item.mention.concept is not concept
    ]
    wanted = set(stems(" ".join(names)))
    initials = {"".join(word[0] for word in name.lower().split()) for name in names if " " in name}
    best: tuple[int, float] | None = None
    mentions = list(metric_pattern(concept).finditer(document.text))
    for index, mention in enumerate(mentions):
        start = mentions[index - 1].end() if index else 0
        before = document.text[max(start, mention.start() - 120) : mention.start()]
        values = metric_values_at(document.text, mention)
        shared = len(wanted & set(stems(before))) + 2 * len(initials & set(re.findall(r"[a-z]{2,}", before.lower())))
        if values and (best is None or shared > best[0]):
            best = (shared, values[0])
    return best[1] if best and best[0] else None


def _quantity(evidence: Evidence, criterion: Criterion, bound: Bound) -> Finding | None:
    """A quantity outside the vocabulary: the line of a named file that shares the most words with the sentence."""
    words = set(stems(criterion.masked[max(0, bound.start - 90) : bound.start]))
    for place in criterion.of_role(Role.OUTPUT):
        if place.folder or not evidence.exists(place.path):
            continue
        found = _best_line(evidence.document(place.path), words)
        if found is None:
            continue
        value, line = found
        scaled = value * 100 if bound.percent and value <= 1 < bound.limit else value
        scaled = scaled / 100 if not bound.percent and bound.limit <= 1 < value <= 100 else scaled
        cite = evidence.file_citation(place.path, re.escape(line.strip()[:60]))
        text = f"{place.path} gives {value:g}; {bound.text} is asked for"
        return met(text, 0.74, cite) if bound.holds(scaled) else unmet(text, 0.8, cite)
    return None


def _best_line(document: Document, words: set[str]) -> tuple[float, str] | None:
    best: tuple[int, float, str] | None = None
    lines = [line for line in document.text.split("\n") if _VALUE.search(line)]
    for line in lines[:400]:
        shared = len(words & set(stems(line)))
        text = _VALUE.findall(line)[-1]
        value = number(text)
        if value is not None and (shared or len(lines) == 1) and (best is None or shared > best[0]):
            best = (shared, value / 100 if "%" in text else value, line)
    return (best[1], best[2]) if best else None


def _result_files(evidence: Evidence, criterion: Criterion) -> list[str]:
    named = [place.path for place in criterion.of_role(Role.OUTPUT) if evidence.exists(place.path)]
    if named:
        return named
    telling = re.compile(r"metric|result|score|report|eval|accuracy|performance|summary|log", re.IGNORECASE)
    suffixes = (".txt", ".json", ".csv", ".md", ".log")
    return [e.path for e in evidence.case.workspace.files if e.suffix in suffixes and telling.search(e.path)][:12]
