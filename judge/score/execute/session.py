"""Talks to one started worker: frames in and out, its output and evidence, its limits watched from outside."""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from judge.score.reply import Status
from judge.score.sandbox import tree
from judge.score.sandbox.pump import LINE, TICK, Pump
from judge.score.worker.codec import DecodeError, decode, encode
from judge.score.worker.limits import MAX_BYTES, MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.score.sandbox.box import Box
    from judge.score.suite.model import Limits


T = TypeVar("T")
_START = 60.0
_SETTLE = 0.3
_MOVES = 10_000


class Ended(Exception):
    """The worker is of no more use.

    Attributes:
        status: Why.
        detail: One line for people.
    """

    def __init__(self, status: Status, detail: str) -> None:
        """Says why."""
        super().__init__(detail)
        self.status, self.detail = status, detail


@dataclass
class Bounds:
    """Of one exchange.

    Attributes:
        cpu_s: CPU seconds.
        wall_s: Seconds.
        output: Bytes on standard output.
        memory: Bytes that the worker and all its children may hold.
        files: Bytes that may be in the scratch folder beside the submission; 0 where nothing may be written.
    """

    cpu_s: float
    wall_s: float
    output: int
    memory: int
    files: int

    @classmethod
    def of(cls, limits: Limits, cpu_s: float | None = None, wall_s: float | None = None) -> Bounds:
        """The bounds of a suite.

        Args:
            limits: Of the suite.
            cpu_s: CPU seconds instead of those.
            wall_s: Seconds instead of those.
        """
        cpu, wall = limits.cpu_s if cpu_s is None else cpu_s, limits.wall_s if wall_s is None else wall_s
        return cls(cpu, wall, limits.output_kb << 10, limits.memory_mb << 20, limits.file_kb << 10)


class Session:
    """The exchange with one worker process.

    Attributes:
        box: The process.
        pump: Its pipes.
        cpu_s: CPU seconds of the last exchange.
        wall_s: Its seconds.
    """

    def __init__(self, box: Box) -> None:
        """Sends nothing yet."""
        self.box, self.pump = box, Pump(box)
        self.cpu_s = self.wall_s = 0.0

    def first(self, bounds: Bounds) -> dict[str, Any]:
        """What the worker says after loading the submission.

        Raises:
            Ended: It did not.
        """
        self._start()
        return self._exchange(b"", bounds)

    def _start(self) -> None:
        """Waits for the process; the time that an interpreter needs to start is not the submission's."""
        unlimited = Bounds(math.inf, _START, 1 << 62, 1 << 62, 0)
        try:
            self._wait(lambda: (self.pump.started and self.pump.numbered) or None, unlimited)
        except Ended as end:
            detail = f"it did not start within {_START:g} s" if end.status is Status.TIMEOUT else end.detail
            raise Ended(Status.ENGINE, detail) from end

    def ask(self, request: dict[str, Any], bounds: Bounds) -> dict[str, Any]:
        """The worker's claim in reply to a request.

        Raises:
            Ended: There is none.
            EncodeError: The request is too big to be sent.
        """
        nonce = secrets.token_bytes(16)
        raw = encode({**request, "nonce": nonce}, max_depth=MAX_DEPTH + 16)
        self.pump.move(0.0)
        if self.pump.incoming:
            raise self._forged("the worker spoke without being asked")
        self.pump.outgoing += len(raw).to_bytes(8, "big") + raw
        return self._exchange(nonce, bounds)

    def take_stdout(self) -> str:
        """What was printed since the last time."""
        self.pump.move(0.0)
        text = self.pump.stdout.decode("utf-8", "replace")
        self.pump.stdout.clear()
        return text

    def take_evidence(self) -> tuple[str, ...]:
        """Evidence since the last time."""
        self.pump.move(0.0)
        found = tuple(dict.fromkeys(self.pump.evidence))
        self.pump.evidence.clear()
        return found

    def cpu_now(self) -> float | None:
        """CPU seconds of the worker process so far."""
        return tree.cpu_seconds(self.box.worker_pid) if self.box.worker_pid else None

    def run_to_end(self, stdin: bytes, bounds: Bounds) -> str:
        """Feeds a program and waits for its end.

        Args:
            stdin: All of its input.
            bounds: Of the run.

        Returns:
            How it ended: ``exit N SECONDS`` or ``signal N SECONDS``, of CPU time.

        Raises:
            Ended: It was stopped.
        """
        pump = self.pump
        pump.talks = False
        self._start()
        pump.stdin += stdin

        def ended() -> str | None:
            if not pump.stdin:
                self.box.close_end("in")
            if not pump.ended.startswith(("exit ", "signal ")):
                return None
            # What it wrote before its end is in the pipe already.
            for _ in range(_MOVES):
                self._check_printed(bounds)
                if not pump.move(0.0):
                    break
            return pump.ended

        return self._wait(ended, bounds)

    def _exchange(self, nonce: bytes, bounds: Bounds) -> dict[str, Any]:
        return self._claim(self._wait(self._frame, bounds), nonce)

    def _wait(self, done: Callable[[], T | None], bounds: Bounds) -> T:
        """Moves bytes until something is there, within the bounds."""
        pump = self.pump
        started, before, pump.printed = time.monotonic(), self.cpu_now() or 0.0, 0
        used = before
        next_look = started + TICK
        try:
            while True:
                found = done()
                now = time.monotonic()
                used = self.cpu_now() or used
                if found is not None:
                    self._check_written(bounds)
                    return found
                self._check_printed(bounds)
                if now >= next_look:
                    next_look = now + TICK
                    self._check_use(bounds, used - before)
                    self._check_written(bounds)
                if now - started > bounds.wall_s:
                    raise Ended(Status.TIMEOUT, f"no answer within {bounds.wall_s:g} s")
                if pump.ended and not pump.move(0.0):
                    raise self._crash()
                pump.move(min(TICK, started + bounds.wall_s - now + 0.001))
        finally:
            self.cpu_s, self.wall_s = max(0.0, used - before), time.monotonic() - started

    def _check_written(self, bounds: Bounds) -> None:
        """Where the scratch folder is no file system of its own, nothing else counts its files together."""
        if bounds.files and self.box.written() > bounds.files:
            raise Ended(Status.OUTPUT, f"more than {bounds.files // 1024:,} KiB in files")

    def _check_printed(self, bounds: Bounds) -> None:
        if self.pump.printed > bounds.output:
            raise Ended(Status.OUTPUT, f"more than {bounds.output // 1024:,} KiB on standard output")

    def _check_use(self, bounds: Bounds, used: float) -> None:
        pid = self.box.worker_pid
        if not pid:
            return
        if used + self.box.helpers_seconds() > bounds.cpu_s:
            raise Ended(Status.TIMEOUT, f"more than {bounds.cpu_s:g} s of CPU time")
        helpers = self.box.helpers()
        if helpers and tree.resident_bytes([pid, *helpers]) > bounds.memory:
            raise Ended(Status.MEMORY, f"its processes hold more than {bounds.memory >> 20:,} MiB together")

    def _crash(self) -> Ended:
        if self.pump.ended.startswith("error"):
            return Ended(Status.ENGINE, f"the sandbox could not be set up: {self.pump.ended[6:]}")
        last = bytes(self.pump.stderr).decode("utf-8", "replace").strip().rpartition("\n")[2][:LINE]
        deadline = time.monotonic() + _SETTLE
        while self.pump.ended == "pipe closed" and "stat" in self.box.ends and time.monotonic() < deadline:
            self.pump.move(TICK)
        if not self.pump.started:
            return Ended(Status.ENGINE, f"the worker did not start: {last or self.pump.ended or 'no reason known'}")
        return Ended(
            Status.CRASHED,
            f"the process ended in the middle of a call ({' '.join(self.pump.ended.split()[:2]) or 'pipe closed'})",
        )

    def _forged(self, what: str) -> Ended:
        self.pump.evidence.append(f"forged: {what}")
        return Ended(Status.OUTPUT, what)

    def _frame(self) -> bytes | None:
        """The next whole frame, if it is there."""
        data = self.pump.incoming
        if len(data) < 8:
            return None
        size = int.from_bytes(data[:8], "big")
        if size > MAX_BYTES:
            raise self._forged(f"a reply of {size:,} bytes was announced")
        if len(data) < 8 + size:
            return None
        frame = bytes(data[8 : 8 + size])
        del data[: 8 + size]
        return frame

    def _claim(self, frame: bytes, nonce: bytes) -> dict[str, Any]:
        try:
            claim = decode(frame, max_depth=MAX_DEPTH + 16)
        except DecodeError as error:
            raise self._forged(f"the reply cannot be read: {error}") from error
        if type(claim) is not dict or type(claim.get("status")) is not str or claim.get("nonce") != nonce:
            raise self._forged("a reply that is none to the question")
        self.pump.move(0.0)
        if self.pump.incoming:
            raise self._forged("more than one reply to a question")
        return claim
