"""Tries again what may succeed later, within a deadline, at the pace the server asks for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from judge.errors import ProviderError
from judge.models.base import Model, Reply, Request
from judge.models.faults import Fault, TimedOut, Unreachable
from judge.models.limits import Limiter
from judge.models.shape import image_count, prompt_text
from judge.models.wrapper import ModelWrapper

# A server that is not there does not come back within seconds, and every requirement would wait for it in vain.
_RETRIES_UNREACHABLE = 1
# Seconds between two notes to the user that calls are waiting.
_NOTE_EVERY = 10.0
_UNBOUNDED = 1_000_000
# Characters that an image weighs, as its tokens would.
_IMAGE = 4_000


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
        """Seconds to wait after a failed attempt, numbered from 0; full jitter spreads calls out."""
        if asked is not None:
            wanted = min(asked, self.longest_asked)
            return wanted + random.uniform(0, min(1.0, 0.1 * wanted + 0.05))
        # The exponent is bounded: a float overflows at 1024.
        return random.uniform(0, min(self.longest, self.base * 2.0 ** min(attempt, 60)))


class RetryingModel(ModelWrapper):
    """Repeats failed calls of the model it wraps."""

    def __init__(
        self,
        inner: Model,
        policy: RetryPolicy,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        note: Callable[[str], None] | None = None,
        limiter: Limiter | None = None,
        ready: Callable[[], None] | None = None,
    ) -> None:
        """Wraps a model.

        Args:
            inner: The model.
            policy: How often and how long.
            sleep: Waits some seconds.
            note: Is told, now and then, why calls are waiting.
            limiter: Gives each attempt its place; the waiting for the first one counts against no deadline.
            ready: Loads what the model needs, so that the first calls do not lose their time to that.
        """
        super().__init__(inner)
        self._policy = policy
        self._sleep = sleep
        self._note = note
        self._limiter = limiter or Limiter(_UNBOUNDED, longest_hold=0.0)
        self._ready = ready
        self._waiting = 0
        self._noted: float | None = None

    async def complete(self, request: Request) -> Reply:
        """Answers a request, after as many attempts as the policy allows.

        Raises:
            ProviderError: The last failure; never retryable any more in this call.
        """
        loop = asyncio.get_running_loop()
        end: float | None = None
        size = len(prompt_text(request)) + _IMAGE * image_count(request)
        attempt = refused = 0
        if self._ready is not None:
            self._ready()
        while True:
            try:
                async with self._limiter.place(size) as place:
                    end = loop.time() + self._policy.deadline if end is None else end
                    reply = await self._attempt(request, end - loop.time())
                    place.used = reply.usage
                    return reply
            except ProviderError as fault:
                asked = getattr(fault, "retry_after", None)
                pause = self._policy.pause(attempt, asked)
                refused = refused + 1 if isinstance(fault, Unreachable) else 0
                enough = attempt >= self._policy.retries or refused > _RETRIES_UNREACHABLE
                # A pause that outlasts the deadline is not begun: the answer would come too late anyway.
                if not fault.retryable or enough or end is None or loop.time() + pause >= end:
                    raise _final(fault, attempt + 1) from fault
                why = f"{fault.where}: {fault.what}" if fault.where else fault.what
                why += f"; the server asks to wait {asked:.3g} s" if asked else ""
            attempt += 1
            self._waiting += 1
            try:
                self._tell(why, loop.time())
                await self._sleep(pause)
            finally:
                self._waiting -= 1

    def _tell(self, why: str, now: float) -> None:
        if self._note is None or (self._noted is not None and now - self._noted < _NOTE_EVERY):
            return
        self._noted = now
        waiting = "1 call waits" if self._waiting == 1 else f"{self._waiting} calls wait"
        self._note(f"{' '.join(why.split())}; trying again ({waiting})")

    async def _attempt(self, request: Request, left: float) -> Reply:
        seconds = max(0.0, min(self._policy.timeout, left))
        try:
            async with asyncio.timeout(seconds):
                return await self._inner.complete(request)
        except TimeoutError as error:
            raise TimedOut(f"no answer within {seconds:.3g} s", where=self.id, retryable=True) from error


def _final(fault: ProviderError, attempts: int) -> ProviderError:
    if attempts == 1 or isinstance(fault, Unreachable):
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
