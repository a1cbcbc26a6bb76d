"""What a report shows, as frozen data: the engine fills it in, the renderers only lay it out."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from judge.schemas import Frozen, Usage

SCHEMA_VERSION = 1


class State(StrEnum):
    """How a requirement stands in a report."""

    SATISFIED = "SATISFIED"
    UNSATISFIED = "UNSATISFIED"
    ERROR = "ERROR"
    """It could not be judged."""
    PENDING = "PENDING"
    """The run did not reach it."""


class Part(Frozen):
    """So many of so many; ``rate`` is None of nothing."""

    met: int = 0
    of: int = 0
    rate: float | None = None


class Counts(Frozen):
    """The totals of a task or of a run."""

    tasks: int = 0
    requirements: int = 0
    satisfied: int = 0
    unsatisfied: int = 0
    errors: int = 0
    pending: int = 0
    independent: Part = Part()
    """(I), requirements met."""
    dependent: Part = Part()
    """(D), requirements met with all their direct prerequisites met."""
    transitive: Part = Part()
    """(D+), the same over prerequisites of prerequisites."""
    solved: Part = Part()
    """(T), tasks with every requirement met."""


class Agreement(Frozen):
    """Verdicts beside labels; only requirements that have both are compared."""

    compared: int = 0
    agree: int = 0
    too_strict: int = 0
    """Judged unmet, labelled met."""
    too_lenient: int = 0
    """Judged met, labelled unmet."""
    unlabelled: int = 0
    """Judged, but without a label."""
    unjudged: int = 0
    """Labelled, but without a verdict."""
    rate: float | None = None


class Line(Frozen):
    """One line of an excerpt; ``number`` is None where the text has no line numbers."""

    text: str
    number: int | None = None
    quoted: bool = False
    gap: bool = False
    """Stands for lines that are left out."""


class Cited(Frozen):
    """A citation with the lines it quotes, in the context that the evidence holds."""

    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    step: int | None = None
    verified: bool | None = None
    quote: str = ""
    lines: tuple[Line, ...] = ()


class Picture(Frozen):
    """An image that the judge saw."""

    media_type: str
    data_base64: str
    width: int = 0
    height: int = 0


class Shown(Frozen):
    """One item of evidence, as the judge saw it."""

    key: str
    """Equal for equal items of one task."""
    module: str
    kind: str
    title: str
    text: str = ""
    path: str | None = None
    step: int | None = None
    why: str = ""
    problems: tuple[str, ...] = ()
    tokens: int = 0
    pictures: tuple[Picture, ...] = ()


class RequirementReport(Frozen):
    """One requirement: what was asked, what was decided and why."""

    requirement_id: int
    criteria: str
    category: str | None = None
    prerequisites: tuple[int, ...] = ()
    state: State
    reason: str = ""
    error: str = ""
    confidence: float | None = None
    votes: tuple[str, ...] = ()
    citations: tuple[Cited, ...] = ()
    citations_verified: bool | None = None
    injection: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    unmet: tuple[int, ...] = ()
    """Direct prerequisites that are not met."""
    blocked: bool = False
    """Whether a prerequisite, direct or not, is not met."""
    gated: bool = False
    """Whether it was not judged on its own because of that."""
    label: bool | None = None
    """What people say; None when there is no label."""
    agrees: bool | None = None
    """Whether the verdict is the label; None when one of them is missing."""
    label_note: str = ""
    """How the label's text differs from the criterion."""
    usage: Usage | None = None
    """What all attempts on it used; None when not recorded."""
    seconds: float | None = None
    judge: str = ""
    model: str = ""
    prompt_hash: str = ""
    evidence_hash: str = ""
    raw_answer: str = ""
    evidence: tuple[Shown, ...] = ()


class TaskReport(Frozen):
    """One task with its requirements, in the order of the file."""

    name: str
    query: str = ""
    tags: tuple[str, ...] = ()
    counts: Counts
    agreement: Agreement | None = None
    requirements: tuple[RequirementReport, ...]
    notes: tuple[str, ...] = ()


class RunReport(Frozen):
    """One run, or one folder of judgments."""

    name: str
    source: str
    judge: str = ""
    model: str = ""
    setting: str = ""
    modules: tuple[str, ...] = ()
    gate: bool = False
    created: str = ""
    version: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    counts: Counts
    agreement: Agreement | None = None
    usage: Usage | None = None
    """What the whole run used, failed attempts included; None when not recorded."""
    tasks: tuple[TaskReport, ...]
    notes: tuple[str, ...] = ()
    """What a reader should know: files that could not be read, label drift."""


class Report(Frozen):
    """Everything a report shows."""

    schema_version: int = SCHEMA_VERSION
    title: str
    version: str
    """Of the program that wrote the report."""
    runs: tuple[RunReport, ...]
    labels: tuple[str, ...] = ()
    """Where labels came from; empty without labels."""

    @property
    def requirements(self) -> int:
        """Number of requirements over all runs."""
        return sum(run.counts.requirements for run in self.runs)
