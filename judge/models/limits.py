"""Bounds how many calls are in flight."""

from __future__ import annotations

import asyncio

from judge.models.base import Model, Reply, Request
from judge.models.wrapper import ModelWrapper


class Limiter:
    """Places for calls in flight; shared by models that share a server."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._loop: asyncio.AbstractEventLoop | None = None
        self._semaphore = asyncio.Semaphore(places)

    def place(self) -> asyncio.Semaphore:
        """A context manager that holds one place."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # A semaphore belongs to the loop that first waited on it.
            self._loop, self._semaphore = loop, asyncio.Semaphore(self._places)
        return self._semaphore


class LimitedModel(ModelWrapper):
    """Waits for a free place before each call; the waiting counts against no deadline."""

    def __init__(self, inner: Model, limiter: Limiter) -> None:
        super().__init__(inner)
        self._limiter = limiter

    async def complete(self, request: Request) -> Reply:
        """Answers a request once there is a place.

        Raises:
            ProviderError: The provider did not answer usably.
        """
        async with self._limiter.place():
            return await self._inner.complete(request)
