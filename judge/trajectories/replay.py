"""Goes through the steps one by one and joins what actions say with what the environment answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judge.schemas import Step, Trajectory
from judge.trajectories.actions import Deed, Effect, Origin, Recorder, interpret
from judge.trajectories.outcomes import Outcome, Result, read_outcome
from judge.trajectories.root import SYSTEM, find_root, noted, root_by_names

_PROMPTS = (
    re.compile(r"^[\w.-]+@[\w.-]+:(/\S*|~\S*) ?[$#]", re.M),
    re.compile(r"^\[?\(?[Cc]urrent (?:working )?directory: (/[^\]\)\n]+)", re.M),
)
_WRITE_FAILED = re.compile(
    r"no such file or directory|permission denied|is a directory|not a directory|read-only file system", re.I
)
_TOOL_FAILED = re.compile(
    r"^\s*(?:<error>|error:|error\b.{0,40}:|no replacement was performed|invalid `?path|file already exists"
    r"|tool error|failed to|the edit did not|your proposed edit has introduced|\[?error)",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(r"\bnot found\b|\berror\b|\bfailed\b|\bcannot\b", re.IGNORECASE)
_SYNTAX = re.compile(r"^(?:SyntaxError|IndentationError|TabError)\b", re.M)
_CELL = re.compile(
    r"^\s*(?:Cell In ?\[\d+\], line \d+|File \"<(?:stdin|string|ipython-input|unknown)[^>]*>\", line \d+)", re.M
)


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


def normalise_path(path: str, root: str = "/workspace") -> str:
    """A path without ``./``, ``//`` and the workspace's own prefix.

    >>> normalise_path("/workspace/./src//a.py"), normalise_path("src/a.py/")
    ('src/a.py', 'src/a.py')
    """
    return Recorder(root=root).relative(path.strip()) if path.strip() else ""


@dataclass(slots=True)
class Replay:
    """Everything that the steps show, in order.

    Attributes:
        root: The workspace's absolute path in the agent's machine; empty when unknown.
        events: What happened to files.
        runs: Runs of scripts and of inline code.
        imported: Last names of the modules that inline code imported.
        opaque: Steps that are not understood.
    """

    root: str
    events: list[FileEvent] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)
    opaque: list[int] = field(default_factory=list)


def replay(trajectory: Trajectory, root: str | None) -> Replay:
    """Goes through the steps; the root is guessed when None."""
    found = _replay(trajectory, find_root(trajectory) if root is None else root.rstrip("/"))
    if root is None and not found.root and (guess := root_by_names(event.path for event in found.events)):
        return _replay(trajectory, guess)
    return found


def _replay(trajectory: Trajectory, root: str) -> Replay:
    found = Replay(root)
    cwd: str | None = ""
    for step in trajectory.steps:
        if not step.action or not step.action.strip():
            continue
        recorder = Recorder(root=found.root, cwd=cwd)
        interpret(step.action, recorder, noted(step, "tool", str) or "")
        found.imported |= recorder.imported
        if recorder.opaque:
            found.opaque.append(step.step)
        _join(step, recorder, found.events, found.runs)
        cwd = _next_cwd(step, recorder)
    return found


def _next_cwd(step: Step, recorder: Recorder) -> str | None:
    """The folder in which the next action starts: what a prompt shows, or a ``cd`` that stood alone, else the root."""
    for pattern in _PROMPTS:
        shown = pattern.findall((step.environment or "")[-3000:])
        if shown:
            return recorder.relative(shown[-1])
    action = (step.action or "").strip()
    alone = re.fullmatch(r"(?:running command: |\$ )?cd\s+\S+", action, re.IGNORECASE)
    return recorder.cwd if alone else ""


def _join(step: Step, recorder: Recorder, events: list[FileEvent], runs: list[Run]) -> None:
    refused = noted(step, "failed", bool)
    result = read_outcome(step.environment, noted(step, "exit_code", int), refused)
    text = step.environment or ""
    deeds = recorder.deeds
    started = [deed for deed in deeds if deed.effect is Effect.EXECUTED]
    outcomes = _attribute(started, result, recorder)
    broken_cell = (
        _SYNTAX.search(text) is not None and _CELL.search(text) is not None and not any(d.path for d in started)
    )
    tool_failed = not started and (refused is True or _TOOL_FAILED.match(text) is not None)
    half_way = result.outcome not in {Outcome.OK, Outcome.UNKNOWN} and not started
    blocked = False
    for deed in deeds:
        if deed.joiner not in {"&&", "|"}:
            blocked = False
        order = len(events) + len(runs)
        if deed.effect is Effect.EXECUTED:
            own = Result(Outcome.NOT_RUN) if blocked else outcomes[id(deed)]
            runs.append(_run(step.step, deed, own, recorder, order))
            if deed.path:
                events.append(_event(step.step, deed, failed=blocked, certain=deed.certain, order=order))
            blocked = blocked or own.outcome in {Outcome.ERROR, Outcome.TIMEOUT, Outcome.KILLED, Outcome.NOT_RUN}
            continue
        failed = blocked or broken_cell or tool_failed or _refused(deed, text)
        # A converter that complains may still have left its file.
        doubtful = half_way or (deed.origin is Origin.RUN and not started and _COMPLAINT.search(text) is not None)
        events.append(_event(step.step, deed, failed=failed, certain=deed.certain and not doubtful, order=order))


def _event(step: int, deed: Deed, *, failed: bool, certain: bool, order: int) -> FileEvent:
    return FileEvent(
        step=step,
        effect=deed.effect,
        path=deed.path,
        origin=deed.origin,
        content=deed.content,
        source=deed.source,
        certain=certain,
        failed=failed,
        order=order,
        folder=deed.folder,
        pattern=deed.pattern,
    )


def _refused(deed: Deed, text: str) -> bool:
    """Whether the answer says, of this very file, that it could not be written or removed."""
    if deed.effect is Effect.READ or not deed.path:
        return False
    name = deed.path.rsplit("/", 1)[-1]
    return any(name in line and _WRITE_FAILED.search(line) for line in text.split("\n")[:200])


def _run(step: int, deed: Deed, result: Result, recorder: Recorder, order: int) -> Run:
    frame = next(((p, n) for p, n in reversed(result.frames) if _own(p, recorder)), None)
    return Run(
        step=step,
        script=deed.path or None,
        command=deed.command,
        outcome=result.outcome,
        exit_code=result.exit_code,
        error=result.error,
        error_path=recorder.relative(frame[0]) if frame else None,
        error_line=frame[1] if frame else None,
        inline=deed.inline,
        order=order,
    )


def _own(path: str, recorder: Recorder) -> bool:
    outside = (
        "site-packages" in path or "dist-packages" in path or re.search(r"/lib/python\d", path)
    ) or path.startswith("<")
    return not outside and not recorder.relative(path).startswith(SYSTEM)


def _attribute(started: Sequence[Deed], result: Result, recorder: Recorder) -> dict[int, Result]:
    """Which run an outcome belongs to; with several runs only what the traceback or the chain proves."""
    if len(started) == 1:
        return {id(started[0]): _alone(started[0], result)}
    found = {id(deed): Result(Outcome.UNKNOWN) for deed in started}
    if result.outcome is Outcome.OK:
        chained = all(deed.joiner in {"", "&&"} for deed in started) or result.exit_code is None
        for deed in started:
            found[id(deed)] = result if chained and not deed.hidden else found[id(deed)]
    elif result.frames:
        files = [recorder.relative(path) for path, _ in result.frames]
        guilty = next((d for d in started if d.path and any(_same(file, d.path) for file in files)), None)
        for deed in started[: started.index(guilty)] if guilty else []:
            following = started[started.index(deed) + 1]
            found[id(deed)] = Result(Outcome.OK) if following.joiner == "&&" else found[id(deed)]
        if guilty:
            found[id(guilty)] = replace(result, outcome=Outcome.ERROR)
    return found


def _alone(deed: Deed, result: Result) -> Result:
    """The outcome of the only run in an action; an exit code belongs to the last command of it."""
    if not deed.certain and result.outcome is Outcome.OK:
        return Result(Outcome.UNKNOWN)
    if result.exit_code is not None and not deed.last:
        told = bool(result.frames) or result.outcome is Outcome.OK
        return replace(result, exit_code=None) if told and not deed.hidden else Result(Outcome.UNKNOWN)
    if deed.hidden and result.exit_code is None and result.outcome is Outcome.OK:
        return Result(Outcome.UNKNOWN)
    return result


def _same(file: str, script: str) -> bool:
    return file == script or file.endswith("/" + script) or script.endswith("/" + file)
