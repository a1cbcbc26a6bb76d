"""A sweep: the file that describes one, its cells, and what came out of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from judge.results.alignment import AlignmentReport
from judge.schemas import SCHEMA_VERSION, Frozen, Setting, Usage

Text = Annotated[str, Field(min_length=1)]
_NAME = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,60}$"
Name = Annotated[str, Field(pattern=_NAME)]


class SweepJudge(StrEnum):
    """Who may judge in a sweep."""

    AGENT = "agent"
    LLM = "llm"
    RULES = "rules"
    HUMAN = "human"
    MAJORITY = "majority"


class SweepModule(StrEnum):
    """Modules that gather evidence for the agent judge, in the order they work."""

    GRAPH = "graph"
    LOCATE = "locate"
    READ = "read"
    SEARCH = "search"
    RETRIEVE = "retrieve"
    MEMORY = "memory"
    PLANNING = "planning"
    ASK = "ask"


_USUAL = (SweepModule.GRAPH, SweepModule.LOCATE, SweepModule.READ, SweepModule.RETRIEVE, SweepModule.ASK)
Part = Literal["beginning", "middle", "end"]


class Truncation(Frozen):
    """How a long trajectory is cut."""

    drop: Part = "beginning"
    """Which steps are given up first."""
    cut: Part = "middle"
    """Which part of a long step is cut."""


class AgentSpec(Frozen):
    """One agent whose work is judged. Paths are relative to the sweep file."""

    name: Name
    workspaces: Text
    """Folder with one workspace per task."""
    trajectories: Text | None = None
    """Folder with one trajectory per task; gray-box cells need it."""
    labels: Text | None = None
    """Labels of this agent's work, when they are not those of the whole sweep."""
    raters: dict[Name, Text] = Field(default_factory=dict)
    """Labels of single people, by their name; the judge ``human`` is made of them, else of the labels."""


class Baseline(Frozen):
    """What people need for the same work."""

    hours: float = Field(gt=0)
    wage: float = Field(ge=0)
    """US dollars an hour."""
    requirements: int | None = Field(default=None, gt=0)
    """How many requirements they judged in these hours; None for all of the sweep, agents together."""


class SweepSpec(Frozen):
    """The sweep file: every combination of its lists is a cell. Paths are relative to the file."""

    version: Literal[1]
    name: Name
    tasks: tuple[Text, ...] = Field(min_length=1)
    agents: tuple[AgentSpec, ...] = Field(min_length=1)
    settings: tuple[Setting, ...] = Field(default=(Setting.BLACK_BOX,), min_length=1)
    judges: tuple[SweepJudge, ...] = Field(min_length=1)
    models: tuple[Text, ...] = ()
    """For the judges ``agent`` and ``llm``, such as ``openai:gpt-5-mini``."""
    module_sets: tuple[Annotated[tuple[SweepModule, ...], Field(min_length=1)], ...] = Field(
        default=(_USUAL,), min_length=1
    )
    """For the judge ``agent``: one cell a set."""
    votes: tuple[int, ...] = Field(default=(1,), min_length=1)
    """How often a model is asked at most; odd. For the judges ``agent`` and ``llm``."""
    strictness: tuple[Literal["literal", "intent"], ...] = Field(default=("literal",), min_length=1)
    """How closely the work must follow the words of a criterion. For the judges ``agent`` and ``llm``."""
    search_methods: tuple[Literal["bm25", "embeddings", "fuzzy"], ...] = Field(default=("bm25",), min_length=1)
    """How texts are ranked, for module sets that rank any."""
    embeddings: Text | None = None
    """What makes embeddings: ``folder:PATH``, ``openai:MODEL`` or ``openai-compatible:SERVER/MODEL``."""
    truncations: tuple[Truncation, ...] = Field(default=(Truncation(),), min_length=1)
    """How long trajectories are cut, for gray-box cells that show steps."""
    labels: Text | None = None
    """Labels that verdicts are measured against; without any there is no alignment."""
    only: tuple[Text, ...] = ()
    exclude: tuple[Text, ...] = ()
    ignore: tuple[Text, ...] = ()
    tie: Literal["error", "unsatisfied"] = "error"
    """What a tie of the judge ``majority`` means."""
    gate: bool = False
    max_cost: float | None = Field(default=None, ge=0)
    """Limit over all cells, US dollars."""
    human_baseline: Baseline | None = None
    resamples: int = Field(default=2000, ge=0)
    seed: int = Field(default=0, ge=0, lt=2**32)


class Cell(Frozen):
    """One combination; a run of its own."""

    name: str
    """Unique, and the name of its run folder."""
    agent: str
    judge: SweepJudge
    setting: Setting | None = None
    """None for people, who may look at everything."""
    model: str = ""
    modules: tuple[str, ...] = ()
    votes: int = 1
    strictness: str = "literal"
    search: str = "bm25"
    truncation: Truncation = Truncation()
    rater: str = ""
    """Whose labels, for people."""

    @property
    def variant(self) -> str:
        """What is not as usual: votes, strictness, search and truncation; empty when all is."""
        cut = self.truncation
        parts = [
            f"{self.votes} votes" if self.votes > 1 else "",
            self.strictness if self.strictness != "literal" else "",
            self.search if self.search != "bm25" else "",
            f"drop {cut.drop}, cut {cut.cut}" if cut != Truncation() else "",
        ]
        return "; ".join(part for part in parts if part)

    @property
    def title(self) -> str:
        """The judge, its model, modules and variant, without agent and setting."""
        if self.judge is SweepJudge.HUMAN:
            return f"human: {self.rater}" if self.rater else "human: labels"
        parts = [self.judge.value, self.model, ",".join(self.modules), f"({self.variant})" if self.variant else ""]
        return " ".join(part for part in parts if part)


class CellState(StrEnum):
    """How far a cell came."""

    FINISHED = "finished"
    INCOMPLETE = "incomplete"
    """Some of its requirements are ERROR or were not reached."""
    ABSENT = "absent"
    """What it needs is not there; nothing was judged."""
    FAILED = "failed"
    NOT_REACHED = "not reached"


class CostEstimate(Frozen):
    """What a cell is expected to use."""

    calls: int = 0
    tokens: int = 0
    """Of prompts and answers."""
    cached: int = 0
    """Of the tokens, those that the provider's prompt cache serves."""
    cost: float | None = 0.0
    """US dollars; None when the price is unknown."""
    most_cost: float | None = 0.0
    """When nothing is cached, votes do not agree and answers are long."""
    sampled: int = 0
    """How many prompts were built to tell."""


class CellPlan(Frozen):
    """A cell before it runs."""

    cell: Cell
    tasks: int
    """Tasks with a workspace."""
    requirements: int
    """Requirements of these tasks."""
    finished: int = 0
    """Those with a verdict from before."""
    absent: str = ""
    """Why it cannot run, or empty."""
    missing_tasks: tuple[str, ...] = ()
    """Tasks left out, because the agent has no workspace for them."""
    estimate: CostEstimate = CostEstimate()


class CellResult(Frozen):
    """What became of a cell."""

    cell: Cell
    state: CellState
    why: str = ""
    run: str = ""
    """Its run folder, relative to the folder of the sweep."""
    tasks: int = 0
    requirements: int = 0
    satisfied: int = 0
    unsatisfied: int = 0
    errors: int = 0
    pending: int = 0
    usage: Usage = Usage()
    """Of all its verdicts; a call that another cell had made already is not in it."""
    shared: int = 0
    """Verdicts that rest on a call made for another cell."""
    seconds: float = 0.0
    """Sum of the times of its verdicts."""


class SweepReport(Frozen):
    """The result of ``judge sweep``: ``sweep.json``."""

    schema_version: int = SCHEMA_VERSION
    version: str = ""
    """Of the program."""
    name: str
    agents: tuple[str, ...]
    settings: tuple[Setting, ...]
    cells: tuple[CellResult, ...]
    alignment: AlignmentReport | None = None
    """Its judges are called by the names of the cells."""
    baseline: Baseline | None = None
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
