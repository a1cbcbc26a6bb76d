"""Agreement of verdicts with labels: alignment, kappa, precision, recall and their kin."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge.metrics.sampling import Array, Clusters, ratio
from judge.results import Confusion, Estimate, Scores

Bools: TypeAlias = NDArray[np.bool_]

NAMES = ("alignment", "kappa", "precision", "recall", "f1", "macro_f1", "balanced_accuracy")


def confusion(labels: Bools, verdicts: Bools) -> Confusion:
    """Counts of verdict against label; "met" is positive."""
    return Confusion(
        true_positive=int(np.sum(labels & verdicts)),
        false_positive=int(np.sum(~labels & verdicts)),
        false_negative=int(np.sum(labels & ~verdicts)),
        true_negative=int(np.sum(~labels & ~verdicts)),
    )


def scores(labels: Bools, verdicts: Bools, clusters: Clusters) -> Scores:
    """All scores with intervals.

    Args:
        labels: Met or not, one a requirement.
        verdicts: The judge's word on the same requirements.
        clusters: Their tasks.
    """
    values = _values(labels, verdicts)
    cells = np.stack([labels & verdicts, ~labels & verdicts, labels & ~verdicts, ~labels & ~verdicts], axis=1)
    samples = from_counts(clusters.sums(cells.astype(np.float64)))
    made = {name: clusters.estimate(values[name], samples[name], len(labels)) for name in NAMES}
    return Scores(**made)


def _values(labels: Bools, verdicts: Bools) -> dict[str, float]:
    if not len(labels):
        return dict.fromkeys(NAMES, float("nan"))
    from sklearn import metrics

    both = {"labels": [False, True], "average": None, "zero_division": np.nan}
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(labels, verdicts, **both)
    return {
        "alignment": float(metrics.accuracy_score(labels, verdicts)),
        "kappa": kappa(labels, verdicts),
        "precision": float(precision[1]),
        "recall": float(recall[1]),
        "f1": float(f1[1]),
        "macro_f1": _mean(f1),
        "balanced_accuracy": _mean(recall),
    }


def _mean(values: Array) -> float:
    """Mean over the classes that occur."""
    good = values[~np.isnan(values)]
    return float(good.mean()) if good.size else float("nan")


def kappa(first: Bools, second: Bools) -> float:
    """Cohen's kappa; NaN when both are constant and equal, or there is nothing."""
    if not len(first) or (len(set(first.tolist())) == 1 and np.array_equal(first, second)):
        return float("nan")
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(first, second))


def from_counts(cells: Array) -> dict[str, Array]:
    """The scores from rows of (true positive, false positive, false negative, true negative) counts.

    Args:
        cells: Any number of rows of four; the counts may be weighted.

    Returns:
        Score name -> one value a row, NaN where it is not defined.
    """
    tp, fp, fn, tn = np.moveaxis(np.asarray(cells, dtype=np.float64), -1, 0)
    total = tp + fp + fn + tn
    agree = ratio(tp + tn, total)
    chance = ratio((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn), total * total)
    met, unmet = ratio(2 * tp, 2 * tp + fp + fn), ratio(2 * tn, 2 * tn + fp + fn)
    recall, specificity = ratio(tp, tp + fn), ratio(tn, tn + fp)
    # Chance agreement of exactly 1 is a constant pair; rounding must not turn that into a number.
    open_to_chance = np.where(1 - chance > 1e-12, 1 - chance, 0)
    return {
        "alignment": agree,
        "kappa": ratio(agree - chance, open_to_chance),
        "precision": ratio(tp, tp + fp),
        "recall": recall,
        "f1": met,
        "macro_f1": _means(met, unmet),
        "balanced_accuracy": _means(recall, specificity),
    }


def _means(first: Array, second: Array) -> Array:
    """Means of two, of the defined one where the other is not."""
    mean = (first + second) / 2
    return np.where(np.isnan(first), second, np.where(np.isnan(second), first, mean))


def share(hits: Bools, clusters: Clusters) -> Estimate:
    """The share of rows that hold, with its interval."""
    values = hits.astype(np.float64)
    sums = clusters.sums(np.stack([values, np.ones_like(values)], axis=1))
    value = float(values.mean()) if len(values) else None
    return clusters.estimate(value, ratio(sums[:, 0], sums[:, 1]), len(values))
