"""The frozen models that the rooms hand to each other and that are written to disk."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 1


class Frozen(BaseModel):
    """A model that cannot change after it is built and refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Open(BaseModel):
    """A frozen model that keeps unknown extra fields, for formats that are not ours."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Setting(StrEnum):
    """What a judge may look at."""

    BLACK_BOX = "black-box"
    """The workspace alone."""
    GRAY_BOX = "gray-box"
    """The workspace and the agent's trajectory."""


class VerdictValue(StrEnum):
    """The outcome for one requirement; ERROR means that it could not be judged, never that it is unmet."""

    SATISFIED = "SATISFIED"
    UNSATISFIED = "UNSATISFIED"
    ERROR = "ERROR"


class Requirement(Open):
    """One criterion of a task, in DevAI's JSON. ``satisfied`` is always None here: labels never reach a judge."""

    requirement_id: int
    prerequisites: tuple[int, ...] = ()
    criteria: str
    category: str | None = None
    satisfied: bool | None = None


class Preference(Open):
    """An optional wish of a task, not judged by default."""

    preference_id: int
    criteria: str
    satisfied: bool | None = None


class Task(Open):
    """One DevAI task: what the agent was asked, and what must hold afterwards."""

    name: str
    query: str
    tags: tuple[str, ...] = ()
    requirements: tuple[Requirement, ...]
    preferences: tuple[Preference, ...] = ()
    is_kaggle_api_needed: bool = False
    is_training_needed: bool = False
    is_web_navigation_needed: bool = False

    def requirement(self, requirement_id: int) -> Requirement:
        """The requirement with that id.

        Raises:
            KeyError: There is none.
        """
        for item in self.requirements:
            if item.requirement_id == requirement_id:
                return item
        raise KeyError(requirement_id)


class Citation(Frozen):
    """A place that a verdict rests on: lines of a workspace file, or a step of the trajectory."""

    path: str | None = None
    """Workspace-relative path with ``/``; None for a trajectory step."""
    line: int | None = None
    """First line, 1-based."""
    end_line: int | None = None
    """Last line, inclusive."""
    step: int | None = None
    """Trajectory step number; None for a file."""
    quote: str = ""
    """The cited text, exactly as it stands there."""
    verified: bool | None = None
    """True when the quote was found at the place, False when it was not, None when not looked up."""


class EvidenceKind(StrEnum):
    """What an item of evidence is."""

    MAP = "map"
    FILE = "file"
    ARTEFACT = "artefact"
    GRAPH = "graph"
    STEP = "step"
    SEARCH = "search"
    MEMORY = "memory"
    NOTE = "note"


class Image(Frozen):
    """An image for models that see, already scaled down."""

    media_type: str
    data_base64: str
    width: int
    height: int


class Evidence(Frozen):
    """What a module found, with its origin."""

    module: str
    kind: EvidenceKind
    title: str
    text: str
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    step: int | None = None
    why: str = ""
    """Why this was taken as evidence."""
    facts: dict[str, Any] = Field(default_factory=dict)
    """Measured facts in JSON types, such as ``{"rows": 120, "blank": false}``."""
    images: tuple[Image, ...] = ()
    problems: tuple[str, ...] = ()
    """What went wrong while reading: unreadable, truncated, not what its extension says."""
    tokens: int = 0


class Usage(Frozen):
    """What model calls used. Token kinds do not overlap: ``input_tokens`` excludes cache reads and writes."""

    calls: int = 0
    cached_calls: int = 0
    """Calls answered from replies that were kept: they used nothing and are not among ``calls``."""
    input_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None means unknown, which is never the same as 0."""
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """The sum of two usages; an unknown cost makes the sum unknown."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            calls=self.calls + other.calls,
            cached_calls=self.cached_calls + other.cached_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=cost,
            seconds=self.seconds + other.seconds,
        )


class Spent(Frozen):
    """What calls for one purpose to one model used."""

    purpose: str
    """``judge``, ``repair``, ``locate``, …: what the calls were for."""
    model: str
    usage: Usage


class Ballot(Frozen):
    """One vote of one model on a requirement."""

    model: str
    vote: int
    """Number of the model's vote, from 0."""
    verdict: VerdictValue
    """ERROR when it could not be given; that is no vote for either side."""
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    reason: str = ""
    error: str = ""


class Judgment(Frozen):
    """One line of ``verdicts.jsonl``: the verdict on one requirement and all that supports it."""

    task: str
    requirement_id: int
    verdict: VerdictValue
    reason: str
    confidence: float = Field(ge=0.0, le=1.0)
    votes: tuple[VerdictValue, ...] = ()
    """All votes that were given, in the order they were asked for."""
    ballots: tuple[Ballot, ...] = ()
    """Who gave which vote, when there could be more than one."""
    citations: tuple[Citation, ...] = ()
    citations_verified: bool | None = None
    """True when every quote was found, False when one was not, None when nothing was cited."""
    injection: tuple[str, ...] = ()
    """Places (path:line, step) whose text addresses the judge."""
    redacted: tuple[str, ...] = ()
    """Places whose secrets were masked before text left the machine."""
    blocked_by: tuple[int, ...] = ()
    """Prerequisites that failed; with ``--gate`` the model is then not asked."""
    error: str = ""
    """Why the verdict is ERROR, one line."""
    usage: Usage = Usage()
    spent: tuple[Spent, ...] = ()
    """The usage by purpose and model; nothing when all of it is one model's answer to the one question."""
    seconds: float = 0.0
    judge: str = ""
    """``agent``, ``llm``, ``rules``, ``human`` or ``majority``."""
    model: str = ""
    """The model that was asked; of a panel all of them, joined by `` + ``."""
    prompt_hash: str = ""
    evidence_hash: str = ""
    raw_answer: str = ""
    """The model's answer when it could not be used."""
    schema_version: int = SCHEMA_VERSION


class StepUsage(Open):
    """Cost and time of one trajectory step; ``None`` is unknown, in DevAI's files never."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str | None = None
    cost: float | None = None
    llm_inference_time: float | None = None
    step_execution_time: float | None = None


class Step(Open):
    """One step of an agent's trajectory."""

    step: int
    user_message: str | None = None
    thought: str = ""
    action: str | None = None
    agent_name: str | None = None
    environment: str | None = None
    usage: StepUsage = StepUsage()


class Trajectory(Frozen):
    """The recorded steps of one agent on one task; untrusted text throughout."""

    name: str
    format: str
    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()
    """What was skipped or repaired while reading."""
    totals: StepUsage = StepUsage()
    """What the file itself states for the whole run; None where it states nothing, and the sum of the steps counts."""


class RunHeader(Frozen):
    """``run.json``: everything that decides what a run's verdicts mean."""

    schema_version: int = SCHEMA_VERSION
    program: str = "judge"
    version: str
    judge: str
    model: str
    setting: Setting
    modules: tuple[str, ...]
    gate: bool = False
    options: dict[str, Any] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    """Prompt id -> content hash."""
    inputs: dict[str, str] = Field(default_factory=dict)
    """``task:<name>``, ``workspace:<name>`` or ``trajectory:<name>`` -> content hash."""
    created: str = ""
    """When the run was first started, ISO 8601 with offset."""
