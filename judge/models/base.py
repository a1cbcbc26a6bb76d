"""The one protocol that every model speaks, and the values that go through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from judge.schemas import Image, Usage


class Role(StrEnum):
    """Who speaks in a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``cache`` marks the end of a prefix that is shared by later requests."""

    role: Role
    text: str
    images: tuple[Image, ...] = ()
    cache: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One call.

    Attributes:
        messages: System first, then user and assistant in turn. Neighbours of one role are joined by the provider
            client.
        schema: JSON Schema of the answer, or None for free text.
        schema_name: Name of the schema, ``[a-z_]+``.
        max_output_tokens: Upper bound on the answer.
        temperature: Sampling temperature; None leaves it to the server.
        vote: Number of the vote, so that repeated calls are told apart.
        purpose: What the call is for (``judge``, ``locate``, ``repair``, ``ask``), for the ledger.
    """

    messages: tuple[Message, ...]
    schema: dict[str, Any] | None = None
    schema_name: str = "answer"
    max_output_tokens: int = 2048
    temperature: float | None = 0.0
    vote: int = 0
    purpose: str = "judge"


class Finish(StrEnum):
    """Why an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    FILTER = "filter"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; ``structured`` says that the server enforced the request's schema."""

    text: str
    finish: Finish = Finish.STOP
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    structured: bool = False


class Model(Protocol):
    """A language model, or a decorator around one."""

    @property
    def id(self) -> str:
        """``provider:name``, as in the run header."""
        ...

    @property
    def sees_images(self) -> bool:
        """Whether images may be sent."""
        ...

    @property
    def context_tokens(self) -> int:
        """Size of the context window, tokens."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Answers a request.

        Raises:
            ProviderError: The provider did not answer usably, after the policy's retries.
            BudgetExceeded: The call would pass the run's limit.
        """
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...
