"""Keeps count of what a run uses, and stops it at its limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from judge.errors import BudgetExceeded
from judge.models.base import Model, Reply, Request
from judge.models.shape import image_count, prompt_text
from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage


class Ledger:
    """What the calls of a run used, by purpose and model, with the run's limits.

    Args:
        max_cost: Limit in US dollars; None for none.
        max_tokens: Limit in tokens of all kinds; None for none.
        spent: What an interrupted run had used before; it counts against the limits.
        seconds: Time for the whole run, counted from now; None for no limit. No call starts later.
        grace: Seconds that calls in flight may take after that: they are paid for whether they are waited for or not.
    """

    def __init__(
        self,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        spent: Usage | None = None,
        seconds: float | None = None,
        grace: float = 5.0,
    ) -> None:
        self.grace = grace
        self._max_cost = max_cost
        self._max_tokens = max_tokens
        self._before = spent or Usage()
        self._entries: dict[tuple[str, str], Usage] = {}
        self._cost = self._before.cost or 0.0
        self._tokens = all_tokens(self._before)
        self._flying = 0
        self._flying_cost = 0.0
        self._flying_tokens = 0
        self._waiting: set[asyncio.Future[None]] = set()
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds left for the run; None when there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def late(self) -> BudgetExceeded:
        """The error for a call that the run has no time for."""
        what = f"the limit of {self._seconds:.6g} s for the run is reached"
        return BudgetExceeded(what, where="--run-deadline", hint="finished work is kept; run again to go on")

    @property
    def total(self) -> Usage:
        """What this process used; an unknown cost among the calls makes the sum unknown."""
        return sum(self._entries.values(), Usage())

    @property
    def entries(self) -> Mapping[tuple[str, str], Usage]:
        """Purpose and model id -> what was used."""
        return MappingProxyType(self._entries)

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self._max_cost is not None or self._max_tokens is not None

    async def room(self, tokens: int, cost: float) -> None:
        """Waits while only what is in flight, which is counted by estimates, leaves no room for a call.

        Calls in flight often need less than was expected; refusing at once would end a run well below its limit.

        Args:
            tokens: What the call is expected to use.
            cost: What it is expected to cost, US dollars.
        """
        while self._flying and self._over(tokens, cost, flying=True) and not self._over(tokens, cost, flying=False):
            ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(ended)
            try:
                await ended
            finally:
                self._waiting.discard(ended)

    def _over(self, tokens: int, cost: float, *, flying: bool) -> bool:
        tokens += self._tokens + (self._flying_tokens if flying else 0)
        cost += self._cost + (self._flying_cost if flying else 0.0)
        many = self._max_tokens is not None and tokens > self._max_tokens
        return many or (self._max_cost is not None and cost > self._max_cost)

    def start(self, tokens: int, cost: float) -> None:
        """Takes a call into account before it starts.

        Args:
            tokens: What it is expected to use.
            cost: What it is expected to cost, US dollars.

        Raises:
            BudgetExceeded: It would pass a limit, with what is spent and what is in flight.
        """
        hint = "finished work is kept; raise the limit and run again to go on"
        if self._max_tokens is not None and self._tokens + self._flying_tokens + tokens > self._max_tokens:
            flying = f" and {self._flying_tokens:,} in flight" if self._flying else ""
            what = f"the limit of {self._max_tokens:,} tokens is reached: {self._tokens:,} used{flying}"
            raise BudgetExceeded(f"{what}, the next call needs about {tokens:,}", where="--max-tokens", hint=hint)
        if self._max_cost is not None and self._cost + self._flying_cost + cost > self._max_cost:
            flying = f" and ${self._flying_cost:.4g} in flight" if self._flying else ""
            what = f"the limit of ${self._max_cost:.4g} is reached: ${self._cost:.4g} spent{flying}"
            raise BudgetExceeded(f"{what}, the next call costs about ${cost:.4g}", where="--max-cost", hint=hint)
        self._flying += 1
        self._flying_tokens += tokens
        self._flying_cost += cost

    def end(self, tokens: int, cost: float) -> None:
        """Takes a started call out of what is in flight, however it ended; the arguments are those of ``start``."""
        self._flying -= 1
        self._flying_tokens -= tokens
        self._flying_cost -= cost
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    def add(self, purpose: str, model: str, usage: Usage, cost: float) -> None:
        """Books a finished call.

        Args:
            purpose: What it was for.
            model: The model's id.
            usage: What it used.
            cost: What it counts for against ``max_cost``: its cost, or an estimate where that is unknown.
        """
        key = (purpose, model)
        self._entries[key] = self._entries.get(key, Usage()) + usage
        self._tokens += all_tokens(usage)
        self._cost += cost


class LedgerModel(ModelWrapper):
    """Books every call of the model it wraps, and refuses calls past the limit before they start.

    Args:
        inner: The model.
        ledger: Where calls are booked; shared by the models of a run.
        price: US dollars for a usage; None when unknown.
        patient: Whether a call for which only others in flight leave no room waits for them. Not with batches, which
            are sent when all calls of a round are there.
    """

    def __init__(
        self, inner: Model, ledger: Ledger, price: Callable[[Usage], float | None], *, patient: bool = True
    ) -> None:
        super().__init__(inner)
        self._patient = patient
        self._ledger = ledger
        self._price = price
        self._output = 0
        self._spent = 0.0
        self._calls = 0

    @property
    def ledger(self) -> Ledger:
        """Where calls are booked."""
        return self._ledger

    def cost_of(self, usage: Usage) -> float | None:
        """US dollars for a usage; None when the price is unknown."""
        return self._price(usage)

    async def complete(self, request: Request) -> Reply:
        """Answers a request within the budget.

        Raises:
            BudgetExceeded: The call would pass the run's limit and was not started, or the run's time is over.
            ProviderError: The provider did not answer usably.
        """
        expected = self._expected(request) if self._ledger.limited else Usage()
        mean = self._spent / self._calls if self._calls else 0.0
        tokens, cost = all_tokens(expected), self._price(expected) or mean
        if self._patient:
            await self._ledger.room(tokens, cost)
        self._ledger.start(tokens, cost)
        try:
            reply = await self._in_time(request)
            used = reply.usage.cost
            if used is None:
                used = self._price(reply.usage) or 0.0
            self._ledger.add(request.purpose, self.id, reply.usage, used)
        finally:
            self._ledger.end(tokens, cost)
        self._output += reply.usage.output_tokens
        self._spent += used
        self._calls += 1
        return reply

    async def _in_time(self, request: Request) -> Reply:
        left = self._ledger.left()
        if left is None:
            return await self._inner.complete(request)
        if left <= 0:
            raise self._ledger.late()
        try:
            async with asyncio.timeout(left + self._ledger.grace) as limit:
                return await self._inner.complete(request)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._ledger.late() from error

    def _expected(self, request: Request) -> Usage:
        from judge.tokens import count

        prompt = count(prompt_text(request), self.id) + 1_000 * image_count(request)
        # Answers are far shorter than their bound; the mean so far tells by how much.
        output = self._output // self._calls if self._calls else min(request.max_output_tokens, 400)
        return Usage(calls=1, input_tokens=prompt, output_tokens=output)


def all_tokens(usage: Usage) -> int:
    """Tokens of all kinds together."""
    return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens
