"""Which checks a criterion asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.modules.graph.facts import Access
from judge.readers import Family
from judge.rules.app_checks import check_app, check_configurable
from judge.rules.code_checks import check_absent, check_described, check_in_code, is_code_kind
from judge.rules.content_checks import check_content, check_listed, is_report, pictures_in
from judge.rules.criterion import Criterion, Place, Role
from judge.rules.dataset_checks import check_dataset, check_real_data, dataset_concept
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, State, all_of, any_of, met, unmet
from judge.rules.grouping import Group, Item
from judge.rules.number_checks import check_numbers
from judge.rules.output_checks import check_file, check_folder
from judge.rules.spans import SpanKind
from judge.rules.suite_checks import check_tests
from judge.rules.table_checks import check_tables
from judge.rules.term_checks import check_term, check_term_absent
from judge.rules.vocabulary import Kind

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
    code = _code_paths(evidence, criterion)
    findings = [
        *_missing_code(evidence, criterion),
        *_outputs(evidence, criterion),
        *_inputs(evidence, criterion, code),
    ]
    if any(finding.state == "unmet" and finding.confidence > 0.92 for finding in findings):
        return findings
    for group in criterion.groups:
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
    decided = any(finding.state is not State.UNKNOWN for finding in findings)
    only_code = code and not criterion.of_role(Role.OUTPUT) and not criterion.of_role(Role.INPUT)
    if not decided or (
        only_code and not any(is_code_kind(group.kind) or group.kind is None for group in criterion.groups)
    ):
        findings.append(check_described(evidence, criterion.masked, code))
    return findings


def _code_paths(evidence: Evidence, criterion: Criterion) -> tuple[str, ...]:
    paths: list[str] = []
    for place in criterion.of_role(Role.CODE):
        if place.folder:
            paths += [path for path in evidence.files_below(place.path) if path in evidence.live.files]
        elif (entry := evidence.case.workspace.find(place.path)) is not None:
            paths.append(entry.path)
    return tuple(dict.fromkeys(paths))


def _missing_code(evidence: Evidence, criterion: Criterion) -> Iterator[Finding]:
    for place in criterion.of_role(Role.CODE):
        if place.folder:
            if not evidence.case.workspace.is_folder(place.path):
                yield unmet(f"{place.path}/ does not exist", 0.9)
        elif not evidence.exists(place.path):
            near = evidence.similar(place.path)
            yield unmet(f"{place.path} does not exist{f'; {near[0]} is not what was asked' if near else ''}", 0.94)
        elif not evidence.document(place.path).text.strip():
            yield unmet(f"{place.path} is empty", 0.94)
        elif place.path.endswith(".py") and (file := evidence.live.get(place.path)) is not None and file.file.error:
            yield unmet(f"{place.path} cannot run: {file.file.error}", 0.84, file.cite(1))


def _outputs(evidence: Evidence, criterion: Criterion) -> Iterator[Finding]:
    for place in criterion.of_role(Role.OUTPUT):
        if place.folder:
            yield check_folder(evidence, place, criterion)
        elif not evidence.exists(place.path) and _only_mentions(criterion, place):
            yield _mentioned(evidence, place)
        else:
            yield check_file(evidence, place, criterion)


_MADE = (
    r"\b(?:sav|stor|writ|export|generat|creat|produc|log|record|provid|contain|hold|plac|visuali[sz]|dump|output|report|"
    r"includ|present|exist|giv|list|tabulat|compris|document|describ|put|kept|converted|written|found)\w*"
)


_PLACED = re.compile(
    r"\b(?:as|in|into|to|at|under|by|inside|within)\s+(?:the\s+|a\s+)?(?:file\s+|folder\s+)?[\"'`]*$", re.IGNORECASE
)


def _only_mentions(criterion: Criterion, place: Place) -> bool:
    """Whether the criterion names a file without asking that it be made: "the rules of the site's `robots.txt`"."""
    return not criterion.says(_MADE) and not _PLACED.search(criterion.text[: place.span.start])


def _mentioned(evidence: Evidence, place: Place) -> Finding:
    """A file that the criterion mentions without asking for it: code that deals with it is enough."""
    name = place.path.rsplit("/", 1)[-1]
    for file in evidence.live.select(None):
        for literal in file.file.strings:
            if literal.reachable and name in literal.value:
                return met(f"{file.path}:{literal.line} deals with {name}", 0.62, file.cite(literal.line))
    return unmet(f"{place.path} does not exist, and no reachable code deals with it", 0.8)


def _inputs(evidence: Evidence, criterion: Criterion, code: tuple[str, ...]) -> Iterator[Finding]:
    """Files that code is to read: in the named code (and what it uses), else anywhere."""
    files = evidence.live.select(evidence.live.closure(code) if code else None)
    for place in criterion.of_role(Role.INPUT):
        readers = [
            (file, access)
            for file in files
            for access in file.accesses
            if access.access is Access.READ and access.pattern and _same_file(access.pattern, place.path)
        ]
        if readers:
            file, access = readers[0]
            yield met(f"{file.path}:{access.line} reads {place.path}", 0.84, file.cite(access.line))
            continue
        name = place.path.rsplit("/", 1)[-1]
        named = [(file, s) for file in files for s in file.file.strings if s.reachable and name in s.value]
        if named:
            file, literal = named[0]
            yield met(f"{file.path}:{literal.line} names {place.path}", 0.66, file.cite(literal.line))
        else:
            yield unmet(f"no reachable code {f'in {code[0]} ' if code else ''}reads {place.path}", 0.74)


def _same_file(pattern: str, path: str) -> bool:
    return (
        pattern == path
        or pattern.endswith("/" + path)
        or path.endswith("/" + pattern)
        or pattern.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]
    )


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
        return check_absent(evidence, item.mention.concept, scope)
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
        return check_in_code(evidence, item.mention.concept, code)
    assert item.span is not None
    return check_term(evidence, item.span, code)


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
