"""Opens a workspace once and makes cases from it, for commands that look at single requirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.modules.base import Bounds, Case, Strategies
from judge.schemas import Judgment, Requirement, Setting, Task, Trajectory

if TYPE_CHECKING:
    from judge.models import Model
    from judge.modules.graph import WorkspaceGraph
    from judge.readers import DocumentStore
    from judge.workspace import Workspace


class Parts(NamedTuple):
    """What is made of a workspace once, whoever judges it.

    Attributes:
        documents: Its files as documents.
        graph: Its graph.
    """

    documents: DocumentStore
    graph: WorkspaceGraph


class Library(Protocol):
    """Keeps the parts of workspaces over several runs; whoever owns it closes the documents."""

    def parts(self, workspace: Workspace) -> Parts:
        """The parts of a workspace, made at the first call; called from several threads."""
        ...


def make_parts(workspace: Workspace, writings: Path | None = None, *, whole: bool = False) -> Parts:
    """Builds the graph of a workspace and a store of its documents.

    Args:
        workspace: The listed workspace.
        writings: Folder in the cache folder where what OCR reads is kept from run to run; what is found out about
            source files is kept beside it. Nothing is kept when it is None or lies in the workspace.
        whole: Whether much of it will be read, so that the process for risky files gets ready while the graph is built.
    """
    from judge.modules.graph import GraphCache, build_graph
    from judge.readers import DocumentStore, Writings

    cache = None if writings is None or _within(writings.parent, workspace.root) else writings.parent
    documents = DocumentStore(workspace, writings=Writings(writings) if writings and cache else None)
    if whole:
        documents.start()
    return Parts(documents, build_graph(workspace, GraphCache(cache / "graph") if cache else None))


def _within(folder: Path, root: Path) -> bool:
    """Whether a folder, which need not exist, is a workspace or lies in it."""
    place = folder.resolve()
    return root.resolve() in {place, *place.parents}


def open_workspace(root: Path, ignore: Sequence[str] = ()) -> Workspace:
    """Lists a workspace.

    Raises:
        InputError: It is no readable folder.
    """
    from judge.workspace import WalkOptions, Workspace

    return Workspace.open(root, WalkOptions(ignore=tuple(ignore)))


def open_case(
    task: Task,
    workspace: Workspace,
    *,
    trajectory: Trajectory | None = None,
    setting: Setting = Setting.BLACK_BOX,
    bounds: Bounds | None = None,
    strategies: Strategies | None = None,
    model: Model | None = None,
    parts: Parts | None = None,
    writings: Path | None = None,
    whole: bool = False,
) -> Case:
    """A case on the first requirement of a task; the graph is built here, once.

    Args:
        task: The task.
        workspace: The listed workspace.
        trajectory: The agent's steps, in gray-box.
        setting: Black-box or gray-box.
        bounds: Token budgets.
        strategies: How evidence is chosen and cut.
        model: For modules that may ask one.
        parts: What was made of the workspace before; made here when None.
        writings: Folder where what OCR reads is kept, when the parts are made here.
        whole: Whether all requirements will be judged.

    Returns:
        A template; ``for_requirement`` makes the others.
    """
    made = parts or make_parts(workspace, writings, whole=whole)
    return Case(
        task=task,
        requirement=task.requirements[0],
        workspace=workspace,
        documents=made.documents,
        graph=made.graph,
        trajectory=trajectory,
        setting=setting,
        bounds=bounds or Bounds(),
        strategies=strategies or Strategies(),
        model=model,
    )


def for_requirement(case: Case, requirement: Requirement, earlier: tuple[Judgment, ...] = ()) -> Case:
    """The same case on another requirement, with the verdicts that it may remember."""
    return replace(case, requirement=requirement, earlier=earlier)


def question_case(
    question: str,
    workspace: Workspace,
    model: Model | None = None,
    strategies: Strategies | None = None,
    writings: Path | None = None,
) -> Case:
    """A case on a free question instead of a requirement; the rest as for ``open_case``."""
    requirement = Requirement(requirement_id=0, criteria=question)
    task = Task(name="question", query=question, requirements=(requirement,))
    return open_case(task, workspace, model=model, strategies=strategies, writings=writings)
