"""Tries again what may succeed later, within a deadline, at the pace the server asks for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from judge.errors import ProviderError
from judge.models.base import Model, Reply, Request
from judge.models.faults import Fault


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long.

    Attributes:
        retries: Repetitions after the first attempt.
        timeout: Seconds for one attempt, from its start to the last byte of the answer.
        deadline: Seconds for the call with all its attempts and pauses.
        base: Seconds of the first pause; each further one is twice as long.
        longest: Longest pause of our own, seconds.
        longest_asked: Longest pause that a server may ask for, seconds.
    """

    retries: int = 8
    timeout: float = 180.0
    deadline: float = 900.0
    base: float = 0.5
    longest: float = 30.0
    longest_asked: float = 120.0

    def pause(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait after a failed attempt, numbered from 0; with jitter, so that calls spread out."""
        if asked is not None:
            wanted = min(asked, self.longest_asked)
            return wanted + random.uniform(0, min(1.0, 0.1 * wanted + 0.05))
        # The exponent is bounded: a float overflows at 1024.
        return min(self.longest, self.base * 2.0 ** min(attempt, 60)) * random.uniform(0.5, 1.0)


class RetryingModel:
    """Repeats failed calls of the model it wraps."""

    def __init__(
        self, inner: Model, policy: RetryPolicy, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._inner = inner
        self._policy = policy
        self._sleep = sleep

    @property
    def id(self) -> str:
        """``provider:name``."""
        return self._inner.id

    @property
    def sees_images(self) -> bool:
        """Whether images may be sent."""
        return self._inner.sees_images

    @property
    def context_tokens(self) -> int:
        """Size of the context window, tokens."""
        return self._inner.context_tokens

    async def complete(self, request: Request) -> Reply:
        """Answers a request, after as many attempts as the policy allows.

        Raises:
            ProviderError: The last failure; never retryable any more in this call.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self._policy.deadline
        attempt = 0
        while True:
            try:
                return await self._attempt(request, end - loop.time())
            except ProviderError as fault:
                pause = self._policy.pause(attempt, getattr(fault, "retry_after", None))
                # A pause that outlasts the deadline is not begun: the answer would come too late anyway.
                if not fault.retryable or attempt >= self._policy.retries or loop.time() + pause >= end:
                    raise _final(fault, attempt + 1) from fault
            attempt += 1
            await self._sleep(pause)

    async def close(self) -> None:
        """Closes connections."""
        await self._inner.close()

    async def _attempt(self, request: Request, left: float) -> Reply:
        seconds = max(0.0, min(self._policy.timeout, left))
        try:
            async with asyncio.timeout(seconds):
                return await self._inner.complete(request)
        except TimeoutError as error:
            raise Fault(f"no answer within {seconds:.3g} s", where=self.id, retryable=True) from error


def _final(fault: ProviderError, attempts: int) -> ProviderError:
    if attempts == 1:
        return fault
    what = f"{fault.what}, after {attempts} attempts"
    if not isinstance(fault, Fault):
        return ProviderError(what, where=fault.where, hint=fault.hint, retryable=fault.retryable, status=fault.status)
    return type(fault)(
        what,
        where=fault.where,
        hint=fault.hint,
        retryable=fault.retryable,
        status=fault.status,
        retry_after=fault.retry_after,
        detail=fault.detail,
    )
