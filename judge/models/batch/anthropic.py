"""Anthropic's Message Batches: requests go up in one call, results come down as JSON lines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from judge.models.batch.client import BatchState, Item, Progress, Result
from judge.models.batch.lines import read_lines
from judge.models.batch.sdk import SdkBatch
from judge.models.faults import Fault

_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


_RECENT = 20
# Seconds that its clock and ours may differ.
_CLOCKS = 60.0


class AnthropicBatch(SdkBatch):
    """The Message Batches API."""

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Sends a batch.

        Raises:
            Fault: It was not taken.
        """
        requests = [{"custom_id": item.key, "params": item.payload.body()} for item in items]
        batch = await self._try(self._sdk.messages.batches.create(requests=requests))
        found = getattr(batch, "id", None)
        if not isinstance(found, str) or not found:
            raise Fault("took a batch without naming it", where=self.id)
        return found

    async def find(self, tag: str, number: int, since: float) -> str:
        """The id of the latest batch of so many requests since that moment; empty when there is none.

        These batches carry no mark. Should it be another one of the same size, its results have other keys, and what
        is missing is sent again.
        """
        page = await self._try(self._sdk.messages.batches.list(limit=_RECENT))
        for batch in getattr(page, "data", None) or ():
            created = getattr(batch, "created_at", None)
            new = isinstance(created, datetime) and created.timestamp() >= since - _CLOCKS
            if new and sum(_counts(batch).values()) == number:
                return str(batch.id)
        return ""

    async def poll(self, batch_id: str) -> Progress:
        """How far a batch is.

        Raises:
            Fault: The server does not say.
        """
        try:
            batch = await self._try(self._sdk.messages.batches.retrieve(batch_id))
        except Fault as fault:
            if fault.status == 404:
                return Progress(BatchState.GONE, why=fault.what)
            raise
        numbers = _counts(batch)
        total = sum(numbers.values())
        ended = getattr(batch, "processing_status", "") == "ended"
        return Progress(BatchState.ENDED if ended else BatchState.RUNNING, total - numbers["processing"], total)

    async def _results(self, batch_id: str) -> AsyncIterator[Result]:
        batches = self._sdk.messages.batches
        batch = await batches.retrieve(batch_id)
        host, own = (urlsplit(str(url)).hostname for url in (getattr(batch, "results_url", ""), self._sdk.base_url))
        if host is not None and host != own:
            # The key would go along.
            raise Fault(f"has its results at another server, {host}", where=self.id)
        async with batches.with_streaming_response.results(batch_id) as response:
            async for key, value in read_lines(response.iter_lines()):
                yield self._result(key, value.get("result"))

    def _result(self, key: str, result: Any) -> Result:
        kind = result.get("type") if isinstance(result, dict) else None
        if kind == "succeeded" and isinstance(result.get("message"), dict):
            return Result(key, body=result["message"])
        if kind == "errored":
            error = result.get("error")
            # The error object stands inside an error answer.
            inner = error.get("error") if isinstance(error, dict) else None
            name = inner.get("type") if isinstance(inner, dict) else None
            return Result(key, fault=self._model.refusal(_STATUS.get(str(name), 500), error))
        words = {"expired": "was not reached before its batch expired", "canceled": "was cancelled with its batch"}
        what = words.get(str(kind), "came back from its batch without an answer")
        return Result(key, fault=Fault(what, where=self.id, retryable=True), cancelled=kind == "canceled")


def _counts(batch: Any) -> dict[str, int]:
    counts = getattr(batch, "request_counts", None)
    found = {name: getattr(counts, name, 0) for name in ("processing", "succeeded", "errored", "canceled", "expired")}
    return {name: value if isinstance(value, int) else 0 for name, value in found.items()}
