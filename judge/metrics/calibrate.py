"""Whether stated probabilities come true: reliability bins, calibration error, Brier score."""

from __future__ import annotations

import numpy as np

from judge.metrics.agree import Bools
from judge.metrics.sampling import Array, Clusters, ratio
from judge.results import Calibration, CalibrationBin

BINS = 10


def calibration(labels: Bools, scored: Array, clusters: Clusters, bins: int = BINS) -> Calibration:
    """Reliability over ranges of equal width.

    Args:
        labels: Met or not, one a requirement; at least one.
        scored: Probability of SATISFIED of the same requirements.
        clusters: Their tasks.
        bins: Number of ranges; each holds its lower end, the last one 1 as well.
    """
    from sklearn.metrics import brier_score_loss

    place = np.minimum((scored * bins).astype(np.intp), bins - 1)
    member = (place[:, None] == np.arange(bins)[None, :]).astype(np.float64)
    columns = np.concatenate([member, member * scored[:, None], member * labels[:, None]], axis=1)
    squares = (scored - labels)[:, None] ** 2
    sums = clusters.sums(np.concatenate([columns, squares, np.ones_like(squares)], axis=1))
    whole = columns.sum(axis=0)
    error = _error(whole[None, :], bins)[0]
    return Calibration(
        n=len(labels),
        error=clusters.estimate(float(error), _error(sums[:, : 3 * bins], bins), len(labels)),
        brier=clusters.estimate(
            float(brier_score_loss(labels, scored, pos_label=True)), ratio(sums[:, -2], sums[:, -1]), len(labels)
        ),
        bins=tuple(
            CalibrationBin(
                low=number / bins,
                high=(number + 1) / bins,
                n=int(whole[number]),
                mean_score=float(whole[bins + number] / whole[number]),
                met=float(whole[2 * bins + number] / whole[number]),
            )
            for number in range(bins)
            if whole[number]
        ),
    )


def _error(sums: Array, bins: int) -> Array:
    """Expected calibration error of rows of counts, sums of scores and sums of labels."""
    counts, scored, met = sums[:, :bins], sums[:, bins : 2 * bins], sums[:, 2 * bins :]
    return ratio(np.abs(scored - met).sum(axis=1), counts.sum(axis=1))
