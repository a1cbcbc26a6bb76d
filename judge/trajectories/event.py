"""What a trajectory shows, one thing at a time: events of files, runs, test suites, requests."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.trajectories.actions import Effect, Origin
from judge.trajectories.outcomes import Outcome
from judge.trajectories.printed import Answer, Tally


@dataclass(frozen=True, slots=True)
class FileEvent:
    """One thing that happened to one file.

    Attributes:
        step: Number of the step.
        effect: What happened; a file that was moved away counts as removed.
        path: Workspace-relative; absolute when outside the workspace.
        origin: Where written content came from.
        content: The literal content, where the action gave it.
        source: Where a copy or move came from, or the script whose output it is.
        certain: Whether it surely happened: not in a condition, not in a step that failed half-way.
        failed: Whether the environment's answer shows that it did not happen.
        order: Position among all events and runs.
        folder: Whether a whole folder is meant.
        pattern: Whether the path is a shell pattern.
    """

    step: int
    effect: Effect
    path: str
    origin: Origin = Origin.UNKNOWN
    content: str | None = None
    source: str = ""
    certain: bool = True
    failed: bool = False
    order: int = 0
    folder: bool = False
    pattern: bool = False

    def at(self, path: str) -> FileEvent:
        """The same for one file that a folder or pattern stands for."""
        return replace(self, path=path, folder=False, pattern=False)

    def moved_away(self, path: str) -> FileEvent:
        """The removal at the old place of a move."""
        return replace(self, effect=Effect.REMOVED, path=path, source="", origin=Origin.UNKNOWN)

    def moved_to(self, source: str, path: str) -> FileEvent:
        """The arrival at the new place of a move."""
        return replace(self, path=path, source=source)

    def emptied(self) -> FileEvent:
        """A new, empty file made by ``touch``."""
        return replace(self, origin=Origin.HAND, content="", source="")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a script, or of code given in the action.

    Attributes:
        step: Number of the step.
        script: Workspace-relative path of the script; None for inline code.
        command: The command line.
        outcome: How it ended.
        exit_code: As named by the environment; None when it is not.
        error: The error's own line.
        error_path: Innermost workspace file of the traceback.
        error_line: Its line.
        inline: Whether the code stood in the action.
        order: Position among all events and runs.
        frames: (file, line) of the workspace's own lines of the traceback, outermost first.
    """

    step: int
    script: str | None
    command: str
    outcome: Outcome
    exit_code: int | None = None
    error: str = ""
    error_path: str | None = None
    error_line: int | None = None
    inline: bool = False
    order: int = 0
    frames: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of a test suite.

    Attributes:
        step: Number of the step.
        order: Position among all events and runs.
        tally: What it counted.
    """

    step: int
    order: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what came back.

    Attributes:
        step: Number of the step.
        order: Position among all events and runs.
        answer: The request with its answer.
    """

    step: int
    order: int
    answer: Answer
