"""The life of every file in a trajectory: written, edited, moved, removed, executed, and how its runs ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice

from judge.schemas import Trajectory
from judge.trajectories.actions import Effect, Origin
from judge.trajectories.event import Exchange, FileEvent, Run, Suite
from judge.trajectories.outcomes import Outcome
from judge.trajectories.replay import normalise_path, replay

_CHANGES = frozenset({Effect.WRITTEN, Effect.EDITED, Effect.MOVED})
_MAX_HOPS = 20
_MAX_EVENTS = 100_000
_FINISHED = frozenset({Outcome.OK})
_CRASHED = frozenset({Outcome.ERROR, Outcome.TIMEOUT, Outcome.KILLED})


@dataclass(frozen=True)
class FileHistory:
    """What a trajectory shows of the workspace's files. Answers are None where the trajectory does not tell.

    Attributes:
        all_events: Every event, in the order of the steps; failed ones are marked.
        runs: Every run of a script or of inline code, in order.
        root: The workspace's path in the agent's machine; empty when unknown.
        imported: Last names of the modules that inline code imported.
        opaque_steps: Steps whose action could not be understood, or ran something whose effects cannot be told.
        suites: Runs of test suites whose result is shown, in order.
        exchanges: Requests to the program's own server with their answers, in order.
    """

    all_events: tuple[FileEvent, ...] = ()
    runs: tuple[Run, ...] = ()
    root: str = "/workspace"
    imported: frozenset[str] = frozenset()
    opaque_steps: tuple[int, ...] = ()
    suites: tuple[Suite, ...] = ()
    exchanges: tuple[Exchange, ...] = ()

    def normalise(self, path: str) -> str:
        """A path as the history knows it: workspace-relative, without ``./``, ``//`` or the workspace's prefix."""
        return normalise_path(path, self.root)

    @cached_property
    def _by_path(self) -> dict[str, tuple[FileEvent, ...]]:
        grouped: dict[str, list[FileEvent]] = {}
        for event in self.all_events:
            grouped.setdefault(event.path, []).append(event)
        return {path: tuple(events) for path, events in grouped.items()}

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths with events, sorted."""
        return tuple(sorted(self._by_path))

    def _key(self, path: str) -> str:
        """The path under which events are filed; one absolute path with that end counts when nothing else does."""
        path = self.normalise(path)
        if path in self._by_path or not path:
            return path
        ends = [known for known in self._by_path if known.startswith("/") and known.endswith("/" + path)]
        return ends[0] if len(ends) == 1 and not ends[0].startswith(("/tmp/", "/usr/", "/opt/")) else path

    def events(self, path: str) -> tuple[FileEvent, ...]:
        """Events of one file in the order of the steps, failed ones included."""
        return self._by_path.get(self._key(path), ())

    def _happened(self, path: str, *effects: Effect) -> list[FileEvent]:
        return [event for event in self.events(path) if event.effect in effects and not event.failed]

    def last_write(self, path: str) -> FileEvent | None:
        """The last event that gave the file content: written, edited or moved there."""
        changes = self._happened(path, *_CHANGES)
        return changes[-1] if changes else None

    def runs_of(self, path: str) -> tuple[Run, ...]:
        """The runs of a script."""
        key = self._key(path)
        package = re.sub(r"/__main__\.py$", ".py", key)
        return tuple(run for run in self.runs if run.script and run.script in {key, package})

    def never_executed(self, path: str) -> bool | None:
        """Whether a script was surely never run: None when something that ran may have used it."""
        if any(run.outcome is not Outcome.NOT_RUN for run in self.runs_of(path)):
            return False
        name = self._key(path).rsplit("/", 1)[-1].partition(".")[0]
        if not name or self.opaque_steps or name in self.imported:
            return None
        started = [run for run in self.runs if run.outcome is not Outcome.NOT_RUN]
        if not started:
            return True
        # What a script uses can only be told when its text was seen; code in a command line may use anything.
        if any(run.script is None or run.script not in self._seen_scripts for run in started):
            return None
        word = re.compile(rf"\b{re.escape(name)}\b")
        texts = [e.content for e in self.all_events if e.effect in _CHANGES and _is_code(e.path) and not e.failed]
        return None if any(text is None or word.search(text) for text in texts) else True

    @cached_property
    def _seen_scripts(self) -> frozenset[str]:
        return frozenset(event.path for event in self.all_events if event.effect in _CHANGES and event.content)

    def hand_written(self, path: str) -> bool | None:
        """Whether the file's content, as last written, was typed in by the agent; False when a program made it."""
        return self._typed_in(path, None, _MAX_HOPS)

    def _typed_in(self, path: str, before: int | None, hops: int) -> bool | None:
        """The same for the file as it was before an event; copies and moves are followed to where they come from."""
        changes = [event for event in self._happened(path, *_CHANGES) if before is None or event.order < before]
        start = max((i for i, event in enumerate(changes) if event.effect is not Effect.EDITED), default=None)
        if start is None or not all(event.certain for event in changes[start:]):
            return None
        first = changes[start]
        if first.effect is Effect.MOVED or first.origin is Origin.COPY:
            known = self._typed_in(first.source, first.order, hops - 1) if first.source and hops else None
        else:
            known = _by_hand(first)
        answers = {known} | {_by_hand(event) for event in changes[start + 1 :]}
        return answers.pop() if len(answers) == 1 else None

    def deleted(self, path: str) -> bool | None:
        """Whether the file was removed, or moved away, and not made again; None when that is not certain."""
        events = [
            event for event in self.events(path) if not event.failed and event.effect in _CHANGES | {Effect.REMOVED}
        ]
        if not events or events[-1].effect is not Effect.REMOVED:
            return False
        return True if events[-1].certain else None

    def run_after_write(self, path: str) -> Run | None:
        """The last run of a script since it was last changed."""
        last = self.last_write(path)
        runs = [run for run in self.runs_of(path) if run.outcome is not Outcome.NOT_RUN]
        later = [run for run in runs if last is None or run.order > last.order]
        return later[-1] if later else None

    def crashed_after_write(self, path: str) -> bool | None:
        """Whether the last run since the last change failed: of the script itself, or of the script that made the file.

        None when there was no such run, or its end is not known.
        """
        run = self.run_after_write(path)
        if run is None:
            last = self.last_write(path)
            if last is None or last.origin is not Origin.RUN:
                return None
            run = next((r for r in self.runs if r.step == last.step and r.script == (last.source or None)), None)
        if run is None or run.outcome not in _FINISHED | _CRASHED:
            return None
        return run.outcome in _CRASHED

    def writers_named(self, path: str) -> tuple[FileEvent, ...]:
        """Events that put the file's path, literally, into some other file: the scripts that may produce it."""
        key = self._key(path)
        name = key.rsplit("/", 1)[-1]
        return tuple(
            e for e in self.all_events if e.content and name and name in e.content and e.path != key and not e.failed
        )


def _by_hand(event: FileEvent) -> bool | None:
    return {Origin.HAND: True, Origin.RUN: False, Origin.DOWNLOAD: False}.get(event.origin)


def _is_code(path: str) -> bool:
    return (
        path.endswith((".py", ".ipynb", ".sh", ".js", ".ts", ".mjs", ".R", ".jl", ".rb", ".toml", ".cfg"))
        or "." not in path
    )


def file_history(trajectory: Trajectory, root: str | None = None) -> FileHistory:
    """Follows every file through a trajectory. Actions are read as text; nothing is executed.

    Args:
        trajectory: The recorded steps.
        root: The workspace's absolute path in the agent's machine; guessed from the steps when None.
    """
    found = replay(trajectory, root)
    # Folders that are moved to and fro multiply; a real trajectory has a few hundred events.
    events = tuple(islice(_spread(found.events), _MAX_EVENTS))
    return FileHistory(
        events,
        tuple(found.runs),
        found.root,
        frozenset(found.imported),
        tuple(found.opaque),
        tuple(found.suites),
        tuple(found.exchanges),
    )


def _spread(events: Sequence[FileEvent]) -> Iterable[FileEvent]:
    """Turns what happens to folders and patterns into what happens to the files known to be there."""
    alive: set[str] = set()
    for event in events:
        for single in _single(event, alive):
            yield single
            if single.effect in _CHANGES and not single.failed:
                alive.add(single.path)
            elif single.effect is Effect.REMOVED and not single.failed:
                alive.discard(single.path)


def _single(event: FileEvent, alive: set[str]) -> list[FileEvent]:
    """The events of single files that one event stands for."""
    if event.effect is Effect.REMOVED and (event.folder or event.pattern):
        below = event.path + "/" if event.path else ""
        hit = sorted(path for path in alive if _covers(event, path, below))
        return [event.at(path) for path in hit] + ([] if event.pattern else [event])
    if event.effect is Effect.MOVED and event.source:
        return _move(event, alive)
    if event.effect is Effect.WRITTEN and event.source == "touch":
        return [] if event.path in alive else [event.emptied()]
    return [event]


def _covers(event: FileEvent, path: str, below: str) -> bool:
    if event.pattern:
        # A pattern with -r takes whole folders: any leading part of the path may match it.
        parts = path.split("/")
        ends = range(1, len(parts) + 1) if event.folder else [len(parts)]
        return any(_matches("/".join(parts[:end]), event.path) for end in ends)
    return path.startswith(below) if below else not path.startswith("/")


def _move(event: FileEvent, alive: set[str]) -> list[FileEvent]:
    below = event.source + "/"
    inside = sorted(path for path in alive if path.startswith(below))
    pairs = [(path, event.path + "/" + path[len(below) :]) for path in inside] or [(event.source, event.path)]
    return [part for source, target in pairs for part in (event.moved_away(source), event.moved_to(source, target))]


def _matches(path: str, pattern: str) -> bool:
    return path.count("/") == pattern.count("/") and fnmatchcase(path, pattern)
