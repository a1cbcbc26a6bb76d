"""What scoring submissions comes out as: the records of ``judge score``."""

from __future__ import annotations

from pydantic import Field

from judge.schemas import SCHEMA_VERSION, Frozen


class CaseResult(Frozen):
    """One question that was asked."""

    id: str
    source: str
    """``written``, ``boundary``, ``random``, ``metamorphic`` or a pack's name."""
    category: str = ""
    weight: float = 1.0
    passed: bool
    status: str
    """``returned``, ``raised``, ``timeout``, ``memory``, ``crashed``, ``output`` or ``load``."""
    input: str = ""
    """As text, cut."""
    expected: str = ""
    actual: str = ""
    reason: str = ""
    """Why it failed, one sentence; empty when it passed."""
    mutated: bool = False
    """Whether the call changed its arguments although that is forbidden."""


class Counterexample(Frozen):
    """The smallest input found that a submission gets wrong, one per failing category."""

    source: str
    category: str
    input: str
    expected: str
    actual: str
    reason: str = ""


class CategoryResult(Frozen):
    """Cases of one category of one source."""

    source: str
    category: str
    asked: int
    passed: int


class Dimension(Frozen):
    """One of the four parts of the score."""

    name: str
    """``correctness``, ``edge_cases``, ``performance`` or ``quality``."""
    weight: float
    """Points it may bring after renormalising; 0 when it was not measured."""
    value: float | None
    """0 to 1; None when it could not be measured."""
    points: float
    """``weight`` times ``value``."""
    reason: str = ""
    """Why it was not measured, or what limits it, one sentence."""


class Interval(Frozen):
    """A median with a distribution-free interval, as a ratio (1 = as fast as the reference)."""

    median: float
    low: float
    high: float
    confidence: float
    """Exact confidence of the interval, 0 to 1."""


class GrowthResult(Frozen):
    """How cost grows with size, against the reference."""

    sizes: tuple[int, ...]
    reference_s: tuple[float, ...]
    candidate_s: tuple[float, ...]
    excess: float
    """Difference of the log-log slopes."""
    low: float
    high: float
    faster: bool
    """Whether cost grows faster than the reference's: ``low`` lies above the suite's ``max_excess``."""


class PerformanceResult(Frozen):
    """Speed against the reference."""

    cpu: Interval | None = None
    wall: Interval | None = None
    iterations: int = 0
    loops: int = 0
    """Inputs of one sample."""
    ratios: tuple[float, ...] = ()
    """CPU ratio of each pair, in order."""
    wall_ratios: tuple[float, ...] = ()
    penalised: bool = False
    inconclusive: bool = False
    by: str = ""
    """``cpu`` or ``wall``, when penalised."""
    growth: GrowthResult | None = None
    baseline: str = ""
    """``reference``, ``stored`` or ``calibration`` (weak)."""
    baseline_cpu: float = 1.0
    """Upper end of the stored baseline's CPU ratio to the ruler; 1 where the reference is the baseline."""
    baseline_wall: float = 1.0
    """The same of wall time."""
    wrong: str = ""
    """A timed call that was answered wrongly or not at all, one sentence; then the dimension is worth nothing."""
    signs: tuple[str, ...] = ()
    """Signs of cheating seen while timing, ``kind: what was seen``."""
    notes: tuple[str, ...] = ()


class QualityItem(Frozen):
    """One criterion of the rubric."""

    name: str
    weight: float
    """Share of the dimension, 0 to 1."""
    value: float
    """0 to 1."""
    reasons: tuple[str, ...] = ()
    """Each point lost, with the line."""
    overridden_from: float | None = None
    author: str = ""
    override_reason: str = ""


class QualityResult(Frozen):
    """The rubric of one file."""

    value: float
    items: tuple[QualityItem, ...]
    functions: int = 0
    lines: int = 0
    findings: tuple[str, ...] = ()
    """Findings of the linter, ``line: CODE text``; they cost points only through the items that name them."""


class Flag(Frozen):
    """A sign of cheating or of harm, with what was seen."""

    kind: str
    evidence: str
    certain: bool
    """Whether it changes the score (a behaviour or two signals) or is only shown."""


class SubmissionReport(Frozen):
    """The score of one submission."""

    submission: str
    """Name within the sweep: its path below the folder that was given."""
    model: str = ""
    """The folder it came from, when a folder holds one model each."""
    total: float
    """0 to 100."""
    uncapped: float
    """Before a cap for cheating."""
    dimensions: tuple[Dimension, ...]
    cases: tuple[CaseResult, ...] = ()
    categories: tuple[CategoryResult, ...] = ()
    counterexamples: tuple[Counterexample, ...] = ()
    performance: PerformanceResult | None = None
    quality: QualityResult | None = None
    flags: tuple[Flag, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""
    """A fault of ours that kept it from being scored; then ``total`` means nothing."""
    seconds: float = 0.0
    source_hash: str = ""


class PassAtK(Frozen):
    """The unbiased estimate of pass@k of Chen et al. 2021 for one model."""

    model: str
    samples: int
    passed: int
    values: dict[str, float]
    """k as text -> estimate."""


class ModelSummary(Frozen):
    """The samples of one model on one suite."""

    model: str
    samples: int
    mean: float
    median: float
    low: float
    high: float


class ScoreReport(Frozen):
    """The result of ``judge score``."""

    schema_version: int = SCHEMA_VERSION
    version: str = ""
    """Of the program."""
    suite: str
    """The problem's id."""
    title: str = ""
    suite_hash: str
    sandbox: str
    """The level that was proven: ``bubblewrap``, ``namespaces``, ``restricted`` or ``none``."""
    barriers: dict[str, bool] = Field(default_factory=dict)
    seed: int = 0
    python: str = ""
    machine: str = ""
    submissions: tuple[SubmissionReport, ...]
    pass_at_k: tuple[PassAtK, ...] = ()
    models: tuple[ModelSummary, ...] = ()
    notes: tuple[str, ...] = ()
