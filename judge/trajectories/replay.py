"""Goes through the steps one by one and joins what actions say with what the environment answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judge.schemas import Step, Trajectory
from judge.trajectories.actions import Deed, Effect, Origin, Recorder, interpret
from judge.trajectories.event import Exchange, FileEvent, Run, Suite
from judge.trajectories.jobs import late_results
from judge.trajectories.outcomes import Outcome, Result, read_outcome
from judge.trajectories.printed import read_answers, read_tally, starts_tests
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
_SHELL = re.compile(r"(?:/\S*/)?(?:bash|sh|zsh|dash) -[a-z]*c\b")
_CELL = re.compile(
    r"^\s*(?:Cell In ?\[\d+\], line \d+|File \"<(?:stdin|string|ipython-input|unknown)[^>]*>\", line \d+)", re.M
)


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
        suites: Runs of test suites whose result is shown.
        exchanges: Requests to the program's own server.
    """

    root: str
    events: list[FileEvent] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)
    opaque: list[int] = field(default_factory=list)
    suites: list[Suite] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)


def replay(trajectory: Trajectory, root: str | None) -> Replay:
    """Goes through the steps; the root is guessed when None."""
    found = _replay(trajectory, find_root(trajectory) if root is None else root.rstrip("/"))
    if root is None and not found.root and (guess := root_by_names(event.path for event in found.events)):
        return _replay(trajectory, guess)
    return found


def _replay(trajectory: Trajectory, root: str) -> Replay:
    found = Replay(root)
    cwd: str | None = ""
    late = late_results(trajectory.steps)
    for step in trajectory.steps:
        if not step.action or not step.action.strip():
            continue
        recorder = Recorder(root=found.root, cwd=cwd)
        interpret(step.action, recorder, noted(step, "tool", str) or "")
        found.imported |= recorder.imported
        if recorder.opaque:
            found.opaque.append(step.step)
        _join(step, recorder, found, late.get(step.step))
        _told(step, recorder, found)
        cwd = _next_cwd(step, recorder)
    return found


def _told(step: Step, recorder: Recorder, found: Replay) -> None:
    """What the answer shows of tests and requests."""
    order, text = len(found.events) + len(found.runs), step.environment or ""
    if starts_tests(step.action or "") and (tally := read_tally(text)) is not None:
        found.suites.append(Suite(step.step, order, tally))
    found.exchanges += [Exchange(step.step, order, answer) for answer in read_answers(recorder.requests, text)]


def _next_cwd(step: Step, recorder: Recorder) -> str | None:
    """The folder in which the next action starts: what a prompt shows, or a ``cd`` that stood alone, else the root."""
    for pattern in _PROMPTS:
        shown = pattern.findall((step.environment or "")[-3000:])
        if shown:
            return recorder.relative(shown[-1])
    action = (step.action or "").strip()
    alone = re.fullmatch(r"(?:running command: |\$ )?cd\s+\S+", action, re.IGNORECASE)
    return recorder.cwd if alone else ""


def _join(step: Step, recorder: Recorder, found: Replay, late: Result | None) -> None:
    events, runs = found.events, found.runs
    refused = noted(step, "failed", bool)
    result = late or read_outcome(step.environment, noted(step, "exit_code", int), refused)
    text = step.environment or ""
    deeds = [deed for deed in recorder.deeds if not _wraps(deed, recorder.deeds)]
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


def _wraps(deed: Deed, deeds: Sequence[Deed]) -> bool:
    """Whether a run is only the shell around the others, such as ``bash -lc 'python train.py'``."""
    first = next((item for item in deeds if item.effect is Effect.EXECUTED), None)
    inner = sum(item.effect is Effect.EXECUTED for item in deeds) > 1
    return deed is first and inner and not deed.path and _SHELL.match(deed.command) is not None


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
    frames = tuple((recorder.relative(p), n) for p, n in result.frames if _own(p, recorder))
    frame = frames[-1] if frames else None
    return Run(
        step=step,
        script=deed.path or None,
        command=deed.command,
        outcome=result.outcome,
        exit_code=result.exit_code,
        error=result.error,
        error_path=frame[0] if frame else None,
        error_line=frame[1] if frame else None,
        inline=deed.inline,
        order=order,
        frames=frames,
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
