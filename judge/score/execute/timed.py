"""Timed calls in two phases: inputs over the pipe first, then the clock, then outputs over the pipe."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from judge.score.execute.claims import raised_of, text_of
from judge.score.execute.replies import TimedReply
from judge.score.execute.session import Ended
from judge.score.reply import Reply, Status
from judge.score.sandbox import tree
from judge.score.worker.codec import EncodeError

if TYPE_CHECKING:
    from judge.score.execute.session import Bounds, Session

_REST = 0.001
_READS = 2


class TimedSeries:
    """One series; ``broken`` says afterwards whether the worker must go."""

    def __init__(self, session: Session, inputs: list[tuple[Any, ...]], entry: str | None) -> None:
        """Sends nothing yet."""
        self._session, self._inputs, self._entry = session, inputs, entry
        self.broken = False

    @staticmethod
    def failed(reply: Reply) -> TimedReply:
        """A series that was not run, for the reason in ``reply``."""
        return TimedReply(reply.status, detail=reply.detail, evidence=reply.evidence)

    def run(self, bounds: Bounds) -> TimedReply:
        """Runs it.

        Args:
            bounds: Of the series.
        """
        session = self._session
        try:
            return self._run(bounds)
        except EncodeError as error:
            return TimedReply(Status.ENGINE, detail=f"the inputs cannot be sent: {error}")
        except Ended as end:
            self.broken = True
            return TimedReply(
                end.status,
                cpu_s=session.cpu_s,
                wall_s=session.wall_s,
                detail=end.detail,
                evidence=session.take_evidence(),
            )

    def _run(self, bounds: Bounds) -> TimedReply:
        session = self._session
        others = self._others()
        ready = session.ask({"op": "timed", "inputs": self._inputs, "entry": self._entry}, bounds)
        if ready["status"] != "returned":
            return self._refused(ready)
        rested = self._process()
        time.sleep(_REST)
        before, idle = self._process(), self._others() - others
        resting = before - rested
        wall = time.perf_counter()
        session.ask({"op": "go"}, bounds)
        others = self._others()
        claim = session.ask({"op": "fetch"}, bounds)
        # Fetching counts too, for the reference as well: an answer worked out only when it is read is late.
        wall_s, after = time.perf_counter() - wall, self._process()
        idle += self._settled_others() - others
        session.take_stdout()
        evidence = session.take_evidence()
        replies = _replies(claim, len(self._inputs))
        if replies is None:
            return TimedReply(Status.OUTPUT, detail=text_of(claim.get("detail")) or "no outputs", evidence=evidence)
        if type(claim.get("threads")) is int and claim["threads"] > 0:
            evidence = (*evidence, f"threads: {claim['threads']} left running")
        return TimedReply(
            Status.RETURNED, replies, max(0.0, after - before), wall_s, max(0.0, idle, resting), evidence=evidence
        )

    def _refused(self, claim: dict[str, Any]) -> TimedReply:
        status = {"load": Status.LOAD, "memory": Status.MEMORY}.get(claim["status"], Status.RAISED)
        return TimedReply(status, detail=text_of(claim.get("detail")), evidence=self._session.take_evidence())

    def _process(self) -> float:
        """CPU seconds of the worker and of all that it started."""
        box = self._session.box
        return (tree.cpu_seconds(box.worker_pid) or 0.0) + box.helpers_seconds() if box.worker_pid else 0.0

    def _settled_others(self) -> float:
        """The same when the main thread may still run: the kernel counts a running thread a little late."""
        seen = self._others()
        for _ in range(_READS):
            time.sleep(_REST)
            seen = min(seen, self._others())
        return seen

    def _others(self) -> float:
        """CPU seconds of all but its main thread."""
        pid = self._session.box.worker_pid
        main = tree.main_thread_seconds(pid) if pid else None
        return max(0.0, self._process() - main) if main is not None else 0.0


def _replies(claim: dict[str, Any], count: int) -> tuple[Reply, ...] | None:
    values = claim.get("value")
    if claim["status"] != "returned" or type(values) is not list or len(values) != count:
        return None
    replies = []
    for item in values:
        if type(item) is not tuple or len(item) != 2:
            return None
        good, value = item
        if good is True:
            replies.append(Reply(Status.RETURNED, value))
        elif type(value) is dict:
            status = Status.MEMORY if value.get("status") == "memory" else Status.RAISED
            replies.append(Reply(status, raised=raised_of(value), detail=text_of(value.get("detail"))))
        else:
            return None
    return tuple(replies)
