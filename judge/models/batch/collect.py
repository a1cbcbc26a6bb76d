"""Collects calls into batches and answers each when its batch is done; to whoever asks it is a slow model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from judge.errors import JudgeError, ProviderError
from judge.models.base import Model, Reply, Request
from judge.models.batch.client import BatchClient, Result
from judge.models.batch.courier import Courier
from judge.models.batch.holds import Holds
from judge.models.batch.plan import BatchPlan
from judge.models.cache.key import canonical
from judge.models.client import Payload
from judge.models.faults import Fault
from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage

# Work that begins one piece after the other is given so many seconds to begin.
_SETTLE = 0.5
_LESSONS = 6


@dataclass(slots=True, eq=False)
class _Call:
    """A call that waits; ``failures`` counts the batches it failed in, ``lessons`` the refusals learnt from."""

    request: Request
    future: asyncio.Future[Reply]
    payload: Payload
    waiters: int = 0
    given: bool = False
    failures: int = 0
    lessons: int = 0


class Batch:
    """The calls of one model on their way through batches.

    A batch is sent when all work that holds waits, when nothing new came for a while, or when it is full. What failed
    in it goes into the next one, then out as a normal call. Which batches are under way is on disk before they are
    sent: a process that is started again and asks the same gets the answers of the first.
    """

    def __init__(
        self, client: BatchClient, direct: Model, plan: BatchPlan, note: Callable[[str], None] | None = None
    ) -> None:
        """Takes the two ways to an answer.

        Args:
            client: The batch API.
            direct: For calls that failed in batches.
            plan: When batches are sent, and where they are noted.
            note: Is told what becomes of batches.
        """
        self._client = client
        self._direct = direct
        self._plan = plan
        self._courier = Courier(client, plan, note or (lambda text: None))
        self._calls: dict[str, _Call] = {}
        self._queue: dict[str, None] = {}
        self._changed = asyncio.Event()
        self._last = 0.0
        self._holds = Holds(self._touch)
        self._runner: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def hold(self) -> AbstractContextManager[None]:
        """Says that something is at work that may still ask; no batch is sent before it waits, within reason."""
        return self._holds.hold()

    async def ask(self, request: Request) -> Reply:
        """The answer to a request, when its batch is done.

        Raises:
            ProviderError: There is none: the batch was cancelled or refused, or the request is not answered at all.
            InputError: What is under way cannot be noted or read.
        """
        key = canonical((self._client.id, self._client.server), request).key
        call = self._calls.get(key)
        if call is None:
            future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            call = self._calls[key] = _Call(request, future, self._client.prepare(request))
            result = self._courier.known(key)
            if result is not None:
                self._settle(key, call, result)
            elif not self._courier.carries(key):
                self._queue[key] = None
        call.waiters += 1
        self._start()
        try:
            with self._holds.waiting():
                reply = await asyncio.shield(call.future)
        finally:
            call.waiters -= 1
            if not call.waiters:
                self._forget(key, call)
        if call.given:
            return replace(reply, usage=Usage(cached_calls=1))
        call.given = True
        return reply

    async def close(self) -> None:
        """Stops looking; what is under way at the provider goes on, and is on disk to be collected later."""
        tasks = [task for task in (self._runner, *self._tasks) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._courier.finish(self._calls)
        await self._client.close()

    def _touch(self) -> None:
        self._last = time.monotonic()
        self._changed.set()

    def _start(self) -> None:
        if self._runner is None or self._runner.done():
            self._changed = asyncio.Event()
            self._runner = asyncio.create_task(self._run())
        self._touch()

    def _forget(self, key: str, call: _Call) -> None:
        if self._calls.get(key) is call:
            del self._calls[key]
            self._queue.pop(key, None)
        if not call.future.done():
            call.future.cancel()

    async def _run(self) -> None:
        try:
            while self._calls:
                self._changed.clear()
                now = time.monotonic()
                if self._due(now):
                    await self._send()
                elif now >= self._courier.next_look(self._calls):
                    for key, result in await self._courier.look(self._calls):
                        self._settle(key, self._calls.get(key), result)
                else:
                    await self._wait(now)
        except JudgeError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - a task boundary: whoever waits must hear of it
            self._fail(ProviderError(f"the batch failed: {type(error).__name__}: {error}", where=self._client.id))

    async def _wait(self, now: float) -> None:
        until = self._courier.next_look(self._calls)
        if self._queue:
            until = min(until, self._last + (_SETTLE if self._holds.all_wait else self._plan.quiet))
        try:
            async with asyncio.timeout(max(0.05, min(until - now, 60.0))):
                await self._changed.wait()
        except TimeoutError:
            return

    def _due(self, now: float) -> bool:
        if not self._queue or not self._courier.free(now):
            return False
        settled = min(_SETTLE, self._plan.quiet) if self._holds.all_wait else self._plan.quiet
        return len(self._queue) >= self._courier.most or now - self._last >= settled

    async def _send(self) -> None:
        keys = list(self._queue)
        calls = {key: self._calls[key] for key in keys}
        try:
            sent = await self._courier.send({key: (call.request, call.payload) for key, call in calls.items()})
        except Fault as fault:
            for key in keys:
                self._queue.pop(key, None)
                _raise(calls[key], fault)
            return
        for key in sent:
            self._queue.pop(key, None)

    def _settle(self, key: str, call: _Call | None, result: Result) -> None:
        """Answers a call with what became of it, or sends it on its way again."""
        if call is None or call.future.done():
            return
        fault = result.fault
        if result.body is not None:
            try:
                call.future.set_result(self._client.take(call.request, call.payload, result.body))
                return
            except Fault as error:
                fault = error
        if fault is None:  # the batch was not there any more
            self._queue[key] = None
        elif result.cancelled:
            _raise(call, ProviderError("its batch was cancelled", where=self._client.id, hint="run again to ask anew"))
        elif call.lessons < _LESSONS and self._client.learn(fault, call.payload):
            self._again(key, call)
            call.lessons += 1
        elif not fault.retryable:
            # Another request of the batch may have taught what this one was refused for.
            payload = self._client.prepare(call.request)
            if payload.arguments != call.payload.arguments and call.lessons < _LESSONS:
                self._again(key, call)
                call.lessons += 1
            else:
                _raise(call, fault)
        else:
            call.failures += 1
            if self._plan.direct or call.failures >= self._plan.attempts:
                task = asyncio.create_task(self._ask_directly(call))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            else:
                self._again(key, call)

    def _again(self, key: str, call: _Call) -> None:
        call.payload = self._client.prepare(call.request)
        self._queue[key] = None

    async def _ask_directly(self, call: _Call) -> None:
        try:
            reply = await self._direct.complete(call.request)
        except JudgeError as error:
            _raise(call, error)
        except Exception as error:  # noqa: BLE001 - a task boundary: whoever waits must hear of it
            _raise(call, ProviderError(f"{type(error).__name__}: {error}", where=self._client.id))
        else:
            if not call.future.done():
                call.future.set_result(reply)

    def _fail(self, error: JudgeError) -> None:
        for call in self._calls.values():
            _raise(call, error)
        self._queue.clear()


def _raise(call: _Call, error: JudgeError) -> None:
    if not call.future.done():
        call.future.set_exception(error)
        call.future.exception()


class BatchModel(ModelWrapper):
    """A model whose calls go through batches.

    Args:
        direct: The model itself.
        batch: Where its calls are collected.
    """

    def __init__(self, direct: Model, batch: Batch) -> None:
        super().__init__(direct)
        self._batch = batch

    async def complete(self, request: Request) -> Reply:
        """Answers a request, when its batch is done.

        Raises:
            ProviderError: There is no answer.
        """
        return await self._batch.ask(request)
