"""Several samples of one model: pass@k, and the median of their scores with an interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, fsum

from judge.results.score import ModelSummary, PassAtK

KS = (1, 5, 10, 100)
_CONFIDENCE = 0.95


def pass_at_k(n: int, c: int, k: int) -> float:
    """The unbiased estimate that at least one of k samples passes (Chen et al. 2021): 1 - C(n-c, k) / C(n, k).

    >>> pass_at_k(10, 3, 1), round(pass_at_k(10, 3, 5), 4)
    (0.3, 0.9167)

    Args:
        n: Samples that were made.
        c: Samples that pass everything.
        k: How many may be tried.

    Raises:
        ValueError: Not 0 <= c <= n, or not 1 <= k <= n: from fewer samples there is no unbiased estimate.
    """
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass@{k} of {c} in {n} is not defined")
    whole = comb(n, k)
    return (whole - comb(n - c, k)) / whole


def model_pass_at_k(model: str, passed: Sequence[bool], ks: Iterable[int] = KS) -> PassAtK:
    """pass@k of one model for each k that its samples allow.

    Args:
        model: Its name.
        passed: Whether each sample passes everything.
        ks: The k that are wanted; those above the number of samples are left out.
    """
    count, good = len(passed), sum(passed)
    values = {str(k): pass_at_k(count, good, k) for k in sorted(set(ks)) if 1 <= k <= count}
    return PassAtK(model=model, samples=count, passed=good, values=values)


def summarize(model: str, totals: Sequence[float]) -> ModelSummary:
    """Mean and median of the scores of one model, with an interval of the median.

    The interval is made of two of the ordered scores so that it holds the median with at least 95 %, whatever the
    distribution. Fewer than six samples allow no such interval; then it is the range of all.

    Args:
        model: Its name.
        totals: The score of each sample, 0 to 100.

    Raises:
        ValueError: There is none.
    """
    if not totals:
        raise ValueError("a summary needs at least one sample")
    ordered = sorted(totals)
    count = len(ordered)
    median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    cut = _cut(count)
    return ModelSummary(
        model=model,
        samples=count,
        mean=min(ordered[-1], max(ordered[0], fsum(ordered) / count)),
        median=median,
        low=ordered[cut],
        high=ordered[count - 1 - cut],
    )


def _cut(count: int) -> int:
    """How many scores can be left out at each end: the most for which 2 * P(Bin(count, 1/2) <= cut) <= 5 %."""
    tail, cut, whole = 0, 0, 1 << count
    for number in range(count // 2):
        tail += comb(count, number)
        if 2 * tail > (1 - _CONFIDENCE) * whole:
            break
        cut = number
    return cut
