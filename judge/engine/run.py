"""A whole run: tasks side by side, verdicts on disk one by one, interruptible at any moment."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from judge.engine.cases import Library
from judge.engine.costs import Costs
from judge.engine.folder import RunFolder
from judge.engine.journal import Verdicts
from judge.engine.judges import Judge
from judge.engine.judgments import write_judgments
from judge.engine.options import RunOptions
from judge.engine.plan import Prepared
from judge.engine.progress import Progress, Silent
from judge.engine.recorder import Recorder
from judge.engine.stop import Stop, interruptible, timed
from judge.engine.task_run import TaskRun
from judge.engine.totals import Totals, totals
from judge.errors import ExitCode, InputError
from judge.schemas import RunHeader, Task, Usage


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What is known of one task after a run.

    Attributes:
        task: The task.
        verdicts: Judgments by requirement id, read from the run folder when asked for; what was not reached is missing.
        error: Why nothing of it could be judged, or empty.
    """

    task: Task
    verdicts: Verdicts
    error: str = ""

    @property
    def totals(self) -> Totals:
        """Counts of this task."""
        return totals([(self.task, self.verdicts.values_only)])


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run ended with.

    Attributes:
        header: The run's header.
        tasks: One result a task, in the order given.
        usage: What this process used; verdicts from before are not in it.
        usage_total: What all lines in the run folder used.
        costs: The same by purpose, model and task.
        stop: Why it stopped early, if it did.
        provider_failures: Requirements that the provider failed.
    """

    header: RunHeader
    tasks: Sequence[TaskResult]
    usage: Usage
    usage_total: Usage
    stop: Stop
    provider_failures: int = 0
    costs: Costs = field(default_factory=lambda: Costs({}, {}))

    @property
    def totals(self) -> Totals:
        """Counts over all tasks."""
        return totals((item.task, item.verdicts.values_only) for item in self.tasks)

    def exit_code(self, fail_under: float | None = None) -> ExitCode:
        """The exit code: the first that applies of interrupted, budget, time, provider, incomplete, gate.

        Args:
            fail_under: Least share of requirements met, 0-1; None for no gate.
        """
        counts = self.totals
        if self.stop.interrupted:
            return ExitCode.INTERRUPTED
        if self.stop.budget is not None:
            return ExitCode.BUDGET
        if self.stop.deadline and counts.pending:
            return ExitCode.INCOMPLETE
        if self.provider_failures:
            return ExitCode.PROVIDER
        if counts.errors or counts.pending:
            return ExitCode.INCOMPLETE
        rate = counts.independent.rate
        if fail_under is not None and (rate is None or rate < fail_under):
            return ExitCode.GATE_FAILED
        return ExitCode.OK


def run(
    prepared: Sequence[Prepared],
    judge: Judge,
    options: RunOptions,
    folder: RunFolder,
    progress: Progress | None = None,
    library: Library | None = None,
) -> RunResult:
    """Judges what is missing in a run folder.

    Args:
        prepared: The tasks, as ``prepare`` looked at them.
        judge: Who gives verdicts; its model is closed at the end.
        options: How.
        folder: The open run folder.
        progress: Who is told what happens.
        library: Where graphs and documents are kept for other runs.

    Returns:
        All verdicts in the folder for these tasks.

    Raises:
        InputError: The run folder cannot be written; verdicts that were written are kept.
    """
    watcher: Progress = progress or Silent()
    recorder = Recorder(folder, watcher)
    stop = Stop()
    asyncio.run(_Run(prepared, judge, options, folder, watcher, recorder, stop, library).main())
    if stop.fatal is None:
        for item in prepared:
            _write(folder, item.task, recorder)
    if stop.fatal is not None:
        raise stop.fatal
    results = [TaskResult(item.task, recorder.verdicts(item.task.name), item.error) for item in prepared]
    return RunResult(
        folder.header,
        results,
        recorder.usage,
        folder.spent(),
        stop,
        recorder.provider_failures,
        folder.journal.book.costs,
    )


class _Run:
    """The asynchronous part of a run."""

    def __init__(
        self,
        prepared: Sequence[Prepared],
        judge: Judge,
        options: RunOptions,
        folder: RunFolder,
        progress: Progress,
        recorder: Recorder,
        stop: Stop,
        library: Library | None,
    ) -> None:
        self._library = library
        self._prepared = prepared
        self._judge = judge
        self._options = options
        self._folder = folder
        self._progress = progress
        self._recorder = recorder
        self._stop = stop

    async def main(self) -> None:
        workers = min(self._options.concurrency, (os.cpu_count() or 1) + 2)
        asyncio.get_running_loop().set_default_executor(_Workers(max_workers=workers, thread_name_prefix="judge"))
        tasks = [item.task for item in self._prepared]
        names = [(task.name, item.requirement_id) for task in tasks for item in task.requirements]
        kept = Counter(value for name, number in names if (value := self._recorder.kept(name, number)) is not None)
        self._progress.started(len(self._prepared), len(names), kept)
        if sum(kept.values()) < len(names):
            self._preload()
        work = asyncio.ensure_future(self._all())
        try:
            grace, say = self._options.grace, self._progress.note
            with (
                interruptible(self._stop, lambda: _cancel(work), grace, say),
                timed(self._stop, self._options.max_seconds, lambda: _cancel(work), grace, say),
            ):
                await asyncio.wait([work])
            if not work.cancelled():
                work.result()
        finally:
            for model in self._judge.models:
                await model.close()

    def _preload(self) -> None:
        """Imports what calls need while the first evidence is gathered, much of which waits for other processes."""
        for load in {getattr(model, "load", None) for model in self._judge.models} - {None}:
            # Nobody waits for such a thread: whoever needs the import waits for that, and an exit for nothing.
            threading.Thread(target=_quietly, args=(load,), daemon=True, name="judge-load").start()

    async def _all(self) -> None:
        slots = asyncio.Semaphore(self._options.at_once)
        open_tasks = asyncio.Semaphore(self._options.at_once)
        async with asyncio.TaskGroup() as group:
            for item in self._prepared:
                group.create_task(self._one(item, slots, open_tasks))

    async def _one(self, item: Prepared, slots: asyncio.Semaphore, open_tasks: asyncio.Semaphore) -> None:
        async with open_tasks:
            if self._stop:
                return
            self._progress.task_started(item.task.name)
            await TaskRun(item, self._judge, self._options, self._recorder, slots, self._stop, self._library).run()
            item.workspace = None  # its listing may be large
            try:
                _write(self._folder, item.task, self._recorder)
            except InputError as error:
                self._stop.fatal = self._stop.fatal or error
            known = self._recorder.verdicts(item.task.name)
            if all(one.requirement_id in known for one in item.task.requirements):
                self._progress.task_finished(item.task.name)


def _quietly(load: Callable[[], None]) -> None:
    with suppress(Exception):  # the first call comes to the same error, and tells it
        load()


def _cancel(work: asyncio.Future[None]) -> None:
    work.cancel()


class _Workers(ThreadPoolExecutor):
    """Threads that nobody waits for at the end: after an interrupt they would hold up the exit."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


def _write(folder: RunFolder, task: Task, recorder: Recorder) -> None:
    try:
        write_judgments(folder.path, task, recorder.verdicts(task.name))
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputError(what, where=str(folder.path), hint="what is there is kept; run again") from error
