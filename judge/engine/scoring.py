"""Scores many submissions at once; each finished one is on disk before the next begins, and a stop loses none."""

from __future__ import annotations

import hashlib
import os
import queue
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import orjson
from pydantic import ValidationError

from judge import __version__
from judge.atomic import remove_leftovers, sync_folder
from judge.engine.lock import take_lock
from judge.errors import InputError
from judge.results.score import SubmissionReport
from judge.score import Prepared, ScoreOptions, Scorer, Submission
from judge.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

JOURNAL = "submissions.jsonl"


class ScoreFolder:
    """The folder of a scoring, locked while it is open; finished submissions are lines of a file that only grows.

    Attributes:
        path: The folder.
        notes: What a user should know of opening it, one sentence each.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        """Opens or makes the folder.

        Args:
            path: The folder.
            fresh: Forget what was finished before.

        Raises:
            InputError: It is in use, or cannot be written.
        """
        self.path = path
        self.notes: list[str] = []
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = take_lock(path)
        except OSError as error:
            raise InputError(
                f"cannot be made: {error.strerror or error}", where=str(path), hint="choose another --out"
            ) from error
        try:
            remove_leftovers(path)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if fresh else 0)
            self._file = os.open(path / JOURNAL, flags, 0o644)
        except OSError as error:
            os.close(self._lock)
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(path / JOURNAL)) from error
        self._known = self._load()

    def finished(self, key: str) -> SubmissionReport | None:
        """The report under a key, when it is there; one that ended in an error of ours is made anew."""
        report = self._known.get(key)
        return None if report is None or report.error else report

    def add(self, key: str, report: SubmissionReport) -> None:
        """Writes a finished report to the disk.

        Raises:
            OSError: The disk is full; nothing of the line stays.
        """
        line = orjson.dumps({"key": key, "report": report.model_dump(mode="json")}) + b"\n"
        start = os.lseek(self._file, 0, os.SEEK_END)
        try:
            view = memoryview(line)
            while view:
                view = view[os.write(self._file, view) :]
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, start)
            raise
        self._known[key] = report

    def close(self) -> None:
        """Releases the folder."""
        os.close(self._file)
        os.close(self._lock)

    def __enter__(self) -> ScoreFolder:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Releases the folder."""
        self.close()

    def _load(self) -> dict[str, SubmissionReport]:
        known: dict[str, SubmissionReport] = {}
        bad = 0
        with os.fdopen(os.dup(self._file), "rb") as stream:
            stream.seek(0)
            data = stream.read()
        whole, _, rest = data.rpartition(b"\n")
        for line in whole.splitlines():
            try:
                item = orjson.loads(line)
                known[str(item["key"])] = SubmissionReport.model_validate_json(orjson.dumps(item["report"]))
            except (orjson.JSONDecodeError, ValidationError, KeyError, TypeError):
                bad += 1
        if rest:  # a line that was being written when the process was killed
            os.ftruncate(self._file, len(data) - len(rest))
            sync_folder(self.path)
        if bad:
            self.notes.append(
                f"{self.path / JOURNAL}: {plural(bad, 'damaged line')} passed over; those submissions are scored anew"
            )
        return known


class Progress(NamedTuple):
    """Where a scoring stands.

    Attributes:
        done: Finished submissions, those of before included.
        whole: All of them.
        before: Those that were finished before.
        last: The one that was just finished.
    """

    done: int
    whole: int
    before: int
    last: SubmissionReport | None


@dataclass
class _State:
    work: queue.SimpleQueue[tuple[int, str, Submission]]
    done: queue.SimpleQueue[tuple[int, str, SubmissionReport | BaseException]]
    stop: threading.Event = field(default_factory=threading.Event)


def key_of(prepared: Prepared, options: ScoreOptions, submission: Submission) -> str:
    """What makes two scorings of a submission the same: program, suite, options, seed, sandbox, name and source."""
    parts = (
        __version__,
        prepared.loaded.digest,
        prepared.sandbox.level.value,
        str(prepared.seed),
        options.key(),
        submission.name,
        submission.digest,
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def score_all(
    prepared: Prepared,
    submissions: Sequence[Submission],
    options: ScoreOptions,
    folder: ScoreFolder | None,
    jobs: int,
    progress: Callable[[Progress], None],
) -> tuple[SubmissionReport, ...]:
    """Scores submissions, in the order given.

    Args:
        prepared: The suite.
        submissions: What to score.
        options: How.
        folder: Where finished ones are kept; None keeps nothing.
        jobs: How many are examined at once; speed is always measured one at a time.
        progress: Told of each finished one.

    Raises:
        InputError: The suite's own code failed.
        KeyboardInterrupt: The user stopped it; what was finished is in the folder.
    """
    reports: dict[int, SubmissionReport] = {}
    state = _State(queue.SimpleQueue(), queue.SimpleQueue())
    waiting = 0
    for index, submission in enumerate(submissions):
        key = key_of(prepared, options, submission)
        known = folder.finished(key) if folder is not None else None
        if known is not None:
            reports[index] = known
        else:
            state.work.put((index, key, submission))
            waiting += 1
    before = len(reports)
    progress(Progress(before, len(submissions), before, None))
    for _ in range(min(jobs, waiting)):
        threading.Thread(target=_work, args=(state, prepared, options), daemon=True).start()
    try:
        for _ in range(waiting):
            index, key, result = _next(state)
            if isinstance(result, BaseException):
                raise result
            reports[index] = result
            if folder is not None:
                folder.add(key, result)
            progress(Progress(len(reports), len(submissions), before, result))
    finally:
        state.stop.set()
    return tuple(reports[index] for index in range(len(submissions)))


def _next(state: _State) -> tuple[int, str, SubmissionReport | BaseException]:
    while True:
        try:
            return state.done.get(timeout=0.5)  # short waits, so that Ctrl-C is seen
        except queue.Empty:
            continue


def _work(state: _State, prepared: Prepared, options: ScoreOptions) -> None:
    with Scorer(prepared, options) as scorer:
        while not state.stop.is_set():
            try:
                index, key, submission = state.work.get_nowait()
            except queue.Empty:
                return
            start = time.monotonic()
            try:
                report = scorer.score(submission)
                result: SubmissionReport | BaseException = report.model_copy(
                    update={"seconds": round(time.monotonic() - start, 3)}
                )
            except BaseException as error:  # noqa: BLE001 - handed to the main thread, which raises it
                result = error
            state.done.put((index, key, result))
