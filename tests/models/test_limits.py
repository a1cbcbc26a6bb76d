"""How many calls are in flight and how fast they follow each other: what servers say, and what they show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from judge.config import ModelSettings
from judge.errors import BudgetExceeded, ProviderError
from judge.models import Ledger, Limiter, Message, Reply, Request, RetryingModel, RetryPolicy, Role, open_model
from judge.models.faults import Fault, TimedOut
from judge.models.pace import Learnt, Pace, Window
from judge.models.quota import Quota, read_quota
from judge.models.told import Told
from judge.schemas import Usage

REQUEST = Request(messages=(Message(Role.USER, "x" * 4_000),))


class Served:
    """A server: what it does with a call is up to ``rule``, which may raise. Keeps when calls began."""

    id = "m"
    sees_images = False
    context_tokens = 1_000

    def __init__(self, rule: Callable[[int], Reply], latency: float = 0.0) -> None:
        self.rule = rule
        self.latency = latency
        self.begun: list[float] = []
        self.now = self.most = 0

    async def complete(self, request: Request) -> Reply:
        self.begun.append(time.monotonic())
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.latency)
            return self.rule(len(self.begun))
        finally:
            self.now -= 1

    async def close(self) -> None:
        pass


def fine(number: int) -> Reply:
    return Reply("x", usage=Usage(calls=1, input_tokens=1_000))


def go(served: Served, limiter: Limiter, count: int, policy: RetryPolicy | None = None) -> list[Any]:
    model = RetryingModel(served, policy or RetryPolicy(base=0.01), limiter=limiter)

    async def run() -> list[Any]:
        return await asyncio.gather(*(model.complete(REQUEST) for _ in range(count)), return_exceptions=True)

    return asyncio.run(run())


def gaps(served: Served) -> list[float]:
    return [after - before for before, after in zip(served.begun, served.begun[1:], strict=False)]


def test_starts_are_spread_at_the_rate_that_is_set() -> None:
    served = Served(fine)
    go(served, Limiter(50, requests_per_minute=1_200), 21)
    assert 0.95 < served.begun[-1] - served.begun[0] < 2.5
    assert sorted(gaps(served))[1] > 0.015, "no burst"


def test_tokens_are_spread_too_by_what_calls_really_use() -> None:
    served = Served(fine)
    go(served, Limiter(50, tokens_per_minute=1_200_000), 21)
    assert 0.9 < served.begun[-1] - served.begun[0] < 2.5


def test_places_halve_when_the_server_is_overloaded_and_come_back() -> None:
    limiter = Limiter(8)

    def overloaded(number: int) -> Reply:
        if number <= 8:
            raise Fault("overloaded", status=529, retryable=True)
        return fine(number)

    served = Served(overloaded, latency=0.01)
    assert all(isinstance(item, Reply) for item in go(served, limiter, 8))
    assert 4 <= limiter.places < 8, "eight refusals of one round are one reason, not eight"
    go(served, limiter, 60)
    assert limiter.places == 8


def test_a_server_that_does_not_answer_in_time_gets_less() -> None:
    limiter = Limiter(8)

    def silent(number: int) -> Reply:
        raise TimedOut("no answer", retryable=True)

    go(Served(silent), limiter, 1, RetryPolicy(retries=3, base=0.001))
    assert limiter.places == 1


def test_one_call_told_to_wait_makes_all_wait() -> None:
    def first_refused(number: int) -> Reply:
        if number == 1:
            raise Fault("slow down", status=429, retryable=True, retry_after=0.6)
        return fine(number)

    served = Served(first_refused)
    go(served, Limiter(1), 5)
    assert gaps(served)[0] > 0.55
    assert len(served.begun) == 6


def test_a_hold_is_bounded() -> None:
    def refused(number: int) -> Reply:
        raise Fault("come back tomorrow", status=429, retryable=True, retry_after=86_400.0)

    served = Served(refused)
    started = time.monotonic()
    results = go(served, Limiter(1, longest_hold=0.2), 3, RetryPolicy(deadline=1.0))
    assert all(isinstance(item, ProviderError) for item in results)
    assert time.monotonic() - started < 3
    assert len(served.begun) == 3


def test_waiting_calls_are_told_how_long_the_server_asks() -> None:
    told: list[str] = []

    def first_refused(number: int) -> Reply:
        if number == 1:
            raise Fault("slow down", where="m", status=429, retryable=True, retry_after=0.05)
        return fine(number)

    model = RetryingModel(Served(first_refused), RetryPolicy(), note=told.append)
    asyncio.run(model.complete(REQUEST))
    assert len(told) == 1
    assert "asks to wait 0.05 s" in told[0]


def test_a_server_that_tells_nothing_is_met_at_its_rate() -> None:
    """A bucket of 30 a second: the calls get through at nearly that, and few of them are refused."""
    level, at = [10.0], [time.monotonic()]
    refused = [0]

    def bucket(number: int) -> Reply:
        now = time.monotonic()
        level[0] = min(10.0, level[0] + (now - at[0]) * 30)
        at[0] = now
        if level[0] < 1:
            refused[0] += 1
            raise Fault("too many", status=429, retryable=True)
        level[0] -= 1
        return fine(number)

    served = Served(bucket, latency=0.02)
    started = time.monotonic()
    results = go(served, Limiter(16), 200, RetryPolicy(retries=50, base=0.2))
    assert all(isinstance(item, Reply) for item in results)
    assert time.monotonic() - started < 200 / 30 * 2
    assert refused[0] < 60


def test_single_refusals_do_not_slow_everything_down() -> None:
    learnt = Learnt()
    now = 100.0
    for number in range(2_000):
        now += 0.01
        if number % 50 == 7:
            learnt.stopped(now, news=True)
        else:
            learnt.answered(now)
    assert learnt.pace.per_second is None


def test_a_rate_seen_in_few_answers_is_left_quickly_and_one_seen_in_many_slowly() -> None:
    for answers, least, most in ((3, 1.8, 20.0), (2_000, 1.0, 1.05)):
        learnt, now = Learnt(), 100.0
        for _ in range(answers):
            now += 0.02
            learnt.answered(now)
        for number in range(10):
            learnt.stopped(now, news=number == 0)
        found = learnt.pace.per_second
        assert found is not None
        for _ in range(20):
            now += 0.25
            learnt.answered(now)
        grown = learnt.pace.per_second
        assert grown is not None
        assert least <= grown / found <= most, answers


@pytest.mark.parametrize(
    ("headers", "quota"),
    [
        ({"limit": "500", "remaining": "499", "reset": "120ms"}, Quota(500, 499, 0.12)),
        ({"limit": "500", "remaining": "0", "reset": "1m30.5s"}, Quota(500, 0, 90.5)),
        ({"limit": "60", "remaining": "10", "reset": "2h"}, Quota(60, 10, 7_200)),
        ({"limit": "60", "remaining": "10", "reset": "7"}, Quota(60, 10, 7)),
        ({"limit": "60", "remaining": "99", "reset": "7"}, Quota(60, 60, 7)),
        ({"limit": "60", "remaining": "10"}, None),
        ({"limit": "0", "remaining": "0", "reset": "1s"}, None),
        ({"limit": "60", "remaining": "-1", "reset": "1s"}, None),
        ({"limit": "many", "remaining": "x", "reset": "soon"}, None),
        ({"limit": "nan", "remaining": "inf", "reset": "-5"}, None),
        ({"limit": "60", "remaining": "1", "reset": "9" * 400}, None),
        ({"limit": "60", "remaining": "1", "reset": "999999d"}, None),
        ({}, None),
    ],
)
def test_quotas_in_headers(headers: dict[str, str], quota: Quota | None) -> None:
    assert read_quota({f"x-ratelimit-{name}-requests": value for name, value in headers.items()}, "requests") == quota


def test_quotas_of_anthropic_reset_at_a_moment() -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=30)).isoformat().replace("+00:00", "Z")
    names = {"limit": "50", "remaining": "49", "reset": soon}
    found = read_quota({f"anthropic-ratelimit-tokens-{name}": value for name, value in names.items()}, "tokens")
    assert found is not None
    assert (found.limit, found.remaining) == (50, 49)
    assert 28 < found.reset <= 30


def test_a_steady_refill_is_met_and_a_window_is_spread() -> None:
    steady = Told()
    for used in (450, 470, 499):  # ten a second
        steady.hear(Quota(500, 500 - used, used / 10), now=100.0, flying=0, round_size=8)
    assert steady.pace.per_second == pytest.approx(10)
    window = Told()
    for second, left in ((0, 95), (1, 50), (2, 6)):
        window.hear(Quota(100, left, 60 - second), now=100.0 + second, flying=0, round_size=8)
    assert window.pace.per_second == pytest.approx(6 / 58)
    window.hear(Quota(100, 0, 50.0), now=110.0, flying=0, round_size=8)
    assert window.pace.at() >= 160.0
    window.hear(Quota(100, 99, 60.0), now=161.0, flying=0, round_size=8)
    assert window.pace.at() == 0.0


def test_what_the_server_tells_is_obeyed(server: Any, chat: Any) -> None:
    """A quota of 3 that is renewed every second: no call is refused, although eight may be in flight."""
    window = [0.0, 3]
    refused = [0]

    def rule(hit: Any) -> Any:
        now = time.monotonic()
        if now - window[0] >= 1.0:
            window[:] = [now, 3]
        names = {"limit": "3", "reset": f"{max(0.0, window[0] + 1 - now):.3f}s"}
        refuse = window[1] < 1
        window[1] -= 0 if refuse else 1
        names["remaining"] = str(int(window[1]))
        headers = {f"x-ratelimit-{name}-requests": value for name, value in names.items()}
        if refuse:
            refused[0] += 1
            return chat.answer({"error": {"message": "no"}}, 429, headers | {"retry-after-ms": "300"})
        return chat.answer(chat.body(), headers=headers)

    server.rule = rule
    settings = ModelSettings(base_url=server.url + "/v1", concurrency=8, max_retries=8)

    async def ask() -> list[Reply]:
        model = open_model("openai:m", settings)
        await model.complete(REQUEST)
        replies = await asyncio.gather(*(model.complete(REQUEST) for _ in range(9)))
        await model.close()
        return replies

    assert len(asyncio.run(ask())) == 9
    assert refused[0] <= 3


def test_paces_and_windows_by_themselves() -> None:
    pace = Pace(10.0)
    pace.take(100.0)
    assert pace.at() == pytest.approx(100.08, abs=0.03)
    pace.correct(5)
    assert pace.at() == pytest.approx(100.58, abs=0.03)
    assert Pace().at() == 0.0
    window = Window(8)
    assert window.shrink(1.0, 2.0) and not window.shrink(1.5, 2.5)
    assert window.size == 4
    for _ in range(100):
        window.grow()
    assert window.size == 8
    for number in range(20):
        window.shrink(10.0 + number, 9.0 + number)
    assert window.size == 1


@pytest.mark.parametrize("latency", [0.0, 5.0])
def test_the_time_of_a_run_is_bounded(latency: float) -> None:
    from judge.models.ledger import LedgerModel

    served = Served(fine, latency)
    ledger = Ledger(seconds=0.3, grace=0.3)
    model = LedgerModel(served, ledger, lambda usage: None)

    async def run() -> list[Any]:
        return await asyncio.gather(*(one() for _ in range(3)), return_exceptions=True)

    async def one() -> None:
        while True:
            await model.complete(REQUEST)
            await asyncio.sleep(0.01)

    started = time.monotonic()
    results = asyncio.run(run())
    assert time.monotonic() - started < 2
    assert all(isinstance(item, BudgetExceeded) and "--run-deadline" in str(item) for item in results)
    assert bool(ledger.total.calls) is (latency == 0.0)


def test_models_of_a_panel_share_the_limits_of_their_server(server: Any, chat: Any) -> None:
    from judge.models import open_panel

    server.will(chat.good())
    settings = ModelSettings(base_url=server.url + "/v1", requests_per_minute=1_200, concurrency=20)

    async def ask() -> None:
        models = open_panel(["openai:a", "openai:b"], settings)
        await asyncio.gather(*(model.complete(REQUEST) for model in models for _ in range(8)))
        assert models[0].ledger is models[1].ledger
        assert models[0].ledger.total.calls == 16
        for model in models:
            await model.close()

    asyncio.run(ask())
    assert server.hits[-1].at - server.hits[0].at > 0.7
