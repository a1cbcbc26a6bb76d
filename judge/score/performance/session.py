"""Everything that is open while one submission is timed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from judge.score.examiner import EngineFault
from judge.score.execute import Program
from judge.score.performance.arm import WorkerArm
from judge.score.performance.calibrate import LEAST_S, calibrate, plan_pairs
from judge.score.performance.inputs import InputMaker
from judge.score.performance.kernels import ENTRY, KERNELS, MAIN
from judge.score.performance.pairs import Failure, Record, Timing, failure_of, must_work, time_pair
from judge.score.performance.rightness import Rightness
from judge.score.performance.target import timed_program, works_in_place
from judge.score.suite_side import Answers, SuiteSide

if TYPE_CHECKING:
    from judge.score.performance.arm import Arm, Sample
    from judge.score.performance.pairs import Plan
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import LoadedSuite, Performance
    from judge.score.values import Value

_PROBES = 2


class Session:
    """One submission being timed; close it when done.

    Attributes:
        loaded: The suite.
        reference: The ruler; None when calibration kernels are.
        record: What was timed so far.
        timing: What a pair is made of.
        notes: What could not be done, one sentence each.
        timed_wrong: Whether a timed call was answered wrongly and the same question, asked plainly, rightly.
    """

    def __init__(
        self, sandbox: Sandbox, loaded: LoadedSuite, submission: Program, reference: Program | None, seed: int
    ) -> None:
        """Starts the generator of inputs.

        Args:
            sandbox: Where everything runs.
            loaded: The suite.
            submission: What is timed.
            reference: The ruler; None for the calibration kernels.
            seed: Of inputs, order and hash seeds.
        """
        suite = loaded.suite
        self.loaded, self.reference = loaded, reference
        self.record = Record()
        self.notes: list[str] = []
        self.timed_wrong = False
        self._sandbox, self._limits = sandbox, suite.limits
        self._candidate = timed_program(submission, suite)
        kernels = Program({MAIN: KERNELS}, MAIN, ENTRY, "function")
        self._ruler = timed_program(reference, suite) if reference is not None else kernels
        self._side = SuiteSide(loaded, sandbox, Answers())
        self._maker = InputMaker(sandbox, loaded, seed)
        right = Rightness(suite, self._side, with_reference=reference is not None, in_place=works_in_place(suite))
        self.timing = Timing(
            open_ruler=lambda hash_seed: self._open(self._ruler, hash_seed),
            open_candidate=lambda hash_seed: self._open(self._candidate, hash_seed),
            make=self._maker.make,
            ruler_inputs=lambda inputs: inputs if reference is not None else [(len(inputs),)],
            right=right.reason,
            draw=random.Random(seed + 1),
        )

    def close(self) -> None:
        """Ends all workers."""
        self._maker.close()
        self._side.close()

    def __enter__(self) -> Session:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Ends all workers."""
        self.close()

    def make_sized(self, count: int, size: int) -> list[tuple[Value, ...]]:
        """New inputs of a size."""
        return self._maker.make(count, size)

    def plan(self, performance: Performance, budget_s: float, loops: int | None) -> Plan | None:
        """Finds out how fast both are, and how the pairs are timed; None when the submission fails.

        Args:
            performance: What the suite asks for.
            budget_s: CPU seconds for all pairs.
            loops: Inputs of a sample, when that is fixed; when None, it is calibrated on the reference, or on the
                submission itself where there is none.

        Raises:
            InputError: The reference failed.
            EngineFault: The machinery failed.
        """
        limit = self._limits.cpu_s
        ruler_s = 0.0
        if loops is None:
            arm = self.timing.open_candidate(1) if self.reference is None else self.timing.open_ruler(1)
            try:
                speed = calibrate(arm, self._maker.make, limit)
            finally:
                arm.close()
            loops, ruler_s = speed.loops, speed.call_s
            if loops * ruler_s < LEAST_S / 2:
                self.notes.append("the timed inputs are so small that noise may hide differences; raise their size")
        call_s = self._probe(limit)
        return None if call_s is None else plan_pairs(performance, loops, ruler_s, call_s, limit, budget_s)

    def time_pairs(self, plan: Plan, count: int) -> bool:
        """Times fresh pairs until one fails; whether none did.

        Args:
            plan: How.
            count: How many.

        Raises:
            InputError: The reference failed.
            EngineFault: The machinery failed.
        """
        for _ in range(count):
            time_pair(self.timing, plan, self.record)
            if self.record.failure is not None:
                self.look_again(self.record.failure)
                return False
        return True

    def _open(self, program: Program, hash_seed: int) -> Arm:
        return WorkerArm(self._sandbox, program, self._limits, hash_seed)

    def _probe(self, limit: float) -> float | None:
        """Seconds of one call of the submission, CPU or wall, whichever is more; None when it fails."""
        inputs = self._maker.make(_PROBES)
        answers = self._reference_answers(inputs, limit)
        used = 0.0
        arm = self.timing.open_candidate(1)
        try:
            for index, args in enumerate(inputs):
                sample = arm.time([args], limit)
                _must_run(sample)
                used = max(sample.cpu_s, sample.wall_s)
                self.record.evidence.update(dict.fromkeys(sample.evidence))
                if sample.stopped:
                    self.record.failure = Failure(f"a timed call was stopped: {sample.problem}", args)
                    return None
                self.record.failure = failure_of(self.timing, [args], sample, answers[index])
                if self.record.failure is not None:
                    self.look_again(self.record.failure)
                    return None
        finally:
            arm.close()
        return used

    def _reference_answers(self, inputs: list[tuple[Value, ...]], limit: float) -> list[Sample | None]:
        if self.reference is None:
            return [None] * len(inputs)
        arm = self.timing.open_ruler(2)
        try:
            found: list[Sample | None] = []
            for args in inputs:
                sample = arm.time([args], limit)
                must_work(sample)
                found.append(sample)
            return found
        finally:
            arm.close()

    def look_again(self, failure: Failure) -> None:
        """Asks a wrongly answered input as a plain question: right then, it was garbage for the clock's sake."""
        if failure.args is None:
            return
        answers = self._reference_answers([failure.args], self._limits.cpu_s)
        arm = self.timing.open_candidate(3)
        try:
            sample = arm.ask(failure.args)
        finally:
            arm.close()
        if sample.problem:
            return
        known = answers[0]
        wanted = known.values[0] if known is not None else None
        self.timed_wrong = not self.timing.right(failure.args, sample.values[0], wanted)


def _must_run(sample: Sample) -> None:
    if sample.fault:
        raise EngineFault(f"a timed call could not be made: {sample.problem}")
