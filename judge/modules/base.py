"""The narrow interface of every evidence module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from judge.schemas import Evidence, Judgment, Requirement, Setting, Task, Trajectory

if TYPE_CHECKING:
    from judge.models import Model
    from judge.modules.graph import WorkspaceGraph
    from judge.readers import DocumentStore
    from judge.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Bounds:
    """Token budgets of one prompt.

    Attributes:
        map_tokens: For the workspace map.
        file_tokens: For one located file.
        read_tokens: For all located files together.
        step_tokens: For one trajectory step.
        retrieve_tokens: For all retrieved steps together.
        max_files: Located files at most.
    """

    map_tokens: int = 1_500
    file_tokens: int = 4_000
    read_tokens: int = 12_000
    step_tokens: int = 800
    retrieve_tokens: int = 6_000
    max_files: int = 8


@dataclass(frozen=True, slots=True)
class Strategies:
    """How evidence is chosen and cut, where there is more than one way.

    Attributes:
        search: Ranking of texts: ``bm25``, ``embeddings`` or ``fuzzy``.
        embeddings: What makes embeddings: ``folder:PATH``, ``openai:MODEL`` or ``openai-compatible:SERVER/MODEL``.
        drop: Which steps of a long trajectory are given up first: ``beginning``, ``middle`` or ``end``.
        cut: Which part of a long step is cut.
        redact: Whether secrets are masked before text is shown to a model.
    """

    search: str = "bm25"
    embeddings: str = ""
    drop: str = "beginning"
    cut: str = "middle"
    redact: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """One requirement with everything that may be looked at to judge it.

    Attributes:
        task: The task, its labels removed.
        requirement: The requirement in question.
        workspace: The only door to the files.
        documents: Files as documents, each read once per workspace.
        graph: The workspace graph, built once per workspace.
        trajectory: The agent's steps; None when black-box or when there are none.
        setting: Black-box or gray-box.
        bounds: Token budgets.
        strategies: How evidence is chosen and cut.
        earlier: Verdicts on earlier requirements of the same task, for the module ``memory``.
        model: For modules that may ask one; None for the rules judge.
    """

    task: Task
    requirement: Requirement
    workspace: Workspace
    documents: DocumentStore
    graph: WorkspaceGraph
    trajectory: Trajectory | None = None
    setting: Setting = Setting.BLACK_BOX
    bounds: Bounds = field(default_factory=Bounds)
    strategies: Strategies = field(default_factory=Strategies)
    earlier: tuple[Judgment, ...] = ()
    model: Model | None = None


class Module(Protocol):
    """Finds evidence for one requirement."""

    @property
    def name(self) -> str:
        """One of the eight module names."""
        ...

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """New evidence, given what earlier modules found; must not raise for bad workspace content."""
        ...
