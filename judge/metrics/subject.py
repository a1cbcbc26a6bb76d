"""Everything about one judge against the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from judge.metrics.agree import Bools, confusion, scores, share
from judge.metrics.calibrate import calibration
from judge.metrics.curves import curve
from judge.metrics.rates import met_rates
from judge.metrics.sampling import Clusters, Sampling
from judge.results import (
    Calibration,
    Coverage,
    Curve,
    CurvePoint,
    DriftItem,
    Estimate,
    Group,
    JudgeAlignment,
    Row,
    Scores,
    Split,
    SubjectKind,
)
from judge.schemas import VerdictValue

NO_CATEGORY = "(none)"


def measure(
    name: str,
    kind: SubjectKind,
    rows: Sequence[Row],
    sampling: Sampling,
    *,
    coverage: Coverage,
    path: str = "",
    drift: tuple[DriftItem, ...] = (),
) -> JudgeAlignment:
    """Measures one judge.

    Args:
        name: What to call it.
        kind: What it is.
        rows: One a requirement, undecided and unlabelled ones too.
        sampling: How intervals are made.
        coverage: Where every requirement went.
        path: Where its verdicts were read.
        drift: What did not fit when they were joined.
    """
    compared = [row for row in rows if row.compared]
    labels = np.array([bool(row.label) for row in compared], dtype=np.bool_)
    verdicts = np.array([bool(row.decided) for row in compared], dtype=np.bool_)
    clusters = Clusters([row.task for row in compared], sampling)
    found = scores(labels, verdicts, clusters)
    curves, reliability = _confidence(compared, sampling)
    return JudgeAlignment(
        name=name,
        kind=kind,
        path=path,
        coverage=coverage,
        confusion=confusion(labels, verdicts),
        scores=found,
        alignment_of_all=_of_all(rows, coverage, sampling),
        always_no=scores(labels, np.zeros_like(labels), clusters),
        rates=met_rates(rows, sampling),
        point=_point(found),
        curve=curves,
        calibration=reliability,
        by_category=_groups(rows, lambda row: row.category or NO_CATEGORY, sampling),
        by_task=_groups(rows, lambda row: row.task, sampling),
        disagreements=tuple(_split(row) for row in compared if row.decided != row.label),
        drift=drift,
    )


def cover(
    rows: Sequence[Row], judged: set[str], *, unlabeled: int = 0, unlabeled_tasks: Sequence[str] = ()
) -> Coverage:
    """Where every requirement went.

    Args:
        rows: One a requirement.
        judged: Names of tasks of which the judge has an entry.
        unlabeled: Verdicts on requirements that are in no row.
        unlabeled_tasks: Judged tasks that are in no row.
    """
    labelled = [row for row in rows if row.label is not None]
    silent = [row for row in labelled if row.verdict is None]
    absent = [row for row in silent if row.task not in judged]
    compared = [row for row in rows if row.compared]
    return Coverage(
        requirements=len(rows) + unlabeled,
        compared=len(compared),
        errors=sum(row.verdict == VerdictValue.ERROR for row in labelled),
        missing=len(silent) - len(absent),
        not_judged=len(absent),
        unlabeled=len(rows) - len(labelled) + unlabeled,
        tasks=len({row.task for row in compared}),
        not_judged_tasks=tuple(sorted({row.task for row in absent})),
        unlabeled_tasks=tuple(sorted(unlabeled_tasks)),
    )


def _of_all(rows: Sequence[Row], coverage: Coverage, sampling: Sampling) -> Estimate:
    absent = set(coverage.not_judged_tasks)
    counted = [row for row in rows if row.label is not None and row.task not in absent]
    hits = np.array([row.decided == row.label for row in counted], dtype=np.bool_)
    return share(hits, Clusters([row.task for row in counted], sampling))


def _point(found: Scores) -> CurvePoint | None:
    precision, recall = found.precision.value, found.recall.value
    return (
        None if precision is None or recall is None else CurvePoint(recall=recall, precision=precision, threshold=None)
    )


def _confidence(compared: Sequence[Row], sampling: Sampling) -> tuple[Curve | None, Calibration | None]:
    """Curve and calibration over the rows that have a probability, if any."""
    scored = [row for row in compared if row.score is not None]
    if not scored:
        return None, None
    labels: Bools = np.array([bool(row.label) for row in scored], dtype=np.bool_)
    values = np.array([row.score for row in scored], dtype=np.float64)
    clusters = Clusters([row.task for row in scored], sampling)
    return curve(labels, values, clusters), calibration(labels, values, clusters)


def _groups(rows: Sequence[Row], of: Callable[[Row], str], sampling: Sampling) -> tuple[Group, ...]:
    members: dict[str, list[Row]] = {}
    for row in rows:
        if row.label is not None:
            members.setdefault(of(row), []).append(row)
    groups = [_group(name, found, sampling) for name, found in members.items()]
    return tuple(sorted(groups, key=_worst_first))


def _worst_first(group: Group) -> tuple[bool, float, int, str]:
    value = group.alignment.value
    return value is None, value if value is not None else 0.0, -group.n, group.name


def _group(name: str, rows: Sequence[Row], sampling: Sampling) -> Group:
    compared = [row for row in rows if row.compared]
    hits = np.array([row.decided == row.label for row in compared], dtype=np.bool_)
    met = sum(bool(row.label) for row in compared)
    return Group(
        name=name,
        n=len(compared),
        judge_met=sum(bool(row.decided) for row in compared),
        human_met=met,
        alignment=share(hits, Clusters([row.task for row in compared], sampling)),
        always_no=1 - met / len(compared) if compared else None,
        errors=sum(row.verdict == VerdictValue.ERROR for row in rows),
        missing=sum(row.verdict is None for row in rows),
    )


def _split(row: Row) -> Split:
    assert row.verdict is not None  # only compared rows come here
    return Split(
        task=row.task,
        requirement_id=row.requirement_id,
        category=row.category,
        criteria=row.criteria,
        label=row.label,
        first=row.verdict,
        score=row.score,
    )
