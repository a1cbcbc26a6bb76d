"""Two judges on the same labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge.metrics.agree import share
from judge.metrics.sampling import Clusters, Sampling, ratio
from judge.results import Comparison, Row, Split


def compare(first: str, second: str, a: Sequence[Row], b: Sequence[Row], sampling: Sampling) -> Comparison:
    """The difference between two judges, on what both decided and people labelled.

    Args:
        first: Name of one judge.
        second: Name of the other.
        a: Rows of the first.
        b: Rows of the second; the same label for the same task and id.
        sampling: How intervals are made.
    """
    other = {(row.task, row.requirement_id): row for row in b if row.compared}
    pairs = [(row, other[row.task, row.requirement_id]) for row in a if row.compared and _key(row) in other]
    clusters = Clusters([row.task for row, _ in pairs], sampling)
    right = np.array([[x.decided == x.label, y.decided == y.label] for x, y in pairs], dtype=np.bool_).reshape(-1, 2)
    gain = right[:, 0].astype(np.float64) - right[:, 1]
    sums = clusters.sums(np.stack([gain, np.ones_like(gain)], axis=1))
    value = float(gain.mean()) if len(gain) else None
    first_only, second_only = int((gain > 0).sum()), int((gain < 0).sum())
    return Comparison(
        first=first,
        second=second,
        n=len(pairs),
        first_alignment=share(right[:, 0], clusters),
        second_alignment=share(right[:, 1], clusters),
        difference=clusters.estimate(value, ratio(sums[:, 0], sums[:, 1]), len(pairs)),
        first_only=first_only,
        second_only=second_only,
        mcnemar_p=mcnemar_exact(first_only, second_only),
        differing=tuple(_split(x, y) for x, y in pairs if x.verdict != y.verdict),
    )


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Two-sided exact p of McNemar's test; 1 when the two never differ."""
    if not first_only + second_only:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(first_only, first_only + second_only, 0.5).pvalue)


def _key(row: Row) -> tuple[str, int]:
    return row.task, row.requirement_id


def _split(a: Row, b: Row) -> Split:
    assert a.verdict is not None  # only compared rows come here
    return Split(
        task=a.task,
        requirement_id=a.requirement_id,
        category=a.category,
        criteria=a.criteria,
        label=a.label,
        first=a.verdict,
        second=b.verdict,
    )
