"""What programs printed that tells of their work: tallies of test runners, answers of servers, counts of things."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_TAIL = 20_000


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one run of a test suite.

    Attributes:
        passed: Tests that ran and held; None when the runner does not say how many.
        failed: Tests that ran and did not hold, errors included.
        skipped: Tests that were not run.
    """

    passed: int | None
    failed: int
    skipped: int = 0

    @property
    def holds(self) -> bool:
        """Whether some test ran and none failed."""
        return not self.failed and self.passed != 0


_RUNNER = re.compile(
    r"\b(?:py\.?test|unittest|nose2?|jest|vitest|mocha|ava|jasmine|rspec|minitest|phpunit|pest|ctest|tox|nox|bats|"
    r"testthat|prove|karma|cypress|playwright test)\b|"
    r"\b(?:npm|yarn|pnpm|bun|go|cargo|dotnet|swift|sbt|flutter|dart|deno|mix|zig|stack|cabal|rails|rake|composer|make|"
    r"just|mvnw?|gradlew?|lein|dune|nextest|node|julia|Rscript|poetry|uv|hatch|pdm)\b[^\n;|]{0,80}?"
    r"(?<![\w])-?-?(?:nextest|test\w*|check|spec|verify)\b|"
    r"\b(?:python[\d.]*|node|ruby|php|julia|Rscript|bash|sh|perl|lua)\s+[^\n;|]{0,80}?(?:test|spec)[\w./-]*|"
    r"(?:^|[\s;&|])\./[\w./-]*test[\w./-]*",
    re.IGNORECASE,
)
_WORDS = re.compile(r"(\d+)\s+(passed|failed|errors?|skipped|xfailed|xpassed|ignored|pending|todo|deselected)\b")
_PYTEST = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+) in [\d.]+ ?s", re.M)
_UNITTEST = re.compile(r"^Ran (\d+) tests? in [\d.]+s\s+^(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?", re.M)
_JEST = re.compile(r"^\s*Tests:?\s{1,12}([^\n]*\d[^\n]*)$", re.M)
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.M)
_SUREFIRE = re.compile(r"Tests run:\s*(\d+),\s*Failures:\s*(\d+),\s*Errors:\s*(\d+)(?:,\s*Skipped:\s*(\d+))?")
_DOTNET = re.compile(r"Failed:\s*(\d+),\s*Passed:\s*(\d+),\s*Skipped:\s*(\d+)")
_TESTTHAT = re.compile(r"\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]")
_SCALATEST = re.compile(r"Tests: succeeded (\d+), failed (\d+), canceled \d+, ignored (\d+)")
_PAIRS: tuple[tuple[re.Pattern[str], Callable[[tuple[int, ...]], Tally]], ...] = (
    (
        re.compile(r"(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?"),
        lambda n: Tally(n[0] - n[1] - n[2], n[1], n[2]),
    ),
    (
        re.compile(r"(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, (\d+) skips)?"),
        lambda n: Tally(n[0] - n[1] - n[2] - n[3], n[1] + n[2], n[3]),
    ),
    (re.compile(r"^OK(?:,[^\n(]*)? \((\d+) tests?, \d+ assertions?\)", re.M), lambda n: Tally(n[0], 0)),
    (
        re.compile(r"^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?", re.M),
        lambda n: Tally(n[0] - n[1] - n[2], n[1] + n[2]),
    ),
    (
        re.compile(r"\d+% tests passed, (\d+) tests failed out of (\d+)"),
        lambda n: Tally(n[1] - n[0], n[0]),
    ),
    (
        re.compile(r"Executed (\d+) tests?, with (\d+) failures?"),
        lambda n: Tally(n[0] - n[1], n[1]),
    ),
    (re.compile(r"(\d+) tests? completed, (\d+) failed"), lambda n: Tally(n[0] - n[1], n[1])),
)


def starts_tests(action: str) -> bool:
    """Whether an action runs a test suite; one that only shows an old report does not."""
    return _RUNNER.search(re.sub(r"<<-?\s*['\"]?(\w+)['\"]?\n.*?\n\1\b", "", action, flags=re.DOTALL)) is not None


def read_tally(text: str) -> Tally | None:
    """The tally that a test runner printed last; None when the text holds none."""
    text = re.sub(r"\x1b\[[\d;]*m", "", text[-_TAIL:])
    found = [item for reader in _READERS for item in reader(text)]
    return max(found, key=lambda item: item[0])[1] if found else None


_Found = Iterator[tuple[int, Tally]]


def _counted(text: str) -> dict[str, int]:
    return {word.rstrip("s"): int(value) for value, word in _WORDS.findall(text)}


def _by_words(text: str) -> _Found:
    for pattern in (_PYTEST, _JEST):
        for match in pattern.finditer(text):
            counts = _counted(match[1])
            if counts.keys() & {"passed", "failed", "error", "skipped"}:
                idle = sum(counts.get(word, 0) for word in ("skipped", "ignored", "todo", "pending", "xfailed"))
                bad = counts.get("failed", 0) + counts.get("error", 0)
                yield match.start(), Tally(counts.get("passed", 0), bad, idle)


def _unittest(text: str) -> _Found:
    for match in _UNITTEST.finditer(text):
        told = {key.strip(): int(value) for key, value in re.findall(r"([a-z ]+)=(\d+)", match[3] or "")}
        bad = told.get("failures", 0) + told.get("errors", 0) + told.get("unexpected successes", 0)
        idle = told.get("skipped", 0) + told.get("expected failures", 0)
        bad = bad or (1 if match[2] == "FAILED" else 0)
        yield match.start(), Tally(max(int(match[1]) - bad - idle, 0), bad, idle)


def _by_fields(text: str) -> _Found:
    for match in _CARGO.finditer(text):
        yield match.start(), Tally(int(match[1]), int(match[2]), int(match[3]))
    for match in _SUREFIRE.finditer(text):
        total, bad, idle = int(match[1]), int(match[2]) + int(match[3]), int(match[4] or 0)
        yield match.start(), Tally(total - bad - idle, bad, idle)
    for match in _DOTNET.finditer(text):
        yield match.start(), Tally(int(match[2]), int(match[1]), int(match[3]))
    for match in _TESTTHAT.finditer(text):
        yield match.start(), Tally(int(match[3]), int(match[1]), int(match[2]))
    for match in _SCALATEST.finditer(text):
        yield match.start(), Tally(int(match[1]), int(match[2]), int(match[3]))
    for pattern, make in _PAIRS:
        for match in pattern.finditer(text):
            numbers = (*(int(part or 0) for part in match.groups()), 0, 0, 0)
            yield match.start(), make(numbers)


def _by_lines(text: str) -> _Found:
    """Runners that print one line a test or a package: go, TAP, mocha."""
    good = re.findall(r"^\s*--- PASS: ", text, re.M)
    bad = re.findall(r"^\s*--- FAIL: ", text, re.M)
    packages = re.search(r"^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))|PASS$|FAIL(?:\s|$))", text, re.M)
    if packages and (good or bad or packages[0].startswith(("ok", "FAIL"))):
        failed = len(bad) or (1 if re.search(r"^FAIL(?:\s|$)", text, re.M) else 0)
        yield packages.start(), Tally(len(good) or (None if not failed else 0), failed)
    passing, failing = re.search(r"^\s*(\d+) passing\b", text, re.M), re.search(r"^\s*(\d+) failing\b", text, re.M)
    if passing:
        yield passing.start(), Tally(int(passing[1]), int(failing[1]) if failing else 0)
    told = re.search(r"^# pass (\d+)\s+^# fail (\d+)", text, re.M)
    lines = re.findall(r"^(ok|not ok) \d+", text, re.M)
    if told:
        yield told.start(), Tally(int(told[1]), int(told[2]))
    elif lines:
        yield 0, Tally(lines.count("ok"), lines.count("not ok"))


_READERS: tuple[Callable[[str], _Found], ...] = (_by_words, _unittest, _by_fields, _by_lines)

_LOGGED = re.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:https?://[^\s/]+)?(/[^\s\"?]*)(?:\?[^\s\"]*)?"
    r"(?: HTTP/[\d.]+)?\"?\s+(?:HTTP\s)?(\d{3})\b"
)
_STATUS = re.compile(
    r"\bHTTP(?:/[\d.]+)? (\d{3})\b|<Response[^>\n]*?\[(\d{3})\b|\bstatus(?:[_ ]?code)?[\"']?\s*[:=]?\s*(\d{3})\b|"
    r"^(\d{3})(?: [A-Za-z ]+)?$|(?<=[}\])>\s])([1-5]\d\d)$",
    re.IGNORECASE | re.M,
)
_NO_ANSWER = re.compile(
    r"connection refused|failed to connect|couldn't connect|could not connect|curl: \(\d+\)|ConnectionError|"
    r"ECONNREFUSED|empty reply from server|Traceback \(most recent call last\)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b404\b|not found|method not allowed|internal server error|cannot (?:GET|POST|PUT|PATCH|DELETE) /|bad gateway",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that a server gave.

    Attributes:
        method: HTTP method, upper case.
        path: The path that was asked for, without a query.
        answered: Whether it was served; None when the text does not tell.
        status: The status code, where it is shown.
    """

    method: str
    path: str
    answered: bool | None
    status: int | None = None


def read_answers(asked: Sequence[tuple[str, str]], text: str) -> list[Answer]:
    """Joins requests that an action made with the text that came back, and reads lines of server logs.

    Args:
        asked: Method and path of each request, in order.
        text: What came back.
    """
    text = text[-_TAIL:]
    found = [
        Answer(match[1], match[2], int(match[3]) < 400, int(match[3])) for match in list(_LOGGED.finditer(text))[:500]
    ]
    if not asked:
        return found
    rest = _LOGGED.sub("", text)
    codes = [int(next(part for part in match.groups() if part)) for match in _STATUS.finditer(rest)]
    codes = [code for code in codes if 100 <= code < 600]
    for index, (method, path) in enumerate(asked):
        code = codes[index] if len(codes) == len(asked) else None
        if code is not None:
            answered: bool | None = code < 400
        elif _NO_ANSWER.search(rest):
            answered = False if len(asked) == 1 else None
        elif codes:
            answered = True if all(c < 400 for c in codes) else None
        elif _REFUSED.search(rest):
            answered = False if len(asked) == 1 else None
        else:
            answered = True if re.search(r"[\[{<\"]|\w{2}", _without_prompt(rest)) else None
        found.append(Answer(method, path, answered, code))
    return found


def _without_prompt(text: str) -> str:
    return re.sub(r"^[\w.-]+@[\w.-]+:\S* ?[$#].*$|^\[\d+\][^\n]*$", "", text, flags=re.M)
