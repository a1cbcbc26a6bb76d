"""Batches of a scripted model, for tests and demonstrations: in this process, done at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from judge.models.base import Finish, Reply, Request
from judge.models.batch.client import BatchState, Item, Progress, Result
from judge.models.client import Payload
from judge.models.faults import Fault
from judge.models.scripted import ScriptedModel
from judge.schemas import Usage


class ScriptedBatch:
    """Answers each request of a batch from the script, when its results are fetched.

    Args:
        model: The script.
    """

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model
        self._batches: dict[str, Sequence[Item]] = {}

    @property
    def id(self) -> str:
        """``scripted:FILE``."""
        return self._model.id

    @property
    def server(self) -> str:
        """None: this process."""
        return ""

    def prepare(self, request: Request) -> Payload:
        """A request is sent as it is."""
        return Payload({}, frozenset(), None, "")

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Keeps the requests."""
        name = f"scripted-{tag}"
        self._batches[name] = tuple(items)
        return name

    async def find(self, tag: str, number: int, since: float) -> str:
        """The batch with that tag, when this process made it."""
        name = f"scripted-{tag}"
        return name if name in self._batches else ""

    async def poll(self, batch_id: str) -> Progress:
        """Done, or gone with the process that made it."""
        if batch_id not in self._batches:
            return Progress(BatchState.GONE, why="scripted batches end with their process")
        number = len(self._batches[batch_id])
        return Progress(BatchState.ENDED, number, number)

    async def results(self, batch_id: str) -> AsyncIterator[Result]:
        """Asks the script."""
        for item in self._batches[batch_id]:
            try:
                reply = await self._model.complete(item.request)
            except Fault as fault:
                yield Result(item.key, fault=fault)
                continue
            usage = reply.usage.model_dump()
            yield Result(item.key, body={"text": reply.text, "finish": reply.finish.value, "usage": usage})

    def take(self, request: Request, payload: Payload, body: Mapping[str, Any]) -> Reply:
        """The reply of the script."""
        usage = Usage.model_validate(body["usage"])
        structured = request.schema is not None
        return Reply(body["text"], Finish(body["finish"]), usage, model=self.id, structured=structured)

    def learn(self, fault: Fault, payload: Payload) -> bool:
        """There is nothing to learn."""
        return False

    async def close(self) -> None:
        """Nothing to close."""
