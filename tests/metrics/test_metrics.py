"""Scores, intervals, agreement and curves against independent, naive computations."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.metrics import conjunction, transitive
from judge.metrics.agree import from_counts, scores, share
from judge.metrics.calibrate import calibration
from judge.metrics.compare import compare, mcnemar_exact
from judge.metrics.curves import _resampled, curve, satisfied_score
from judge.metrics.raters import agreement, majority
from judge.metrics.rates import met_rates
from judge.metrics.sampling import Clusters, Sampling
from judge.metrics.subject import cover, measure
from judge.results import Row, SubjectKind
from judge.schemas import VerdictValue

S, U, E = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED, VerdictValue.ERROR
FEW = Sampling(resamples=40, seed=3)
OFF = Sampling(resamples=0)

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abcd")), min_size=1, max_size=30)
SCORED = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.75, 0.9, 1.0]), st.sampled_from("abc")),
    min_size=1,
    max_size=25,
)


def _same(found: float | None, wanted: float | None) -> None:
    if wanted is None:
        assert found is None
    else:
        assert found == pytest.approx(wanted, abs=1e-9)


def _quotient(above: float, below: float) -> float | None:
    return above / below if below else None


def _naive(pairs: list[tuple[bool, bool]]) -> dict[str, float | None]:
    tp, fp, fn, tn = (pairs.count(cell) for cell in ((True, True), (False, True), (True, False), (False, False)))
    n = len(pairs)
    met, unmet = _quotient(2 * tp, 2 * tp + fp + fn), _quotient(2 * tn, 2 * tn + fp + fn)
    recalls = [_quotient(tp, tp + fn), _quotient(tn, tn + fp)]

    def mean(values: list[float | None]) -> float:
        good = [value for value in values if value is not None]
        return sum(good) / len(good)

    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return {
        "alignment": (tp + tn) / n,
        "kappa": None if chance == 1 else ((tp + tn) / n - chance) / (1 - chance),
        "precision": _quotient(tp, tp + fp),
        "recall": recalls[0],
        "f1": met,
        "macro_f1": mean([met, unmet]),
        "balanced_accuracy": mean(recalls),
    }


@settings(deadline=None)
@given(PAIRS)
def test_scores_are_those_of_the_textbook(rows: list[tuple[bool, bool, str]]) -> None:
    labels, verdicts = (np.array([row[place] for row in rows]) for place in (0, 1))
    found = scores(labels, verdicts, Clusters([row[2] for row in rows], OFF))
    wanted = _naive([(a, b) for a, b, _ in rows])
    for name, value in wanted.items():
        estimate = getattr(found, name)
        _same(estimate.value, value)
        assert estimate.n == len(rows)
        assert estimate.low is None


@settings(deadline=None)
@given(PAIRS)
def test_the_formulas_of_the_resamples_are_those_of_the_values(rows: list[tuple[bool, bool, str]]) -> None:
    pairs = [(a, b) for a, b, _ in rows]
    cells = [pairs.count(cell) for cell in ((True, True), (False, True), (True, False), (False, False))]
    made = from_counts(np.array([cells], dtype=float))
    for name, value in _naive(pairs).items():
        _same(None if math.isnan(made[name][0]) else float(made[name][0]), value)


@settings(deadline=None)
@given(PAIRS)
def test_a_resample_is_the_sum_of_whole_tasks(rows: list[tuple[bool, bool, str]]) -> None:
    tasks = [row[2] for row in rows]
    clusters = Clusters(tasks, FEW)
    sums = clusters.sums(np.ones((len(rows), 1)))
    sizes = sorted(tasks.count(name) for name in set(tasks))
    possible = {sum(chosen) for chosen in product(sizes, repeat=len(sizes))}
    assert {int(value) for value in sums[:, 0]} <= possible
    assert len(sums) == (FEW.resamples if len(sizes) > 1 else 0)


def test_an_interval_is_wider_when_requirements_of_a_task_go_together() -> None:
    hits = np.array([True] * 40 + [False] * 40)
    together = share(hits, Clusters([str(number // 10) for number in range(80)], Sampling()))
    apart = share(hits, Clusters([str(number) for number in range(80)], Sampling()))
    assert together.value == apart.value == 0.5
    widths = [item.high - item.low for item in (together, apart) if item.high is not None and item.low is not None]
    assert widths[0] > 2 * widths[1]


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    hits = np.array([number * number % 11 < 4 for number in range(60)])
    tasks = [str(number % 7) for number in range(60)]
    first, again, other = (share(hits, Clusters(tasks, Sampling(seed=seed))) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("tasks", [["a"] * 6, ["a", "b", "c"] * 2])
def test_no_interval_where_tasks_give_no_spread(tasks: list[str]) -> None:
    found = share(np.array([True] * 6), Clusters(tasks, Sampling()))
    assert (found.value, found.low, found.high, found.n) == (1.0, None, None, 6)


def test_nothing_at_all_has_no_value() -> None:
    empty = np.array([], dtype=bool)
    found = scores(empty, empty, Clusters([], Sampling()))
    assert found.alignment.value is None
    assert found.alignment.n == 0


def _average_precision(rows: list[tuple[bool, float]]) -> float:
    """Area under the steps: at each distinct score, the recall gained times the precision there."""
    positives = sum(label for label, _ in rows)
    area, before = 0.0, 0.0
    for level in sorted({score for _, score in rows}, reverse=True):
        taken = [label for label, score in rows if score >= level]
        recall = sum(taken) / positives
        area += (recall - before) * sum(taken) / len(taken)
        before = recall
    return area


@settings(deadline=None)
@given(SCORED)
def test_average_precision_and_its_resamples(rows: list[tuple[bool, float, str]]) -> None:
    labels, values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = curve(labels, values, Clusters([row[2] for row in rows], OFF))
    if not labels.any():
        assert found is None
        return
    assert found is not None
    _same(found.average_precision.value, _average_precision([(a, b) for a, b, _ in rows]))
    # A resample of twice the same rows has the same value: the weighted formula is the same formula.
    doubled = Clusters(["x"] * len(rows) + ["y"] * len(rows), Sampling(resamples=3))
    samples = _resampled(np.tile(labels, 2), np.tile(values, 2), doubled)
    assert samples == pytest.approx([found.average_precision.value] * 3)


@settings(deadline=None)
@given(SCORED)
def test_calibration_error_and_brier_score(rows: list[tuple[bool, float, str]]) -> None:
    labels, values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = calibration(labels, values, Clusters([row[2] for row in rows], FEW))
    bins: dict[int, list[tuple[bool, float]]] = {}
    for label, score, _ in rows:
        bins.setdefault(min(int(score * 10), 9), []).append((label, score))
    error = sum(abs(sum(s for _, s in of) - sum(y for y, _ in of)) for of in bins.values()) / len(rows)
    _same(found.error.value, error)
    _same(found.brier.value, sum((score - label) ** 2 for label, score, _ in rows) / len(rows))
    assert sum(item.n for item in found.bins) == len(rows)
    assert [item.n for item in found.bins] == [len(bins[key]) for key in sorted(bins)]


def _alpha(units: list[list[bool]]) -> float | None:
    """Krippendorff's alpha from its coincidence matrix."""
    units = [unit for unit in units if len(unit) > 1]
    together: dict[tuple[bool, bool], float] = dict.fromkeys(product((False, True), repeat=2), 0.0)
    for unit in units:
        for first, a in enumerate(unit):
            for second, b in enumerate(unit):
                if first != second:
                    together[a, b] += 1 / (len(unit) - 1)
    ones = together[True, True] + together[True, False]
    zeros = together[False, False] + together[False, True]
    if not ones or not zeros:
        return None
    observed = together[True, False] + together[False, True]
    return 1 - (ones + zeros - 1) * observed / (2 * ones * zeros)


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([True, False, None]), min_size=3, max_size=3), min_size=1, max_size=20))
def test_alpha_and_pairs_of_raters(units: list[list[bool | None]]) -> None:
    names = ("x", "y", "z")
    ratings = {name: {(f"t{n % 3}", n): unit[i] for n, unit in enumerate(units)} for i, name in enumerate(names)}
    found = agreement(ratings, SubjectKind.RATER, FEW)
    given_ = [[value for value in unit if value is not None] for unit in units]
    _same(found.alpha.value, _alpha(given_))
    several = [unit for unit in given_ if len(unit) > 1]
    _same(found.unanimous.value, _quotient(sum(len(set(unit)) == 1 for unit in several), len(several)))
    for it, (i, j) in zip(found.pairs, [(0, 1), (0, 2), (1, 2)], strict=True):
        both = [(unit[i], unit[j]) for unit in units if unit[i] is not None and unit[j] is not None]
        assert it.disagreement.n == len(both)
        _same(it.disagreement.value, _quotient(sum(a != b for a, b in both), len(both)))


def test_alpha_of_a_published_example() -> None:
    # Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", two coders, binary data: alpha 0.095.
    a, b = "0100000010", "1110010000"
    ratings: dict[str, Any] = {
        name: {("t", n): value == "1" for n, value in enumerate(text)} for name, text in (("a", a), ("b", b))
    }
    assert agreement(ratings, SubjectKind.RATER, OFF).alpha.value == pytest.approx(0.095, abs=0.0005)


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_is_a_fair_coin(first: int, second: int) -> None:
    n, few = first + second, min(first, second)
    tail = sum(math.comb(n, k) for k in range(few + 1)) / 2**n
    assert mcnemar_exact(first, second) == pytest.approx(min(1.0, 2 * tail))


@pytest.mark.parametrize(
    ("votes", "wanted"),
    [
        ([True, True, False], S),
        ([False, None, False], U),
        ([True, False], E),
        ([True, False, None], E),
        ([None, None], None),
        ([], None),
    ],
)
def test_majority(votes: list[bool | None], wanted: VerdictValue | None) -> None:
    assert majority(votes) == wanted


@pytest.mark.parametrize(
    ("verdict", "confidence", "votes", "wanted"),
    [
        (S, 0.8, (), 0.8),
        (U, 0.8, (), pytest.approx(0.2)),
        (U, 0.9, (U, S, U), pytest.approx(1 / 3)),
        (S, 0.9, (S, E, U), 0.5),
        (S, 0.9, (S,), 0.9),
        (S, None, (), None),
        (E, 0.9, (), None),
        (None, None, (), None),
    ],
)
def test_score_of_a_verdict(verdict: Any, confidence: Any, votes: Any, wanted: Any) -> None:
    assert satisfied_score(verdict, confidence, votes) == wanted


VERDICTS = st.sampled_from([S, S, U, U, E, None])
LABELS = st.sampled_from([True, True, False, False, None])


@st.composite
def _rows(draw: st.DrawFn) -> list[Row]:
    rows = []
    for task in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        count = draw(st.integers(1, 5))
        for number in range(count):
            needed = draw(st.lists(st.integers(0, count - 1), max_size=3))
            rows.append(
                Row(task, number, "", "", tuple(needed), label=draw(LABELS), verdict=draw(VERDICTS), score=None)
            )
    return rows


@settings(deadline=None)
@given(_rows())
def test_met_rates_against_recursion(rows: list[Row]) -> None:
    found = met_rates(rows, FEW)
    by_key = {(row.task, row.requirement_id): row for row in rows}

    def closure(row: Row, seen: frozenset[int] = frozenset()) -> frozenset[int]:
        for number in row.prerequisites:
            if number not in seen:
                seen |= closure(by_key[row.task, number], seen | {number})
        return seen

    tasks = {row.task for row in rows}
    statements = {
        "independent": [(row.task, {row.requirement_id}) for row in rows],
        "dependent": [(row.task, {row.requirement_id, *row.prerequisites}) for row in rows],
        "transitive": [(row.task, {row.requirement_id, *closure(row)}) for row in rows],
        "solved": [(task, {row.requirement_id for row in rows if row.task == task}) for task in tasks],
    }
    for name, listed in statements.items():
        both = []
        for task, ids in listed:
            values = [[by_key[task, number].decided for number in ids], [by_key[task, number].label for number in ids]]
            sides = [False if False in of else None if None in of else True for of in values]
            if None not in sides:
                both.append(sides)
        rate = getattr(found, name)
        assert (rate.n, rate.judge_met, rate.human_met) == (
            len(both),
            sum(bool(judge) for judge, _ in both),
            sum(bool(human) for _, human in both),
        )
        _same(rate.shift.value, _quotient(abs(rate.judge_met - rate.human_met), rate.n))


@settings(deadline=None)
@given(_rows(), st.integers(0, 4))
def test_every_requirement_is_counted_once(rows: list[Row], outside: int) -> None:
    judged = {row.task for row in rows if row.verdict is not None}
    found = cover(rows, judged, unlabeled=outside)
    parts = (found.compared, found.errors, found.missing, found.not_judged, found.unlabeled)
    assert sum(parts) == found.requirements == len(rows) + outside
    made = measure("j", SubjectKind.JUDGE, rows, OFF, coverage=found)
    assert sum(item.n for item in made.by_task) == sum(item.n for item in made.by_category) == found.compared
    assert made.alignment_of_all.n == found.compared + found.errors + found.missing
    cells = made.confusion
    assert len(made.disagreements) == cells.false_positive + cells.false_negative


def test_errors_lower_only_the_alignment_of_all() -> None:
    rows = [Row("a", n, label=True, verdict=S if n < 2 else E) for n in range(4)]
    made = measure("j", SubjectKind.JUDGE, rows, OFF, coverage=cover(rows, {"a"}))
    assert (made.scores.alignment.value, made.scores.alignment.n) == (1.0, 2)
    assert (made.alignment_of_all.value, made.alignment_of_all.n) == (0.5, 4)
    assert made.rates.independent.n == 2


def test_groups_are_worst_first() -> None:
    verdicts = {"bad": U, "good": S, "middling": S}
    rows = [Row(task, n, category=task, label=True, verdict=v) for task, v in verdicts.items() for n in range(2)]
    rows.append(Row("middling", 2, category="middling", label=True, verdict=U))
    made = measure("j", SubjectKind.JUDGE, rows, OFF, coverage=cover(rows, set(verdicts)))
    assert (
        [item.name for item in made.by_task] == [item.name for item in made.by_category] == ["bad", "middling", "good"]
    )


def test_two_judges_are_compared_on_what_both_decided() -> None:
    a = [Row("t", 0, label=True, verdict=S), Row("t", 1, label=True, verdict=S), Row("u", 0, label=False, verdict=E)]
    b = [Row("t", 0, label=True, verdict=U), Row("t", 1, label=True, verdict=S), Row("u", 0, label=False, verdict=U)]
    found = compare("a", "b", a, b, OFF)
    assert (found.n, found.first_only, found.second_only, found.difference.value) == (2, 1, 0, 0.5)
    assert [(item.task, item.requirement_id, item.first, item.second) for item in found.differing] == [("t", 0, S, U)]
    assert found.mcnemar_p == 1.0


def test_transitive_prerequisites_end_on_a_cycle() -> None:
    assert transitive({0: [1], 1: [2], 2: [0]}, 0) == {0, 1, 2}
    assert conjunction([True, None, False]) is False
