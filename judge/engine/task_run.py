"""One task of a run: its requirements in the order of their prerequisites, independent ones at the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

from judge.engine.cases import Library, for_requirement, open_case
from judge.engine.describe import describe
from judge.engine.judges import Judge, Outcome, Session, error_judgment, model_names
from judge.engine.options import RunOptions
from judge.engine.plan import Prepared
from judge.engine.recorder import Recorder
from judge.engine.stop import Stop
from judge.errors import BudgetExceeded, InputError, JudgeError
from judge.modules.base import Case
from judge.schemas import Judgment, Requirement, Setting, Task, Trajectory, VerdictValue


class _Opened(NamedTuple):
    """What all cases of a task share."""

    template: Case
    session: Session
    order: tuple[int, ...]
    alone: bool = False
    """Whether the first requirement is judged before the others start."""


class TaskRun:
    """Judges what is still missing of one task."""

    def __init__(
        self,
        prepared: Prepared,
        judge: Judge,
        options: RunOptions,
        recorder: Recorder,
        slots: asyncio.Semaphore,
        stop: Stop,
        library: Library | None = None,
    ) -> None:
        """Takes everything that tasks of a run share.

        Args:
            prepared: The task and its inputs.
            judge: Who gives verdicts.
            options: How.
            recorder: Where verdicts go.
            slots: Bounds the requirements in work over all tasks.
            stop: Asked before each requirement.
            library: Where graphs and documents are kept for other runs; None to make them for this one.
        """
        self._prepared = prepared
        self._task: Task = prepared.task
        self._judge = judge
        self._options = options
        self._recorder = recorder
        self._slots = slots
        self._stop = stop
        self._library = library
        self._done = {item.requirement_id: asyncio.Event() for item in self._task.requirements}

    async def run(self) -> None:
        """Judges every requirement without a verdict; one that fails becomes ERROR and stops nothing else."""
        recorded = self._recorder
        try:
            await self._run()
        except Exception as error:  # noqa: BLE001 - task boundary: recorded as ERROR, the other tasks go on
            for item in self._task.requirements:
                if item.requirement_id not in recorded.verdicts(self._task.name):
                    self._record(item, Outcome(self._error(item.requirement_id, describe(error))), 0.0)

    async def _run(self) -> None:
        from judge.tasks import order

        pending = [number for number in order(self._task) if self._recorder.kept(self._task.name, number) is None]
        for number in self._done.keys() - set(pending):
            self._done[number].set()
        if not pending or self._stop:
            return
        with self._judge.hold():
            opened = await self._open(pending)
        if opened is None:
            return
        try:
            await self._judge_all(pending, opened)
        finally:
            if self._library is None:
                opened.template.documents.close()

    async def _judge_all(self, pending: Sequence[int], opened: _Opened) -> None:
        if opened.alone:
            first, *pending = pending
            await self._requirement(first, opened)
        async with asyncio.TaskGroup() as group:
            for number in pending:
                group.create_task(self._requirement(number, opened))

    async def _open(self, pending: Sequence[int]) -> _Opened | None:
        problem = self._prepared.error
        if not problem:
            try:
                opened = await asyncio.to_thread(self._open_now)
                cases = [for_requirement(opened.template, item) for item in self._task.requirements]
                return opened._replace(alone=await opened.session.open(cases, pending))
            except JudgeError as error:
                problem = str(error)
            except Exception as error:  # noqa: BLE001 - task boundary: recorded as ERROR of its requirements
                problem = f"the workspace could not be analysed: {describe(error)}"
        for number in pending:
            self._record(self._task.requirement(number), Outcome(self._error(number, problem)), 0.0)
        return None

    def _open_now(self) -> _Opened:
        workspace = self._prepared.workspace
        if workspace is None:
            raise InputError("no workspace")
        template = open_case(
            self._task,
            workspace,
            trajectory=self._load_trajectory(),
            setting=self._options.setting,
            bounds=self._options.bounds,
            strategies=self._options.strategies,
            model=next(iter(self._judge.models), None),
            parts=self._library.parts(workspace) if self._library is not None else None,
            writings=self._options.writings,
            whole=True,
        )
        from judge.tasks import order

        return _Opened(template, self._judge.session(), order(self._task))

    def _load_trajectory(self) -> Trajectory | None:
        path = self._prepared.plan.trajectory
        if path is None or self._options.setting == Setting.BLACK_BOX:
            return None
        from judge.trajectories import load_trajectory

        return load_trajectory(path, redact=self._options.strategies.redact)

    async def _requirement(self, number: int, opened: _Opened) -> None:
        requirement = self._task.requirement(number)
        try:
            for other in self._awaited(requirement, opened.order):
                await self._done[other].wait()
            async with self._slots:
                if self._stop:
                    return
                started = time.monotonic()
                with self._judge.hold():
                    outcome = self._gated(requirement) or await self._one(requirement, opened)
                if outcome is not None:
                    self._record(requirement, outcome, time.monotonic() - started)
        finally:
            self._done[number].set()

    async def _one(self, requirement: Requirement, opened: _Opened) -> Outcome | None:
        case = for_requirement(opened.template, requirement, self._earlier(requirement, opened.order))
        try:
            outcome = await opened.session.judge(case)
            if isinstance(outcome.failure, BudgetExceeded):
                self._stop.reached(outcome.failure)
            return outcome
        except BudgetExceeded as error:
            self._stop.reached(error)
            return None
        except JudgeError as error:
            return Outcome(error_judgment(case, str(error)), failure=error)
        except Exception as error:  # noqa: BLE001 - requirement boundary: recorded as its ERROR
            return Outcome(error_judgment(case, describe(error)))

    def _awaited(self, requirement: Requirement, order: tuple[int, ...]) -> list[int]:
        """Requirements whose verdicts must be there first.

        Each is judged on its own evidence, so there are none: but a gate needs the prerequisites, and a memory all
        that come before, or what is remembered would depend on the moment.
        """
        if self._remembers:
            return list(order[: order.index(requirement.requirement_id)])
        return [number for number in _needed(requirement) if number in self._done] if self._options.gate else []

    @property
    def _remembers(self) -> bool:
        return self._options.judge == "agent" and "memory" in self._options.modules

    def _earlier(self, requirement: Requirement, order: tuple[int, ...]) -> tuple[Judgment, ...]:
        if not self._remembers:
            return ()
        known = self._recorder.verdicts(self._task.name)
        before = order[: order.index(requirement.requirement_id)]
        return tuple(known[number] for number in before if number in known)

    def _failed(self, requirement: Requirement) -> dict[int, VerdictValue]:
        """Prerequisites that are not met, with what they are."""
        known = self._recorder.verdicts(self._task.name)
        verdicts = ((number, known.value(number)) for number in _needed(requirement))
        return {number: value for number, value in verdicts if value not in {None, VerdictValue.SATISFIED}}

    def _gated(self, requirement: Requirement) -> Outcome | None:
        """With ``--gate``, the verdict on a requirement whose prerequisite failed; None when it must be judged.

        An unmet prerequisite settles it: UNSATISFIED. One that could not be judged settles nothing: ERROR, so that
        it is tried again with its prerequisite.
        """
        failed = self._failed(requirement) if self._options.gate else {}
        if not failed:
            return None
        unmet = [number for number, verdict in failed.items() if verdict == VerdictValue.UNSATISFIED]
        if unmet:
            reason = f"Not judged on its own: {_list(unmet)} not met."
            judgment = self._error(requirement.requirement_id, "").model_copy(
                update={"verdict": VerdictValue.UNSATISFIED, "reason": reason, "confidence": 1.0}
            )
            return Outcome(judgment)
        return Outcome(self._error(requirement.requirement_id, f"{_list(list(failed))} could not be judged"))

    def _record(self, requirement: Requirement, outcome: Outcome, seconds: float) -> None:
        # Without a gate prerequisites may still be open, and what is known of them would depend on the moment.
        failed = self._failed(requirement) if self._options.gate else {}
        models = model_names(self._judge)
        judgment = outcome.judgment.model_copy(
            update={
                "task": self._task.name,
                "requirement_id": requirement.requirement_id,
                "judge": self._judge.name,
                "model": models or outcome.judgment.model,
                "blocked_by": tuple(sorted(failed)),
                "seconds": round(seconds, 3),
            }
        )
        try:
            self._recorder.record(judgment, outcome.evidence, outcome.failure)
        except InputError as error:
            self._stop.fatal = self._stop.fatal or error

    def _error(self, number: int, message: str) -> Judgment:
        return Judgment(
            task=self._task.name,
            requirement_id=number,
            verdict=VerdictValue.ERROR,
            reason="",
            confidence=0.0,
            error=" ".join(message.split()),
        )


def _needed(requirement: Requirement) -> tuple[int, ...]:
    return tuple(number for number in requirement.prerequisites if number != requirement.requirement_id)


def _list(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in sorted(numbers))
    return f"prerequisite {shown}" if len(numbers) == 1 else f"prerequisites {shown}"
