"""A real server that turns calls away without saying how many it takes: the pace is found, and refusals become few."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.models import Message, Reply, Request, Role, open_model

COUNT, PLACES, A_SECOND, BURST = 100, 16, 20.0, 4.0


class Bucket:
    """Refills steadily, as most servers do."""

    def __init__(self) -> None:
        self.level, self.at = BURST, time.monotonic()

    def __call__(self, now: float) -> bool:
        self.level = min(BURST, self.level + (now - self.at) * A_SECOND)
        self.at = now
        taken = self.level >= 1
        self.level -= taken
        return taken


class Window:
    """So many in every second of the clock, as simple gateways count."""

    def __init__(self) -> None:
        self.second, self.used = 0, 0

    def __call__(self, now: float) -> bool:
        if int(now) != self.second:
            self.second, self.used = int(now), 0
        self.used += self.used < A_SECOND + 1
        return self.used <= A_SECOND


@pytest.mark.slow
@pytest.mark.parametrize("headers", [{}, {"retry-after-ms": "300"}], ids=["silent", "retry-after"])
@pytest.mark.parametrize("limit", [Bucket, Window])
def test_the_pace_of_a_server_that_tells_nothing_is_found(
    server: Any, chat: Any, limit: Callable[[], Callable[[float], bool]], headers: dict[str, str]
) -> None:
    takes = limit()
    seen: list[bool] = []
    refused: list[float] = []

    def rule(hit: Any) -> Any:
        seen.append(takes(hit.at))
        if seen[-1]:
            return chat.good()
        refused.append(hit.at)
        return chat.answer({"error": {"message": "too many"}}, 429, headers)

    server.rule = rule
    settings = ModelSettings(
        base_url=server.url + "/v1", keys={"JUDGE_API_KEY": Secret("k" * 8)}, concurrency=PLACES, max_retries=30
    )

    async def ask() -> list[Reply]:
        model = open_model("openai:m", settings)
        requests = [Request(messages=(Message(Role.USER, f"{number}"),)) for number in range(COUNT)]
        try:
            return await asyncio.gather(*(model.complete(request) for request in requests))
        finally:
            await model.close()

    assert len(asyncio.run(ask())) == COUNT
    assert sum(seen) == COUNT, "no call is made twice that was answered"
    assert len(refused) <= COUNT // 2
    assert max((sum(at <= other < at + 1 for other in refused) for at in refused), default=0) <= PLACES
    later = seen[len(seen) // 2 :]
    assert later.count(False) <= max(PLACES // 2, len(later) // 5), "it is found, and then kept"
