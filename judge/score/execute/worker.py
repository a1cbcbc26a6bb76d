"""A worker that answers questions about one submission and starts anew when it was killed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.score.execute.claims import raised_of, to_reply
from judge.score.execute.session import Bounds, Ended, Session
from judge.score.execute.timed import TimedSeries
from judge.score.reply import Reply, Status
from judge.score.sandbox.box import Box
from judge.score.sandbox.settings import Job
from judge.score.worker.codec import EncodeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.score.execute.program import Program
    from judge.score.execute.replies import TimedReply
    from judge.score.sandbox import Sandbox
    from judge.score.suite.model import Limits
    from judge.score.values import Value

_RESTARTS = 20


class Worker:
    """One sandboxed process at a time; close it when done, or use it as a context manager.

    It is not safe to use from several threads at once.
    """

    def __init__(
        self, sandbox: Sandbox, program: Program, limits: Limits, hash_seed: int = 0, restarts: int = _RESTARTS
    ) -> None:
        """Starts nothing yet; see ``start``."""
        self._sandbox, self._program, self._limits, self._seed = sandbox, program, limits, hash_seed
        self._restarts = restarts
        self._session: Session | None = None
        self._load_failure: Reply | None = None
        self._last_end: Reply | None = None
        self._evidence: tuple[str, ...] = ()

    @classmethod
    def start(
        cls, sandbox: Sandbox, program: Program, limits: Limits, hash_seed: int = 0, restarts: int = _RESTARTS
    ) -> Worker:
        """A worker with the submission loaded; one that cannot be loaded answers everything with LOAD.

        Args:
            sandbox: Where it runs.
            program: The submission.
            limits: Of each call, and of loading.
            hash_seed: Of its interpreter; 0 switches hash randomisation off.
            restarts: How often it is started anew after a time-out or a crash.
        """
        worker = cls(sandbox, program, limits, hash_seed, restarts)
        problem = program.problem()
        if problem:
            worker._load_failure = Reply(Status.LOAD, detail=problem)
        else:
            worker._open()
        return worker

    def call(
        self,
        args: Sequence[Value],
        kwargs: Mapping[str, Value] | None = None,
        *,
        entry: str | None = None,
        after: bool = False,
        cpu_s: float | None = None,
        wall_s: float | None = None,
    ) -> Reply:
        """Calls the entry.

        Args:
            args: Positional arguments.
            kwargs: Keyword arguments.
            entry: Another name of the file than the program's.
            after: Whether the arguments after the call are wanted.
            cpu_s: CPU seconds, if not those of the limits.
            wall_s: Seconds, if not those of the limits.
        """
        request = {"op": "call", "args": tuple(args), "kwargs": dict(kwargs or {}), "entry": entry, "after": after}
        return self._ask(request, cpu_s, wall_s)

    def construct_and_call(
        self,
        init: Sequence[Value],
        calls: Sequence[tuple[str, Sequence[Value], Mapping[str, Value]]],
        *,
        entry: str | None = None,
        cpu_s: float | None = None,
        wall_s: float | None = None,
    ) -> Reply:
        """Makes an object and calls its methods in order; the value is the list of what they returned.

        Args:
            init: Arguments of the class.
            calls: Each a method, its positional and its keyword arguments.
            entry: Another class of the file than the program's.
            cpu_s: CPU seconds, if not those of the limits.
            wall_s: Seconds, if not those of the limits.
        """
        plain = [(name, tuple(args), dict(kwargs)) for name, args, kwargs in calls]
        return self._ask({"op": "construct", "init": tuple(init), "calls": plain, "entry": entry}, cpu_s, wall_s)

    def evaluate(self, expressions: Sequence[str], names: Mapping[str, Value]) -> Reply:
        """Truth of each expression over the names; for the suite's own conditions only."""
        return self._ask({"op": "evaluate", "expressions": list(expressions), "names": dict(names)}, None, None)

    def signature(self, entry: str | None = None) -> str | None:
        """The signature of the entry as source text; None when it cannot be told."""
        reply = self._ask({"op": "signature", "entry": entry}, None, None)
        return reply.value if reply.status is Status.RETURNED and isinstance(reply.value, str) else None

    def timed(
        self,
        inputs: Sequence[Sequence[Value]],
        *,
        entry: str | None = None,
        cpu_s: float | None = None,
        wall_s: float | None = None,
    ) -> TimedReply:
        """Calls the entry with each input in one go and takes the time of the whole from outside.

        Args:
            inputs: Positional arguments of each call; every call gets fresh copies.
            entry: Another name of the file than the program's.
            cpu_s: CPU seconds of the whole series, if not those of the limits.
            wall_s: Seconds of the whole series.
        """
        failure = self._not_ready()
        if failure is not None or self._session is None:
            return TimedSeries.failed(failure or Reply(Status.ENGINE))
        series = TimedSeries(self._session, [tuple(args) for args in inputs], entry)
        reply = series.run(Bounds.of(self._limits, cpu_s, wall_s))
        if series.broken:
            self._drop(Reply(reply.status, detail=reply.detail))
        return reply

    @property
    def alive(self) -> bool:
        """Whether its process is there and waits for a question."""
        return self._session is not None and not self._session.pump.ended

    @property
    def pid(self) -> int:
        """Number of its process on this machine; 0 when there is none."""
        return self._session.box.worker_pid if self._session is not None else 0

    def close(self) -> None:
        """Kills everything that belongs to it."""
        if self._session is not None:
            self._session.box.kill()
            self._session = None

    def __enter__(self) -> Worker:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Kills everything that belongs to it."""
        self.close()

    def _open(self) -> None:
        program = self._program
        more = {
            "asynchronous": program.asynchronous,
            "allow": list(program.allow_imports),
            "deny": list(program.deny_imports),
        }
        job = Job("serve", program.files, program.main, program.entry, self._limits, self._seed, more)
        try:
            session = Session(Box(job, self._sandbox.level))
        except OSError as error:
            self._last_end = Reply(Status.ENGINE, detail=f"the worker could not be started: {error}")
            self._restarts = 0
            return
        self._session = session
        try:
            claim = session.first(Bounds.of(self._limits))
        except Ended as end:
            status = Status.ENGINE if end.status is Status.ENGINE else Status.LOAD
            evidence = session.take_evidence()
            self._load_failure = Reply(
                status,
                detail=end.detail.replace("in the middle of a call", "while the file was loaded"),
                wall_s=session.wall_s,
                cpu_s=session.cpu_s,
                evidence=evidence,
            )
            self.close()
            return
        self._evidence = session.take_evidence()
        session.take_stdout()
        if claim["status"] != "returned":
            detail = str(claim.get("detail", ""))[:500]
            self._load_failure = Reply(
                Status.LOAD, raised=raised_of(claim), detail=detail, evidence=self._evidence, wall_s=session.wall_s
            )
            self.close()

    def _not_ready(self) -> Reply | None:
        """Starts the process anew if need be; the reply when there can be none."""
        if self._load_failure is None and self._session is None:
            if self._restarts <= 0:
                last = self._last_end or Reply(Status.ENGINE, detail="no worker")
                return Reply(last.status, detail=f"not asked again: {last.detail}")
            self._restarts -= 1
            self._open()
        return self._load_failure

    def _ask(self, request: dict[str, Any], cpu_s: float | None, wall_s: float | None) -> Reply:
        failure = self._not_ready()
        session = self._session
        if failure is not None or session is None:
            return failure or self._last_end or Reply(Status.ENGINE, detail="no worker")
        try:
            reply = to_reply(session.ask(request, Bounds.of(self._limits, cpu_s, wall_s)), session)
        except EncodeError as error:
            return Reply(Status.ENGINE, detail=f"the question cannot be sent: {error}")
        except Ended as end:
            reply = Reply(
                end.status,
                stdout=session.take_stdout(),
                cpu_s=session.cpu_s,
                wall_s=session.wall_s,
                detail=end.detail,
                evidence=session.take_evidence(),
            )
            self._drop(reply)
        return self._with_evidence(reply)

    def _with_evidence(self, reply: Reply) -> Reply:
        """What was seen while loading belongs to the first reply."""
        if not self._evidence:
            return reply
        from dataclasses import replace

        evidence, self._evidence = self._evidence, ()
        return replace(reply, evidence=tuple(dict.fromkeys((*evidence, *reply.evidence))))

    def _drop(self, reply: Reply) -> None:
        self._last_end = reply
        self.close()
