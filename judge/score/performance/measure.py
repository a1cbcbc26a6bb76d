"""Measures the speed of one submission against the reference or a stored baseline."""

from __future__ import annotations

import random
from math import exp
from typing import TYPE_CHECKING

from judge.results.score import PerformanceResult
from judge.score.performance.baseline import baseline_path, load_baseline, staleness
from judge.score.performance.decide import Decision, decide, margin_of
from judge.score.performance.growing import measure_growth
from judge.score.performance.interval import order_rank
from judge.score.performance.session import Session
from judge.score.performance.signs import signs_of

if TYPE_CHECKING:
    from judge.score.execute import Program
    from judge.score.performance.baseline import Baseline
    from judge.score.performance.decide import Margin
    from judge.score.performance.pairs import Plan
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite, Performance

PAIRS_BUDGET_S = 10.0
"""Seconds that the timed calls of all pairs may take together."""

GROWTH_BUDGET_S = 20.0
"""Seconds after which no further repetition of the growth measurement is begun."""


def measure(
    sandbox: Sandbox, loaded: LoadedSuite, submission: Program, reference: Program | None, seed: int
) -> PerformanceResult:
    """Times a submission in fresh pairs, interleaved with the reference on the same new inputs.

    Args:
        sandbox: Where everything runs.
        loaded: The suite.
        submission: What is measured.
        reference: The ruler; None when the suite has none, then a stored baseline and the calibration kernels serve.
        seed: Of inputs, order and hash seeds.

    Returns:
        What was measured; without intervals and with a note when it could not be.

    Raises:
        InputError: The suite is at fault: its generator, its reference or its baseline does not work, or its
            iterations cannot give the confidence that it asks for.
        EngineFault: The machinery failed.
    """
    performance = loaded.suite.performance
    if performance.inputs is None:
        return PerformanceResult(notes=("speed was not measured: the suite names no inputs for it",))
    if loaded.suite.target.kind == "program":
        return PerformanceResult(notes=("speed was not measured: that of programs is not measured yet",))
    order_rank(performance.iterations, performance.confidence)
    baseline, why = _baseline(loaded)
    if why and reference is None:
        return PerformanceResult(notes=(f"speed was not measured: {why}",))
    if why:  # left out, a submission that is slow would gain by it
        baseline = None
    if reference is None and baseline is None:
        return PerformanceResult(
            notes=("speed was not measured: the suite has neither a reference nor a stored baseline",)
        )
    weak = baseline is not None and baseline.ruler == "calibration"
    with Session(sandbox, loaded, submission, None if weak else reference, seed) as session:
        result = _measure(session, performance, baseline, seed)
    note = (f"speed was measured against the reference itself: {why}",) if why else ()
    return result.model_copy(update={"notes": (*result.notes, *note)})


def _baseline(loaded: LoadedSuite) -> tuple[Baseline | None, str]:
    path = baseline_path(loaded)
    if path is None:
        return None, ""
    if not path.exists():
        return None, f"there is no baseline {path.name} beside the suite; record it with `judge score baseline`"
    baseline = load_baseline(path)
    why = staleness(baseline, loaded)
    return baseline, f"the stored baseline is stale: {why}; record it anew with `judge score baseline`" if why else ""


def _measure(session: Session, performance: Performance, baseline: Baseline | None, seed: int) -> PerformanceResult:
    weak = baseline is not None and baseline.ruler == "calibration"
    kind = "reference" if baseline is None else "calibration" if weak else "stored"
    tops = (baseline.cpu.high, baseline.wall.high) if baseline is not None else (1.0, 1.0)
    margin = margin_of(performance, *tops, weak=weak)
    result = PerformanceResult(baseline=kind, baseline_cpu=tops[0], baseline_wall=tops[1])
    plan = session.plan(performance, PAIRS_BUDGET_S, baseline.loops if weak and baseline is not None else None)
    decision = _decide(session, plan, performance, margin) if plan is not None else None
    growth, notes = None, list(session.notes)
    if session.record.failure is None and performance.growth is not None and session.reference is not None:
        grown = measure_growth(
            session.timing,
            session.make_sized,
            performance.growth,
            session.loaded.suite.limits.cpu_s,
            GROWTH_BUDGET_S,
            random.Random(seed).randrange(2**32),
        )
        growth = grown.result
        session.record.failure = grown.failure
        if grown.failure is not None:
            session.look_again(grown.failure)
        session.record.evidence.update(grown.signs)
        notes += [grown.note] if grown.note else []
    record = session.record
    update = {
        "iterations": len(record.pairs),
        "loops": plan.loops if plan is not None else 0,
        "ratios": tuple(exp(pair.cpu) for pair in record.pairs),
        "wall_ratios": tuple(exp(pair.wall) for pair in record.pairs),
        "growth": growth,
        "wrong": record.failure.text if record.failure is not None else "",
        "signs": signs_of(record, timed_wrong=session.timed_wrong),
        "notes": (*notes, *_notes(decision, weak)),
    }
    if decision is not None:
        update |= {
            "cpu": decision.cpu,
            "wall": decision.wall,
            "penalised": bool(decision.by),
            "inconclusive": decision.inconclusive,
            "by": decision.by,
        }
    return result.model_copy(update=update)


def _decide(session: Session, plan: Plan, performance: Performance, margin: Margin) -> Decision | None:
    """Times the pairs; where noise leaves it open, as many again, once. None when a call fails."""
    if not session.time_pairs(plan, performance.iterations):
        return None
    decision = decide(session.record.pairs, performance, margin)
    if not decision.inconclusive:
        return decision
    if not session.time_pairs(plan, performance.iterations):
        return None
    return decide(session.record.pairs, performance, margin)


def _notes(decision: Decision | None, weak: bool) -> list[str]:
    notes = []
    if weak:
        notes.append("weak baseline: the suite has no reference, so calibration kernels are the ruler")
    if decision is not None and decision.inconclusive:
        notes.append("the machine is too noisy to tell whether it is slower; nothing is deducted")
    return notes
