"""Whether tests that a criterion asks for really test: not skipped, with assertions that can fail, as many as asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.modules.graph.facts import Body, DefKind
from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.live import LiveFile
from judge.rules.run_checks import suite_ran
from judge.rules.term_checks import is_test
from judge.rules.wording import counted
from judge.rules.words import number

_ASKED = re.compile(
    r"(?<![-\w])(?:unit |integration |api |automated )?tests?\b(?! (?:set|data|split|images?|accuracy|samples?|user))",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"\b(?:pytest|unittest|unit tests?|test (?:suite|cases?|functions?|file)|"
    r"tests (?:for|of|that|cover\w*|are|in|exist\w*|pass\w*|check\w*|verif\w*))\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?:at least|minimum of|no fewer than)?\s*(\d+|two|three|four|five|six|seven|eight|nine|ten)\s+"
    r"(?:\w+\s+){0,2}tests?\b",
    re.IGNORECASE,
)
_ASSERTION = re.compile(
    r"\bassert\b(?!\s*\(?\s*(?:True|1|not False)\b)|self\.assert\w+\((?!\s*True\s*\))|pytest\.raises|expect\(|"
    r"assert\.\w+|"
    r"t\.(?:Error|Fatal)|assert(?:Equals|True|False|That|Throws|_eq!|!)"
)
_DRIVES = re.compile(r"subprocess|client|requests|httpx|runpy|import_module|exec\(|open\(")
_SKIPPED = re.compile(r"(?:^|\.)(?:skip|skipIf|skipif|xfail|expectedFailure)$")


def check_tests(evidence: Evidence, criterion: Criterion) -> list[Finding]:
    """Findings on the tests, none where the criterion does not ask for tests."""
    if not (_ASKED.search(criterion.masked) and _VERBS.search(criterion.masked)):
        return []
    places = [place.path for place in criterion.places]
    named = [path for path in places if is_test(path + "/x.py") or is_test(path)]
    files = [
        file
        for file in evidence.live.select(None)
        if is_test(file.path) and (not named or any(file.path.startswith(p) for p in named))
    ]
    if not files:
        return [unmet(f"there are no tests{' in ' + named[0] if named else ''}", 0.82)]
    real = [(file, line) for file in files for line in _real_tests(file)]
    if not real:
        return [unmet(f"{files[0].path} holds no test that can fail", 0.82, files[0].cite(1))]
    match = _COUNT.search(criterion.masked)
    wanted = (number(match.group(1)) or 0) if match else 0
    file, line = real[0]
    if wanted and len(real) < wanted:
        return [unmet(f"there are {len(real)} real tests, {wanted:g} are asked for", 0.8, file.cite(line))]
    seen = suite_ran(evidence, wanted)
    if seen is not None:
        return [seen]
    return [
        met(
            f"there are {counted(len(real), 'test')} with assertions, such as {file.path}:{line}", 0.78, file.cite(line)
        )
    ]


def _real_tests(file: LiveFile) -> Iterator[int]:
    if not file.path.endswith(".py"):
        yield from _other_tests(file)
        return
    if not any(item.local for item in file.file.imports) and not _DRIVES.search(file.full_text.full):
        return  # it exercises nothing of the workspace
    skipped = {d.qualname for d in file.file.definitions if any(_SKIPPED.search(name) for name in d.decorators)}
    for definition in file.file.definitions:
        if definition.kind is DefKind.CLASS or not definition.name.startswith("test") or definition.body is Body.STUB:
            continue
        parent = definition.qualname.rpartition(".")[0]
        text = file.full_text.lines(definition.line, definition.end_line).full
        if definition.qualname not in skipped and parent not in skipped and _ASSERTION.search(text):
            yield definition.line


def _other_tests(file: LiveFile) -> Iterator[int]:
    for match in re.finditer(
        r"\b(?:it|test)(?:\.each\([^)]*\))?\(\s*[\"'`]|\bfunc Test\w+\(|@Test\b|#\[test\]", file.full_text.full
    ):
        tail = file.full_text.full[match.start() : match.start() + 1500]
        if _ASSERTION.search(tail):
            if re.match(r"(?:it|test)\(", match.group(0)) is None and ".each" in match.group(0):
                yield 1
            yield file.full_text.full.count("\n", 0, match.start()) + 1
