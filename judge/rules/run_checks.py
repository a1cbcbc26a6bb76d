"""What runs in the trajectory show of a claim: answers of a server, commands that work, test suites, printed counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, met, unmet
from judge.rules.routes import route_fits
from judge.rules.story import Story
from judge.rules.wording import listed, words_with_stems
from judge.rules.words import split_words, stem, stems
from judge.schemas import Citation
from judge.trajectories import Outcome, Run

_CHANGED = 0.85
"""Factor on the confidence of what was seen before the code was changed once more."""


def answered(evidence: Evidence, route: str) -> Finding | None:
    """Whether the server was seen to answer a route, or to refuse it; None when nobody asked."""
    story = Story.of(evidence)
    if story is None:
        return None
    method, _, path = route.rpartition(" ")
    asked = [
        exchange
        for exchange in story.history.exchanges
        if exchange.answer.answered is not None
        and route_fits(path, exchange.answer.path)
        and (not method or method == exchange.answer.method)
    ]
    if not asked:
        return None
    last = asked[-1]
    factor = _CHANGED if story.code_changed_after(last.order) else 1.0
    status = f" with {last.answer.status}" if last.answer.status else ""
    cite = Citation(step=last.step)
    if any(exchange.answer.answered for exchange in asked if exchange.step == last.step):
        return met(f"the server answered {last.answer.method} {path}{status} in step {last.step}", 0.85 * factor, cite)
    if last.answer.status in (400, 401, 403, 409, 415, 422, 429):
        return None  # the route is there, and refuses this request
    return unmet(f"{last.answer.method} {path} was not answered{status} in step {last.step}", 0.8 * factor, cite)


def command_worked(evidence: Evidence, script: str) -> Finding | None:
    """How the last run of a script ended, seen since it was last changed; None when there was none."""
    story = Story.of(evidence)
    run = story.history.run_after_write(script) if story is not None else None
    if story is None or run is None:
        return None
    factor = _CHANGED if story.code_changed_after(run.order) else 1.0
    if run.outcome is Outcome.OK:
        return met(f"{script} was run in step {run.step} and came to its end", 0.84 * factor, Citation(step=run.step))
    if run.outcome is Outcome.ERROR and run.error:
        because = f"{script} failed when it was run in step {run.step} ({run.error[:80]})"
        return unmet(because, 0.84 * factor, Citation(step=run.step))
    return None


def suite_ran(evidence: Evidence, wanted: float) -> Finding | None:
    """The result of the last run of the test suite; None when the steps show none."""
    story = Story.of(evidence)
    if story is None or not story.history.suites:
        return None
    last = story.history.suites[-1]
    tally, cite = last.tally, Citation(step=last.step)
    factor = _CHANGED if story.code_changed_after(last.order) else 1.0
    if tally.failed:
        return unmet(f"{tally.failed} tests failed when they were last run, in step {last.step}", 0.88 * factor, cite)
    if tally.passed == 0:
        return unmet(f"no test was executed in step {last.step} ({tally.skipped} skipped)", 0.86 * factor, cite)
    if tally.passed is not None and tally.passed < wanted:
        because = f"{tally.passed} tests passed in step {last.step}, {wanted:g} are asked for"
        return unmet(because, 0.76 * factor, cite)
    many = "the tests" if tally.passed is None else f"{tally.passed} tests"
    return met(f"{many} passed when they were last run, in step {last.step}", 0.86 * factor, cite)


_PART = re.compile(
    r"\b(?:last|first|final|every|each|per|next|recent|window|mean of|average of|of the|top)\s*(?:the\s+)?$"
)


def printed_count(
    evidence: Evidence, paths: Sequence[str], noun: str, wanted: float, least: bool, what: str
) -> Finding | None:
    """The number of these things that runs of the code printed: ``300 episodes``, ``epoch 30/30``."""
    story = Story.of(evidence)
    if story is None or not paths:
        return None
    best: tuple[float, Run] | None = None
    gap = 0.0
    for run in story.runs(paths):
        if run.outcome not in (Outcome.OK, Outcome.UNKNOWN):
            continue
        told, steps = _counts(story.printed(run.step), noun)
        gap = max([gap, *(later - earlier for earlier, later in pairwise(steps))])
        for value in (*told, *steps):
            if best is None or value > best[0]:
                best = (value, run)
    if best is None:
        return None
    value, run = best
    cite = Citation(step=run.step)
    text = f"the run in step {run.step} shows {value:g}; {what} {'is' if wanted == 1 else 'are'} asked for"
    if (value + gap >= wanted) if least else (wanted - gap <= value <= wanted):
        return met(text, 0.76, cite)
    return unmet(text, 0.8, cite) if value + gap < wanted else None


def _counts(text: str, noun: str) -> tuple[list[float], list[float]]:
    """Totals that a text gives, and the numbers of a progress display in order."""
    text = text[-_TAIL:]
    root = re.escape(noun.rstrip("s") if not noun.endswith("ss") else noun)
    totals, progress = [], []
    for match in re.finditer(
        rf"(?<![\w.,/])(\d[\d,]{{0,12}})\s+(?:[a-z]{{1,30}}\s+)?{root}e?s?\b", text, re.IGNORECASE
    ):
        if not _PART.search(text[max(0, match.start() - 24) : match.start()].lower()):
            totals.append(float(match.group(1).replace(",", "")))
    for match in re.finditer(
        rf"\b{root}s[ \t]*(?:[a-z]{{1,30}}[ \t]*)?[:=][ \t]*(\d[\d,]{{0,12}})\b(?![.\d])", text, re.IGNORECASE
    ):
        totals.append(float(match.group(1).replace(",", "")))
    for match in re.finditer(
        rf"\b{root}[ \t]*[:#=]?[ \t]*\[?(\d{{1,12}})(?:[ \t]*(?:/|of)[ \t]*\d+)?", text, re.IGNORECASE
    ):
        progress.append(float(match.group(1)))
    return totals, progress


_TAIL = 60_000
"""Characters of an answer that are looked at, from its end."""

_FOLDED = re.compile(r"\b(?:fold|split)s?\b|\bcv\b|cross[- ]?valid\w*", re.IGNORECASE)


def folds_shown(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> Finding | None:
    """A run that printed one result for each fold: ``fold 3: 0.81``, or as many numbers in brackets as folds."""
    story = Story.of(evidence)
    match = re.search(r"\b(\d+|three|four|five|ten)[\s-]*folds?\b", criterion.masked, re.IGNORECASE)
    if story is None or match is None or not paths:
        return None
    wanted = {"three": 3, "four": 4, "five": 5, "ten": 10}.get(match.group(1).lower()) or int(match.group(1))
    for run in reversed(story.runs(paths)):
        if run.outcome is not Outcome.OK:
            continue
        text = story.printed(run.step)[-_TAIL:]
        lists = [line for line in text.split("\n") if _FOLDED.search(line)]
        listed = re.findall(r"[\[(]([^\])]*)[\])]", "\n".join(lists))
        single = {int(n) for n in re.findall(r"\bfold\s*[#:]?\s*(\d+)\b[^\n]*\d\.\d", text, re.IGNORECASE)}
        if len(single) == wanted or any(
            len(re.findall(r"-?\d+(?:\.\d*)?(?:e-?\d+)?", part)) == wanted for part in listed
        ):
            because = f"the run in step {run.step} printed a result for each of {wanted} folds"
            return met(because, 0.76, Citation(step=run.step))
    return None


_PATIENCE = re.compile(
    r"\b(?:patience|counter|bad[ _]epochs?|wait(?:ed)?|no improvement|without improvement|stale)\b[^\n\d]{0,30}"
    r"(\d+)\s*(?:/|of|out of)\s*(\d+)",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    r"\bearly[- ]stopp\w*\b[^\n]{0,40}(?:epoch|at|after|trigger)|\bstopp(?:ed|ing) early\b", re.IGNORECASE
)


def stopping_shown(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> Finding | None:
    """Whether training was seen to stop early, or to go on although its patience was used up."""
    story = Story.of(evidence)
    if story is None or not criterion.says(r"\bearly[- ]stopp|\bstop\w*\s+(?:\w+\s+)?early\b"):
        return None
    for run in reversed(story.runs(paths)):
        text, cite = story.printed(run.step)[-_TAIL:], Citation(step=run.step)
        beyond = [m for m in _PATIENCE.finditer(text) if int(m.group(1)) > int(m.group(2)) > 0]
        if beyond:
            because = f"training went on in step {run.step} although its patience was used up ({beyond[-1].group(0)})"
            return unmet(because, 0.84, cite)
        if _STOPPED.search(text) and run.outcome is Outcome.OK:
            return met(f"training stopped early in step {run.step}", 0.84, cite)
    return None


_REMOVES = re.compile(
    r"\b(?:remov|drop|delet|discard|exclud|eliminat|filter(?:ed)? out|clean|dedup|handl|fill|imput)\w*", re.IGNORECASE
)
_NAMED = r"((?:[a-z][\w-]{0,30}[ ,]{1,3}){0,3}[a-z][\w-]{0,30})"
_NONE_LEFT = re.compile(
    rf"(?<![\d.])\b0 {{1,3}}{_NAMED}|\b{_NAMED} ?[:=] ?0\b(?![.\d])",
    re.IGNORECASE,
)
_TAKEN_OUT = re.compile(
    rf"\b(?:removed|dropped|deleted|discarded|filtered out|filled|imputed) ([1-9]\d{{0,9}}) {_NAMED}", re.IGNORECASE
)


def removal_shown(evidence: Evidence, criterion: Criterion, paths: Sequence[str]) -> Finding | None:
    """A run that counted what was to be removed: none left, or so many taken out; every kind named must be counted."""
    story = Story.of(evidence)
    verb = _REMOVES.search(criterion.masked)
    if story is None or verb is None or not paths:
        return None
    objects = _objects(criterion.masked, verb)
    for run in reversed(story.runs(paths)):
        if run.outcome is not Outcome.OK:
            continue
        text = story.printed(run.step)[-_TAIL:]
        gone = {root for m in _NONE_LEFT.finditer(text) for root in stems(" ".join(part or "" for part in m.groups()))}
        gone |= {root for m in _TAKEN_OUT.finditer(text) for root in stems(m.group(2))}
        if objects and all(kind & gone for kind in objects):
            names = words_with_stems(criterion.masked, {root for kind in objects for root in kind & gone})
            because = f"the run in step {run.step} counted {listed(names)}: none is left"
            return met(because, 0.72, Citation(step=run.step))
    return None


def _objects(text: str, verb: re.Match[str]) -> list[set[str]]:
    """The kinds of things to be removed: before a passive verb, behind an active one, parted at "and"."""
    text, at = text[max(0, verb.start() - 600) : verb.end() + 600], min(verb.start(), 600)
    passive = re.search(r"\b(?:is|are|were|was|be|been)\s+(?:\w+ly\s+)?$", text[:at])
    part = text[: passive.start()] if passive else text[at + len(verb.group(0)) :]
    part = re.split(r"\b(?:from|in|by|before|using|with)\b|[.;]", part)[-1 if passive else 0]
    kinds = [
        {stem(word) for word in split_words(piece) if len(word) > 2} for piece in re.split(r",|\band\b|\bor\b", part)
    ]
    return [kind for kind in kinds if kind]


_SQL_ERROR = re.compile(
    r"near \"[^\"\n]*\": syntax error|unrecognized token: \"|unterminated quoted string|"
    r"error in your SQL syntax|syntax error at or near|Incorrect syntax near|ORA-0\d{4}",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:bound|parameteri[sz]ed|prepared|placeholders?|injections?|escap\w+|saniti[sz]\w+|string formatting)\b",
    re.IGNORECASE,
)


def statement_broke(evidence: Evidence, criterion: Criterion) -> Finding | None:
    """A user's input that broke an SQL statement: it went into the statement's text."""
    story = Story.of(evidence)
    if story is None or not (
        criterion.says(_BOUND.pattern) and criterion.says(r"\bSQL\b|\bquer(?:y|ies)\b|\bstatements?\b")
    ):
        return None
    hits = [run for run in story.history.runs if _SQL_ERROR.search(story.printed(run.step))]
    if not hits:
        return None
    last = hits[-1]
    fixed = story.code_changed_after(last.order)
    told = _SQL_ERROR.search(story.printed(last.step))
    because = f"the input in step {last.step} broke a statement ({told.group(0) if told else ''})"
    return None if fixed else unmet(because, 0.84, Citation(step=last.step))
