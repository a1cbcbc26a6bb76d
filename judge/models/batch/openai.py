"""OpenAI's Batch API: a file of requests goes up, a file of answers and one of errors come down."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from judge.models.batch.client import BatchState, Item, Progress, Result
from judge.models.batch.lines import read_lines
from judge.models.batch.sdk import SdkBatch
from judge.models.faults import Fault

_STATES = {
    "completed": BatchState.ENDED,
    "expired": BatchState.ENDED,
    "failed": BatchState.FAILED,
    "cancelled": BatchState.CANCELLED,
}
_RECENT = 100


class OpenAIBatch(SdkBatch):
    """The Batch API, for Chat Completions or the Responses API."""

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Sends a batch.

        Raises:
            Fault: It was not taken.
        """
        lines = [
            json.dumps(
                {"custom_id": item.key, "method": "POST", "url": item.payload.path, "body": item.payload.body()},
                ensure_ascii=False,
            )
            for item in items
        ]
        data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
        file = await self._try(self._sdk.files.create(file=(f"judge-{tag}.jsonl", data), purpose="batch"))
        batch = await self._try(
            self._sdk.batches.create(
                input_file_id=file.id,
                endpoint=items[0].payload.path,
                completion_window="24h",
                metadata={"judge": tag},
            )
        )
        return _id(batch)

    async def find(self, tag: str, number: int, since: float) -> str:
        """The id of the batch with that tag, among the latest; empty when there is none."""
        page = await self._try(self._sdk.batches.list(limit=_RECENT))
        for batch in getattr(page, "data", None) or ():
            metadata = getattr(batch, "metadata", None)
            if isinstance(metadata, dict) and metadata.get("judge") == tag:
                return _id(batch)
        return ""

    async def poll(self, batch_id: str) -> Progress:
        """How far a batch is.

        Raises:
            Fault: The server does not say.
        """
        try:
            batch = await self._try(self._sdk.batches.retrieve(batch_id))
        except Fault as fault:
            if fault.status == 404:
                return Progress(BatchState.GONE, why=fault.what)
            raise
        counts = getattr(batch, "request_counts", None)
        done = _count(counts, "completed") + _count(counts, "failed")
        state = _STATES.get(str(getattr(batch, "status", "")), BatchState.RUNNING)
        return Progress(state, done, _count(counts, "total"), _why(batch))

    async def _results(self, batch_id: str) -> AsyncIterator[Result]:
        batch = await self._sdk.batches.retrieve(batch_id)
        for file_id in (getattr(batch, "output_file_id", None), getattr(batch, "error_file_id", None)):
            if not file_id:
                continue
            async with self._sdk.files.with_streaming_response.content(file_id) as response:
                async for key, value in read_lines(response.iter_lines()):
                    yield self._result(key, value)

    def _result(self, key: str, value: dict[str, Any]) -> Result:
        response, error = value.get("response"), value.get("error")
        if isinstance(response, dict):
            status, body = response.get("status_code"), response.get("body")
            if status == 200 and isinstance(body, dict):
                return Result(key, body=body)
            if isinstance(status, int) and status >= 400:
                return Result(key, fault=self._model.refusal(status, body))
        code = error.get("code") if isinstance(error, dict) else None
        words = error.get("message") if isinstance(error, dict) else None
        what = f"failed in its batch: {' '.join(str(words or code or 'no answer').split())[:300]}"
        return Result(key, fault=Fault(what, where=self.id, retryable=True), cancelled=code == "batch_cancelled")


def _id(batch: Any) -> str:
    found = getattr(batch, "id", None)
    if not isinstance(found, str) or not found:
        raise Fault("took a batch without naming it", retryable=False)
    return found


def _count(counts: Any, name: str) -> int:
    value = getattr(counts, name, 0)
    return value if isinstance(value, int) else 0


def _why(batch: Any) -> str:
    data = getattr(getattr(batch, "errors", None), "data", None) or ()
    lines = [f"{getattr(item, 'message', '')} [{getattr(item, 'code', '')}]" for item in list(data)[:3]]
    return " ".join("; ".join(lines).split())[:400]
