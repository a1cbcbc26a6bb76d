"""What the batch clients of both SDKs share."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Mapping
from typing import Any, TypeVar

from judge.models.base import Reply, Request
from judge.models.batch.client import Result
from judge.models.client import Payload, SdkModel
from judge.models.faults import Fault

_LONGEST = 1024 * 1024 * 1024
_T = TypeVar("_T")


class SdkBatch:
    """The batch API of a model behind an official SDK.

    Args:
        model: Knows how requests are worded, what was learnt, and what answers cost.
    """

    def __init__(self, model: SdkModel) -> None:
        self._model = model
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def id(self) -> str:
        """``provider:name`` of the model."""
        return self._model.id

    @property
    def server(self) -> str:
        """Where it answers."""
        return self._model.server

    def prepare(self, request: Request) -> Payload:
        """The request as it would be sent now."""
        return self._model.prepare(request)

    def take(self, request: Request, payload: Payload, body: Mapping[str, Any]) -> Reply:
        """The reply that a body is, at the price of batches.

        Raises:
            Fault: It is no usable answer.
        """
        return self._model.take(request, payload, body)

    def learn(self, fault: Fault, payload: Payload) -> bool:
        """Draws the lesson from a refusal; whether the request, prepared anew, will differ."""
        return self._model.learn(fault, payload)

    async def results(self, batch_id: str) -> AsyncIterator[Result]:
        """What became of the requests of a batch.

        Raises:
            Fault: The results cannot be fetched.
        """
        try:
            async for result in self._results(batch_id):
                yield result
        except (asyncio.CancelledError, Fault):
            raise
        except Exception as error:  # noqa: BLE001 - a task boundary: whatever an SDK raises becomes a typed fault
            raise self._model.fault(error) from None

    async def close(self) -> None:
        """Closes connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    @abstractmethod
    def _results(self, batch_id: str) -> AsyncIterator[Result]: ...

    @property
    def _sdk(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._model.new_client(_LONGEST), loop
        return self._client

    async def _try(self, call: Awaitable[_T]) -> _T:
        try:
            return await call
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - a task boundary: whatever an SDK raises becomes a typed fault
            raise self._model.fault(error) from None
