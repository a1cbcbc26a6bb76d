"""Whether an artefact holds what the criterion says it does: metrics, sections, named things, pictures of something."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.readers import Document, Family
from judge.rules.code_checks import check_in_code
from judge.rules.criterion import Criterion, Place
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, any_of, met, unknown, unmet
from judge.rules.grouping import Group, Item
from judge.rules.match import find_hits
from judge.rules.metric_checks import check_metric, metric_pattern
from judge.rules.soundness import has_placeholder
from judge.rules.spans import SpanKind
from judge.rules.term_checks import is_proper_name
from judge.rules.vocabulary import Concept, Kind
from judge.rules.words import spaced, squash, stem, stems

_TEX_PICTURES = ("", ".pdf", ".png", ".jpg", ".jpeg", ".eps")
"""LaTeX finds the extension of a picture itself."""
REPORT_SUFFIXES = (".pdf", ".md", ".html", ".htm", ".docx", ".pptx", ".ipynb", ".rst", ".tex")


def is_report(document: Document) -> bool:
    """Whether a file is read by people as a text."""
    return document.family in (Family.DOCUMENT, Family.NOTEBOOK) or document.path.lower().endswith(REPORT_SUFFIXES)


def check_content(evidence: Evidence, group: Group, place: Place, criterion: Criterion) -> Finding:
    """Whether an existing artefact shows one of the alternatives of a group."""
    document = evidence.document(place.path)
    return any_of(_check_item(evidence, item, document, criterion) for item in group.items)


def _check_item(evidence: Evidence, item: Item, document: Document, criterion: Criterion) -> Finding:
    concept = item.mention.concept if item.mention else None
    if document.family in (Family.IMAGE, Family.VIDEO):
        return _in_picture(evidence, concept, document) if concept else _named_in_picture(evidence, item, document)
    if document.family in (Family.MODEL, Family.ARRAY, Family.BINARY, Family.AUDIO):
        return _in_model(evidence, concept, document) if concept else _named_within(evidence, item, document)
    if concept is None:
        return _term_in_text(evidence, item, document)
    if concept.kind is Kind.METRIC:
        return check_metric(evidence, concept, document)
    if concept.kind in (Kind.LIBRARY, Kind.APP):
        return _library_in_text(evidence, concept, document)
    return _concept_in_text(evidence, concept, document)


def _in_picture(evidence: Evidence, concept: Concept, document: Document) -> Finding:
    """A picture shows what the code that writes it draws."""
    if concept.id == "animation" and int(document.facts.get("frames", 0) or 0) > 1:
        return met(f"{document.path} has {document.facts['frames']} frames", 0.84)
    writers = evidence.writers(document.path)
    if writers:
        scopes = evidence.around(writers)
        files = evidence.live.select({code for code, _ in scopes.pairs})
        hits = find_hits(concept, files, scopes)
        if hits:
            because = f"{hits[0].told(evidence.quoted(concept))}, in the code that writes {document.path}"
            return met(because, hits[0].strength * 0.95, hits[0].citation)
    anywhere = check_in_code(evidence, concept, ())
    if anywhere.state == "met":
        return met(anywhere.because, anywhere.confidence * (0.75 if writers else 0.85), *anywhere.citations)
    written = metric_pattern(concept).search("\n".join(evidence.writing(document.path)))
    if written:
        return met(f"{document.path} says {written.group(0)!r}", 0.72)
    if not evidence.live.files:
        return unknown(f"what {document.path} shows, without code that makes it")
    if concept.kind is Kind.SECTION:
        return unknown(f"what {document.path} shows")
    where = (
        f"{writers[0][0]}:{writers[0][1].line} writes {document.path}, but"
        if writers
        else f"{document.path} is there, but"
    )
    verb = _VERBS.get(concept.kind, "draws")
    because = f"{where} no reachable code {verb} {evidence.quoted(concept)}"
    return unmet(because, 0.72 if writers else 0.6, *anywhere.citations)


_VERBS = {Kind.LIBRARY: "uses", Kind.APP: "uses", Kind.METHOD: "does", Kind.METRIC: "computes", Kind.DATASET: "loads"}
"""What code does with a thing of that kind to put it into a picture, where it does not draw it."""


def _named_in_picture(evidence: Evidence, item: Item, document: Document) -> Finding:
    """A picture that has the words on it, as title, label or legend; that it has not says nothing."""
    wanted = {word for word in stems(item.text) if len(word) > 1}
    for line in evidence.writing(document.path):
        if wanted and wanted <= set(stems(line)):
            return met(f"{document.path} says {line[:60]!r}", 0.7)
    return unknown(f"what {document.path} shows of {item.text!r}")


def _in_model(evidence: Evidence, concept: Concept, document: Document) -> Finding:
    classes = " ".join(str(name) for name in document.facts.get("classes", ()))
    if classes and concept.kind is Kind.METHOD and concept.calls:
        for name in document.facts.get("classes", ()):
            for pattern in concept.calls:
                last = pattern.rsplit(".", 1)[-1].rstrip("*")
                if len(last) > 2 and str(name).rsplit(".", 1)[-1].startswith(last.lstrip("*")):
                    return met(f"{document.path} holds a {name}", 0.88)
    return check_in_code(evidence, concept, ())


_NAME_FACTS = ("names", "columns", "tensor_names", "layers", "classes", "members", "inputs", "outputs", "arrays")


def _named_within(evidence: Evidence, item: Item, document: Document) -> Finding:
    """An array, data set, field, layer or class of that name in a file that is no text; none of it says nothing."""
    wanted = squash(item.text)
    for key in _NAME_FACTS:
        for name in document.facts.get(key) or ():
            if wanted and wanted in {squash(str(name)), squash(re.split(r"[./]", str(name))[-1])}:
                return met(f"{document.path} holds {name}", 0.8, evidence.file_citation(document.path))
    return unknown(f"whether {document.path} holds {item.text!r}, as it is not text")


def _concept_in_text(evidence: Evidence, concept: Concept, document: Document) -> Finding:
    if concept.id == "section-visualization" or (concept.kind is Kind.PLOT and is_report(document)):
        return pictures_in(evidence, document, concept)
    text = _substance(document.text)
    match = metric_pattern(concept).search(text)
    if match is None and concept.id == "section-results":
        match = re.search(r"\d\.\d+|<script", text)
    if match:
        return met(
            f"{document.path} covers {evidence.quoted(concept)}",
            0.78,
            evidence.file_citation(document.path, re.escape(match.group(0)[:60])),
        )
    if is_report(document):
        return unmet(
            f"{document.path} says nothing of {evidence.quoted(concept)}", 0.74, evidence.file_citation(document.path)
        )
    in_code = check_in_code(evidence, concept, ())
    return (
        in_code
        if in_code.state == "met"
        else unmet(f"{document.path} says nothing of {evidence.quoted(concept)}, and {in_code.because}", 0.62)
    )


def pictures_in(evidence: Evidence, document: Document, concept: Concept | None = None) -> Finding:
    """Embedded pictures of a document, or links of Markdown and HTML to pictures that exist."""
    embedded = int(document.facts.get("images", 0) or 0) + int(document.facts.get("output_images", 0) or 0)
    if embedded and document.family is not Family.MARKUP:
        return met(f"{document.path} holds {embedded} pictures", 0.8)
    text = document.text
    links = re.findall(r"!\[[^\]]*\]\(([^)\s]+)", text) + re.findall(r"<img[^>]+src=[\"']([^\"']+)", text)
    if document.format in ("tex", "rst"):
        links += [str(name) for name in document.facts.get("pictures", ())]
    if any(link.startswith("data:image") for link in links) or re.search(
        r"<svg|<canvas|plotly|Bokeh|vega|echarts", text
    ):
        return met(f"{document.path} holds a picture", 0.78)
    folder = document.path.rsplit("/", 1)[0] if "/" in document.path else ""
    for link in links:
        if link.startswith(("http://", "https://")):
            continue
        endings = _TEX_PICTURES if document.format == "tex" else ("",)
        places = (_join(folder, link), link.lstrip("/"), link.removeprefix("/workspace/"))
        for candidate in (place + ending for place in places for ending in endings):
            if evidence.exists(candidate) and evidence.document(candidate).state.value == "sound":
                return met(
                    f"{document.path} shows {candidate}",
                    0.8,
                    evidence.file_citation(document.path, re.escape(link[:60])),
                )
    if links:
        return unmet(
            f"{document.path} links to {links[0]}, which is not there", 0.76, evidence.file_citation(document.path)
        )
    if concept is not None and concept.kind is Kind.PLOT and metric_pattern(concept).search(text):
        return met(f"{document.path} speaks of {evidence.quoted(concept)}", 0.55)
    return unmet(f"{document.path} holds no picture", 0.72, evidence.file_citation(document.path))


def _join(folder: str, link: str) -> str:
    parts = folder.split("/") if folder else []
    for part in link.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _library_in_text(evidence: Evidence, concept: Concept, document: Document) -> Finding:
    if document.path.lower().endswith((".html", ".htm")):
        flat = squash(document.text)
        names = [squash(name) for name in concept.names]
        script = re.search(r"<script|<link|new Chart|bokeh|vega", document.text, re.IGNORECASE)
        if script and any(name in flat for name in names):
            return met(f"{document.path} was made with {evidence.wording(concept)}", 0.84)
        if concept.id in ("plotly", "bokeh", "d3", "altair", "chart-js", "tailwind"):
            return unmet(
                f"{document.path} has nothing of {evidence.wording(concept)} in it",
                0.82,
                evidence.file_citation(document.path),
            )
    return check_in_code(evidence, concept, ())


def _term_in_text(evidence: Evidence, item: Item, document: Document) -> Finding:
    term = item.text
    flat = squash(term)
    haystack = " ".join([document.text, *_columns(document)])
    if flat and flat in squash(haystack):
        return met(f"{document.path} holds {term!r}", 0.8, evidence.file_citation(document.path, re.escape(term)))
    initials = "".join(word[0] for word in spaced(term).split(" ") if word)
    if len(initials) > 1 and re.search(rf"(?<![a-z0-9]){re.escape(initials)}(?![a-z0-9])", spaced(haystack)):
        return met(f"{document.path} holds {initials.upper()} for {term!r}", 0.62)
    wanted, present = set(stems(term)), {stem(word) for word in spaced(haystack).split(" ")}
    if wanted and wanted <= present:
        return met(f"{document.path} holds the words of {term!r}", 0.62)
    if document.path.lower().endswith((".html", ".htm")):
        for file in evidence.live.select(None):
            if file.path.endswith((".js", ".ts", ".jsx", ".tsx", ".vue")) and flat and flat in squash(file.text.full):
                return met(f"{file.path}, which builds the page, holds {term!r}", 0.64)
    because = f"{document.path} does not hold {term!r}"
    descriptive = item.span is not None and item.span.kind is SpanKind.WORDS and not is_proper_name(term)
    if descriptive and not is_report(document):
        return unknown(because)
    return unmet(because, 0.7, evidence.file_citation(document.path))


def _columns(document: Document) -> list[str]:
    """Names of columns, of every sheet or table of the file: its text may be cut before them."""
    tables = document.facts.get("tables")
    inner = (
        [table.get("columns", ()) for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []
    )
    return [str(name) for names in (document.facts.get("columns") or (), *inner) for name in names]


def _substance(text: str) -> str:
    """A text without headings that have nothing below them and without placeholder lines."""
    kept: list[str] = []
    pending: list[str] = []
    for line in text.split("\n"):
        if re.match(r"\s*#{1,6}\s|\s*<h\d", line):
            pending = [line]
        elif has_placeholder(line):
            pending = []
        elif line.strip():
            kept += [*pending, line]
            pending = []
    return "\n".join(kept)


def _has_table(document: Document) -> bool:
    return bool(document.facts.get("tables")) or re.search(r"(?m)^\s*\|?\s*:?-{3,}|<table\b", document.text) is not None


_LIST = re.compile(
    r"\b(?:contain(?:s|ing)?|includ(?:es?|ing)|cover(?:s|ing)?|present(?:s|ing)|summari[sz](?:es|ing)|describ(?:es|ing)|with|of|listing|lists|explain(?:s|ing)?)\s+"
    r"(.+?)(?:,?\s+(?:is|are|was|were|and saved|should be|must be|has been|saved|and stored)\b|[.;]|$)",
    re.IGNORECASE,
)


def check_listed(
    evidence: Evidence, document: Document, criterion: Criterion, covered: Iterable[tuple[int, int]]
) -> list[Finding]:
    """Parts of a report that the criterion lists in words outside the vocabulary."""
    match = _LIST.search(criterion.masked)
    if match is None or not is_report(document):
        return []
    spans = list(covered)
    present = set(stems(_substance(document.text)))
    findings: list[Finding] = []
    offset = match.start(1)
    for part in re.finditer(r"[^,]+?(?=,|\band\b|$)", match.group(1)):
        start, end = offset + part.start(), offset + part.end()
        wanted = [word for word in stems(part.group(0)) if len(word) > 2]
        if not wanted or len(wanted) > 6 or any(a < end and b > start for a, b in spans):
            continue
        phrase = re.sub(r"^(?:and|or)?\s*(?:contains?|includes?|shows?|has|with)?\s+", "", part.group(0)).strip()
        share = sum(1 for word in wanted if word in present or (word == "tabl" and _has_table(document))) / len(wanted)
        if share == 0 and len(wanted) == 1 and not findings:
            continue  # "with the analysis": one everyday word is no part that a text must name
        if share >= 0.5:
            findings.append(met(f"{document.path} covers {phrase}", 0.5 + 0.2 * share))
        else:
            findings.append(
                unmet(f"{document.path} says nothing of {phrase}", 0.66, evidence.file_citation(document.path))
            )
    return findings
