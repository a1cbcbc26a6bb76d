"""Counts what the calls for one requirement use, whichever module makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models.base import Model, Reply, Request


class Metered(ModelWrapper):
    """A model for one requirement.

    Attributes:
        usage: What its calls used so far.
    """

    def __init__(self, model: Model) -> None:
        """Wraps a model.

        Args:
            model: Who is asked.
        """
        super().__init__(model)
        self.usage = Usage()

    async def complete(self, request: Request) -> Reply:
        """Asks, and adds to the usage.

        Raises:
            ProviderError: As the model does.
            BudgetExceeded: As the model does.
        """
        reply = await self._inner.complete(request)
        self.usage = self.usage + reply.usage
        return reply

    async def close(self) -> None:
        """Nothing: the model belongs to the run."""
