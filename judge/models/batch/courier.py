"""Takes batches to the provider and brings back what became of them; knows which are under way."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TypeVar

from judge.models.base import Request
from judge.models.batch.client import BatchClient, BatchState, Item, Progress, Result
from judge.models.batch.plan import BatchPlan
from judge.models.batch.state import Record, Sent
from judge.models.client import Payload
from judge.models.faults import Fault
from judge.models.retries import RetryPolicy

_T = TypeVar("_T")
_TOO_MUCH = re.compile(r"limit|too (large|many)|maximum", re.IGNORECASE)
_SUBMITS = 6
_NOTE_EVERY = 60.0


class Courier:
    """Sends, looks after and fetches batches.

    Args:
        client: The batch API.
        plan: Sizes, times, and where batches are noted.
        note: Is told what becomes of batches.
    """

    def __init__(self, client: BatchClient, plan: BatchPlan, note: Callable[[str], None]) -> None:
        self._client = client
        self._plan = plan
        self._note = note
        self._record = Record(plan.folder, client.id, client.server)
        self._under_way: list[Sent] | None = None
        self._carried: set[str] = set()
        self._fetched: set[str] = set()
        self._results: dict[str, Result] = {}
        self._next = 0.0
        self._not_before = 0.0
        self._one_at_a_time = False
        self._noted: dict[str, tuple[float, int]] = {}
        self._policy = RetryPolicy()
        self.most = plan.max_requests

    def known(self, key: str) -> Result | None:
        """What became of a request, when that was fetched already; it is given once."""
        return self._results.pop(key, None)

    def carries(self, key: str) -> bool:
        """Whether a request is on its way.

        Raises:
            InputError: What is under way cannot be read.
        """
        self._open()
        return key in self._carried

    def free(self, now: float) -> bool:
        """Whether another batch may be sent."""
        under_way = any(sent.tag not in self._fetched for sent in self._open())
        return now >= self._not_before and not (self._one_at_a_time and under_way)

    def next_look(self, waiting: Collection[str]) -> float:
        """When to look after batches that somebody waits for; never when there is none."""
        return self._next if self._awaited(waiting) else float("inf")

    async def send(self, requests: Mapping[str, tuple[Request, Payload]]) -> tuple[str, ...]:
        """Sends as many of the requests as one batch takes, the first ones first.

        Returns:
            The keys of those that are on their way.

        Raises:
            Fault: The provider does not take them.
            InputError: They cannot be noted.
        """
        items: list[Item] = []
        size = 0
        path = next(iter(requests.values()))[1].path
        for key, (request, payload) in requests.items():
            size += len(json.dumps(payload.arguments, default=str))
            if items and (len(items) >= self.most or size > self._plan.max_bytes):
                break
            if payload.path == path:
                items.append(Item(key, request, payload))
        sent = Sent(secrets.token_hex(8), tuple(item.key for item in items))
        under_way = self._open()
        under_way.append(sent)
        self._record.write(under_way)
        try:
            sent.id = await self._submit(items, sent)
        except Fault:
            self._drop(sent, (), None)
            raise
        self._carried.update(sent.keys)
        self._record.write(under_way)
        self._next = time.monotonic() + self._plan.poll
        self._note(f"{self._client.id}: a batch of {len(items):,} requests is under way ({sent.id})")
        return sent.keys

    async def look(self, waiting: Collection[str]) -> list[tuple[str, Result]]:
        """Asks how far the batches are that somebody waits for.

        Returns:
            What became of the requests of those that are done; a result with neither body nor fault means that the
            request has to be sent again.

        Raises:
            Fault: The provider does not say, and will not.
        """
        found: list[tuple[str, Result]] = []
        for sent in self._awaited(waiting):
            found += await self._one(sent, waiting)
        self._next = time.monotonic() + self._plan.poll
        return found

    def finish(self, waiting: Collection[str]) -> None:
        """Notes which batches were handed over, at the end of a process that was not killed."""
        if self._under_way is None:
            return
        for sent in self._under_way:
            sent.delivered = sent.tag in self._fetched and not any(key in waiting for key in sent.keys)
        if any(sent.delivered for sent in self._under_way):
            self._record.write([sent for sent in self._under_way if not sent.delivered])
            self._under_way = None

    def _open(self) -> list[Sent]:
        if self._under_way is None:
            self._under_way = self._record.read()
            self._carried = {key for sent in self._under_way for key in sent.keys}
        return self._under_way

    def _awaited(self, waiting: Collection[str]) -> list[Sent]:
        under_way = self._open()
        return [
            item for item in under_way if item.tag not in self._fetched and any(key in waiting for key in item.keys)
        ]

    async def _submit(self, items: list[Item], sent: Sent) -> str:
        attempt = 0
        while True:
            try:
                return await self._client.submit(items, sent.tag)
            except Fault as fault:
                if not fault.retryable or attempt >= _SUBMITS:
                    raise
                await asyncio.sleep(self._policy.pause(attempt, fault.retry_after))
                attempt += 1
                if fault.status is None:
                    # It may have arrived although no answer came back; sent twice it would be paid twice.
                    there = await self._patiently(lambda: self._client.find(sent.tag, len(sent.keys), sent.created))
                    if there:
                        return there

    async def _one(self, sent: Sent, waiting: Collection[str]) -> list[tuple[str, Result]]:
        if not sent.id:
            sent.id = await self._patiently(lambda: self._client.find(sent.tag, len(sent.keys), sent.created))
        progress = await self._patiently(lambda: self._client.poll(sent.id)) if sent.id else Progress(BatchState.GONE)
        if progress.state is BatchState.RUNNING:
            self._tell(sent, progress)
            return []
        if progress.state is BatchState.GONE:
            return self._drop(sent, waiting, None)
        if progress.state is BatchState.FAILED:
            return self._refused(sent, waiting, progress)
        results = await self._patiently(lambda: self._fetch(sent))
        self._fetched.add(sent.tag)
        self._carried.difference_update(sent.keys)
        cancelled = progress.state is BatchState.CANCELLED
        self._note(f"{self._client.id}: batch {sent.id} is {'cancelled' if cancelled else 'done'}")
        missing = Fault("came back from its batch without a result", where=self._client.id, retryable=True)
        for key in sent.keys:
            results.setdefault(key, Result(key, fault=missing, cancelled=cancelled))
        self._results.update({key: result for key, result in results.items() if key not in waiting})
        return [(key, results[key]) for key in sent.keys if key in waiting]

    async def _fetch(self, sent: Sent) -> dict[str, Result]:
        wanted = set(sent.keys)
        return {item.key: item async for item in self._client.results(sent.id) if item.key in wanted}

    def _refused(self, sent: Sent, waiting: Collection[str], progress: Progress) -> list[tuple[str, Result]]:
        """A batch that was refused as a whole: smaller ones after each other when it was too much, else an error."""
        if _TOO_MUCH.search(progress.why) and len(sent.keys) > 1:
            self.most = max(1, len(sent.keys) // 2)
            self._one_at_a_time = True
            self._not_before = time.monotonic() + self._plan.poll
            self._note(f"{self._client.id}: batch {sent.id} was too much at once ({progress.why}); sending less")
            return self._drop(sent, waiting, None)
        why = progress.why or "no reason given"
        return self._drop(sent, waiting, Fault(f"its batch was refused: {why}", where=self._client.id))

    def _drop(self, sent: Sent, waiting: Collection[str], fault: Fault | None) -> list[tuple[str, Result]]:
        under_way = self._open()
        under_way.remove(sent)
        self._carried.difference_update(sent.keys)
        self._record.write(under_way)
        return [(key, Result(key, fault=fault)) for key in sent.keys if key in waiting]

    async def _patiently(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Asks until there is an answer: what a batch holds is paid for, and an outage ends some day."""
        attempt = 0
        while True:
            try:
                return await call()
            except Fault as fault:
                if not fault.retryable:
                    raise
                if attempt % 10 == 3:
                    self._note(f"{self._client.id}: {fault.what}; asking for the batch again")
                pause = self._policy.pause(attempt, fault.retry_after)
                await asyncio.sleep(pause)
                attempt += 1

    def _tell(self, sent: Sent, progress: Progress) -> None:
        now = time.monotonic()
        at, done = self._noted.get(sent.id, (0.0, -1))
        if progress.done != done and now - at >= _NOTE_EVERY:
            self._noted[sent.id] = (now, progress.done)
            total = progress.total or len(sent.keys)
            self._note(f"{self._client.id}: batch {sent.id}: {progress.done:,} of {total:,} requests done")
