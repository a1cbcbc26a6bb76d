"""How well judges agree with people: the records that ``judge align`` computes, prints and draws."""

from __future__ import annotations

from enum import StrEnum

from judge.schemas import SCHEMA_VERSION, Frozen, VerdictValue


class SubjectKind(StrEnum):
    """Who gave verdicts."""

    JUDGE = "judge"
    RATER = "rater"
    JUDGES = "majority of judges"
    RATERS = "majority of raters"


class Estimate(Frozen):
    """A number with how much of it is chance."""

    value: float | None
    """None when it is not defined, such as the precision of a judge that never says SATISFIED."""
    low: float | None = None
    """Lower end of the interval; None with fewer than two tasks or without resampling."""
    high: float | None = None
    """Upper end of the interval."""
    n: int = 0
    """How many requirements (or tasks, for (T)) it rests on."""


class Coverage(Frozen):
    """Where every requirement went; the counts do not overlap and add up to ``requirements``."""

    requirements: int
    """All requirements that have a label or a verdict."""
    compared: int
    """With a label and a verdict: all rates are over these."""
    errors: int
    """Labelled, and the verdict is ERROR."""
    missing: int
    """Labelled, without a verdict, in a task that has some entry of the judge."""
    not_judged: int
    """Labelled, in a task of which the judge has no entry."""
    unlabeled: int
    """Without a label, whatever the verdict."""
    tasks: int
    """Tasks with a compared requirement."""
    not_judged_tasks: tuple[str, ...] = ()
    unlabeled_tasks: tuple[str, ...] = ()


class Confusion(Frozen):
    """Counts of verdict against label."""

    true_positive: int
    false_positive: int
    """SATISFIED by the judge, unmet by the label."""
    false_negative: int
    """UNSATISFIED by the judge, met by the label."""
    true_negative: int


class Scores(Frozen):
    """Agreement over the compared requirements; the positive class is "met"."""

    alignment: Estimate
    kappa: Estimate
    """Cohen's kappa."""
    precision: Estimate
    recall: Estimate
    f1: Estimate
    macro_f1: Estimate
    balanced_accuracy: Estimate


class MetRate(Frozen):
    """One of (I), (D), (D+), (T) for judge and people, over what both could decide."""

    n: int
    judge_met: int
    human_met: int
    judge: Estimate
    human: Estimate
    difference: Estimate
    """Judge minus people."""
    shift: Estimate
    """The judge shift: the size of the difference."""


class MetRates(Frozen):
    """The met rates of DevAI."""

    independent: MetRate
    """(I): requirements met."""
    dependent: MetRate
    """(D): requirements met with all their direct prerequisites met."""
    transitive: MetRate
    """(D+): the same over prerequisites of prerequisites."""
    solved: MetRate
    """(T): tasks with every requirement met; ``n`` counts tasks."""


class Group(Frozen):
    """The agreement within one category or task."""

    name: str
    n: int
    judge_met: int
    human_met: int
    alignment: Estimate
    always_no: float | None
    """Alignment of a judge that always says UNSATISFIED."""
    errors: int
    missing: int


class Split(Frozen):
    """A requirement on which verdicts differ from each other or from the label."""

    task: str
    requirement_id: int
    category: str
    criteria: str
    label: bool | None
    first: VerdictValue
    """The judge's verdict, or that of the first of two."""
    second: VerdictValue | None = None
    """The verdict of the second of two."""
    score: float | None = None
    """The judge's probability of SATISFIED, when it gave one."""


class DriftItem(Frozen):
    """Where verdicts, labels and tasks are not of one text."""

    side: str
    """``verdicts`` or ``labels``."""
    task: str
    requirement_id: int
    kind: str
    detail: str


class CurvePoint(Frozen):
    """Precision and recall when SATISFIED means a probability of at least ``threshold``."""

    recall: float
    precision: float
    threshold: float | None


class Curve(Frozen):
    """The precision-recall curve of a judge that states confidence."""

    n: int
    positives: int
    average_precision: Estimate
    points: tuple[CurvePoint, ...]
    """By rising recall."""


class CalibrationBin(Frozen):
    """Requirements whose stated probability lies in one range."""

    low: float
    high: float
    n: int
    mean_score: float
    met: float
    """Share of them that is met by the label."""


class Calibration(Frozen):
    """Whether stated probabilities come true."""

    n: int
    error: Estimate
    """Expected calibration error over the bins."""
    brier: Estimate
    bins: tuple[CalibrationBin, ...]
    """Bins that hold something."""


class JudgeAlignment(Frozen):
    """One judge (or rater, or majority) against the labels of one agent."""

    name: str
    kind: SubjectKind
    path: str
    """Where its verdicts were read; empty for a majority."""
    coverage: Coverage
    confusion: Confusion
    scores: Scores
    alignment_of_all: Estimate
    """Alignment when ERROR and missing verdicts of judged tasks count as disagreement."""
    always_no: Scores
    """The same requirements, were every verdict UNSATISFIED."""
    rates: MetRates
    point: CurvePoint | None
    """Precision and recall of the verdicts themselves; None when either is not defined."""
    curve: Curve | None
    calibration: Calibration | None
    by_category: tuple[Group, ...]
    """Worst first."""
    by_task: tuple[Group, ...]
    """Worst first."""
    disagreements: tuple[Split, ...]
    drift: tuple[DriftItem, ...] = ()


class Comparison(Frozen):
    """Two judges on the requirements that both decided and people labelled."""

    first: str
    second: str
    n: int
    first_alignment: Estimate
    second_alignment: Estimate
    difference: Estimate
    """First minus second."""
    first_only: int
    """Requirements on which only the first agrees with the label."""
    second_only: int
    mcnemar_p: float
    """Exact, two-sided."""
    differing: tuple[Split, ...]


class RaterPair(Frozen):
    """Two raters on what both decided."""

    first: str
    second: str
    disagreement: Estimate
    kappa: Estimate


class Agreement(Frozen):
    """How far several raters, or several judges, agree with each other."""

    kind: SubjectKind
    names: tuple[str, ...]
    alpha: Estimate
    """Krippendorff's alpha, nominal; ``n`` counts requirements that at least two decided."""
    unanimous: Estimate
    """Share of those on which all agree."""
    pairs: tuple[RaterPair, ...]


class AgentAlignment(Frozen):
    """Everything about the verdicts on one agent."""

    agent: str
    """Empty when no name is known."""
    labels: str
    """Where the labels were read, or what they were made of."""
    tasks: int
    requirements: int
    labeled: int
    human_met: int
    judges: tuple[JudgeAlignment, ...]
    """Judges first, then raters, then majorities."""
    comparisons: tuple[Comparison, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    drift: tuple[DriftItem, ...] = ()
    """Between labels and tasks, when tasks were given."""


class AlignmentReport(Frozen):
    """The result of ``judge align``."""

    schema_version: int = SCHEMA_VERSION
    version: str = ""
    """Of the program."""
    level: float = 0.95
    resamples: int
    seed: int
    agents: tuple[AgentAlignment, ...]
    notes: tuple[str, ...] = ()
    """Files that could not be used, repairs and doubts about the pairing, one sentence each."""
