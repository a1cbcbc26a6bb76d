"""The trajectory seen from the workspace: which runs concern a file of code, and what they printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from judge.modules.graph.facts import FileAccess
from judge.rules.evidence import Evidence
from judge.trajectories import Effect, FileEvent, FileHistory, Outcome, Run

_CHANGES = (Effect.WRITTEN, Effect.EDITED, Effect.MOVED)
_DEPTH = 4
_CODE = re.compile(r"\.(?:py|ipynb|js|mjs|cjs|jsx|ts|tsx|R|jl|go|rs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|scala|swift|sh)$")


@dataclass(frozen=True)
class Story:
    """A history joined with the code of the workspace.

    Attributes:
        evidence: The case.
        history: What the steps show.
    """

    evidence: Evidence
    history: FileHistory

    @classmethod
    def of(cls, evidence: Evidence) -> Story | None:
        """The story of a case, None when it is judged without a trajectory."""
        return cls(evidence, evidence.history) if evidence.history is not None else None

    @cached_property
    def _texts(self) -> dict[int, tuple[str, str]]:
        trajectory = self.evidence.case.trajectory
        steps = trajectory.steps if trajectory is not None else ()
        return {step.step: (step.action or "", step.environment or "") for step in steps}

    def action(self, step: int) -> str:
        """What was done in a step."""
        return self._texts.get(step, ("", ""))[0]

    def printed(self, step: int) -> str:
        """What came back in a step."""
        return self._texts.get(step, ("", ""))[1]

    def runs(self, paths: Iterable[str]) -> tuple[Run, ...]:
        """Runs that use one of these files of code, or that look at what it writes; all when none is named."""
        wanted = tuple(paths)
        started = [run for run in self.history.runs if run.outcome is not Outcome.NOT_RUN]
        return tuple(run for run in started if not wanted or any(self._uses(run, path) for path in wanted))

    def _uses(self, run: Run, path: str) -> bool:
        if run.script is not None:
            return self.starts(run.script, path)
        stem = path.rsplit("/", 1)[-1].partition(".")[0]
        text = self.action(run.step)
        return re.search(rf"(?<![\w-]){re.escape(stem)}(?![\w-])", text) is not None or any(
            product.rsplit("/", 1)[-1] in text for product in self._products(path)
        )

    def starts(self, script: str, path: str) -> bool:
        """Whether running a script uses a file of code: itself, an import, or named in a shell script."""
        live = self.evidence.live
        if script == path or path in live.closure([script]):
            return True
        text = live.plain[script].file.source if script in live.plain else ""
        named = [code for code in live.files if code in text] if script.endswith((".sh", ".bash")) else []
        return any(path == code or path in live.closure([code]) for code in named)

    def _products(self, path: str) -> Iterator[str]:
        for entry in self.evidence.case.workspace.files:
            if entry.suffix and entry.path not in self.evidence.live.files:
                writers = self.evidence.case.graph.writers(entry.path)
                if any(code == path for code, _ in writers):
                    yield entry.path

    def last_change(self, paths: Iterable[str]) -> FileEvent | None:
        """The last event that changed one of these files."""
        wanted = set(paths)
        found = [e for e in self.history.all_events if e.path in wanted and e.effect in _CHANGES and not e.failed]
        return found[-1] if found else None

    def code_changed_after(self, order: int) -> bool:
        """Whether some code that is no test was changed later than that."""
        return any(
            event.order > order
            and event.effect in _CHANGES
            and not event.failed
            and _CODE.search(event.path)
            and "test" not in event.path
            for event in self.history.all_events
        )

    def reached(self, run: Run, code: str, access: FileAccess) -> bool | None:
        """Whether a run that failed had got past a line; None when its traceback does not tell."""
        points = {(code, access.scope, access.line)}
        for _ in range(_DEPTH):
            for path, scope, line in points:
                for where, at in run.frames:
                    if where == path and self._scope_at(path, at) == scope:
                        return at > line
            points = {caller for point in points for caller in self._callers(*point)}
        return None

    def _callers(self, path: str, scope: str, _line: int) -> Iterator[tuple[str, str, int]]:
        target = f"{path}::{scope}"
        for file in self.evidence.live.files.values():
            for call in file.calls:
                if scope and call.resolved == target:
                    yield file.path, call.scope, call.line

    def _scope_at(self, path: str, line: int) -> str:
        file = self.evidence.live.files.get(path)
        inside = [d for d in file.file.definitions if d.line <= line <= d.end_line] if file is not None else []
        return max(inside, key=lambda d: d.line).qualname if inside else ""
