"""Makes steps out of what a format's reader finds: prompts, model turns, tool calls and their results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from judge.schemas import Step, StepUsage, Trajectory
from judge.trajectories.action import render_call
from judge.trajectories.clean import clean
from judge.trajectories.draft import Draft, compare, duration, flat, further, larger, make_step, shown_result
from judge.trajectories.keeper import Keeper
from judge.trajectories.report import Converted, Report
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, string

_MAX_STEPS = 200_000
_ENDING = ("finish", "submit", "final_answer", "attempt_completion", "task_complete", "mark_task_complete", "done")
"""Tools whose call ends the run, so that no result can come."""


class Builder:
    """Collects one trajectory. Every method takes texts as they are in the file; they are cleaned here.

    Attributes:
        report: Counts and warnings; readers may add their own.
        source: The file it is of.
        cwd: The folder in which the agent works, when known: calls that name it again are shown without it.
    """

    def __init__(self, format_name: str, source: Source, *, agent: str | None = None) -> None:
        self.report = Report()
        self._format = format_name
        self.source = source
        self._agent = agent
        self._drafts: list[Draft] = []
        self._prompts: list[str] = []
        self._turns: dict[str, Draft] = {}
        self._turn: Draft | None = None
        self._calls: dict[str, Draft] = {}
        self._open: deque[Draft] = deque()
        """Calls in their order, for results without an id."""
        self._early: dict[str, tuple[str, bool | None, int | None, float | None]] = {}
        self._lost = 0
        self._clock: float | None = None
        self._keeper = Keeper(self.report, redact=source.redact, recut=self._recut)
        self._charged = 0
        self.cwd = ""

    def used(self, kind: object, number: int = 1) -> None:
        """Counts records of a type that went into steps."""
        self.report.count(self.report.used, kind, number)

    def skip(self, kind: object, number: int = 1) -> None:
        """Counts records of a type that were not used."""
        self.report.count(self.report.skipped, kind, number)

    def warn(self, line: str) -> None:
        """Adds a warning."""
        self.report.problems.add(line)

    def user(self, text: str, *, time: float | None = None) -> None:
        """A message of the person who gives the task; it goes on the next step. Several in a row are joined."""
        if text.strip():
            self._prompts.append(self._clean(text.strip("\n")))
        self.tick(time)
        self._turn = None

    def turn(
        self,
        thought: str = "",
        *,
        usage: StepUsage | None = None,
        agent: str | None = None,
        key: str | None = None,
        time: float | None = None,
        seconds: float | None = None,
    ) -> None:
        """One answer of the model. Calls that follow belong to it, until the next turn or prompt.

        Args:
            thought: What it says or thinks; may be empty.
            usage: What the call cost; None when not recorded.
            agent: The agent's name, when there are several.
            key: The answer's id, where the file spreads it over several records: turns with the same key are one,
                their texts are joined, and of their usages the larger counts (never both).
            time: When it was recorded, seconds since 1970.
            seconds: How long the whole step took, when the file says so; otherwise times are compared.
        """
        text = self._clean(thought.strip()) if thought else ""
        before = self._turns.get(key) if key is not None else None
        if before is not None:
            if text and text != before.thought:
                before.thought = f"{before.thought}\n\n{text}" if before.thought else text
            before.usage = larger(before.usage, usage or StepUsage())
            before.end = time if time is not None and before.action is None else before.end
            self._turn = before
        else:
            self._turn = draft = Draft(agent or self._agent, thought=text, usage=usage or StepUsage(), seconds=seconds)
            draft.start, draft.end = self._clock, time
            self._append(draft)
            if key is not None:
                self._turns[key] = draft
        self.tick(time)

    def call(self, id: object, name: object, arguments: object, *, time: float | None = None) -> bool:
        """A tool call of the current turn; a turn with several gives as many steps.

        Returns:
            False when a call of that id is already there, and nothing was added.
        """
        key = id if isinstance(id, str) and id else None
        if key is not None and key in self._calls:
            self.skip("repeated call")
            return False
        tool = string(name)
        text, rest = render_call(tool, arguments, self.cwd)
        draft = self._turn
        if draft is None:
            self.turn(time=time)
            draft = self._turn
        assert draft is not None
        if draft.action is not None:
            first = draft
            known = first.usage
            zero = StepUsage() if known.input_tokens is None and known.cost is None else further(known)
            draft = Draft(first.agent_name, usage=zero, start=self._clock, end=time, first=False)
            self._append(draft)
        draft.action = self._clean(text)
        if tool:
            draft.extra["tool"] = clean(tool, 200)
        if rest:
            mask = self._keeper.mask
            draft.extra["tool_arguments"] = {
                clean(str(key), 100): mask(clean(value, 500)) if isinstance(value, str) else value
                for key, value in list(rest.items())[:20]
            }
        self.tick(time)
        self._open.append(draft)
        if key is not None:
            self._calls[key] = draft
            if key in self._early:
                self._put(draft, *self._early.pop(key))
        return True

    def charge(self, usage: StepUsage) -> None:
        """Adds usage that the file records apart, to the first step since the last charge, else to the last step."""
        if self._drafts:
            draft = self._drafts[min(self._charged, len(self._drafts) - 1)]
            draft.usage = add_usage(draft.usage, usage)
        self._charged = len(self._drafts)

    def action(self, text: str, *, tool: str = "", time: float | None = None, id: object = None) -> bool:
        """Like ``call``, for files that record the action as one text."""
        return self.call(id, tool, text, time=time)

    def result(
        self,
        id: object,
        text: str,
        *,
        failed: bool | None = None,
        exit_code: int | None = None,
        time: float | None = None,
    ) -> bool:
        """What came back from a call; joined by its id, without one to the oldest call that has no result yet.

        Args:
            id: The id of the call; anything but a text means that there is none.
            text: The result; empty is a result, too.
            failed: Whether the tool reports a failure, when it says so.
            exit_code: The exit code, when the file gives it apart from the text.
            time: When it was recorded, seconds since 1970.

        Returns:
            Whether a call was found so far; a result that comes before its call is kept for it.
        """
        self.tick(time)
        if isinstance(id, str) and id:
            draft = self._calls.get(id)
            if draft is None:
                self._early[id] = (text, failed, exit_code, time)
                return False
            if draft.environment is not None and not draft.extra.pop("unfinished", False):
                if draft.environment != self._clean(text):
                    self.warn(f"two results for one call ({clean(id, 60)}); the first counts")
                self.skip("repeated result")
                return False
        else:
            waiting = self._oldest_open()
            if waiting is None:
                self._lost += 1
                return False
            draft = waiting
        self._put(draft, text, failed, exit_code, time)
        return True

    def _oldest_open(self) -> Draft | None:
        while self._open and (self._open[0].environment is not None or "final" in self._open[0].extra):
            self._open.popleft()
        return self._open[0] if self._open else None

    def progress(self, id: object, text: str) -> None:
        """What a call has printed so far; its result, if one comes, takes this text's place."""
        draft = self._calls.get(id) if isinstance(id, str) else None
        if draft is not None and (draft.environment is None or "unfinished" in draft.extra):
            draft.environment, draft.extra["unfinished"] = self._clean(text), True

    def note_output(self, text: str) -> bool:
        """Adds text that came back without a call of its own to the last step's result; False when there is no step."""
        if not self._drafts:
            return False
        draft = self._drafts[-1]
        draft.environment = f"{draft.environment}\n{self._clean(text)}" if draft.environment else self._clean(text)
        return True

    def nested(self, id: object, inner: Builder) -> None:
        """Puts the steps of a sub-agent behind the call that started it; behind the last step when it is not known."""
        drafts = inner.flush()
        draft = self._calls.get(id) if isinstance(id, str) else None
        if draft is None and not self._drafts:
            self._drafts += drafts
        else:
            place = draft or self._drafts[-1]
            place.inner = (place.inner or []) + drafts
        self.report.merge(inner.report)

    def new_id(self) -> str:
        """An id for a call that has none in the file, though its result is known to be its own."""
        return f"\0{len(self._calls)}"

    def has_call(self, id: object) -> bool:
        """Whether a call of that id was seen."""
        return isinstance(id, str) and id in self._calls

    def open_call(self) -> bool:
        """Whether the last step has a call without a result."""
        return bool(self._drafts) and self._drafts[-1].action is not None and self._drafts[-1].environment is None

    @property
    def empty(self) -> bool:
        """Whether nothing was found so far."""
        return not self._drafts and not self._prompts

    def flush(self) -> list[Draft]:
        """Ends the trajectory: prompts without an answer get a step, lost and missing results are noted."""
        if self._prompts:
            self._append(Draft(self._agent))
        self._keeper.note()
        lost = len(self._early) + self._lost
        if lost:
            self.warn(f"{lost} results belong to no call and are left out")
            self.skip("result without call", lost)
            self._early.clear()
            self._lost = 0
        if self._drafts and str(self._drafts[-1].extra.get("tool", "")).lower() in _ENDING:
            self._drafts[-1].extra["final"] = True
        missing = [d for d in self._drafts if d.action is not None and d.environment is None and "final" not in d.extra]
        for draft in self._drafts:
            draft.extra.pop("final", None)
        if missing:
            end = " (the run ended there)" if missing == self._drafts[-len(missing) :] else ""
            self.warn(f"{len(missing)} calls have no result{end}")
            self.report.notes["calls without result"] = len(missing)
        return self._drafts

    def final_call(self, id: object) -> None:
        """Marks a call that never has a result, such as one that ends the run, so that none is missed."""
        draft = self._calls.get(id) if isinstance(id, str) else (self._drafts[-1] if self._drafts else None)
        if draft is not None:
            draft.extra["final"] = True

    def finish(self, name: str = "", *, stated: StepUsage | None = None) -> Converted:
        """The trajectory and its report.

        Args:
            name: What the file calls it, when it holds several.
            stated: What the file states for the whole run.
        """
        if stated is not None:
            self.report.stated = stated
        steps: list[Step] = []
        clock = None
        for draft in flat(self.flush()):
            if len(steps) >= _MAX_STEPS:
                self.warn(f"more than {_MAX_STEPS} steps; the rest is left out")
                break
            if not steps and self.cwd.startswith("/"):
                draft.extra["cwd"] = self._keeper.mask(clean(self.cwd, 1000))
            seconds, clock = duration(draft, clock)
            steps.append(make_step(len(steps), draft, seconds))
        self._drafts = []
        if not steps:
            self.warn("holds no steps")
        compare(steps, self.report)
        self.report.problems.first(self.source.problems)
        self.report.problems.change(self._keeper.mask)
        trajectory = Trajectory(
            name=name, format=self._format, steps=tuple(steps), problems=self.report.problems.lines()
        )
        return Converted(trajectory, self.report, name)

    def _append(self, draft: Draft) -> None:
        if self._prompts:
            draft.user = "\n\n".join(self._prompts)
            self._prompts.clear()
        self._drafts.append(draft)

    def _put(self, draft: Draft, text: str, failed: bool | None, exit_code: int | None, time: float | None) -> None:
        body = shown_result(draft, self._clean(text), failed, exit_code)
        draft.environment = body
        if time is not None:
            draft.end = time

    def tick(self, time: float | None) -> None:
        """Notes when something happened that makes no step; times of steps are counted from it."""
        if time is not None:
            self._clock = time

    def _clean(self, text: str) -> str:
        return self._keeper.keep(text)

    def _recut(self, cut: Callable[[str], str]) -> None:
        """Cuts every text that is kept, for when there is too much of it."""
        for draft in flat(self._drafts):
            draft.recut(cut)
