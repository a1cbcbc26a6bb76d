"""Counts what the calls for one requirement use, whichever module makes them and whichever model answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.errors import ProviderError
from judge.models.wrapper import ModelWrapper
from judge.schemas import Spent, Usage

if TYPE_CHECKING:
    from judge.models.base import Model, Reply, Request


class Meter:
    """What the calls for one requirement used, by purpose and model."""

    def __init__(self) -> None:
        """Starts at nothing."""
        self._parts: dict[tuple[str, str], Usage] = {}

    @property
    def usage(self) -> Usage:
        """All of it together."""
        return sum(self._parts.values(), Usage())

    @property
    def parts(self) -> tuple[Spent, ...]:
        """By purpose and model."""
        return tuple(Spent(purpose=key[0], model=key[1], usage=usage) for key, usage in self._parts.items())

    def add(self, purpose: str, model: str, usage: Usage) -> None:
        """Books a call."""
        self._parts[purpose, model] = self._parts.get((purpose, model), Usage()) + usage

    def take(self, other: Meter) -> None:
        """Moves all that another one counted into this one."""
        parts, other._parts = other._parts, {}
        for (purpose, model), usage in parts.items():
            self.add(purpose, model, usage)


class Metered(ModelWrapper):
    """A model for one requirement."""

    def __init__(self, model: Model, meter: Meter) -> None:
        """Wraps a model.

        Args:
            model: Who is asked.
            meter: Where its calls are booked.
        """
        super().__init__(model)
        self._meter = meter

    async def complete(self, request: Request) -> Reply:
        """Asks, and adds to the usage.

        Raises:
            ProviderError: As the model does.
            BudgetExceeded: As the model does.
        """
        reply = await self._inner.complete(request)
        self._meter.add(request.purpose, self.id, reply.usage)
        return reply

    async def close(self) -> None:
        """Nothing: the model belongs to the run."""


class Unasked(ModelWrapper):
    """A model that is not asked; it tells whether somebody wanted to.

    Attributes:
        wanted: Whether there was a question.
    """

    def __init__(self, model: Model) -> None:
        """Wraps a model.

        Args:
            model: Whose context and eyes are counted with.
        """
        super().__init__(model)
        self.wanted = False

    async def complete(self, request: Request) -> Reply:
        """Does not answer.

        Raises:
            ProviderError: Always.
        """
        self.wanted = True
        raise ProviderError("is not asked yet", where=self.id)

    async def close(self) -> None:
        """Nothing: the model belongs to the run."""
