"""Records a baseline: how a known solution compares with the ruler."""

from __future__ import annotations

import hashlib
import platform
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.score.performance.baseline import Baseline, python_minor, suite_hash
from judge.score.performance.decide import decide, margin_of
from judge.score.performance.interval import order_rank
from judge.score.performance.session import Session

if TYPE_CHECKING:
    from judge.score.execute import Program
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite

_BUDGET_S = 60.0


def record_baseline(
    sandbox: Sandbox, loaded: LoadedSuite, solution: Program, reference: Program | None, seed: int
) -> Baseline:
    """Times a known solution as a submission is timed.

    Args:
        sandbox: Where everything runs.
        loaded: The suite.
        solution: What others will be held against; the reference itself is fine.
        reference: The ruler; None when the suite has none, then the calibration kernels serve.
        seed: Of inputs, order and hash seeds.

    Raises:
        InputError: The suite names no timed inputs, or the solution or the reference fails a timed call.
        EngineFault: The machinery failed.
    """
    performance = loaded.suite.performance
    if performance.inputs is None:
        raise InputError(
            "the suite names no inputs for timing", where=str(loaded.path), hint="add performance: {inputs: …}"
        )
    if loaded.suite.target.kind == "program":
        raise InputError("the speed of programs is not measured", where=str(loaded.path))
    order_rank(performance.iterations, performance.confidence)
    with Session(sandbox, loaded, solution, reference, seed) as session:
        plan = session.plan(performance, _BUDGET_S, None)
        if plan is None or not session.time_pairs(plan, performance.iterations):
            failure = session.record.failure
            raise InputError(
                f"the solution cannot be a baseline: {failure.text if failure else 'it failed'}", where=str(loaded.path)
            )
        decision = decide(session.record.pairs, performance, margin_of(performance))
    ruler = "reference" if reference is not None else "calibration"
    return Baseline(
        problem=loaded.suite.problem,
        ruler="reference" if reference is not None else "calibration",
        cpu=decision.cpu,
        wall=decision.wall,
        iterations=len(session.record.pairs),
        loops=plan.loops,
        seed=seed,
        size=performance.inputs.size,
        suite_hash=suite_hash(loaded, ruler),
        solution_hash=hashlib.sha256(solution.files[solution.main]).hexdigest(),
        python=python_minor(),
        python_build=" ".join([platform.python_implementation(), platform.python_version(), *platform.python_build()]),
        cpu_model=_cpu_model(),
        solution_s=tuple(session.record.candidate_s),
        ruler_s=tuple(session.record.ruler_s),
    )


def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as stream:
            lines = stream.read(10_000).splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
