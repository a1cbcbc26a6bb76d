"""Batches: everything that asks waits, one batch goes out, every call gets its own answer, whatever fails."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import BudgetExceeded, ConfigError, InputError, JudgeError, ProviderError
from judge.fence import Fence
from judge.models import VERDICT_SCHEMA, Message, OpenModel, Reply, Request, Role, ask_verdict, open_model
from judge.models.batch import BatchPlan

PRICES = '["*"]\ninput = 2.0\ncached = 1.0\noutput = 10.0\n'


@dataclass
class Provider:
    """Both batch APIs on a loopback server. ``answer`` gives a body, a status or a word for each request of a batch."""

    wire: Any
    url: str
    answer: Callable[[int, dict[str, Any]], Any]
    polls: int = 1
    status: str = ""
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    direct: list[Any] = field(default_factory=list)
    lose_answer: bool = False

    def __call__(self, hit: Any) -> Any:
        path = hit.path.partition("?")[0]
        if path in {"/v1/chat/completions", "/v1/responses"} or path == "/v1/messages":
            self.direct.append(hit.body)
            return self.wire.good(verdict(number_of(hit.body)))
        found = re.fullmatch(r".*/batches/([^/]+)(/results)?", path)
        if path == "/v1/files":
            lines = [json.loads(line) for line in hit.raw.splitlines() if line.startswith(b'{"custom_id"')]
            name = f"file-{len(self.files)}"
            self.files[name] = lines
            return self.wire.answer({"id": name, "object": "file", "bytes": 1, "created_at": 1, "purpose": "batch"})
        if found and found[2]:
            return self.lines(found[1])
        if path.startswith("/v1/files/"):
            return self.lines(path.split("/")[3].removeprefix("out-"))
        if found:
            return self.look(found[1])
        if hit.method == "GET":
            openai = self.wire.provider == "openai"
            data = [self.openai(n, "in_progress") if openai else self.anthropic(n, False) for n in self.batches]
            return self.wire.answer({"object": "list", "data": data, "has_more": False})
        return self.create(hit.body)

    def create(self, body: dict[str, Any]) -> Any:
        name = f"batch_{len(self.batches)}"
        if "requests" in body:
            self.batches[name] = body["requests"]
        else:
            self.batches[name] = self.files[body["input_file_id"]]
            self.tags[name] = body["metadata"]["judge"]
        if self.lose_answer:
            self.lose_answer = False
            return self.wire.answer(raw=self.wire.faults["reset"])
        return self.look(name)

    def look(self, name: str) -> Any:
        if name not in self.batches:
            return self.wire.answer({"error": {"message": "no such batch"}}, 404)
        self.asked[name] = self.asked.get(name, 0) + 1
        done = self.asked[name] > self.polls
        if self.wire.provider == "openai":
            return self.wire.answer(self.openai(name, (self.status or "completed") if done else "in_progress"))
        return self.wire.answer(self.anthropic(name, done))

    def anthropic(self, name: str, done: bool) -> dict[str, Any]:
        counts = {"processing": len(self.batches[name]), "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if done else "in_progress",
            "request_counts": counts,
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if done else None,
            "created_at": datetime.now(UTC).isoformat(),
            "expires_at": "2099-01-02T00:00:00Z",
        }

    def openai(self, name: str, status: str) -> dict[str, Any]:
        body: dict[str, Any] = {"id": name, "object": "batch", "status": status, "endpoint": "x", "created_at": 1}
        body |= {"completion_window": "24h", "input_file_id": "f", "metadata": {"judge": self.tags[name]}}
        body["request_counts"] = {"total": len(self.batches[name]), "completed": 1, "failed": 0}
        if status in {"completed", "expired", "cancelled"}:
            body["output_file_id"] = f"out-{name}"
        if status == "failed":
            body["errors"] = {"object": "list", "data": [{"code": "x", "message": "token limit reached"}]}
        return body

    def lines(self, name: str) -> Any:
        number = int(name.rpartition("_")[2])
        lines = [self.line(number, item) for item in reversed(self.batches[name])]
        data = "\n".join(line for line in lines if line) + "\nno json\n[]\n"
        return self.wire.answer(data.encode(), headers={"content-type": "application/x-jsonl"})

    def line(self, number: int, item: dict[str, Any]) -> str:
        openai = self.wire.provider == "openai"
        got = self.answer(number, item["body"] if openai else item["params"])
        value: dict[str, Any] = {"custom_id": item["custom_id"]}
        if got is None:
            return ""
        if isinstance(got, int):
            error = {"error": {"message": "Unsupported parameter: 'temperature'", "type": kinds.get(got, "api_error")}}
            value |= {"response": {"status_code": got, "body": error}, "error": None}
            value["result"] = {"type": "errored", "error": {"type": "error", **error}}
        elif isinstance(got, str):
            value |= {"response": None, "error": {"code": got, "message": got}}
            word = {"batch_expired": "expired", "batch_cancelled": "canceled"}[got]
            value["result"] = {"type": word}
        else:
            value |= {"response": {"status_code": 200, "body": got}, "error": None}
            value["result"] = {"type": "succeeded", "message": got}
        value.pop("result" if openai else "response")
        return json.dumps(value)


kinds = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}


def number_of(body: dict[str, Any]) -> int:
    return int(re.findall(r"requirement (\d+)", json.dumps(body.get("messages") or body.get("input")))[-1])


def verdict(number: int) -> str:
    word = "SATISFIED" if number % 2 else "UNSATISFIED"
    return json.dumps({"reason": f"{number}", "citations": [], "confidence": 1, "verdict": word})


@pytest.fixture
def provider(server: Any, wire: Any) -> Provider:
    made = Provider(wire, server.url, lambda number, body: wire.body(verdict(number_of(body))))
    server.rule = made
    return made


def opened(server: Any, provider: Provider, tmp_path: Path, **changes: Any) -> OpenModel:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES, encoding="utf-8")
    plan = BatchPlan(
        tmp_path / "batches", poll=0.05, quiet=changes.pop("quiet", 5.0), direct=changes.pop("direct", False)
    )
    plan = replace(plan, **changes.pop("plan", {}))
    values: dict[str, Any] = {"base_url": server.url + provider.wire.base, "timeout": 5.0, "max_retries": 2}
    values |= {"keys": {"JUDGE_API_KEY": Secret("sk-test-0a1B2c3D4e5F")}, "prices": prices, "concurrency": 50} | changes
    return open_model(f"{provider.wire.provider}:m", ModelSettings(**values), batch=plan)


def request(number: int) -> Request:
    text = Fence.new().wrap("file a.py", "x = 1")
    messages = (Message(Role.USER, text), Message(Role.USER, f"requirement {number}"))
    return Request(messages=messages, schema=VERDICT_SCHEMA, schema_name="verdict")


def judge(model: OpenModel, count: int) -> list[Any]:
    """Judges so many requirements as an engine does: each holds, gathers for a while, and asks."""

    async def one(number: int) -> str:
        assert model.batched is not None
        with model.batched.hold():
            await asyncio.sleep(0.01 * (number % 5))
            parsed, _ = await ask_verdict(model, request(number), "Again: {}".format)
        assert parsed.reason == str(number)
        return parsed.verdict.value

    async def go() -> list[Any]:
        results = await asyncio.gather(*(one(number) for number in range(count)), return_exceptions=True)
        await model.close()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, JudgeError):
                raise result
        return results

    return asyncio.run(go())


RIGHT = ["UNSATISFIED", "SATISFIED"] * 20


def test_one_batch_answers_everything_at_half_the_price(server: Any, provider: Provider, tmp_path: Path) -> None:
    model = opened(server, provider, tmp_path, quiet=60.0)
    started = time.monotonic()
    assert judge(model, 20) == RIGHT[:20]
    assert time.monotonic() - started < 30, "it was not the quiet that sent the batch"
    assert [len(items) for items in provider.batches.values()] == [20]
    assert provider.direct == []
    total = model.ledger.total
    assert total.calls == 20
    full = (40 * 2.0 + 60 * 1.0 + 20 * 10.0 + (7 * 2.0 if provider.wire.provider == "anthropic" else 0)) / 1e6
    assert total.cost == pytest.approx(20 * full / 2)


def test_what_a_batch_asks_is_what_a_call_asks(server: Any, provider: Provider, tmp_path: Path) -> None:
    judge(opened(server, provider, tmp_path), 1)
    (item,) = provider.batches["batch_0"]
    assert re.fullmatch("[0-9a-f]{64}", item["custom_id"])
    sent = item["body"] if provider.wire.provider == "openai" else item["params"]
    assert sent["model"] == "m"
    assert sent["temperature"] == 0
    assert "extra_body" not in sent
    if provider.wire.provider == "openai":
        assert (item["method"], item["url"]) == ("POST", "/v1/chat/completions")


def test_repairs_go_into_a_second_batch(server: Any, provider: Provider, tmp_path: Path) -> None:
    right = provider.answer
    provider.answer = lambda number, body: right(number, body) if number else provider.wire.body("I do not know.")
    assert judge(opened(server, provider, tmp_path), 6) == RIGHT[:6]
    assert [len(items) for items in provider.batches.values()] == [6, 6]


def test_what_failed_goes_into_the_next_batch_and_then_out_as_a_call(
    server: Any, provider: Provider, tmp_path: Path
) -> None:
    right = provider.answer

    def answer(number: int, body: dict[str, Any]) -> Any:
        which = number_of(body)
        if number == 0:
            odd: dict[int, Any] = {1: "batch_expired", 2: 529, 3: None, 4: {"choices": []}, 5: 429}
            return odd.get(which, right(number, body))
        return "batch_expired" if which == 1 else right(number, body)

    provider.answer = answer
    assert judge(opened(server, provider, tmp_path), 8) == RIGHT[:8]
    assert [len(items) for items in provider.batches.values()] == [8, 5]
    assert [number_of(body) for body in provider.direct] == [1]


def test_failures_can_be_sent_as_calls_at_once(server: Any, provider: Provider, tmp_path: Path) -> None:
    right = provider.answer
    provider.answer = lambda number, body: 529 if number_of(body) < 3 else right(number, body)
    assert judge(opened(server, provider, tmp_path, direct=True), 8) == RIGHT[:8]
    assert len(provider.batches) == 1
    assert len(provider.direct) == 3


def test_a_lesson_is_learnt_by_the_whole_batch(server: Any, provider: Provider, tmp_path: Path) -> None:
    right = provider.answer
    provider.answer = lambda number, body: 400 if "temperature" in body else right(number, body)
    assert judge(opened(server, provider, tmp_path), 6) == RIGHT[:6]
    assert [len(items) for items in provider.batches.values()] == [6, 6]


def test_a_final_refusal_is_an_error_of_its_request_alone(server: Any, provider: Provider, tmp_path: Path) -> None:
    right = provider.answer
    provider.answer = lambda number, body: 403 if number_of(body) == 1 else right(number, body)
    if provider.wire.provider == "anthropic":
        kinds[403] = "permission_error"
    results = judge(opened(server, provider, tmp_path), 4)
    assert isinstance(results[1], ProviderError)
    assert [results[0], *results[2:]] == [RIGHT[0], *RIGHT[2:4]]


def test_a_cancelled_batch_is_an_error_and_not_paid_again_at_full_price(
    server: Any, provider: Provider, tmp_path: Path
) -> None:
    right = provider.answer
    provider.answer = lambda number, body: "batch_cancelled" if number_of(body) == 1 else right(number, body)
    results = judge(opened(server, provider, tmp_path), 3)
    assert "cancelled" in str(results[1])
    assert provider.direct == []
    provider.answer = right
    assert judge(opened(server, provider, tmp_path), 3) == RIGHT[:3], "running again asks anew"


def killed(model: OpenModel, folder: Path, count: int, until: Callable[[], bool]) -> None:
    """Judges until something has happened, and then stops as a killed process does: nothing is tidied up."""

    async def go() -> None:
        tasks = [asyncio.create_task(model.complete(request(number))) for number in range(count)]
        while not until():
            await asyncio.sleep(0.01)
        kept = {path: path.read_bytes() for path in folder.iterdir()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await model.close()
        for path, data in kept.items():
            path.write_bytes(data)

    asyncio.run(go())


def test_a_killed_run_collects_what_it_paid_for(server: Any, provider: Provider, tmp_path: Path) -> None:
    provider.polls = 1_000
    killed(
        opened(server, provider, tmp_path, quiet=0.1),
        tmp_path / "batches",
        6,
        lambda: provider.asked.get("batch_0", 0) > 2,
    )
    provider.polls = 0
    assert judge(opened(server, provider, tmp_path), 8) == RIGHT[:8]
    assert [len(items) for items in provider.batches.values()] == [6, 2], "only what is new is sent"
    assert judge(opened(server, provider, tmp_path), 8) == RIGHT[:8]
    assert len(provider.batches) == 3, "what was handed over in an orderly end is not given again"


def test_a_batch_whose_id_never_arrived_is_found(server: Any, provider: Provider, tmp_path: Path) -> None:
    provider.lose_answer = True
    assert judge(opened(server, provider, tmp_path), 4) == RIGHT[:4]
    assert len(provider.batches) == 1


def test_a_batch_that_is_gone_is_sent_again(server: Any, provider: Provider, tmp_path: Path) -> None:
    provider.polls = 1_000
    killed(
        opened(server, provider, tmp_path, quiet=0.1),
        tmp_path / "batches",
        3,
        lambda: provider.asked.get("batch_0", 0) > 1,
    )
    provider.batches = {"batch_9": provider.batches.pop("batch_0")}
    provider.polls = 0
    assert judge(opened(server, provider, tmp_path), 3) == RIGHT[:3]


def test_an_unreadable_note_of_what_is_under_way_stops_before_paying_twice(
    server: Any, provider: Provider, tmp_path: Path
) -> None:
    provider.polls = 1_000
    killed(
        opened(server, provider, tmp_path, quiet=0.1),
        tmp_path / "batches",
        3,
        lambda: provider.asked.get("batch_0", 0) > 1,
    )
    (file,) = (tmp_path / "batches").iterdir()
    file.write_text(file.read_text(encoding="utf-8")[:50], encoding="utf-8")
    results = judge(opened(server, provider, tmp_path), 3)
    assert all(isinstance(item, InputError) for item in results)
    assert str(file) in str(results[0])
    assert len(provider.batches) == 1


def test_too_much_at_once_is_sent_in_parts(server: Any, chat: Any, tmp_path: Path) -> None:
    provider = Provider(chat, server.url, lambda number, body: chat.body(verdict(number_of(body))), polls=0)
    server.rule = provider
    look = provider.openai

    def openai(name: str, status: str) -> dict[str, Any]:
        provider.status = "failed" if len(provider.batches[name]) > 3 else ""
        return look(name, "failed" if len(provider.batches[name]) > 3 else status)

    provider.openai = openai  # type: ignore[method-assign]
    assert judge(opened(server, provider, tmp_path), 10) == RIGHT[:10]
    assert max(len(items) for items in list(provider.batches.values())[2:]) <= 5
    assert provider.direct == []


def test_full_batches_are_sent_without_waiting(server: Any, provider: Provider, tmp_path: Path) -> None:
    assert judge(opened(server, provider, tmp_path, plan={"max_requests": 4}), 10) == RIGHT[:10]
    sizes = [len(items) for items in provider.batches.values()]
    assert (max(sizes), sum(sizes)) == (4, 10)


def test_an_outage_while_a_batch_is_under_way_is_waited_for(server: Any, provider: Provider, tmp_path: Path) -> None:
    bad = [0]

    def rule(hit: Any) -> Any:
        if hit.method == "GET" and bad[0] < 4:
            bad[0] += 1
            return provider.wire.answer({"error": {"message": "down"}}, 503, headers={"retry-after-ms": "20"})
        return provider(hit)

    server.rule = rule
    assert judge(opened(server, provider, tmp_path), 3) == RIGHT[:3]
    assert len(provider.batches) == 1


def test_the_budget_is_kept(server: Any, provider: Provider, tmp_path: Path) -> None:
    results = judge(opened(server, provider, tmp_path, max_tokens=2_600), 10)
    stopped = [item for item in results if isinstance(item, BudgetExceeded)]
    assert stopped
    assert len(provider.batches["batch_0"]) == 10 - len(stopped)


def test_a_server_without_batches_says_so(server: Any, wire: Any, tmp_path: Path) -> None:
    server.rule = lambda hit: wire.answer({"error": {"message": "unknown path"}}, 404)
    provider = Provider(wire, server.url, lambda number, body: None)
    results = judge(opened(server, provider, tmp_path), 2)
    assert all(isinstance(item, ProviderError) and "404" in str(item) for item in results)
    assert list(json.loads(next((tmp_path / "batches").iterdir()).read_text())["batches"]) == []


def test_scripted_models_have_batches_for_tests(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    rules = [{"when": f"requirement {n}", "reply": {"text": verdict(n)}} for n in range(4)]
    script.write_text(json.dumps({"rules": rules, "log": "calls.jsonl"}), encoding="utf-8")
    model = open_model(f"scripted:{script}", ModelSettings(), batch=BatchPlan(tmp_path / "b", poll=0.01))
    assert judge(model, 4) == RIGHT[:4]
    assert len((tmp_path / "calls.jsonl").read_text().splitlines()) == 4


def test_a_model_without_a_batch_api_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Foreign:
        id = "other:m"
        sees_images = False
        context_tokens = 1

        async def complete(self, request: Request) -> Reply:
            return Reply("x")

        async def close(self) -> None:
            pass

    monkeypatch.setitem(
        __import__("judge.models.open", fromlist=["PROVIDERS"]).PROVIDERS,
        "other",
        (lambda name, settings: (Foreign(), lambda usage: None), "other:m"),
    )
    with pytest.raises(ConfigError, match="has no batch API"):
        open_model("other:m", ModelSettings(), batch=BatchPlan(tmp_path))
