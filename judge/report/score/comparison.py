"""Two scorings side by side: what changed for each submission, dimension and case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from judge.report.score.words import dimension
from judge.results.score import CaseResult, ScoreReport, SubmissionReport
from judge.schemas import SCHEMA_VERSION, Frozen

_SAME_WEIGHT = 0.05
"""Points below which two weights are the same but for rounding."""


class Side(Frozen):
    """Which scoring stands on one side."""

    suite: str
    title: str = ""
    suite_hash: str
    sandbox: str
    version: str = ""
    python: str = ""
    seed: int = 0
    submissions: int


class Change(Frozen):
    """A number before and after; None where there was none."""

    name: str
    before: float | None
    after: float | None
    change: float | None
    """After minus before; None unless both are there."""


class CaseChange(Frozen):
    """A case that is not as it was."""

    source: str
    id: str
    kind: str
    """``broken`` (passed before), ``fixed`` (failed before), ``added``, ``removed`` or ``differs`` (fails both times,
    but otherwise)."""
    input: str = ""
    expected: str = ""
    before: str = ""
    """What came out, as text; empty when the case was not there."""
    after: str = ""
    reason: str = ""
    """Why it fails now."""


class SubmissionComparison(Frozen):
    """One submission in both scorings."""

    submission: str
    before: float | None
    """Total; None when it was not there or could not be scored."""
    after: float | None
    change: float | None
    dimensions: tuple[Change, ...] = ()
    """Points of each dimension; where the weights of the two scorings differ, percent of what it can bring."""
    quality: tuple[Change, ...] = ()
    """Values of each criterion, 0 to 1."""
    cases: tuple[CaseChange, ...] = ()
    flags_added: tuple[str, ...] = ()
    flags_removed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ScoreComparison(Frozen):
    """The difference of two scorings."""

    schema_version: int = SCHEMA_VERSION
    a: Side
    b: Side
    same_suite: bool
    """Whether both used the same suite with the same content; else the totals do not mean the same."""
    submissions: tuple[SubmissionComparison, ...]
    notes: tuple[str, ...] = ()


def compare_reports(a: ScoreReport, b: ScoreReport) -> ScoreComparison:
    """What changed from one scoring to another.

    Submissions are matched by name; when each side has one alone, these are compared whatever they are called.

    Args:
        a: Before.
        b: After.
    """
    weights = _weights(a, b)
    left = {item.submission: item for item in a.submissions}
    right = {item.submission: item for item in b.submissions}
    if len(left) == len(right) == 1 and left.keys() != right.keys():
        (before,), (after,) = left.values(), right.values()
        name = f"{before.submission} → {after.submission}"
        rows = [_submission(name, before, after, shares=bool(weights))]
    else:
        names = dict.fromkeys([*left, *right])
        rows = [_submission(name, left.get(name), right.get(name), shares=bool(weights)) for name in names]
    same = a.suite_hash == b.suite_hash
    notes = [] if same else ["The suites are not the same, so that totals and cases do not mean the same."]
    if a.sandbox != b.sandbox:
        notes.append(f"The sandboxes differ: {a.sandbox} and {b.sandbox}.")
    if a.seed != b.seed:
        notes.append(f"The seeds differ: {a.seed} and {b.seed}; generated inputs are not the same.")
    notes += weights
    return ScoreComparison(a=_side(a), b=_side(b), same_suite=same, submissions=tuple(rows), notes=tuple(notes))


def _weights(a: ScoreReport, b: ScoreReport) -> list[str]:
    """Says when a part can bring more points in one scoring than in the other: shares are what can be compared then."""
    left, right = _most(a), _most(b)
    differing = [name for name in left if name in right and abs(left[name] - right[name]) >= _SAME_WEIGHT]
    if not differing:
        return []
    said = ", ".join(f"{dimension(name)} {left[name]:.3g} and {right[name]:.3g}" for name in differing)
    return [
        f"The weights differ (most points in A and B: {said}), so parts are compared by their "
        "share: a change is in percent of what the part can bring."
    ]


def _most(report: ScoreReport) -> dict[str, float]:
    """Most points of each part, from the first submission for which it was measured."""
    found: dict[str, float] = {}
    for item in report.submissions:
        for part in item.dimensions if not item.error else ():
            if part.value is not None:
                found.setdefault(part.name, part.weight)
    return found


def _side(report: ScoreReport) -> Side:
    return Side(
        suite=report.suite,
        title=report.title,
        suite_hash=report.suite_hash,
        sandbox=report.sandbox,
        version=report.version,
        python=report.python,
        seed=report.seed,
        submissions=len(report.submissions),
    )


def _submission(
    name: str, before: SubmissionReport | None, after: SubmissionReport | None, *, shares: bool
) -> SubmissionComparison:
    total = change("total", _total(before), _total(after))
    notes = [f"not in {side}" for side, item in (("A", before), ("B", after)) if item is None]
    notes += [f"not scored in {side}: {item.error}" for side, item in (("A", before), ("B", after))
              if item is not None and item.error]  # fmt: skip
    if before and after and before.source_hash and before.source_hash == after.source_hash:
        notes.append("the source is the same")
    flags = [sorted({flag.kind for flag in item.flags if flag.certain}) if item else [] for item in (before, after)]
    return SubmissionComparison(
        submission=name,
        before=total.before,
        after=total.after,
        change=total.change,
        dimensions=_changes(_dimensions(before, shares), _dimensions(after, shares)),
        quality=_changes(_items(before), _items(after)),
        cases=_cases(before, after) if before is not None and after is not None else (),
        flags_added=tuple(kind for kind in flags[1] if kind not in flags[0]),
        flags_removed=tuple(kind for kind in flags[0] if kind not in flags[1]) if after is not None else (),
        notes=tuple(notes),
    )


def _total(item: SubmissionReport | None) -> float | None:
    return None if item is None or item.error else item.total


def _dimensions(item: SubmissionReport | None, shares: bool) -> dict[str, float | None]:
    parts = item.dimensions if item is not None and not item.error else ()
    return {part.name: None if part.value is None else 100 * part.value if shares else part.points for part in parts}


def _items(item: SubmissionReport | None) -> dict[str, float | None]:
    return {one.name: one.value for one in item.quality.items} if item is not None and item.quality is not None else {}


def _changes(before: dict[str, float | None], after: dict[str, float | None]) -> tuple[Change, ...]:
    return tuple(change(name, before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after]))


def change(name: str, before: float | None, after: float | None) -> Change:
    """A number before and after with its difference."""
    difference = None if before is None or after is None else after - before
    return Change(name=name, before=before, after=after, change=difference)


def _cases(before: SubmissionReport, after: SubmissionReport) -> tuple[CaseChange, ...]:
    left, right = _keyed(before.cases), _keyed(after.cases)
    found = [_case(left.get(key), right.get(key)) for key in dict.fromkeys([*left, *right])]
    order = ("broken", "fixed", "differs", "added", "removed")
    return tuple(sorted((item for item in found if item is not None), key=lambda item: order.index(item.kind)))


def _keyed(cases: Iterable[CaseResult]) -> dict[tuple[str, str, int], CaseResult]:
    """Cases by source and id; those of the same id in the order in which they stand."""
    seen = Counter[tuple[str, str]]()
    found = {}
    for case in cases:
        key = (case.source, case.id)
        found[(*key, seen[key])] = case
        seen[key] += 1
    return found


def _case(before: CaseResult | None, after: CaseResult | None) -> CaseChange | None:
    either = after or before
    if either is None:
        return None
    if before is None or after is None:
        kind = "added" if before is None else "removed"
        if either.passed:
            return None if either.source == "random" else _change_of(either, kind, before, after)
    elif before.passed != after.passed:
        kind = "broken" if before.passed else "fixed"
    elif after.passed or before.actual == after.actual:
        return None
    else:
        kind = "differs"
    return _change_of(either, kind, before, after)


def _change_of(either: CaseResult, kind: str, before: CaseResult | None, after: CaseResult | None) -> CaseChange:
    return CaseChange(
        source=either.source,
        id=either.id,
        kind=kind,
        input=either.input,
        expected=either.expected,
        before=_outcome(before),
        after=_outcome(after),
        reason=after.reason if after is not None else "",
    )


def _outcome(case: CaseResult | None) -> str:
    return "" if case is None else case.actual or case.status
