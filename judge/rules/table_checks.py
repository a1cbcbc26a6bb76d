"""Properties of a named table or settings file: columns, numeric ones, gaps, date format, switches that are on."""

from __future__ import annotations

import re

from judge.readers import Document, Family
from judge.rules.criterion import Criterion, Role
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.spans import SpanKind
from judge.rules.words import number, squash

_NUMERIC = re.compile(
    r"\b(?:is|are|be)\s+(?:stored as\s+)?(?:purely\s+)?(?:numeric|numbers?|floats?|integers?)\b", re.IGNORECASE
)
_SHEETS = re.compile(
    r"\b(?:one |a )?(?:separate |own )?sheets?\b[^.;]{0,20}\b(?:for each|for every|per)\b|"
    r"\b(?:separate|several|multiple|two|three|four) sheets\b",
    re.IGNORECASE,
)
_NO_GAPS = re.compile(
    r"\b(?:no|without(?: any)?)\s+(?:missing|empty|null|nan)\b|\bfree of (?:missing|null)", re.IGNORECASE
)
_ISO = re.compile(r"\bISO\b[\s-]*(?:8601)?|YYYY-MM-DD", re.IGNORECASE)
_ISO_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$")
_DATE_LIKE = re.compile(
    r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|^\d{1,2} [A-Z][a-z]{2,8} \d{4}|^[A-Z][a-z]{2,8} \d{1,2},? \d{4}"
)
_SWITCHED_ON = re.compile(r"\b(?:enabled|switched on|turned on|activated|set to true|is on|strict)\b", re.IGNORECASE)


def check_tables(evidence: Evidence, criterion: Criterion) -> list[Finding]:
    """Findings on what the criterion says of existing tables and settings files."""
    findings: list[Finding] = []
    for place in criterion.of_role(Role.OUTPUT):
        if place.folder or not evidence.exists(place.path):
            continue
        document = evidence.document(place.path)
        if document.path.endswith((".xlsx", ".xls", ".ods")) and _SHEETS.search(criterion.masked):
            sheets = len(document.facts.get("sheets", ()))
            text = f"{document.path} has {sheets} sheet{'s' if sheets != 1 else ''}"
            findings.append(met(text, 0.8) if sheets > 1 else unmet(f"{text}; several are asked for", 0.84))
        if document.family is Family.TABLE:
            findings += _table(evidence, document, criterion)
        elif document.family is Family.DATABASE:
            findings += _database(document, criterion)
        elif document.path.endswith((".json", ".toml", ".yaml", ".yml", ".ini", ".cfg")) and criterion.says(
            _SWITCHED_ON.pattern
        ):
            findings += _switches(evidence, document, criterion)
    return findings


def _named(criterion: Criterion) -> list[str]:
    return [span.text for span in criterion.spans if span.kind in (SpanKind.IDENTIFIER, SpanKind.WORDS)]


def _table(evidence: Evidence, document: Document, criterion: Criterion) -> list[Finding]:
    findings = []
    numeric = {squash(str(name)) for name in document.facts.get("numeric_columns", ())}
    columns = {squash(str(name)) for name in document.facts.get("columns", ())}
    if _NUMERIC.search(criterion.masked):
        for name in _named(criterion):
            if squash(name) in columns and squash(name) not in numeric:
                findings.append(
                    unmet(
                        f"the column {name} of {document.path} is not numeric",
                        0.84,
                        evidence.file_citation(document.path),
                    )
                )
    missing = {name: count for name, count in dict(document.facts.get("missing", {})).items() if count}
    if _NO_GAPS.search(criterion.masked):
        if missing:
            name, count = next(iter(missing.items()))
            findings.append(
                unmet(
                    f"{document.path} has {count} missing values in {name}", 0.84, evidence.file_citation(document.path)
                )
            )
        else:
            findings.append(met(f"{document.path} has no missing values", 0.8))
    if _ISO.search(criterion.masked):
        findings += _dates(evidence, document)
    if re.search(r"\bsum(?:s|ming|med)?(?: up)? to (?:1|one|100 ?%)(?![\d.])", criterion.masked, re.IGNORECASE):
        findings += _sums(evidence, document)
    return findings


def _sums(evidence: Evidence, document: Document) -> list[Finding]:
    """Whether the numbers of each row, or of each column, add up to one (or a hundred)."""
    rows = [re.split(r"[,;\t]", line) for line in document.text.split("\n")[1:2000] if line.strip()]
    numbers = [[value for cell in row if (value := number(cell)) is not None] for row in rows]
    if not numbers or not all(numbers) or len({len(row) for row in numbers}) != 1:
        return []
    sums = ([sum(row) for row in numbers], [sum(column) for column in zip(*numbers, strict=True)])
    if any(all(min(abs(total - 1), abs(total - 100) / 100) < 0.02 for total in totals) for totals in sums):
        return [met(f"the numbers of {document.path} add up to one", 0.8)]
    cite = evidence.file_citation(document.path)
    return [
        unmet(
            f"the numbers of {document.path} add up to {sums[0][0]:g} in a row and {sums[1][0]:g} in a column",
            0.76,
            cite,
        )
    ]


def _dates(evidence: Evidence, document: Document) -> list[Finding]:
    cells = [
        cell.strip().strip('"') for line in document.text.split("\n")[1:2000] for cell in re.split(r"[,;\t]", line)
    ]
    dates = [cell for cell in cells if _DATE_LIKE.match(cell)]
    wrong = [cell for cell in dates if not _ISO_DATE.match(cell)]
    if wrong:
        return [
            unmet(
                f"{document.path} holds {wrong[0]!r}, which is no ISO date",
                0.84,
                evidence.file_citation(document.path, re.escape(wrong[0])),
            )
        ]
    return [met(f"the dates of {document.path} are ISO dates", 0.8)] if dates else []


def _database(document: Document, criterion: Criterion) -> list[Finding]:
    """Tables and columns that the criterion names."""
    findings = []
    tables = {squash(str(table.get("name"))): table for table in document.facts.get("tables", ())}
    columns = {squash(str(column)) for table in tables.values() for column in table.get("columns", ())}
    for span in criterion.spans:
        if span.kind is not SpanKind.IDENTIFIER:
            continue
        name = squash(span.text)
        around = criterion.text[max(0, span.start - 14) : span.end + 12].lower()
        if name in tables or name in columns:
            findings.append(met(f"{document.path} has {span.text}", 0.82))
        elif "table" in around:
            findings.append(unmet(f"{document.path} has no table {span.text}", 0.84))
    return findings


def _switches(evidence: Evidence, document: Document, criterion: Criterion) -> list[Finding]:
    findings = []
    for name in _named(criterion):
        match = re.search(rf"[\"']?{re.escape(name)}[\"']?\s*[:=]\s*(\S+)", document.text)
        if match:
            off = match.group(1).strip("\"',;}").lower() in ("false", "0", "off", "no", "none", "null", "")
            cite = evidence.file_citation(document.path, re.escape(match.group(0)[:40]))
            text = f"{document.path} sets {match.group(0).strip()}"
            findings.append(unmet(text, 0.88, cite) if off else met(text, 0.84, cite))
    return findings
