"""What a reader should see of a submission at once: why points are missing, the same words in every format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from judge.report.score.words import failed, number
from judge.results.score import CaseResult, Counterexample, PerformanceResult, SubmissionReport
from judge.text import plural

_NEARLY_ALL = 0.9
_SYNTAX = re.compile(
    r"(?P<place>line \d+: )?(?:SyntaxError|IndentationError|TabError): (?P<what>.*?)(?: \([^()]*, line \d+\))?", re.S
)
_NOT_ASKED = re.compile(r"not asked( again)?: ")


class Cause(NamedTuple):
    """One reason that all failures of a submission share, or nearly all.

    Attributes:
        text: The reason, as a reader should see it.
        cases: The failures that it explains.
        whole: How many failures there are.
    """

    text: str
    cases: tuple[CaseResult, ...]
    whole: int

    def explains(self, example: Counterexample) -> bool:
        """Whether an example repeats what the reason says already."""
        return any((case.reason, case.actual) == (example.reason, example.actual) for case in self.cases)


def shared_cause(item: SubmissionReport) -> Cause | None:
    """The reason that nine of ten failures share: it does not load, runs out of time, ends, raises always the same.

    Wrong answers have no such reason, however alike they are.

    Args:
        item: The submission.
    """
    wrong = failed(item)
    kinds = Counter(key for key in map(_kind, wrong) if key is not None)
    if len(wrong) < min(2, len(item.cases)) or not kinds:
        return None
    kind, count = kinds.most_common(1)[0]
    if count < _NEARLY_ALL * len(wrong):
        return None
    cases = tuple(case for case in wrong if _kind(case) == kind)
    return Cause(
        _words(next((case for case in cases if not _NOT_ASKED.match(case.reason)), cases[0])), cases, len(wrong)
    )


def _kind(case: CaseResult) -> Hashable | None:
    """What makes two failures one; None for an answer."""
    if case.status == "returned":
        return None
    if case.status == "raised":
        return case.status, case.actual
    if case.status == "timeout":
        return case.status
    return case.status, _NOT_ASKED.sub("", case.reason)


def _words(case: CaseResult) -> str:
    reason = _NOT_ASKED.sub("", case.reason)
    if case.status == "raised":
        return f"raises {case.actual}"
    if case.status == "timeout":
        return f"time-outs: {reason}"
    if case.status == "load":
        syntax = _SYNTAX.fullmatch(reason)
        if syntax:
            return f"does not parse: {syntax['place'] or ''}{syntax['what']}"
        if reason.startswith("the file has no "):
            return f"has no {reason.removeprefix('the file has no ')}"
        return f"does not load: {reason}"
    return f"out of memory: {reason}" if case.status == "memory" else reason


def slower(result: PerformanceResult) -> list[str]:
    """Why speed loses points: how many times slower, with the interval, and growth; empty when it loses none."""
    found = []
    wall = result.by == "wall"
    value, baseline = (result.wall, result.baseline_wall) if wall else (result.cpu, result.baseline_cpu)
    if result.penalised and value is not None:
        digits = 1 if value.median / baseline >= 2 else 2
        low, median, high = (f"{one / baseline:.{digits}f}" for one in (value.low, value.median, value.high))
        by = " by wall time" if wall else ""
        than = " than the baseline" if result.baseline == "stored" else ""
        found.append(f"{median} times slower{than}{by} ({low} to {high})")
    if result.growth is not None and result.growth.faster:
        found.append(f"cost grows faster with size (exponent {result.growth.excess:+.2f})")
    return found


def remarks(item: SubmissionReport) -> list[str]:
    """What a reader should see at once, as plain text, the gravest first."""
    found = _caps(item)
    cause = shared_cause(item)
    wrong = len(failed(item))
    if cause is not None:
        found.append(cause.text)
    if wrong:
        found.append(f"{wrong:,} of {plural(len(item.cases), 'case')} failed")
    if cause is not None and len(cause.cases) < cause.whole:
        found[-1] += f", {len(cause.cases):,} of them so"
    if item.performance is not None:
        found += slower(item.performance)
    found += [part.reason for part in item.dimensions if part.reason and part.value is not None]
    return found + _overrides(item)


def _caps(item: SubmissionReport) -> list[str]:
    kinds = ", ".join(dict.fromkeys(flag.kind for flag in item.flags if flag.certain))
    if not kinds:
        return []
    if item.uncapped > item.total:
        return [f"capped at {item.total:g} by {kinds}, {number(item.uncapped)} without"]
    return [f"flag {kinds}"]


def _overrides(item: SubmissionReport) -> list[str]:
    if item.quality is None:
        return []
    authors = Counter(one.author for one in item.quality.items if one.overridden_from is not None)
    return [f"{plural(count, 'override')} by {author or 'a reviewer'}" for author, count in authors.items()]
