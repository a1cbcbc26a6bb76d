"""Bounds how many calls are in flight and how fast they follow each other; one limiter a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from types import TracebackType

from judge.models.faults import Fault, TimedOut
from judge.models.ledger import all_tokens
from judge.models.pace import Learnt, Pace, Window
from judge.models.quota import KINDS, read_quota
from judge.models.told import Told
from judge.schemas import Usage

_TOO_MANY = 429
_OVERLOADED = frozenset({_TOO_MANY, 503, 529})
_SAMPLES = 0.2
_SPARE = 1.2


class Limiter:
    """Places for calls in flight; shared by models that share a server.

    The number of places halves when the server is overloaded and grows by one a round otherwise. Starts are spread
    evenly: at the rate that is set, at the one that the server's headers ask for, and, when it turned calls away
    without telling its limits, at the one it let through.

    Args:
        places: Calls in flight at most.
        requests_per_minute: Calls that may start in a minute; None for no limit of our own.
        tokens_per_minute: Tokens that they may use in a minute; None for no limit of our own.
        longest_hold: Seconds that a server may hold back all calls at once.
    """

    def __init__(
        self,
        places: int,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        longest_hold: float = 120.0,
    ) -> None:
        self._window = Window(places)
        self._places = places
        self._longest_hold = longest_hold
        self._set = {
            "requests": Pace(requests_per_minute / 60 if requests_per_minute else None),
            "tokens": Pace(tokens_per_minute / 60 if tokens_per_minute else None),
        }
        self._told = {kind: Told() for kind in KINDS}
        self._learnt = Learnt()
        self._until = 0.0
        # Tokens a character, and tokens a call: from the calls so far.
        self._share = 0.25
        self._mean = 0.0
        # How long an answer takes, likewise.
        self._seconds = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turn = asyncio.Lock()
        self._free = asyncio.Event()
        self._flying: dict[Place, float] = {}

    @property
    def places(self) -> int:
        """How many calls may be in flight now."""
        return self._window.size

    def place(self, characters: int = 0) -> Place:
        """A context manager that holds one place; entering waits for it.

        Args:
            characters: Length of the prompt, from which its tokens are guessed.
        """
        return Place(self, characters)

    def observe(self, headers: Mapping[str, str]) -> None:
        """Takes a server's headers into account, names in lower case."""
        now = time.monotonic()
        for kind in KINDS:
            quota = read_quota(headers, kind)
            if quota is not None:
                unit = 1.0 if kind == "requests" else self._mean
                # The call that this answers is among those in flight.
                flying = max(0, len(self._flying) - 1) * unit
                self._told[kind].hear(quota, now, flying, self._places * unit)
        self._free.set()

    def hold(self, seconds: float) -> None:
        """Lets nothing start for a while."""
        self._until = max(self._until, time.monotonic() + min(seconds, self._longest_hold))

    async def enter(self, place: Place) -> None:
        """Waits for a place, in order of arrival."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # These belong to the loop that first waited on them.
            self._loop, self._turn, self._free = loop, asyncio.Lock(), asyncio.Event()
            self._flying.clear()
        async with self._turn:
            while True:
                self._free.clear()
                now = time.monotonic()
                opens = self._window.opens(now)
                full = len(self._flying) >= self._window.size
                wait = (None if opens is None else opens - now) if full else self._earliest() - now
                if wait is not None and wait <= 0:
                    break
                try:
                    async with asyncio.timeout(wait):
                        await self._free.wait()
                except TimeoutError:
                    continue
            tokens = place.characters * self._share
            place.started, place.tokens = now, tokens
            self._flying[place] = tokens
            for kind, amount in (("requests", 1.0), ("tokens", tokens)):
                self._set[kind].take(now, amount)
                self._told[kind].pace.take(now, amount)
            self._learnt.pace.take(now)

    def leave(self, place: Place, fault: BaseException | None) -> None:
        """Frees a place and draws the lesson from how its call ended."""
        self._flying.pop(place, None)
        self._free.set()
        now = time.monotonic()
        if place.used is not None:
            self._window.grow(fast=self._learnt.searching)
            self._learnt.answered(now, place.started)
            self._seconds += (now - place.started - self._seconds) * (_SAMPLES if self._seconds else 1.0)
            self._count(place, place.used)
        elif isinstance(fault, TimedOut) or (isinstance(fault, Fault) and fault.status in _OVERLOADED):
            # What a learnt pace keeps in flight is needed: fewer places would only make it slower.
            pace = self._learnt.pace.per_second if fault.status == _TOO_MANY else None
            needed = 1.0 if pace is None else _SPARE * pace * self._seconds + 1.0
            news = not self._learnt.searching and self._window.shrink(place.started, now, needed)
            if fault.retry_after is not None:
                self.hold(fault.retry_after)
            if fault.status == _TOO_MANY:
                held = min(fault.retry_after or 0.0, self._longest_hold)
                self._learnt.stopped(now, news, place.started, held)

    def _earliest(self) -> float:
        paces = [*self._set.values(), *(told.pace for told in self._told.values()), self._learnt.pace]
        return max(self._until, *(pace.at() for pace in paces))

    def _count(self, place: Place, used: Usage) -> None:
        tokens = all_tokens(used)
        self._set["tokens"].correct(tokens - place.tokens)
        self._mean += (tokens - self._mean) * (_SAMPLES if self._mean else 1.0)
        if place.characters:
            self._share += (tokens / place.characters - self._share) * _SAMPLES


class Place:
    """One place of a limiter, for one attempt of a call.

    Attributes:
        used: What the attempt used; to be set when it succeeded.
        started: When it got its place.
        tokens: What it was taken for.
        characters: Length of its prompt.
    """

    __slots__ = ("_limiter", "characters", "started", "tokens", "used")

    def __init__(self, limiter: Limiter, characters: int) -> None:
        self._limiter = limiter
        self.characters = characters
        self.started = 0.0
        self.tokens = 0.0
        self.used: Usage | None = None

    async def __aenter__(self) -> Place:
        await self._limiter.enter(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limiter.leave(self, error)
