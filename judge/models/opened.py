"""A model as the rest of the program uses it: everything around the provider in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from judge.models.ledger import Ledger
from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models.base import Model, Reply, Request
    from judge.models.batch import Batch


class OpenModel(ModelWrapper):
    """An open model with cache, budget, retries and limits around it.

    Attributes:
        batched: The batch that its calls are collected for; None when they are sent at once.
        load: Imports what calls need, from any thread; None when there is nothing to import.
    """

    def __init__(
        self,
        inner: Model,
        ledger: Ledger,
        price: Callable[[Usage], float | None],
        batched: Batch | None = None,
        load: Callable[[], None] | None = None,
    ) -> None:
        """Puts the parts together.

        Args:
            inner: The model with all its decorators.
            ledger: Where its calls are booked.
            price: US dollars for a usage; None when unknown.
            batched: The batch that its calls are collected for.
            load: Imports what calls need.
        """
        super().__init__(inner)
        self._ledger = ledger
        self._price = price
        self.batched = batched
        self.load = load

    @property
    def ledger(self) -> Ledger:
        """Where calls are booked."""
        return self._ledger

    def cost_of(self, usage: Usage) -> float | None:
        """US dollars for a usage, at the price of batches where calls are batched; None when the price is unknown."""
        return self._price(usage)

    async def complete(self, request: Request) -> Reply:
        """Answers a request.

        Raises:
            ProviderError: The provider did not answer usably, after the policy's retries.
            BudgetExceeded: The call would pass the run's limit on cost, tokens or time.
        """
        return await self._inner.complete(request)

    async def close(self) -> None:
        """Closes connections and files; a batch that is under way goes on at the provider."""
        if self.batched is not None:
            await self.batched.close()
        await self._inner.close()
