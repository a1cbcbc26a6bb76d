"""The one protocol that batch APIs are spoken to in, and the values that go through it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from judge.models.base import Reply, Request
from judge.models.client import Payload
from judge.models.faults import Fault


class BatchState(StrEnum):
    """How far a batch is."""

    RUNNING = "running"
    ENDED = "ended"
    """There are results, if not for every request."""
    FAILED = "failed"
    """Refused as a whole; nothing of it was answered."""
    CANCELLED = "cancelled"
    """Stopped by somebody; what was done before has results."""
    GONE = "gone"
    """The provider does not know it, or no longer."""


class Item(NamedTuple):
    """One request of a batch; ``key`` comes back with its result."""

    key: str
    request: Request
    payload: Payload


class Progress(NamedTuple):
    """How far a batch is: its state, requests done and in all, and why it failed."""

    state: BatchState
    done: int = 0
    total: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one request.

    Attributes:
        key: The key it was sent with.
        body: The answer as the provider's API gives it; None when there is none.
        fault: Why there is none.
        cancelled: Whether it was stopped before it was asked.
    """

    key: str
    body: Mapping[str, Any] | None = None
    fault: Fault | None = None
    cancelled: bool = False


class BatchClient(Protocol):
    """A provider's batch API, for one model. Every method may raise a Fault, which says whether to try again."""

    @property
    def id(self) -> str:
        """``provider:name`` of the model."""
        ...

    @property
    def server(self) -> str:
        """Where it answers."""
        ...

    def prepare(self, request: Request) -> Payload:
        """The request as it would be sent now."""
        ...

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Sends a batch; the tag finds it again. Gives its id."""
        ...

    async def find(self, tag: str, number: int, since: float) -> str:
        """The id of the batch with that tag, number of requests and moment of sending; empty when there is none."""
        ...

    async def poll(self, batch_id: str) -> Progress:
        """How far a batch is."""
        ...

    def results(self, batch_id: str) -> AsyncIterator[Result]:
        """What became of its requests, in any order; some may be missing."""
        ...

    def take(self, request: Request, payload: Payload, body: Mapping[str, Any]) -> Reply:
        """The reply that a body is, at the price of batches."""
        ...

    def learn(self, fault: Fault, payload: Payload) -> bool:
        """Draws the lesson from a refusal; whether the request, prepared anew, will differ."""
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...
