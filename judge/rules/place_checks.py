"""The files and folders that a criterion names: code that is to be there, artefacts, and what code is to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from judge.modules.graph.facts import Access
from judge.rules.criterion import Criterion, Place, Role
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.output_checks import check_file, check_folder


def once(places: Iterable[Place]) -> Iterator[Place]:
    """The places, each path once."""
    seen = set()
    for place in places:
        if (place.path, place.folder) not in seen:
            seen.add((place.path, place.folder))
            yield place


def code_paths(evidence: Evidence, criterion: Criterion) -> tuple[str, ...]:
    """The files of code that a criterion names, those in named folders as well."""
    paths: list[str] = []
    for place in once(criterion.of_role(Role.CODE)):
        if place.folder:
            paths += [path for path in evidence.files_below(place.path) if path in evidence.live.files]
        elif (entry := evidence.case.workspace.find(place.path)) is not None:
            paths.append(entry.path)
    return tuple(dict.fromkeys(paths))


def missing_code(evidence: Evidence, criterion: Criterion) -> Iterator[Finding]:
    """What is wrong with named code as such: it is not there, is empty, or cannot run."""
    for place in once(criterion.of_role(Role.CODE)):
        if place.folder:
            if not evidence.case.workspace.is_folder(place.path):
                yield unmet(f"{place.path}/ does not exist", 0.9)
        elif not evidence.exists(place.path):
            near = evidence.similar(place.path)
            yield unmet(f"{place.path} does not exist{f'; {near[0]} is not what was asked for' if near else ''}", 0.94)
        elif not evidence.document(place.path).text.strip():
            yield unmet(f"{place.path} is empty", 0.94)
        elif place.path.endswith(".py") and (file := evidence.live.get(place.path)) is not None and file.file.error:
            yield unmet(f"{place.path} cannot run: {file.file.error}", 0.84, file.cite(1))


def outputs(evidence: Evidence, criterion: Criterion) -> Iterator[Finding]:
    """Whether the named artefacts are there and sound."""
    for place in once(criterion.of_role(Role.OUTPUT)):
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


def inputs(evidence: Evidence, criterion: Criterion, code: tuple[str, ...]) -> Iterator[Finding]:
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
