"""Intervals from a bootstrap that draws whole tasks, because requirements of one task are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge.results import Estimate

Array: TypeAlias = NDArray[np.float64]

_ENOUGH = 0.5
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Sampling:
    """How intervals are made.

    Attributes:
        resamples: How often to draw; 0 for no intervals.
        seed: Same seed, same interval.
        level: Coverage of the interval.
    """

    resamples: int = 2000
    seed: int = 0
    level: float = 0.95


@lru_cache(maxsize=64)
def _weights(clusters: int, sampling: Sampling) -> Array:
    """How often each cluster is drawn, one row a resample."""
    generator = np.random.default_rng([sampling.seed, clusters])
    drawn = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=sampling.resamples)
    weights = drawn.astype(np.float64)
    weights.flags.writeable = False
    return weights


class Clusters:
    """Rows that belong to tasks, resampled task by task.

    Attributes:
        count: How many tasks there are.
        sampling: How intervals are made.
    """

    def __init__(self, tasks: Sequence[str], sampling: Sampling) -> None:
        """Groups rows.

        Args:
            tasks: The task of each row.
            sampling: How intervals are made.
        """
        names = sorted(set(tasks))
        place = {name: number for number, name in enumerate(names)}
        self.count = len(names)
        self.sampling = sampling
        self._index = np.array([place[name] for name in tasks], dtype=np.intp)

    @property
    def useful(self) -> bool:
        """Whether an interval can be made at all."""
        return self.count > 1 and self.sampling.resamples > 0

    def sums(self, columns: Array) -> Array:
        """Sums of columns over the rows of each resample.

        Args:
            columns: One row a row, any number of columns.

        Returns:
            One row a resample; no rows when no interval can be made.
        """
        columns = np.asarray(columns, dtype=np.float64)
        if not self.useful:
            return np.empty((0, columns.shape[1]))
        by_task = np.zeros((self.count, columns.shape[1]))
        np.add.at(by_task, self._index, columns)
        sums: Array = _weights(self.count, self.sampling) @ by_task
        return sums

    def estimate(self, value: float | None, samples: Array, n: int) -> Estimate:
        """A value with its percentile interval.

        Args:
            value: The value itself; NaN counts as None.
            samples: The value in each resample; NaN where it is not defined there.
            n: How many rows it rests on.

        Returns:
            Without an interval when the value is undefined in more than half of the resamples, and when all of them
            agree: that all drawn tasks are alike says nothing of those not seen.
        """
        if value is None or np.isnan(value):
            return Estimate(value=None, n=n)
        good = samples[~np.isnan(samples)]
        if not samples.size or good.size < _ENOUGH * samples.size or np.ptp(good) < _SAME:
            return Estimate(value=float(value), n=n)
        tail = (1 - self.sampling.level) / 2
        low, high = np.quantile(good, [tail, 1 - tail])
        return Estimate(value=float(value), low=float(low), high=float(high), n=n)


def ratio(above: Array, below: Array) -> Array:
    """Quotients, NaN where the divisor is 0."""
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    out: Array = np.full(np.broadcast(above, below).shape, np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out
