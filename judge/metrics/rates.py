"""Met rates of judge and people side by side, and the judge shift between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from judge.metrics.sampling import Clusters, Sampling, ratio
from judge.metrics.statements import conjunction, transitive
from judge.results import Estimate, MetRate, MetRates, Row


class Pair(NamedTuple):
    """One statement as the judge and as people decide it; None is open."""

    task: str
    judge: bool | None
    human: bool | None


def met_rates(rows: Sequence[Row], sampling: Sampling) -> MetRates:
    """(I), (D), (D+) and (T) for judge and people.

    A statement counts when both could decide it, so that the two rates are of the same things.

    Args:
        rows: All requirements of the tasks, the undecided ones too.
        sampling: How intervals are made.
    """
    tasks: dict[str, dict[int, Row]] = {}
    for row in rows:
        tasks.setdefault(row.task, {})[row.requirement_id] = row
    direct = {name: {row.requirement_id: set(row.prerequisites) for row in of.values()} for name, of in tasks.items()}

    def over(needed: Callable[[str, int], Iterable[int]]) -> Iterable[Pair]:
        return (_all(tasks[row.task], {row.requirement_id, *needed(row.task, row.requirement_id)}) for row in rows)

    return MetRates(
        independent=_rate(over(lambda task, number: ()), sampling),
        dependent=_rate(over(lambda task, number: direct[task][number]), sampling),
        transitive=_rate(over(lambda task, number: transitive(direct[task], number)), sampling),
        solved=_rate((_all(of, of) for of in tasks.values()), sampling),
    )


def _all(rows: dict[int, Row], ids: Iterable[int]) -> Pair:
    """A prerequisite that the task does not have is ignored; reading reports it."""
    chosen = [rows[number] for number in ids if number in rows]
    return Pair(chosen[0].task, conjunction(row.decided for row in chosen), conjunction(row.label for row in chosen))


def _rate(pairs: Iterable[Pair], sampling: Sampling) -> MetRate:
    known = [pair for pair in pairs if pair.judge is not None and pair.human is not None]
    clusters = Clusters([pair.task for pair in known], sampling)
    columns = np.array([[bool(p.judge), bool(p.human), True] for p in known], dtype=np.float64).reshape(-1, 3)
    judge, human = (int(columns[:, place].sum()) for place in (0, 1))
    count, sums = len(known), clusters.sums(columns)
    rates = ratio(sums[:, :2], sums[:, 2:])
    difference = rates[:, 0] - rates[:, 1]

    def made(met: float, samples: object) -> Estimate:
        return clusters.estimate(met / count if count else None, np.asarray(samples), count)

    return MetRate(
        n=count,
        judge_met=judge,
        human_met=human,
        judge=made(judge, rates[:, 0]),
        human=made(human, rates[:, 1]),
        difference=made(judge - human, difference),
        shift=made(abs(judge - human), np.abs(difference)),
    )
