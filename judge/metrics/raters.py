"""Several raters or judges among themselves: alpha, pairwise disagreement, majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from judge.metrics.agree import from_counts, kappa, share
from judge.metrics.sampling import Array, Clusters, Sampling, ratio
from judge.results import Agreement, Estimate, RaterPair, SubjectKind
from judge.schemas import VerdictValue

Key = tuple[str, int]
"""Task and requirement id."""
Ratings = Mapping[Key, bool | None]
"""What one rater says; None where it says nothing."""


def majority(votes: Sequence[bool | None]) -> VerdictValue | None:
    """What most say; ERROR on a tie, None when nobody says anything."""
    cast = [vote for vote in votes if vote is not None]
    if not cast:
        return None
    met = sum(cast)
    if 2 * met == len(cast):
        return VerdictValue.ERROR
    return VerdictValue.SATISFIED if 2 * met > len(cast) else VerdictValue.UNSATISFIED


def vote_share(votes: Sequence[bool | None]) -> float | None:
    """Share of those who say "met" among those who say something."""
    cast = [vote for vote in votes if vote is not None]
    return sum(cast) / len(cast) if cast else None


def agreement(ratings: Mapping[str, Ratings], kind: SubjectKind, sampling: Sampling) -> Agreement:
    """How far raters agree with each other.

    Args:
        ratings: Rater's name -> what it says; at least two raters.
        kind: What the raters are.
        sampling: How intervals are made.
    """
    keys = sorted({key for of in ratings.values() for key in of})
    matrix = np.array(
        [[np.nan if (value := of.get(key)) is None else float(value) for key in keys] for of in ratings.values()]
    ).reshape(len(ratings), len(keys))
    rated = (~np.isnan(matrix)).sum(axis=0) > 1
    matrix, keys = matrix[:, rated], [key for key, use in zip(keys, rated, strict=True) if use]
    clusters = Clusters([task for task, _ in keys], sampling)
    met = np.nansum(matrix, axis=0)
    count = (~np.isnan(matrix)).sum(axis=0)
    return Agreement(
        kind=kind,
        names=tuple(ratings),
        alpha=_alpha(matrix, met, count, clusters),
        unanimous=share((met == 0) | (met == count), clusters),
        pairs=tuple(_pair(a, b, ratings[a], ratings[b], sampling) for a, b in combinations(ratings, 2)),
    )


def _alpha(matrix: Array, met: Array, count: Array, clusters: Clusters) -> Estimate:
    if not matrix.size or met.sum() in {0, count.sum()}:
        return Estimate(value=None, n=matrix.shape[1])  # one value only: there is no chance to correct for
    import krippendorff

    value = krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal", value_domain=[0.0, 1.0])
    unmet = count - met
    apart = 2 * met * unmet / (count - 1)
    sums = clusters.sums(np.stack([apart, met, unmet], axis=1))
    observed, ones, zeros = sums.T
    total = ones + zeros
    samples = 1 - ratio(observed * (total - 1), 2 * ones * zeros)
    return clusters.estimate(float(value), samples, matrix.shape[1])


def _pair(first: str, second: str, a: Ratings, b: Ratings, sampling: Sampling) -> RaterPair:
    keys = [key for key in a if a[key] is not None and b.get(key) is not None]
    clusters = Clusters([task for task, _ in keys], sampling)
    left, right = (np.array([bool(of[key]) for key in keys], dtype=np.bool_) for of in (a, b))
    cells = np.stack([left & right, ~left & right, left & ~right, ~left & ~right], axis=1).astype(np.float64)
    samples = from_counts(clusters.sums(cells.reshape(-1, 4)))
    return RaterPair(
        first=first,
        second=second,
        disagreement=share(left != right, clusters),
        kappa=clusters.estimate(kappa(left, right), samples["kappa"], len(keys)),
    )
