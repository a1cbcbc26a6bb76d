"""Scores one submission: correctness, edge cases, signs of cheating, speed, quality, in this order."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.results.score import CaseResult, Counterexample, PerformanceResult, QualityResult, SubmissionReport
from judge.score.edge_search import EdgeSearch
from judge.score.examiner import EngineFault, Examiner
from judge.score.execute import Program
from judge.score.integrity import Probe, determinism, hardcode_probe, judge_flags, scan
from judge.score.performance import measure, points_share
from judge.score.prepare import Prepared, fits
from judge.score.quality import grade
from judge.score.suite_side import SuiteSide
from judge.score.total import count_categories, edge_value, share, to_points, total
from judge.text import valid_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.results.score import CategoryResult
    from judge.score.integrity import Difference
    from judge.score.options import ScoreOptions
    from judge.score.questions import Question
    from judge.score.submission import Submission
    from judge.score.suite.model import Override, Suite

_ONE_AT_A_TIME = threading.Lock()
"""Two measurements of speed at once would disturb each other."""


@dataclass
class _Findings:
    """What is gathered about one submission."""

    standard: list[CaseResult] = field(default_factory=list)
    edge: list[CaseResult] = field(default_factory=list)
    categories: list[CategoryResult] = field(default_factory=list)
    counterexamples: list[Counterexample] = field(default_factory=list)
    performance: PerformanceResult | None = None
    quality: QualityResult | None = None
    reasons: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class Scorer:
    """Scores submissions one after the other; one per thread.

    Args:
        prepared: The suite.
        options: What the user chose.
    """

    def __init__(self, prepared: Prepared, options: ScoreOptions) -> None:
        """Starts no worker yet."""
        self._prepared, self._options = prepared, options
        self._suite = prepared.suite
        self._side = SuiteSide(prepared.loaded, prepared.sandbox, prepared.answers)
        self._search = EdgeSearch(prepared, self._side)

    def __enter__(self) -> Scorer:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Ends the workers of the suite."""
        self._side.close()

    def score(self, submission: Submission) -> SubmissionReport:
        """Scores one submission; a fault of ours is a report with ``error``, never points lost.

        Args:
            submission: What to score.

        Raises:
            InputError: The suite's own code failed.
        """
        try:
            found = self._score(submission)
            # A message or a name may hold half a character, which no file can.
            return SubmissionReport.model_validate(valid_values(found.model_dump(mode="json")))
        except EngineFault as fault:
            dimensions = to_points({}, self._suite.weights, {})
            return SubmissionReport(
                submission=submission.name,
                model=submission.model,
                total=0.0,
                uncapped=0.0,
                dimensions=dimensions,
                error=f"it could not be run: {fault}",
                source_hash=submission.digest,
            )

    def _score(self, submission: Submission) -> SubmissionReport:
        found = _Findings()
        program = program_of(submission, self._suite)
        signals = scan(submission.source)
        with Examiner(program, self._suite, self._side, self._prepared.sandbox) as examiner:
            found.standard = examiner.examine(self._prepared.standard)
            if any(case.passed for case in found.standard):
                # Slow on a few big inputs is no endless loop: the edge cases get their own chance.
                examiner.timeouts = 0
            found.edge = examiner.examine(self._prepared.edge) + examiner.examine(self._prepared.boundary)
            found.categories = list(count_categories(found.edge))
            self._random(examiner, found)
            probe = self._probe(submission, examiner, found)
            replies = examiner.replies
        differences = self._differences(program, found)
        correctness = share(found.standard)
        speed = self._speed(program, correctness, found)
        found.quality = grade(
            submission.source, self._suite.quality, self._suite.target.entry, self._reviews(submission)
        )
        values = {
            "correctness": correctness,
            "edge_cases": self._edge_value(found),
            "performance": speed,
            "quality": found.quality.value if any(item.weight for item in found.quality.items) else None,
        }
        flags = judge_flags(
            signals,
            replies,
            suite=self._suite,
            performance=found.performance,
            probe=probe,
            differences=differences,
        )
        dimensions = to_points(values, self._suite.weights, self._why(values, found))
        points, uncapped = total(dimensions, flags, self._suite.integrity)
        return SubmissionReport(
            submission=submission.name,
            model=submission.model,
            total=points,
            uncapped=uncapped,
            dimensions=dimensions,
            cases=(*found.standard, *found.edge),
            categories=tuple(found.categories),
            counterexamples=tuple(found.counterexamples),
            performance=found.performance,
            quality=found.quality,
            flags=flags,
            notes=tuple(found.notes),
            source_hash=submission.digest,
        )

    def _random(self, examiner: Examiner, found: _Findings) -> None:
        searched = self._search.search(examiner)
        if searched is None:
            found.counterexamples = list(_smallest(found.edge, ()))
            return
        found.categories += searched.categories
        found.counterexamples = list(_smallest(found.edge, searched.counterexamples))
        found.notes += searched.notes

    def _probe(self, submission: Submission, examiner: Examiner, found: _Findings) -> Probe:
        signature = self._prepared.signature
        if not self._suite.integrity.hardcode_probe or signature is None or self._suite.target.kind != "function":
            return Probe()

        def fitting(question: Question) -> bool:
            return fits(question, signature, self._side)

        return hardcode_probe(
            submission.source,
            self._prepared.standard,
            found.standard,
            examiner.try_one,
            self._side,
            fitting,
            self._prepared.seed,
        )

    def _differences(self, program: Program, found: _Findings) -> tuple[Difference, ...]:
        """What is answered now so and now otherwise is not solved, even if the first answer was right."""
        differences = determinism(
            program,
            self._prepared.sandbox,
            self._suite,
            self._prepared.standard,
            self._side,
            self._prepared.seed,
            self._suite.integrity.determinism_runs,
        )
        texts = {item.question: item.text for item in differences}
        found.standard = [
            case.model_copy(update={"passed": False, "reason": texts[case.id]})
            if case.passed and case.id in texts
            else case
            for case in found.standard
        ]
        return differences

    def _speed(self, program: Program, correctness: float | None, found: _Findings) -> float | None:
        performance = self._suite.performance
        if not self._options.performance:
            found.reasons["performance"] = "left out by --no-performance"
            return None
        if performance.inputs is None:
            found.reasons["performance"] = "the suite has no timed inputs"
            return None
        if not correctness:
            found.reasons["performance"] = "nothing is correct, so speed is worth nothing"
            return 0.0
        reference = self._side.reference_program() if self._side.has_reference else None
        with _ONE_AT_A_TIME:
            result = measure(self._prepared.sandbox, self._prepared.loaded, program, reference, self._prepared.seed)
        found.performance = result
        found.notes += result.notes
        value = points_share(result, performance)
        if result.wrong:
            found.reasons["performance"] = result.wrong
        elif value is None:
            found.reasons["performance"] = result.notes[0] if result.notes else "could not be measured"
        return value

    def _reviews(self, submission: Submission) -> list[Override]:
        wanted = (submission.name, submission.path.name)
        return [item for item in (*self._suite.overrides, *self._options.overrides) if item.submission in wanted]

    def _edge_value(self, found: _Findings) -> float | None:
        """Weighted within a written category, counted in generated ones."""
        shares: dict[tuple[str, str], float] = {}
        written: dict[tuple[str, str], list[CaseResult]] = {}
        for case in found.edge:
            written.setdefault((case.source, case.category), []).append(case)
        for key, cases in written.items():
            shares[key] = share(cases) or 0.0
        for item in found.categories:
            if item.asked and (item.source, item.category) not in shares:
                shares[item.source, item.category] = item.passed / item.asked
        return edge_value(shares, self._suite.edge_cases.shares)

    def _why(self, values: Mapping[str, float | None], found: _Findings) -> dict[str, str]:
        reasons = dict(found.reasons)
        if values["correctness"] is None:
            reasons.setdefault("correctness", "the suite has no standard cases")
        if values["edge_cases"] is None:
            reasons.setdefault("edge_cases", "the suite has no edge cases and none could be generated")
        if values["quality"] is None:
            reasons.setdefault("quality", "every criterion is exempt")
        return reasons


def program_of(submission: Submission, suite: Suite) -> Program:
    """A submission as something that can be run."""
    target = suite.target
    return Program(
        files=submission.files,
        main=submission.main,
        entry=target.entry,
        kind=target.kind,
        asynchronous=target.asynchronous != "forbid",
        allow_imports=tuple(suite.env.allow_imports),
        deny_imports=tuple(suite.env.deny_imports),
    )


def _smallest(cases: Sequence[CaseResult], searched: Sequence[Counterexample]) -> tuple[Counterexample, ...]:
    """One counterexample for each failing category of each source: the shortest input, or the shrunken one."""
    best: dict[tuple[str, str], Counterexample] = {}
    for case in cases:
        key = (case.source, case.category)
        if not case.passed and (key not in best or len(case.input) < len(best[key].input)):
            best[key] = Counterexample(
                source=case.source,
                category=case.category,
                input=case.input,
                expected=case.expected,
                actual=case.actual,
                reason=case.reason,
            )
    return (*best.values(), *searched)
