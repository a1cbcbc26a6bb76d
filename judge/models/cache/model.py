"""A model whose replies are kept: asked the same again, it answers from disk and costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from judge.errors import JudgeError
from judge.models.base import Model, Reply, Request
from judge.models.cache.key import Canonical, canonical
from judge.models.cache.reply import decode, encode, usable
from judge.models.cache.store import ReplyStore, StoreError
from judge.models.ledger import all_tokens
from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage

_T = TypeVar("_T")


class CachedModel(ModelWrapper):
    """Looks for a kept reply before it asks, and keeps usable ones. Identical calls in flight are made once."""

    def __init__(
        self,
        inner: Model,
        store: ReplyStore,
        *,
        server: str = "",
        manner: str = "",
        book: Callable[[str, str, Usage], None] | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        """Wraps a model.

        Args:
            inner: Who is asked when nothing is kept.
            store: Where replies are kept.
            server: Where it answers; another server is another model.
            manner: What else decides its answers.
            book: Is told purpose, model and usage of each reply that was kept.
            warn: Is told once when the store cannot be used; the model then works without it.
        """
        super().__init__(inner)
        self._store: ReplyStore | None = store
        self._server = server
        self._identity = (inner.id, server, manner)
        self._book = book
        self._warn = warn
        self._flying: dict[str, asyncio.Future[Reply]] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judge-cache")

    async def complete(self, request: Request) -> Reply:
        """Answers a request, from what is kept where it can.

        Raises:
            ProviderError: The provider did not answer usably.
            BudgetExceeded: The call would pass the run's limit.
        """
        known = canonical(self._identity, request)
        while (flying := self._flying.get(known.key)) is not None:
            reply = await _of_another(flying)
            if reply is not None:
                return self._again(request, reply)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._flying[known.key] = future
        try:
            reply = await self._find(known)
            if reply is not None:
                future.set_result(reply)
                return self._again(request, reply)
            reply = await self._inner.complete(request)
            future.set_result(reply)
            if usable(request, reply):
                await self._keep(known, reply)
            return reply
        except JudgeError as error:
            # Whoever waits for the same answer fails alike; asking again at once would only double the failure.
            future.set_exception(error)
            future.exception()
            raise
        finally:
            del self._flying[known.key]
            future.cancel()

    async def close(self) -> None:
        """Closes connections and the store."""
        await self._inner.close()
        if self._store is not None:
            self._store.close()
        self._thread.shutdown()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judge-cache")

    def _again(self, request: Request, reply: Reply) -> Reply:
        again = Usage(cached_calls=1)
        if self._book is not None:
            self._book(request.purpose, self.id, again)
        return replace(reply, usage=again)

    async def _find(self, known: Canonical) -> Reply | None:
        store = self._store
        if store is None:
            return None
        try:
            data = await self._aside(lambda: store.get(known.key))
        except StoreError as error:
            self._give_up(error)
            return None
        reply = decode(data) if data is not None else None
        return replace(reply, text=known.unfold(reply.text)) if reply is not None else None

    async def _keep(self, known: Canonical, reply: Reply) -> None:
        store = self._store
        if store is None:
            return
        data = encode(reply, known.fold(reply.text))
        tokens, cost = all_tokens(reply.usage), reply.usage.cost

        def put() -> None:
            store.put(known.key, self.id, self._server, data, tokens=tokens, cost=cost)

        try:
            await self._aside(put)
        except StoreError as error:
            self._give_up(error)

    async def _aside(self, work: Callable[[], _T]) -> _T:
        # A locked or slow disk must not hold up the calls in flight.
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _give_up(self, error: StoreError) -> None:
        store, self._store = self._store, None
        if store is not None and self._warn is not None:
            self._warn(f"replies are not kept: {store.path} {error}; `judge cache clear` makes a new file")


async def _of_another(flying: asyncio.Future[Reply]) -> Reply | None:
    """What an identical call got; None when it was cancelled, which says nothing about this one."""
    await asyncio.wait([flying])
    return None if flying.cancelled() else flying.result()
