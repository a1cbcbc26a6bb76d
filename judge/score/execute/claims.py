"""A worker's claim made into a reply; a claim may hold anything, so every field is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.score.reply import Raised, Reply, Status

if TYPE_CHECKING:
    from judge.score.execute.session import Session

_KNOWN = {
    "returned": Status.RETURNED,
    "raised": Status.RAISED,
    "memory": Status.MEMORY,
    "output": Status.OUTPUT,
    "load": Status.LOAD,
}
_TEXT = 500
_TYPES = 20


def to_reply(claim: dict[str, Any], session: Session) -> Reply:
    """The reply that a claim amounts to.

    Args:
        claim: Decoded.
        session: Where it came from, for output, evidence and times.
    """
    status = _KNOWN.get(claim["status"], Status.OUTPUT)
    evidence = session.take_evidence()
    threads = claim.get("threads", 0)
    if type(threads) is int and threads > 0:
        evidence = (*evidence, f"threads: {threads} left running")
    return Reply(
        status=status,
        value=claim.get("value") if status in (Status.RETURNED, Status.RAISED) else None,
        raised=raised_of(claim) if status in (Status.RAISED, Status.MEMORY) else None,
        args_after=_after_of(claim) if status is Status.RETURNED else None,
        stdout=session.take_stdout(),
        cpu_s=session.cpu_s,
        wall_s=session.wall_s,
        detail=text_of(claim.get("detail")),
        evidence=evidence,
    )


def raised_of(claim: dict[str, Any]) -> Raised | None:
    """The exception in a claim, if there is one."""
    types = claim.get("types")
    if type(types) is not list or not types:
        return None
    return Raised(tuple(text_of(name) for name in types[:_TYPES]), text_of(claim.get("message")))


def text_of(value: Any) -> str:
    """A text of a claim, cut."""
    return value[:_TEXT] if type(value) is str else ""


def _after_of(claim: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    after = claim.get("after")
    good = type(after) is tuple and len(after) == 2 and type(after[0]) is tuple and type(after[1]) is dict
    return (after[0], after[1]) if good and after else None
