"""What the trajectory tells of an artefact's origin: typed in, copied, changed by hand, stale, from another run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.modules.graph.facts import FileAccess
from judge.readers import Document, Family
from judge.rules.criterion import Criterion
from judge.rules.evidence import Evidence
from judge.rules.findings import Finding, unmet
from judge.rules.story import Story
from judge.rules.words import number
from judge.schemas import Citation
from judge.trajectories import Effect, FileEvent, Origin, Outcome, Run

_CRASHED = (Outcome.ERROR, Outcome.TIMEOUT, Outcome.KILLED)
_DRY = re.compile(r"(?<![\w-])--(?:dry[-_]?run|smoke(?:[-_]?test)?|fake|mock|demo[-_]?data|dummy)\b")
_FLAG = re.compile(r"(?<!\S)--?([A-Za-z][\w-]*)(?:=|\s+)(-?\d[\d_]*(?:\.\d+)?)(?!\S)")
_LABEL = re.compile(r"^[ \t]*([A-Za-z][\w ()@%/.²-]{2,50}?)[ \t]*[:=][ \t]*(-?\d+(?:\.\d+)?)(?:[ \t]*%)?[ \t]*$", re.M)


def told_by_history(evidence: Evidence, path: str, document: Document, criterion: Criterion) -> Finding | None:
    """What speaks against an artefact that looks sound, None when the steps show nothing of the kind."""
    story = Story.of(evidence)
    if story is None:
        return None
    writers = evidence.writers(path)
    makers = story.runs(code for code, _ in writers) if writers else ()
    last = story.history.last_write(path)
    if last is not None and last.origin is not Origin.RUN and not _made_again(makers, last.order):
        found = _by_hand(story, path, last) or _left_behind(story, path, last)
        if found is not None:
            return found
    return (
        _stale(story, path, writers, makers, last)
        or _never_run(story, path, writers, makers, last)
        or _other_settings(path, makers, last, criterion)
        or _other_value(story, path, document, makers)
    )


def _made_again(makers: Sequence[Run], order: int) -> bool:
    """Whether a program that writes the file ran to its end, or may have, after it was last touched by hand."""
    return any(run.order > order and run.outcome in (Outcome.OK, Outcome.UNKNOWN) for run in makers if run.script)


def _by_hand(story: Story, path: str, last: FileEvent) -> Finding | None:
    cite = Citation(step=last.step)
    if story.history.hand_written(path):
        again = ", after it had been removed" if _removed_before(story, path, last) else ""
        return unmet(f"{path} was typed in by hand in step {last.step}{again}, not computed", 0.85, cite)
    if last.origin is Origin.COPY and last.source and story.history.last_write(last.source) is None:
        made = any(code for code, _ in story.evidence.case.graph.writers(last.source))
        if not made:
            return unmet(f"{path} was copied from {last.source} in step {last.step}, not computed", 0.76, cite)
    if last.effect is Effect.EDITED and last.origin is Origin.HAND and last.certain:
        return unmet(f"{path} was changed by hand in step {last.step} after a program had made it", 0.8, cite)
    return None


def _removed_before(story: Story, path: str, last: FileEvent) -> bool:
    return any(e.effect is Effect.REMOVED and e.order < last.order and not e.failed for e in story.history.events(path))


def _left_behind(story: Story, path: str, last: FileEvent) -> Finding | None:
    """Code was changed after the artefact was made, and what ran after that failed."""
    changed = [
        event
        for event in story.history.all_events
        if event.order > last.order
        and event.effect in (Effect.WRITTEN, Effect.EDITED)
        and event.path.endswith((".py", ".js", ".ts", ".R", ".jl", ".go", ".rs", ".java", ".rb", ".php"))
        and not event.failed
    ]
    if not changed:
        return None
    later = [run for run in story.history.runs if run.order > changed[0].order]
    failed = [run for run in later if run.outcome is Outcome.ERROR]
    fine = [run for run in later if run.outcome is Outcome.OK]
    if failed and (not fine or fine[-1].order < failed[-1].order):
        because = f"{path} is from step {last.step}, before {changed[0].path} was changed; what ran after that failed"
        return unmet(because, 0.7, Citation(step=last.step), Citation(step=failed[-1].step))
    return None


def _stale(
    story: Story,
    path: str,
    writers: Sequence[tuple[str, FileAccess]],
    makers: Sequence[Run],
    last: FileEvent | None,
) -> Finding | None:
    """The code that writes the artefact was changed, and no run since then got as far as writing it."""
    if last is not None and last.origin is Origin.RUN and last.source:
        makers = [run for run in story.history.runs if run.script == last.source]
        change = story.last_change([last.source])
    else:
        change = story.last_change(code for code, _ in writers)
    if change is None:
        return None
    before = [run for run in makers if run.script and run.order < change.order and run.outcome is Outcome.OK]
    since = [run for run in makers if run.script and run.order > change.order]
    if not since or any(run.outcome not in _CRASHED for run in since):
        return None
    reached = [story.reached(run, code, access) for run in since for code, access in writers]
    if any(reached):
        return None
    crash = since[-1]
    told = f": {crash.error[:80]}" if crash.error else ""
    confidence = 0.82 if before and reached and all(item is False for item in reached) else 0.7
    old = f"{path} is from step {before[-1].step}, before" if before else f"{path} is not from the code as it is: "
    because = f"{old} {change.path} was changed in step {change.step}; every run since then crashed{told}"
    return unmet(because.replace("  ", " "), confidence, Citation(step=change.step), Citation(step=crash.step))


def _never_run(
    story: Story,
    path: str,
    writers: Sequence[tuple[str, FileAccess]],
    makers: Sequence[Run],
    last: FileEvent | None,
) -> Finding | None:
    """The steps show the code that writes it being written, and surely never run."""
    if last is not None or makers or not writers:
        return None
    codes = [code for code, _ in writers]
    if all(story.history.last_write(code) is not None and story.history.never_executed(code) for code in codes):
        because = f"{path} cannot come from {codes[0]}, which was never executed"
        change = story.last_change(codes)
        return unmet(because, 0.68, *([Citation(step=change.step)] if change else []))
    return None


def _other_settings(path: str, makers: Sequence[Run], last: FileEvent | None, criterion: Criterion) -> Finding | None:
    """The run that wrote the artefact last had other settings than the criterion asks for, or was a dry run."""
    done = [run for run in makers if run.outcome in (Outcome.OK, Outcome.UNKNOWN) and run.script]
    if not done or (last is not None and last.order > done[-1].order):
        return None
    run = done[-1]
    dry = _DRY.search(run.command)
    if dry and not criterion.says(r"\b(?:dry|smoke|mock|demo)"):
        return unmet(f"{path} is from step {run.step}, which ran with {dry.group(0)}", 0.68, Citation(step=run.step))
    for name, text in _FLAG.findall(run.command):
        asked = _asked(name, criterion)
        given = number(text.replace("_", ""))
        if asked is None or given is None:
            continue
        wanted, least = asked
        if (given < wanted) if least else abs(given - wanted) > 1e-9:
            because = f"{path} is from step {run.step}, which ran with --{name} {text}; {wanted:g} is asked for"
            return unmet(because, 0.8, Citation(step=run.step))
    return None


def _asked(name: str, criterion: Criterion) -> tuple[float, bool] | None:
    """The number that a criterion gives to a setting of that name, and whether it is a lower limit."""
    words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[_-]+", re.sub(r"^(?:n|num|max)[_-]", "", name)))
    if len(words) < 3:
        return None
    value = r"(\d[\d,]*(?:\.\d+)?)"
    match = re.search(
        rf"\b{words}s?(?:\s+(?:probability|rate|size|factor|level))?\s*(?:of|=|:|is|set to|at)?\s*{value}\b|"
        rf"{value}\s+(?:[a-z]+\s+)?{words}\b",
        criterion.masked,
        re.IGNORECASE,
    )
    if match is None:
        return None
    wanted = number(match.group(1) or match.group(2))
    before = criterion.masked[max(0, match.start() - 25) : match.start()]
    least = re.search(r"(?:at least|no fewer than|minimum of|more than)\s*$", before, re.IGNORECASE) is not None
    return None if wanted is None else (wanted, least)


def _other_value(story: Story, path: str, document: Document, makers: Sequence[Run]) -> Finding | None:
    """The program printed a number under the very label that the file has, and it is another number."""
    if document.family not in (Family.TEXT, Family.DATA):
        return None
    done = [run for run in makers if run.outcome is Outcome.OK and run.script]
    told = {label.lower(): float(value) for label, value in _LABEL.findall(document.text)}
    if not done or not told:
        return None
    run = done[-1]
    printed: dict[str, set[float]] = {}
    for label, value in _LABEL.findall(story.printed(run.step)):
        printed.setdefault(label.lower(), set()).add(float(value))
    for label, value in told.items():
        others = printed.get(label, set())
        if others and not any(_same(value, other) for other in others):
            shown = ", ".join(f"{other:g}" for other in sorted(others))
            because = f"{path} gives {label} {value:g}, but the program printed {shown} in step {run.step}"
            return unmet(because, 0.76, story.evidence.file_citation(path), Citation(step=run.step))
    return None


def _same(left: float, right: float) -> bool:
    """Whether two numbers agree as far as the shorter one is written, percentages and fractions alike."""
    return any(abs(left * scale - right) <= 0.006 * max(1.0, abs(right)) for scale in (1, 100, 0.01))
