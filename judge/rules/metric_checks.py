"""Whether a result file gives a metric, and whether its value is possible."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.readers import Document, Family
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.vocabulary import Concept, Kind
from judge.rules.words import spaced

_NUMBER = r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)\s*%?"
_NOT_A_NUMBER = re.compile(r"[:=,\s\[\"']\s*[-+]?(?:nan|inf|infinity|none|null|undefined)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:loss|errors?|time|seconds|accuracy|precision|recall|f1|mse|rmse|mae|auc|r2)\b", re.IGNORECASE
)
_VALUE = re.compile(
    r"(?:[ \t]*(?:score|error|coefficient|value|\([^)\n]{0,30}\)|\w+)?){0,3}[\"'*_`| \t]*(?:[:=|,]|is|of|was|-|\t|\s)"
    rf"[\"'*_`\[\(| \t]*({_NUMBER}|[-+]?(?:nan|inf)\b)",
    re.IGNORECASE,
)


def check_metric(evidence: Evidence, concept: Concept, document: Document) -> Finding:
    """The metric is named, has a number, and the number is possible."""
    text = document.text
    pattern = metric_pattern(concept)
    mentions = list(pattern.finditer(text))
    if concept.id == "classification-report":
        needed = [word for word in ("precision", "recall") if word not in text.lower()]
        numeric = re.search(r"\d\.\d+", text)
        if needed or not numeric:
            return unmet(f"{document.path} holds no classification report", 0.75)
        return met(
            f"{document.path} holds a classification report", 0.82, evidence.file_citation(document.path, "precision")
        )
    if not mentions and _named_by_file(evidence, concept, document):
        because = f"{document.path} is named for the {evidence.wording(concept)} and gives numbers"
        return met(because, 0.72, evidence.file_citation(document.path))
    if not mentions and not _is_bare_number(text):
        return unmet(
            f"{document.path} does not give the {evidence.wording(concept)}",
            0.84,
            evidence.file_citation(document.path),
        )
    values = metric_values(concept, document) or ([_to_float(text.strip())] if _is_bare_number(text) else [])
    wrong = [value for value in values if not _possible(evidence, concept, value, document)]
    if any(value != value for value in values) or (_NOT_A_NUMBER.search(text) and not values):
        return unmet(
            f"{document.path} gives no number for the {evidence.wording(concept)}",
            0.9,
            evidence.file_citation(document.path, pattern.pattern),
        )
    if wrong:
        because = f"{document.path} gives {wrong[0]:g} for the {evidence.wording(concept)}, which is impossible"
        return unmet(because, 0.88, evidence.file_citation(document.path, pattern.pattern))
    if not values and not _table_of_numbers(document):
        return unmet(
            f"{document.path} names the {evidence.wording(concept)} without a value",
            0.8,
            evidence.file_citation(document.path, pattern.pattern),
        )
    shown = f" ({values[0]:g})" if values else ""
    return met(
        f"{document.path} gives the {evidence.wording(concept)}{shown}",
        0.84,
        evidence.file_citation(document.path, pattern.pattern),
    )


def metric_pattern(concept: Concept) -> re.Pattern[str]:
    """The ways in which a text names a concept, separators of any kind between its words."""
    parts = sorted({re.escape(spaced(name)) for name in concept.names}, key=len, reverse=True)
    names = [rf"(?<![a-z0-9]){part}(?![a-z0-9])".replace(r"\ ", r"[\s\-_/]*") for part in parts]
    return re.compile("|".join([*(pattern.pattern for pattern in concept.text), *names]), re.IGNORECASE)


def metric_values(concept: Concept, document: Document) -> list[float]:
    """Numbers that a document gives for a metric, fractions where it writes percentages; of a table the extremes."""
    if document.family is Family.TABLE:
        pattern = metric_pattern(concept)
        ranges = dict(document.facts.get("ranges", {}))
        return [float(value) for column, pair in ranges.items() if pattern.search(str(column)) for value in pair]
    return _values(document.text, list(metric_pattern(concept).finditer(document.text)))


def metric_values_at(text: str, mention: re.Match[str]) -> list[float]:
    """The number that directly follows one mention of a metric, if there is one."""
    return _values(text, [mention])


def _named_by_file(evidence: Evidence, concept: Concept, document: Document) -> bool:
    """Whether the file's name tells what its numbers are, and its text names no other metric."""
    stem = spaced(document.path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    if not metric_pattern(concept).search(stem) or not re.search(r"\d", document.text):
        return False
    if _OTHER.search(metric_pattern(concept).sub("", document.text)):
        return False
    others = (mention.concept for mention in evidence.vocabulary.find(document.text[:5_000]))
    return all(other.kind is not Kind.METRIC or other is concept for other in others)


def _values(text: str, mentions: Sequence[re.Match[str]]) -> list[float]:
    """Numbers that directly follow a mention: ``accuracy: 0.93``, ``"rmse": 4.1``, ``accuracy of 93 %``."""
    values = []
    for mention in mentions:
        tail = text[mention.end() : mention.end() + 60]
        match = _VALUE.match(tail)
        if match:
            value = _to_float(match.group(1))
            if value is not None:
                values.append(value)
    return values


def _to_float(text: str) -> float:
    cleaned = text.replace(",", "").replace(" ", "")
    percent = cleaned.endswith("%")
    try:
        value = float(cleaned.rstrip("%"))
    except ValueError:
        return float("nan")
    return value / 100 if percent else value


def _is_bare_number(text: str) -> bool:
    return re.fullmatch(rf"\s*(?:{_NUMBER}|nan|inf)\s*", text, re.IGNORECASE) is not None


def _possible(evidence: Evidence, concept: Concept, value: float, document: Document) -> bool:
    """Whether a metric can have that value: within its bounds, or a percentage where something says so."""
    if concept.low is not None and value < concept.low - 1e-9:
        return False
    if concept.high is None or value <= concept.high + 1e-9:
        return True
    if concept.high != 1.0 or concept.low != 0.0 or value > 100.0 + 1e-9:
        return False
    if re.search(r"%|percent|pct", document.text, re.IGNORECASE):
        return True
    sources = [evidence.live.files[code].file.source for code, _ in evidence.writers(document.path)]
    if sources:
        return any(re.search(r"\b100(?:\.0)?\b|percent", source) for source in sources)
    return value > 5.0


def _table_of_numbers(document: Document) -> bool:
    if document.facts.get("numeric_columns"):
        return True
    rows = [line for line in document.text.split("\n") if len(re.findall(r"(?<![\w.])\d+\.?\d*(?![\w])", line)) >= 1]
    return len(rows) >= 2 and len(document.text.split("\n")) >= 3
