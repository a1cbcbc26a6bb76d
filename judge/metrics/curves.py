"""Precision-recall curves from stated confidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge.metrics.agree import Bools
from judge.metrics.sampling import Array, Clusters, ratio
from judge.results import Curve, CurvePoint
from judge.schemas import VerdictValue


def satisfied_score(
    verdict: VerdictValue | None, confidence: float | None, votes: Sequence[VerdictValue] = ()
) -> float | None:
    """How probable a judge holds SATISFIED: the share of its votes when it cast several, else its confidence.

    >>> satisfied_score(VerdictValue.UNSATISFIED, 0.75)
    0.25
    """
    if verdict is None or verdict == VerdictValue.ERROR:
        return None
    cast = [vote for vote in votes if vote != VerdictValue.ERROR]
    if len(cast) > 1:
        return cast.count(VerdictValue.SATISFIED) / len(cast)
    if confidence is None:
        return None
    return confidence if verdict == VerdictValue.SATISFIED else 1 - confidence


def curve(labels: Bools, scored: Array, clusters: Clusters) -> Curve | None:
    """The curve and its average precision.

    Args:
        labels: Met or not, one a requirement.
        scored: Probability of SATISFIED of the same requirements.
        clusters: Their tasks.

    Returns:
        None when no label is "met": there is nothing to recall.
    """
    if not labels.any():
        return None
    from sklearn.metrics import average_precision_score, precision_recall_curve

    precision, recall, thresholds = precision_recall_curve(labels, scored)
    points = [
        CurvePoint(recall=float(r), precision=float(p), threshold=float(t) if t is not None else None)
        for p, r, t in zip(precision, recall, [*thresholds, None], strict=True)
    ]
    value = float(average_precision_score(labels, scored))
    average = clusters.estimate(value, _resampled(labels, scored, clusters), len(labels))
    return Curve(n=len(labels), positives=int(labels.sum()), average_precision=average, points=tuple(reversed(points)))


def _resampled(labels: Bools, scored: Array, clusters: Clusters) -> Array:
    """Average precision of each resample, from weighted counts at each distinct score, highest first."""
    levels = -np.unique(-scored)
    hits = (scored[:, None] == levels[None, :]).astype(np.float64)
    sums = clusters.sums(np.concatenate([hits * labels[:, None], hits], axis=1))
    positive, taken = np.cumsum(sums[:, : len(levels)], axis=1), np.cumsum(sums[:, len(levels) :], axis=1)
    precision = np.nan_to_num(ratio(positive, taken))
    recall = ratio(positive, positive[:, -1:])
    return np.asarray(np.sum(np.diff(recall, axis=1, prepend=0.0) * precision, axis=1))
