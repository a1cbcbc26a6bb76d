"""Failures of servers: never a verdict, tried again only where that can help, told in one line without the key."""

from __future__ import annotations

import asyncio
import json
import random
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import ExitCode, ProviderError
from judge.models import ContextOverflow, Message, Reply, Request, RetryPolicy, Role, ask_verdict, open_model
from judge.models.faults import retry_after
from judge.models.open import PROVIDERS
from judge.models.retries import RetryingModel

KEY = "sk-test-0a1B2c3D4e5F6g7H8i9J"
REQUEST = Request(messages=(Message(Role.USER, "The criterion."),))


def settings(server: Any, wire: Any, **changes: Any) -> ModelSettings:
    values: dict[str, Any] = {"base_url": server.url + wire.base, "max_retries": 0, "timeout": 5.0, "deadline": 20.0}
    return ModelSettings(**(values | {"keys": {"JUDGE_API_KEY": Secret(KEY)}} | changes))


class Counting:
    """Counts the attempts of the model it wraps."""

    def __init__(self, inner: Any, attempts: list[object]) -> None:
        self._inner = inner
        self._attempts = attempts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def complete(self, request: Request) -> Reply:
        self._attempts.append(request)
        reply: Reply = await self._inner.complete(request)
        return reply


def ask(
    server: Any, wire: Any, retries: int = 0, attempts: list[object] | None = None, **changes: Any
) -> tuple[Reply, list[float]]:
    """Asks with pauses that are noted, not slept."""
    pauses: list[float] = []

    async def no_sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def go() -> Reply:
        chosen = settings(server, wire, **changes)
        inner, _ = PROVIDERS[wire.provider][0]("some-model", chosen)
        policy = RetryPolicy(retries=retries, timeout=chosen.timeout, deadline=chosen.deadline)
        model = RetryingModel(Counting(inner, attempts if attempts is not None else []), policy, no_sleep)
        try:
            return await model.complete(REQUEST)
        finally:
            await model.close()

    return asyncio.run(go()), pauses


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 422])
def test_final_statuses_are_not_tried_again(server: Any, wire: Any, status: int) -> None:
    server.will(wire.answer({"error": {"message": f"no good\n, your key {KEY} is wrong"}}, status))
    with pytest.raises(ProviderError) as caught:
        ask(server, wire, retries=5)
    error = caught.value
    assert len(server.hits) == 1
    assert (error.status, error.retryable, error.exit_code) == (status, False, ExitCode.PROVIDER)
    assert str(status) in str(error)
    assert "no good" in str(error)
    assert KEY not in str(error) + repr(error) + repr(error.__cause__)
    assert "\n" not in str(error)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_passing_statuses_are_tried_again(server: Any, wire: Any, status: int) -> None:
    failure = wire.answer({"error": {"message": "busy"}}, status)
    server.will(failure, failure, wire.good("fine"))
    reply, pauses = ask(server, wire, retries=2)
    assert reply.text == "fine"
    assert len(server.hits) == 3
    assert 0 <= pauses[0] <= 0.5
    assert 0 <= pauses[1] <= 1


def test_the_last_failure_is_told_with_the_number_of_attempts(server: Any, wire: Any) -> None:
    server.will(wire.answer({"error": {"message": "overloaded"}}, 503))
    with pytest.raises(ProviderError, match=r"HTTP 503: overloaded.*, after 3 attempts"):
        ask(server, wire, retries=2)
    assert len(server.hits) == 3


def test_zero_retries_means_one_attempt(server: Any, wire: Any) -> None:
    server.will(wire.answer({"error": {"message": "overloaded"}}, 503))
    with pytest.raises(ProviderError):
        ask(server, wire, retries=0)
    assert len(server.hits) == 1


@pytest.mark.parametrize("fault", ["cut", "reset", "half_closed", "garbage", "short_chunks"])
def test_broken_connections_are_tried_again(server: Any, wire: Any, fault: str) -> None:
    server.will(wire.answer(raw=wire.faults[fault]), wire.good("fine"))
    reply, _ = ask(server, wire, retries=1)
    assert reply.text == "fine"
    assert len(server.hits) == 2


@pytest.mark.parametrize(
    ("body", "content_type", "told"),
    [
        (b"<!DOCTYPE html><html><head><title>Open WebUI</title></head></html>", "text/html", "HTML page (Open WebUI)"),
        (b"<html>busy</html>", "application/json", "HTML page"),
        (b"", "application/json", "empty body"),
        (b"upstream failed", "text/plain", "broken JSON"),
        (b'{"choices": [{"message": {"content": "SATIS', "application/json", "broken JSON"),
        (b"[]", "application/json", "JSON list"),
        (b"null", "application/json", "JSON NoneType"),
        (b"{}", "application/json", "without"),
        (b'{"choices": [], "content": null}', "application/json", "without"),
        (b'{"choices": [null], "content": "text"}', "application/json", "without"),
        (b'{"choices": [{"message": null}], "content": 3}', "application/json", "without"),
        (b'{"error": {"message": "provider is down", "code": 503}}', "application/json", "HTTP 503: provider is down"),
        (b'{"error": "no idea"}', "application/json", "no idea"),
        (b"\xff\xfe\x00garbage", "application/json; charset=utf-8", "broken JSON"),
        (b"[" * 200_000, "application/json", "broken JSON"),
    ],
)
def test_unusable_bodies_are_tried_again_and_never_read_as_answers(
    server: Any, wire: Any, body: bytes, content_type: str, told: str
) -> None:
    bad = wire.answer(body, headers={"content-type": content_type})
    server.will(bad, wire.good("fine"))
    assert ask(server, wire, retries=1)[0].text == "fine"
    server.will(bad)
    with pytest.raises(ProviderError) as caught:
        ask(server, wire)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_good_body_with_a_wrong_content_type_is_read(server: Any, wire: Any) -> None:
    server.will(wire.answer(wire.body("fine"), headers={"content-type": "text/plain"}))
    assert ask(server, wire)[0].text == "fine"


def test_an_error_object_that_says_final_is_final(server: Any, wire: Any) -> None:
    server.will(wire.answer({"error": {"message": "bad model", "code": 404}}))
    with pytest.raises(ProviderError) as caught:
        ask(server, wire, retries=3)
    assert len(server.hits) == 1
    assert caught.value.status == 404


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size. try increasing the context size or enable context shift",
        "input length and `max_tokens` exceed context limit: exceeds the maximum number of tokens",
        {"message": "too big", "code": "context_length_exceeded"},
    ],
)
def test_a_prompt_that_does_not_fit_is_known_as_such(server: Any, wire: Any, message: Any) -> None:
    error = message if isinstance(message, dict) else {"message": message}
    server.will(wire.answer({"error": error}, 400))
    with pytest.raises(ContextOverflow, match="send less"):
        ask(server, wire, retries=3)
    assert len(server.hits) == 1


def test_an_empty_account_is_final(server: Any, wire: Any) -> None:
    server.will(
        wire.answer({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, 429)
    )
    with pytest.raises(ProviderError, match="no quota left"):
        ask(server, wire, retries=3)
    assert len(server.hits) == 1


def test_redirects_are_not_followed(server: Any, wire: Any) -> None:
    server.will(wire.answer({}, 307, headers={"location": "http://127.0.0.1:1/"}))
    with pytest.raises(ProviderError, match="redirect"):
        ask(server, wire, retries=3)
    assert len(server.hits) == 1


def test_slow_bodies_are_cut_off(server: Any, wire: Any) -> None:
    server.will(wire.answer(raw=wire.dripping))
    started = time.monotonic()
    with pytest.raises(ProviderError, match="no answer"):
        ask(server, wire, timeout=0.6)
    assert time.monotonic() - started < 4


def test_silent_servers_are_cut_off_and_tried_again(server: Any, wire: Any) -> None:
    server.will(wire.answer(wire.body("late"), delay=3), wire.good("fine"))
    assert ask(server, wire, retries=1, timeout=0.5)[0].text == "fine"


def test_the_deadline_bounds_the_whole_call(server: Any, wire: Any) -> None:
    server.will(wire.answer(wire.body("late"), delay=3))
    started = time.monotonic()
    with pytest.raises(ProviderError):
        ask(server, wire, retries=50, timeout=0.3, deadline=1.0)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("retries", [0, 8])
def test_nobody_listens(server: Any, wire: Any, retries: int) -> None:
    server.close()
    attempts: list[object] = []
    with pytest.raises(ProviderError) as caught:
        ask(server, wire, retries=retries, attempts=attempts)
    told = f"cannot connect to {server.url}{wire.base}: is the server running? (connection refused)"
    assert told in str(caught.value)
    assert len(attempts) == min(retries, 1) + 1 and caught.value.retryable


def test_a_host_that_does_not_exist(server: Any, wire: Any) -> None:
    attempts: list[object] = []
    url = "http://no-such-host.invalid"
    with pytest.raises(ProviderError, match=r"cannot connect to http://no-such-host\.invalid: .*unknown host"):
        ask(server, wire, retries=8, attempts=attempts, base_url=url)
    assert len(attempts) == 2


def test_a_server_that_restarts_is_waited_for_as_long_as_it_answers(server: Any, wire: Any) -> None:
    busy = wire.answer({"error": {"message": "loading"}}, 503)
    server.will(busy, busy, busy, busy, busy, wire.good("fine"))
    assert ask(server, wire, retries=8)[0].text == "fine"


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"retry-after": "2"}, 2.0, 2.5),
        ({"retry-after": "0"}, 0.0, 0.1),
        ({"retry-after-ms": "1500"}, 1.5, 2.0),
        ({"retry-after": "99999"}, 120.0, 121.1),
        ({"retry-after": "soon"}, 0.0, 0.5),
        ({"retry-after": "-5"}, 0.0, 0.5),
        ({"retry-after": "nan"}, 0.0, 0.5),
    ],
)
def test_the_server_sets_the_pace(server: Any, wire: Any, headers: dict[str, str], least: float, most: float) -> None:
    server.will(wire.answer({"error": {"message": "slow down"}}, 429, headers=headers), wire.good("fine"))
    _, pauses = ask(server, wire, retries=1, deadline=900.0)
    assert least <= pauses[0] <= most


def test_a_pause_past_the_deadline_is_not_begun(server: Any, wire: Any) -> None:
    server.will(wire.answer({"error": {"message": "slow down"}}, 429, headers={"retry-after": "60"}))
    with pytest.raises(ProviderError, match="slow down"):
        ask(server, wire, retries=5, deadline=10.0)
    assert len(server.hits) == 1


def test_retry_after_as_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert 27 < (retry_after({"retry-after": format_datetime(soon)}) or 0) <= 30
    assert retry_after({"retry-after": format_datetime(soon - timedelta(days=1))}) == 0
    assert retry_after({"retry-after": "Wed, 99 Foo 9999 99:99:99 GMT"}) is None


def test_pauses_grow_spread_and_never_overflow() -> None:
    policy = RetryPolicy()
    assert all(0 <= policy.pause(0, None) <= 0.5 for _ in range(50))
    assert max(policy.pause(6, None) for _ in range(200)) > 20, "the jitter is full, not the pause short"
    assert policy.pause(5_000, None) <= 30
    assert len({policy.pause(3, None) for _ in range(20)}) > 10


@pytest.mark.slow
def test_many_requests_through_a_bad_server_all_end_in_the_right_verdict(server: Any, chat: Any) -> None:
    rng = random.Random(3)
    served: dict[str, int] = {}

    def rule(hit: Any) -> Any:
        number = hit.body["messages"][-1]["content"].split()[-1]
        if rng.random() < 0.3:
            kind = rng.choice(["status", "cut", "reset", "short_chunks", "html", "garbage"])
            if kind == "status":
                return chat.answer({"error": {"message": "busy"}}, rng.choice([429, 500, 503]), {"retry-after-ms": "5"})
            if kind == "html":
                return chat.answer(b"<html><title>502</title></html>", 502, {"content-type": "text/html"})
            return chat.answer(raw=chat.faults[kind])
        served[number] = served.get(number, 0) + 1
        verdict = "SATISFIED" if int(number) % 2 else "UNSATISFIED"
        return chat.good(json.dumps({"reason": number, "citations": [], "confidence": 1, "verdict": verdict}))

    server.rule = rule

    async def quick(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))

    async def one(model: Any, number: int) -> tuple[int, str, str]:
        request = Request(messages=(Message(Role.USER, f"requirement {number}"),))
        parsed, _ = await ask_verdict(model, request, "Again: {}".format)
        return number, parsed.reason, parsed.verdict.value

    async def go() -> list[tuple[int, str, str]]:
        inner, _ = PROVIDERS["openai"][0]("m", settings(server, chat))
        model = RetryingModel(inner, RetryPolicy(retries=12, timeout=10, deadline=120), quick)
        gate = asyncio.Semaphore(16)

        async def bounded(number: int) -> tuple[int, str, str]:
            async with gate:
                return await one(model, number)

        results = await asyncio.gather(*(bounded(number) for number in range(500)))
        await model.close()
        return results

    for number, reason, verdict in asyncio.run(go()):
        assert reason == str(number)
        assert verdict == ("SATISFIED" if number % 2 else "UNSATISFIED")
    assert set(served.values()) == {1}


def test_a_cancelled_call_is_cancelled_and_not_tried_again(server: Any, wire: Any) -> None:
    server.will(wire.answer(wire.body("late"), delay=2))

    async def go() -> None:
        model = open_model(f"{wire.provider}:m", settings(server, wire, max_retries=5))
        task = asyncio.create_task(model.complete(REQUEST))
        await asyncio.sleep(0.4)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.close()

    asyncio.run(go())
    assert len(server.hits) == 1
