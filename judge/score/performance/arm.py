"""One side of a pair: a fresh worker whose calls are timed from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.score.execute import Worker
from judge.score.reply import Reply, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.score.execute import Program
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import Limits
    from judge.score.values import Value


class Sample(NamedTuple):
    """One timed batch of calls.

    Attributes:
        cpu_s: CPU seconds of the worker during the batch.
        wall_s: Seconds of the batch.
        idle_cpu_s: CPU seconds that the worker used while it should have waited.
        values: Output of each call; empty when the batch failed.
        problem: Why it failed, one sentence; empty when it did not.
        stopped: Whether it failed because a limit of time was reached.
        fault: Whether the machinery failed, not the program.
        evidence: Signs of cheating that the worker or the sandbox saw.
    """

    cpu_s: float
    wall_s: float
    idle_cpu_s: float = 0.0
    values: tuple[Value, ...] = ()
    problem: str = ""
    stopped: bool = False
    fault: bool = False
    evidence: tuple[str, ...] = ()


class Arm(Protocol):
    """A fresh worker."""

    def time(self, inputs: Sequence[tuple[Value, ...]], cpu_s: float) -> Sample:
        """Times one batch; ``cpu_s`` is the most CPU it may use."""

    def ask(self, args: tuple[Value, ...]) -> Sample:
        """Asks one input as an ordinary question, untimed."""

    def close(self) -> None:
        """Ends the worker."""


class WorkerArm:
    """An arm in a sandboxed worker.

    Args:
        sandbox: Where it runs.
        program: What runs.
        limits: Of the suite.
        hash_seed: Of its interpreter.
    """

    def __init__(self, sandbox: Sandbox, program: Program, limits: Limits, hash_seed: int) -> None:
        """Starts the worker."""
        self._limits = limits
        self._worker = Worker.start(sandbox, program, limits, hash_seed)

    def time(self, inputs: Sequence[tuple[Value, ...]], cpu_s: float) -> Sample:
        """Times one batch; ``cpu_s`` is the most CPU it may use."""
        wall_s = cpu_s * self._limits.wall_s / self._limits.cpu_s
        reply = self._worker.timed(inputs, cpu_s=cpu_s, wall_s=wall_s)
        sample = Sample(reply.cpu_s, reply.wall_s, reply.idle_cpu_s, reply.values, evidence=reply.evidence)
        failed = next((item for item in reply.replies if item.status is not Status.RETURNED), None)
        if reply.status is Status.RETURNED and failed is None:
            return sample
        status, detail = (reply.status, reply.detail) if failed is None else (failed.status, _shown(failed))
        return sample._replace(
            values=(),
            problem=f"{status.value}{': ' + detail if detail else ''}",
            stopped=status is Status.TIMEOUT,
            fault=status is Status.ENGINE,
        )

    def ask(self, args: tuple[Value, ...]) -> Sample:
        """Asks one input as an ordinary question, untimed."""
        reply = self._worker.call(args)
        good = reply.status is Status.RETURNED
        return Sample(
            reply.cpu_s,
            reply.wall_s,
            values=(reply.value,) if good else (),
            problem="" if good else reply.detail or reply.status.value,
            stopped=reply.status is Status.TIMEOUT,
            fault=reply.status is Status.ENGINE,
            evidence=reply.evidence,
        )

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()


def _shown(reply: Reply) -> str:
    name = reply.raised.types[0] if reply.raised is not None and reply.raised.types else ""
    return reply.detail or name
