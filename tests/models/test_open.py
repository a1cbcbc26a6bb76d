"""Names of models, keys, addresses, budgets and places in flight."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret, Server
from judge.errors import BudgetExceeded, ConfigError, ExitCode, ProviderError
from judge.models import Ledger, Limiter, Message, Reply, Request, RetryingModel, RetryPolicy, Role, open_model
from judge.models.endpoint import named_endpoint, provider_endpoint
from judge.models.prices import Price
from judge.schemas import Usage

REQUEST = Request(messages=(Message(Role.USER, "word " * 100),), max_output_tokens=100)
KEYS = {name: Secret(f"key-of-{name}") for name in ("JUDGE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "LAB_KEY")}


def scripted(tmp_path: Path, value: Any) -> str:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return f"scripted:{path}"


@pytest.mark.parametrize("spec", ["gpt-4", "nothing:x", "", ":", "rules", "rules:"])
def test_unknown_providers_are_told_the_known_ones(spec: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_model(spec, ModelSettings())
    for name in ("openai:", "anthropic:", "openai-compatible:", "scripted:"):
        assert name in str(caught.value)


@pytest.mark.parametrize("spec", ["openai:", "anthropic: ", "openai-compatible:lab", "scripted:"])
def test_a_missing_name_is_told(spec: str) -> None:
    with pytest.raises(ConfigError, match="names no model"):
        open_model(spec, ModelSettings(keys=KEYS))


@pytest.mark.parametrize(
    ("spec", "base_url", "variable"),
    [
        ("openai:gpt-5", "", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "", "ANTHROPIC_API_KEY"),
        ("openai:x", "https://gateway.example/v1", "JUDGE_API_KEY or OPENAI_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(spec: str, base_url: str, variable: str) -> None:
    with pytest.raises(ConfigError, match=f"{variable} is not set") as caught:
        open_model(spec, ModelSettings(base_url=base_url))
    assert caught.value.exit_code is ExitCode.BAD_INPUT


@pytest.mark.parametrize(
    "url", ["http://localhost:1/v1", "http://127.0.0.1:1", "http://[::1]:1/v1", "http://0.0.0.0:1"]
)
def test_this_machine_needs_no_key(url: str) -> None:
    assert provider_endpoint("openai", ModelSettings(base_url=url)).local


@pytest.mark.parametrize(
    "url", ["http://localhost.evil.example/v1", "http://127.0.0.1.evil.example", "http://10.0.0.1"]
)
def test_other_machines_do(url: str) -> None:
    with pytest.raises(ConfigError):
        provider_endpoint("openai", ModelSettings(base_url=url))


def test_each_server_gets_its_own_key_only() -> None:
    settings = ModelSettings(
        keys=KEYS, servers={"lab": Server("https://lab.example/v1", "LAB_KEY"), "open": Server("http://x")}
    )
    official = provider_endpoint("openai", settings)
    assert (official.key.reveal(), official.official) == ("key-of-OPENAI_API_KEY", True)
    assert provider_endpoint("anthropic", settings).key.reveal() == "key-of-ANTHROPIC_API_KEY"
    gateway = ModelSettings(keys=KEYS, base_url="https://gateway.example/v1")
    assert provider_endpoint("openai", gateway).key.reveal() == "key-of-JUDGE_API_KEY"
    assert named_endpoint("lab", settings).key.reveal() == "key-of-LAB_KEY"
    assert not named_endpoint("open", settings).key


def test_a_named_server_without_its_key_or_name() -> None:
    settings = ModelSettings(servers={"lab": Server("http://localhost:1", "LAB_KEY")})
    with pytest.raises(ConfigError, match="LAB_KEY is not set"):
        open_model("openai-compatible:lab/m", settings)
    with pytest.raises(ConfigError, match=r"no server 'lob'.*known: lab"):
        open_model("openai-compatible:lob/m", settings)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_is_none_is_told_without_showing_it(key: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as caught:
        open_model("openai:gpt-5", ModelSettings(keys={"OPENAI_API_KEY": Secret(key)}))
    assert key not in str(caught.value)


def test_addresses_are_shown_without_passwords() -> None:
    settings = ModelSettings(base_url="http://bob:secretpw@localhost:8000/v1?token=abc")
    assert provider_endpoint("openai", settings).shown == "http://localhost:8000/v1"


def test_prices_are_known_for_providers_and_unknown_elsewhere() -> None:
    usage = Usage(calls=1, input_tokens=1_000_000, output_tokens=0)
    full = Price("gpt-4o-mini", "https://api.openai.com/v1").of(usage)
    cached = Price("gpt-4o-mini", "https://api.openai.com/v1").of(Usage(calls=1, cache_read_tokens=1_000_000))
    assert full is not None
    assert cached is not None
    assert 0 < cached < full
    assert Price("gpt-4o-mini", "http://localhost:1/v1").of(usage) is None
    assert Price("no-such-model-at-all", "https://api.openai.com/v1").of(usage) is None
    assert Price("claude-sonnet-4-5", "https://api.anthropic.com").context_tokens() >= 200_000
    assert Price("unknown", "http://localhost:1/v1").context_tokens() > 0


def test_a_cost_limit_needs_a_price() -> None:
    with pytest.raises(ConfigError, match="price of openai:llama is unknown"):
        open_model("openai:llama", ModelSettings(base_url="http://localhost:1/v1", max_cost=1.0))


def calls(model: Any, count: int) -> tuple[int, list[BaseException]]:
    async def go() -> list[Any]:
        return await asyncio.gather(*(model.complete(REQUEST) for _ in range(count)), return_exceptions=True)

    results = asyncio.run(go())
    return sum(isinstance(item, Reply) for item in results), [
        item for item in results if isinstance(item, BaseException)
    ]


def test_the_token_limit_stops_before_the_call_that_would_pass_it(tmp_path: Path) -> None:
    usage = {"input_tokens": 100, "output_tokens": 10}
    spec = scripted(
        tmp_path, {"default": {"text": "x", "usage": usage}, "rules": [], "log": "calls.jsonl", "latency": 0.01}
    )
    model = open_model(spec, ModelSettings(max_tokens=1_000, concurrency=4))
    done, failed = calls(model, 20)
    used = model.ledger.total
    assert used.input_tokens + used.output_tokens <= 1_000
    assert done >= 4
    assert all(isinstance(error, BudgetExceeded) for error in failed)
    assert done + len(failed) == 20
    assert len((tmp_path / "calls.jsonl").read_text().splitlines()) == done


def test_the_cost_limit_counts_what_an_interrupted_run_spent(tmp_path: Path) -> None:
    spec = scripted(tmp_path, {"default": {"text": "x", "usage": {"cost": 0.1}}, "rules": []})
    settings = ModelSettings(max_cost=1.0, concurrency=1)
    ledger = Ledger(1.0, None, spent=Usage(calls=3, cost=0.65))
    done, failed = calls(open_model(spec, settings, ledger=ledger), 10)
    assert done in {3, 4}
    assert "limit of $1 is reached" in str(failed[0])
    assert failed[0].exit_code is ExitCode.BUDGET  # type: ignore[attr-defined]
    assert ledger.total.cost == pytest.approx(done * 0.1)


def test_the_ledger_keeps_purposes_apart_and_unknown_costs_unknown(tmp_path: Path) -> None:
    model = open_model(scripted(tmp_path, ["a", {"text": "b", "usage": {"cost": None}}]), ModelSettings())

    async def go() -> None:
        await model.complete(REQUEST)
        await model.complete(Request(messages=REQUEST.messages, purpose="locate"))

    asyncio.run(go())
    assert set(model.ledger.entries) == {("judge", model.id), ("locate", model.id)}
    assert model.ledger.entries["judge", model.id].cost == 0
    assert model.ledger.total.cost is None
    assert model.ledger.total.calls == 2


def test_a_failed_call_frees_what_it_reserved(tmp_path: Path) -> None:
    spec = scripted(tmp_path, {"default": {"status": 400, "message": "no"}, "rules": []})
    _, failed = calls(open_model(spec, ModelSettings(max_tokens=250, concurrency=1)), 1)
    assert isinstance(failed[0], ProviderError)
    model = open_model(spec, ModelSettings(max_tokens=250, concurrency=1))
    for _ in range(5):
        _, failed = calls(model, 1)
        assert not isinstance(failed[0], BudgetExceeded)


class Slow:
    """Notes how many calls are in flight."""

    id = "slow"
    sees_images = False
    context_tokens = 1_000

    def __init__(self) -> None:
        self.now = 0
        self.most = 0

    async def complete(self, request: Request) -> Reply:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        return Reply("x")

    async def close(self) -> None:
        pass


def test_no_more_calls_in_flight_than_places_also_over_several_models() -> None:
    slow, limiter = Slow(), Limiter(3)
    models = [RetryingModel(slow, RetryPolicy(), limiter=limiter) for _ in range(2)]

    async def go() -> None:
        await asyncio.gather(*(models[number % 2].complete(REQUEST) for number in range(30)))

    asyncio.run(go())
    asyncio.run(go())
    assert slow.most == 3


def test_waiting_for_a_place_counts_against_no_deadline(tmp_path: Path) -> None:
    spec = scripted(tmp_path, {"default": "x", "rules": [], "latency": 0.05})
    done, failed = calls(open_model(spec, ModelSettings(deadline=0.2, timeout=0.2, concurrency=1)), 12)
    assert (done, failed) == (12, [])


def test_opening_is_cheap_until_the_first_call() -> None:
    code = (
        "import sys\nfrom judge.config import ModelSettings\nfrom judge.models import open_model\n"
        "open_model('openai:x', ModelSettings(base_url='http://localhost:1'))\n"
        "open_model('anthropic:x', ModelSettings(base_url='http://localhost:1'))\n"
        "assert not {'openai', 'anthropic', 'tiktoken', 'genai_prices'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
