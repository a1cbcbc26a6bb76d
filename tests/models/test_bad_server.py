"""A server that misbehaves in every way at random: five hundred requirements, each with its own right verdict."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import ProviderError
from judge.models import Message, OpenModel, Request, Role, ask_verdict, open_model
from judge.schemas import Usage

COUNT = 500


def number_of(body: dict[str, Any]) -> int:
    return int(re.findall(r"requirement (\d+)", json.dumps(body["messages"]))[0])


def right(number: int) -> str:
    word = "SATISFIED" if number % 2 else "UNSATISFIED"
    return json.dumps({"reason": f"{number}", "citations": [], "confidence": 1, "verdict": word})


class Chaos:
    """Fails three calls in ten, each time in another way, and keeps count of what it did."""

    def __init__(self, wire: Any, seed: int, share: float = 0.3) -> None:
        self.wire = wire
        self.rng = random.Random(seed)
        self.share = share
        self.served: Counter[int] = Counter()
        self.failed: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()

    def __call__(self, hit: Any) -> Any:
        number = number_of(hit.body)
        if self.rng.random() >= self.share:
            self.served[number] += 1
            return self.wire.good(right(number))
        self.failed[number] += 1
        kind = self.rng.choice(
            ["status", "limit", "cut", "reset", "half_closed", "garbage", "short_chunks", "html", "json", "slow"]
        )
        # Waiting for nothing takes its time, so it happens less often.
        kind = "reset" if kind == "slow" and self.kinds["slow"] * 20 > self.failed.total() else kind
        self.kinds[kind] += 1
        if kind == "status":
            return self.wire.answer({"error": {"message": "busy"}}, self.rng.choice([408, 500, 502, 503, 504, 529]))
        if kind == "limit":
            headers = self.rng.choice([{"retry-after-ms": "20"}, {"retry-after": "0"}, {}, {"retry-after": "soon"}])
            return self.wire.answer({"error": {"message": "slow down"}}, 429, headers)
        if kind == "html":
            page = b"<html><title>SATISFIED</title></html>"
            return self.wire.answer(page, self.rng.choice([200, 502]), {"content-type": "text/html"})
        if kind == "json":
            word = self.rng.choice(["SATISFIED", "UNSATISFIED"])
            bodies: list[Any] = [
                {"error": {"message": f"the verdict is {word}"}},
                {"verdict": word},
                [word],
                None,
                {"choices": [], "content": None},
                {"choices": [{"message": None}], "content": word},
                json.dumps({"choices": [{"message": {"content": right(number)}}]}).encode()[:-3],
            ]
            return self.wire.answer(self.rng.choice(bodies))
        if kind == "slow":
            return self.wire.answer(self.wire.body(right(1 - number % 2)), delay=6.0)
        return self.wire.answer(raw=self.wire.faults[kind])


def opened(server: Any, wire: Any, **changes: Any) -> OpenModel:
    values: dict[str, Any] = {"base_url": server.url + wire.base, "timeout": 4.0, "deadline": 200.0, "concurrency": 24}
    values |= {"keys": {"JUDGE_API_KEY": Secret("sk-0a1B2c3D4e5F6g7H")}, "max_retries": 14} | changes
    return open_model(f"{wire.provider}:m", ModelSettings(**values))


def judge(model: OpenModel, count: int) -> tuple[list[Any], Usage]:
    async def one(number: int) -> tuple[str, str]:
        request = Request(messages=(Message(Role.USER, f"requirement {number} "),))
        parsed, _ = await ask_verdict(model, request, "Again: {}".format)
        return parsed.reason, parsed.verdict.value

    async def go() -> list[Any]:
        results = await asyncio.gather(*(one(number) for number in range(count)), return_exceptions=True)
        await model.close()
        return results

    return asyncio.run(go()), model.ledger.total


@pytest.mark.slow
def test_every_requirement_ends_in_its_own_verdict(server: Any, wire: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.models.retries.RetryPolicy.pause", lambda self, attempt, asked: min(asked or 0.01, 0.1))
    chaos = server.rule = Chaos(wire, seed=7)
    results, total = judge(opened(server, wire), COUNT)
    assert results == [(f"{number}", "SATISFIED" if number % 2 else "UNSATISFIED") for number in range(COUNT)]
    assert set(chaos.served.values()) == {1}, "none was asked again after it had its answer"
    assert len(chaos.served) == COUNT
    assert len(chaos.kinds) == 10
    # Every failure costs one more call, and nothing else does.
    assert len(server.hits) == COUNT + chaos.failed.total()
    assert total.calls == COUNT


@pytest.mark.slow
def test_without_retries_there_is_one_call_each_and_an_error_for_each_failure(server: Any, wire: Any) -> None:
    chaos = server.rule = Chaos(wire, seed=11)
    results, total = judge(opened(server, wire, max_retries=0), 200)
    assert len(server.hits) == 200
    for number, result in enumerate(results):
        if chaos.served[number]:
            assert result == (f"{number}", "SATISFIED" if number % 2 else "UNSATISFIED")
        else:
            assert isinstance(result, ProviderError)
    assert total.calls == sum(chaos.served.values())


@pytest.mark.slow
def test_a_second_run_asks_only_what_failed_before(server: Any, chat: Any, tmp_path: Path) -> None:
    chaos = server.rule = Chaos(chat, seed=13)
    kept = {"max_retries": 0, "cache_dir": tmp_path / "kept"}
    first, _ = judge(opened(server, chat, **kept), 120)
    failed = sum(isinstance(item, ProviderError) for item in first)
    before = len(server.hits)
    chaos.share = 0.0
    second, total = judge(opened(server, chat, **kept), 120)
    assert not any(isinstance(item, ProviderError) for item in second)
    assert (len(server.hits) - before, total.calls, total.cached_calls) == (failed, failed, 120 - failed)
