"""Which checks a criterion asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.readers import Family
from judge.rules.app_checks import check_app, check_configurable
from judge.rules.code_checks import check_absent, check_described, check_in_code, is_code_kind
from judge.rules.content_checks import check_content, check_listed, is_report, pictures_in
from judge.rules.criterion import Criterion, Place, Role
from judge.rules.dataset_checks import check_dataset, check_real_data, dataset_concept
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, State, all_of, any_of
from judge.rules.grouping import Group, Item
from judge.rules.number_checks import check_numbers
from judge.rules.place_checks import code_paths, inputs, missing_code, once, outputs
from judge.rules.practice_checks import check_bound_sql, check_held_out
from judge.rules.run_checks import folds_shown, removal_shown, statement_broke, stopping_shown
from judge.rules.spans import SpanKind
from judge.rules.suite_checks import check_tests
from judge.rules.table_checks import check_tables
from judge.rules.term_checks import check_term, check_term_absent
from judge.rules.vocabulary import Concept, Kind

_DATASET_NOUN = re.compile(
    r"^[\"'`]?\s*(?:[\w-]+\s+){0,4}?(?:data\s?sets?|corpus|environment|simulator|data)\b", re.IGNORECASE
)
_LOADED = re.compile(
    r"^[\"'`]?\s*(?:[\w-]+\s+){0,3}?(?:articles|records|reviews|images|tweets|prices|recordings|samples|readings|texts)\s+"
    r"(?:is|are)\s+(?:loaded|read|downloaded|obtained|fetched|imported|used)\b",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"\b(?:contain|includ|cover|present|summari[sz]|describ|with|of|list|explain|consist|compris|document|show|about|on)\w*\b",
    re.IGNORECASE,
)
_REAL_DATA = re.compile(r"\b(?:real-world|historical|real|actual)\b[^.;]{0,40}\bdata\b", re.IGNORECASE)


def findings_for(evidence: Evidence, criterion: Criterion) -> list[Finding]:
    """The outcome of every check that a criterion asks for."""
    code = code_paths(evidence, criterion)
    findings = [
        *missing_code(evidence, criterion),
        *outputs(evidence, criterion),
        *inputs(evidence, criterion, code),
    ]
    if any(finding.state == "unmet" and finding.confidence > 0.92 for finding in findings):
        return findings
    for group in _distinct(criterion):
        finding = _check_group(evidence, criterion, group, code)
        if finding is not None:
            findings.append(finding)
    findings += check_tests(evidence, criterion)
    findings += _real_data(evidence, criterion, code)
    findings += _apps(evidence, criterion, code)
    findings += check_configurable(evidence, criterion, code)
    findings += check_tables(evidence, criterion)
    findings += _pictures(evidence, criterion)
    findings += check_numbers(evidence, criterion, code)
    findings += list(_report_parts(evidence, criterion))
    shown = (
        stopping_shown(evidence, criterion, code),
        statement_broke(evidence, criterion),
        check_bound_sql(evidence, criterion, code),
        *(check_held_out(evidence, criterion, p.path) for p in once(criterion.of_role(Role.OUTPUT)) if not p.folder),
    )
    findings += [finding for finding in shown if finding is not None]
    decided = any(finding.state is not State.UNKNOWN for finding in findings)
    only_code = code and not criterion.of_role(Role.OUTPUT) and not criterion.of_role(Role.INPUT)
    if not decided or (
        only_code and not any(is_code_kind(group.kind) or group.kind is None for group in criterion.groups)
    ):
        described = check_described(evidence, criterion.masked, code)
        removed = removal_shown(evidence, criterion, code) if described.state is State.UNMET else None
        findings.append(removed or described)
    return findings


def _distinct(criterion: Criterion) -> Iterator[Group]:
    """The groups, those that ask the same of the same places once."""
    places: dict[int, list[str]] = {}
    for place in criterion.of_role(Role.OUTPUT):
        places.setdefault(place.sentence, []).append(place.path)
    seen = set()
    for group in criterion.groups:
        items = tuple((i.mention.concept.id if i.mention else "", "" if i.mention else i.text) for i in group.items)
        key = (items, group.absent, tuple(dict.fromkeys(places.get(group.sentence, ()))))
        if key not in seen:
            seen.add(key)
            yield group


def _check_group(evidence: Evidence, criterion: Criterion, group: Group, code: tuple[str, ...]) -> Finding | None:
    if group.absent:
        return all_of(_absent(evidence, item, code) for item in group.items)
    outputs = [
        place
        for place in criterion.of_role(Role.OUTPUT)
        if not place.folder and place.sentence == group.sentence and evidence.exists(place.path)
    ]
    artefact = _artefact_for(evidence, group, outputs)
    if group.kind is Kind.SECTION:
        start = criterion.sentences[group.sentence][0]
        if not _LISTS.search(criterion.masked[start : group.items[0].start]):
            return None  # "a summary is saved as …" names the report itself, not a part of it
        reports = [place for place in outputs if is_report(evidence.document(place.path))]
        return check_content(evidence, group, reports[0], criterion) if reports else None
    if artefact is None and _is_context(criterion, group):
        return None
    if artefact is not None:
        return check_content(evidence, group, artefact, criterion)
    return any_of(_in_code(evidence, criterion, item, code) for item in group.items)


_CONTEXT = re.compile(
    r"\b(?:before|after|during|prior to|following|once|while|based on)\s+"
    r"(?:and\s+(?:before|after|during)\s+)?(?:the\s+)?[\"'`]*$",
    re.IGNORECASE,
)


def _is_context(criterion: Criterion, group: Group) -> bool:
    """Whether a preparation step only says when something is measured: "PSNR before and after denoising"."""
    before = criterion.text[max(0, group.items[0].start - 40) : group.items[0].start]
    return (
        group.kind in (Kind.PREPROCESS, Kind.PRACTICE)
        and _CONTEXT.search(before) is not None
        and len(criterion.groups) > 1
    )


def _absent(evidence: Evidence, item: Item, code: tuple[str, ...]) -> Finding:
    scope = evidence.live.closure(code) if code else ()
    if item.mention is not None:
        return check_absent(evidence, item.mention.concept, item.text, scope)
    assert item.span is not None
    return check_term_absent(evidence, item.span, code)


def _artefact_for(evidence: Evidence, group: Group, outputs: list[Place]) -> Place | None:
    """The artefact whose content the group speaks of, if it does not speak of code."""
    for place in outputs:
        document = evidence.document(place.path)
        report = is_report(document)
        if group.kind in (Kind.METRIC, Kind.PLOT, Kind.SECTION):
            return place
        if group.kind in (Kind.LIBRARY, Kind.APP) and document.path.endswith((".html", ".htm")):
            return place
        if group.kind is Kind.LIBRARY and document.family is Family.IMAGE:
            return place
        if group.kind is Kind.METHOD and document.family in (Family.MODEL, Family.ARRAY, Family.IMAGE):
            return place
        if group.kind in (Kind.PREPROCESS, Kind.PRACTICE) and report:
            return place
        if (
            group.kind is None
            and group.items[0].span is not None
            and group.items[0].span.kind in (SpanKind.WORDS, SpanKind.IDENTIFIER)
        ):
            return place
    return None


def _in_code(evidence: Evidence, criterion: Criterion, item: Item, code: tuple[str, ...]) -> Finding:
    if _is_dataset(item, criterion):
        if item.mention is not None and item.mention.concept.kind is Kind.DATASET:
            return check_dataset(evidence, item.mention.concept, code)
        name = item.span.text if item.span is not None else item.text
        return check_dataset(evidence, dataset_concept(name), code)
    if item.mention is not None:
        return _concept_in_code(evidence, criterion, item.mention.concept, code)
    assert item.span is not None
    return check_term(evidence, item.span, code)


def _concept_in_code(evidence: Evidence, criterion: Criterion, concept: Concept, code: tuple[str, ...]) -> Finding:
    """What the code shows, unless a run shows more."""
    finding = check_in_code(evidence, concept, code)
    if concept.id == "cross-validation" and finding.state is not State.MET:
        return folds_shown(evidence, criterion, code) or finding
    if finding.state is not State.MET and concept.kind in (Kind.PREPROCESS, Kind.PRACTICE):
        return removal_shown(evidence, criterion, code) or finding
    return finding


_SHOWS_PICTURE = re.compile(
    r"\b(?:embed\w*|contain\w*|includ\w*|show\w*|with|display\w*)\b[^.;]{0,60}?"
    r"\b(?:curve|plots?|figures?|charts?|images?|pictures?|heatmap|diagram|histogram|graph)\b",
    re.IGNORECASE,
)


def _pictures(evidence: Evidence, criterion: Criterion) -> list[Finding]:
    """Where a report is to show a picture, it holds one."""
    if not criterion.says(_SHOWS_PICTURE.pattern) or any(group.kind is Kind.PLOT for group in criterion.groups):
        return []
    reports = [p.path for p in criterion.of_role(Role.OUTPUT) if not p.folder and evidence.exists(p.path)]
    return [pictures_in(evidence, evidence.document(path)) for path in reports if is_report(evidence.document(path))][
        :1
    ]


def _real_data(evidence: Evidence, criterion: Criterion, code: tuple[str, ...]) -> list[Finding]:
    """Where data from the real world are asked for without a name, made-up data do not do."""
    if not criterion.says(_REAL_DATA.pattern) or any(group.kind is Kind.DATASET for group in criterion.groups):
        return []
    return [check_real_data(evidence, code)]


def _is_dataset(item: Item, criterion: Criterion) -> bool:
    if item.mention is not None:
        return item.mention.concept.kind is Kind.DATASET and not item.mention.concept.own
    if item.span is None or item.span.kind is not SpanKind.WORDS:
        return False
    tail = criterion.text[item.end : item.end + 60]
    return _DATASET_NOUN.match(tail) is not None or _LOADED.match(tail) is not None


def _apps(evidence: Evidence, criterion: Criterion, code: tuple[str, ...]) -> list[Finding]:
    apps = [group for group in criterion.groups if group.kind is Kind.APP and not group.absent]
    module = apps[0].items[0].mention.concept.id if apps and apps[0].items[0].mention else ""
    if not apps and not (
        code and criterion.says(r"\b(?:interactive|web (?:app|page|interface)|dashboard|frontend|gui)\b")
    ):
        return []
    return check_app(evidence, criterion, code, module)


def _report_parts(evidence: Evidence, criterion: Criterion) -> Iterator[Finding]:
    covered = [(item.start, item.end) for group in criterion.groups for item in group.items]
    for place in criterion.of_role(Role.OUTPUT):
        if not place.folder and evidence.exists(place.path):
            yield from check_listed(evidence, evidence.document(place.path), criterion, covered)
            return
