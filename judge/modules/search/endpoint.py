"""Embeddings from an OpenAI-compatible server: batched, within bounds, secrets masked before text leaves."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from judge.errors import ConfigError, ProviderError
from judge.models import Fault, Ledger, RetryPolicy, Unreachable
from judge.models.body import tokens_of
from judge.models.client import Payload
from judge.models.listening import announce
from judge.models.openai_chat import OpenAIChat
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.config import ModelSettings
    from judge.models.endpoint import Endpoint
    from judge.modules.search.vectors import Vectors

_BATCH = 64
_BATCH_CHARS = 60_000
_IN_FLIGHT = 4
_PURPOSE = "embed"
_REFUSED = 1
"""Repetitions when nobody answers at the address."""


class EmbeddingClient(OpenAIChat):
    """The embeddings of a server that also may chat: same client, same faults, other path."""

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Vectors of some texts, and the tokens that the server counted.

        Raises:
            Fault: The server did not answer usably.
        """
        arguments = {"model": self._name, "input": list(texts), "encoding_format": "float"}
        body = await self._send(Payload(arguments, frozenset(), None, "/v1/embeddings"))
        return _rows(body, len(texts), self._where), tokens_of(body.get("usage"), "prompt_tokens")


class EndpointEncoder:
    """A model for embeddings on a server."""

    def __init__(
        self,
        provider: str,
        name: str,
        endpoint: Endpoint,
        settings: ModelSettings,
        *,
        redact: bool = True,
        ledger: Ledger | None = None,
    ) -> None:
        """Takes what is needed to ask; nothing is asked yet.

        Args:
            provider: ``openai`` or ``openai-compatible:SERVER``.
            name: The model, as the server calls it.
            endpoint: Where it answers.
            settings: Timeouts and retries.
            redact: Whether secrets are masked before text is sent.
            ledger: Where calls are booked and their limits kept; None for nowhere.

        Raises:
            ConfigError: A limit on cost cannot be kept for want of a price.
        """
        self._client = EmbeddingClient(provider, name, endpoint, settings)
        known = self._client.price.of(Usage(calls=1, input_tokens=1_000)) is not None
        if settings.max_cost is not None and not known:
            what = f"the price of {self._client.id} is unknown, so --max-cost cannot be kept"
            raise ConfigError(what, where="--embeddings", hint="use --max-tokens instead")
        self._policy = RetryPolicy(retries=settings.max_retries, timeout=settings.timeout, deadline=settings.deadline)
        self._places = max(1, min(_IN_FLIGHT, settings.concurrency))
        self._redact = redact
        self._ledger = ledger or Ledger()
        self._id = f"{self._client.id} at {endpoint.shown}{'' if redact else ', unmasked'}"
        self._size = 0

    @property
    def id(self) -> str:
        """Provider, model and address."""
        return self._id

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, of length 1 each.

        Raises:
            ProviderError: The server did not answer, after the policy's retries.
            BudgetExceeded: The run's limit is reached; the call was not started.
        """
        import numpy as np

        from judge.modules.search.vectors import unit

        sent = await asyncio.to_thread(lambda: [self._plain(text) for text in texts])
        places = asyncio.Semaphore(self._places)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(batch, places)) for batch in _batches(sent)]
        except BaseExceptionGroup as errors:
            raise _first(errors) from errors
        finally:
            await self._client.close()
        rows = [row for task in tasks for row in task.result()]
        sizes = {len(row) for row in rows} | ({self._size} if self._size else set())
        if len(sizes) != 1:
            raise ProviderError("answered with embeddings of different lengths", where=self._id)
        self._size = sizes.pop()
        return unit(np.asarray(rows, dtype=np.float32))

    async def _one(self, texts: Sequence[str], places: asyncio.Semaphore) -> list[list[float]]:
        from judge.tokens import count

        async with places:
            expected = await asyncio.to_thread(lambda: sum(count(text, self._client.id) for text in texts))
            cost = self._client.price.of(Usage(calls=1, input_tokens=expected)) or 0.0
            self._ledger.start(expected, cost)
            try:
                rows, counted = await self._asked(texts)
            finally:
                self._ledger.end(expected, cost)
            usage = Usage(calls=1, input_tokens=expected if counted is None else counted)
            usage = usage.model_copy(update={"cost": self._client.price.of(usage)})
            self._ledger.add(_PURPOSE, self._client.id, usage, usage.cost or 0.0)
            announce(_PURPOSE, self._client.id, usage)
            return rows

    async def _asked(self, texts: Sequence[str]) -> tuple[list[list[float]], int | None]:
        """Asks until there is an answer, within the policy."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._policy.deadline
        attempt = refused = 0
        while True:
            seconds = max(0.0, min(self._policy.timeout, end - loop.time()))
            try:
                async with asyncio.timeout(seconds):
                    return await self._client.embed(texts)
            except TimeoutError:
                fault: ProviderError = Fault(f"no answer within {seconds:.3g} s", where=self._id, retryable=True)
            except ProviderError as error:
                fault = error
            pause = self._policy.pause(attempt, getattr(fault, "retry_after", None))
            refused += isinstance(fault, Unreachable)
            enough = attempt >= self._policy.retries or refused > _REFUSED
            if not fault.retryable or enough or loop.time() + pause >= end:
                raise fault
            attempt += 1
            await asyncio.sleep(pause)

    def _plain(self, text: str) -> str:
        from judge.redact import redact

        masked = redact(text).text if self._redact else text
        # Lone surrogates cannot be sent, and some servers refuse a text without any sign.
        return masked.encode("utf-8", "replace").decode("utf-8").strip() or "-"


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) >= _BATCH or size + len(text) > _BATCH_CHARS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _rows(body: dict[str, Any], number: int, where: str) -> list[list[float]]:
    """The vectors of an answer, in the order of the texts."""
    data = body.get("data")
    if not isinstance(data, list) or len(data) != number:
        raise Fault("answered without an embedding for each text", where=where, hint="is it a model for embeddings?")
    rows: dict[int, list[float]] = {}
    for place, item in enumerate(data):
        index = item.get("index", place) if isinstance(item, dict) else None
        vector = item.get("embedding") if isinstance(item, dict) else None
        if not isinstance(index, int) or not isinstance(vector, list) or not vector or not all(map(_finite, vector)):
            raise Fault("answered with something else than embeddings", where=where)
        rows[index] = [float(value) for value in vector]
    if sorted(rows) != list(range(number)):
        raise Fault("answered with embeddings that belong to no text", where=where)
    return [rows[place] for place in range(number)]


def _finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error for all that happened at the same time: the others say the same."""
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
