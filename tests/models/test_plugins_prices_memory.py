"""What others bring along, what things cost, and what is remembered of servers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import ConfigError, ProviderError
from judge.models import VERDICT_SCHEMA, Message, Reply, Request, Role, open_model
from judge.models.memory import Memory
from judge.models.plugins import list_plugins
from judge.models.pricebook import load_rates
from judge.models.prices import Price
from judge.schemas import Usage

REQUEST = Request(messages=(Message(Role.USER, "The criterion."),), schema=VERDICT_SCHEMA, schema_name="verdict")
GOOD = """
from judge.errors import ConfigError, ProviderError
from judge.models.base import Reply
from judge.schemas import Usage

class Mine:
    sees_images = False
    context_tokens = 1000

    def __init__(self, name):
        self.id = f"mine:{name}"
        self.calls = 0

    async def complete(self, request):
        self.calls += 1
        if self.calls == 1:
            raise ProviderError("busy", retryable=True)
        return Reply("fine", usage=Usage(calls=1, input_tokens=10, cost=None))

    async def close(self):
        pass

    def cost_of(self, usage):
        return usage.input_tokens * 0.5

def opens(name, settings):
    return Mine(name)

def refuses(name, settings):
    raise ConfigError("no such model", where=name)

def breaks(name, settings):
    raise RuntimeError("boom\\nboom")

def gives_nonsense(name, settings):
    return object()
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Installs a package with entry points."""

    def install(package: str = "judge-mine", **points: str) -> None:
        folder = tmp_path / package
        folder.mkdir()
        (folder / "judge_mine.py").write_text(GOOD, encoding="utf-8")
        info = folder / f"{package.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n", encoding="utf-8")
        lines = "\n".join(f"{name} = {value}" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[judge.models]\n{lines}\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, "judge_mine", raising=False)

    return install


def ask(model: Any, request: Request = REQUEST) -> Reply:
    async def go() -> Reply:
        try:
            reply: Reply = await model.complete(request)
            return reply
        finally:
            await model.close()

    return asyncio.run(go())


def test_a_plugin_gets_retries_ledger_and_price(plugin: Any) -> None:
    plugin(mine="judge_mine:opens")
    model = open_model("mine:tiny/model:7b", ModelSettings(max_cost=100.0))
    assert model.id == "mine:tiny/model:7b"
    assert ask(model).text == "fine"
    assert model.ledger.total.calls == 1
    assert model.cost_of(Usage(input_tokens=10)) == 5


def test_plugins_are_listed_without_being_imported(plugin: Any) -> None:
    plugin(mine="judge_mine:opens", other="no_such_module:opens")
    found = {item.name: item for item in list_plugins()}
    assert (found["mine"].value, found["mine"].package) == ("judge_mine:opens", "judge-mine 1.2")
    assert "other" in found
    assert "judge_mine" not in sys.modules
    with pytest.raises(ConfigError, match=r"unknown provider.*openai:.*mine:"):
        open_model("their:x", ModelSettings())


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("judge_mine:refuses", "no such model"),
        ("judge_mine:breaks", "RuntimeError: boom boom"),
        ("judge_mine:gives_nonsense", "is no model: it has no id"),
        ("judge_mine:absent", "AttributeError"),
        ("no_such_module_at_all:opens", "ModuleNotFoundError"),
    ],
)
def test_a_broken_plugin_is_one_line_and_only_when_it_is_asked_for(plugin: Any, value: str, told: str) -> None:
    plugin(mine=value)
    open_model("openai:x", ModelSettings(base_url="http://localhost:1"))
    with pytest.raises(ConfigError, match=told) as caught:
        open_model("mine:x", ModelSettings())
    assert "\n" not in str(caught.value)


def test_built_in_names_cannot_be_taken_and_two_of_one_name_are_told(plugin: Any) -> None:
    plugin("judge-mine", openai="judge_mine:breaks", mine="judge_mine:opens")
    plugin("judge-thine", mine="judge_mine:breaks")
    assert open_model("openai:x", ModelSettings(base_url="http://localhost:1")).id == "openai:x"
    with pytest.raises(ConfigError, match=r"judge-mine 1.2 and judge-thine 1.2"):
        open_model("mine:x", ModelSettings())


def test_prices_of_ones_own_outrank_the_known_ones(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '["openai:gpt-4o-*"]\ninput = 1\ncached = 0.1\ncache_write = 2\noutput = 10\nbatch = 0.25\n'
        '["llama*"]\ninput = 0\noutput = 0\n',
        encoding="utf-8",
    )
    settings = ModelSettings(prices=file, keys={"OPENAI_API_KEY": Secret("key-0123456")}, max_cost=1.0)
    model = open_model("openai:gpt-4o-mini", settings)
    usage = Usage(input_tokens=10**6, cache_read_tokens=10**6, cache_write_tokens=10**6, output_tokens=10**6)
    assert model.cost_of(usage) == pytest.approx(13.1)
    local = open_model("openai:llama3", ModelSettings(prices=file, base_url="http://localhost:1", max_cost=1.0))
    assert local.cost_of(usage) == 0, "a price of nothing is one that somebody wrote down"
    with pytest.raises(ConfigError, match="price of openai:qwen is unknown"):
        open_model("openai:qwen", ModelSettings(prices=file, base_url="http://localhost:1", max_cost=1.0))
    rates = load_rates(file, "openai:gpt-4o-mini")
    assert Price("gpt-4o-mini", "http://localhost:1", rates).of_batch(usage) == pytest.approx(13.1 / 4)


def test_prices_not_given_are_those_of_input_and_half_in_a_batch(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["*"]\ninput = 2\noutput = 4\n', encoding="utf-8")
    rates = load_rates(file, "openai:x")
    assert rates is not None
    assert (rates.cached, rates.cache_write, rates.batch) == (2, 2, 0.5)


def test_batches_cost_half_where_the_price_is_known_and_unknown_elsewhere() -> None:
    usage = Usage(input_tokens=10**6)
    known = Price("gpt-4o-mini", "https://api.openai.com/v1")
    full, half = known.of(usage), known.of_batch(usage)
    assert full is not None and half is not None
    assert half == pytest.approx(full / 2)
    assert Price("gpt-4o-mini", "http://localhost:1").of_batch(usage) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[", "is not valid TOML"),
        ("input = 1", "expects a table for each model"),
        ('["a"]\ninput = 1', "has no price of output"),
        ('["a"]\ninput = -1\noutput = 1', "at least 0"),
        ('["a"]\ninput = nan\noutput = 1', "at least 0"),
        ('["a"]\ninput = true\noutput = 1', "at least 0"),
        ('["a"]\ninput = "1"\noutput = 1', "at least 0"),
        ('["a"]\ninput = 1\noutput = 1\nprompt = 3', "unknown key 'prompt'"),
    ],
)
def test_mistakes_in_a_file_of_prices_are_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as caught:
        load_rates(file, "openai:x")
    assert str(file) in str(caught.value)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_rates(tmp_path / "none.toml", "openai:x")


def refusing(chat: Any) -> Any:
    def rule(hit: Any) -> Any:
        if "temperature" in hit.body:
            return chat.answer({"error": {"message": "temperature is not supported"}}, 400)
        if hit.body.get("response_format", {}).get("type") == "json_schema":
            return chat.answer({"error": {"message": "response_format json_schema is not supported"}}, 400)
        return chat.good()

    return rule


def test_what_a_server_refused_is_remembered_by_the_next_run(server: Any, chat: Any, tmp_path: Path) -> None:
    server.rule = refusing(chat)
    memory = tmp_path / "deep" / "models.json"
    settings = ModelSettings(base_url=server.url + "/v1", memory=memory)
    for hits in (3, 4, 5):
        ask(open_model("openai:m", settings))
        assert len(server.hits) == hits
    ask(open_model("openai:other", settings))
    assert len(server.hits) == 8, "another model is another story"
    assert memory.stat().st_mode & 0o077 == 0


def test_a_refusal_that_led_nowhere_is_not_remembered(server: Any, chat: Any, tmp_path: Path) -> None:
    words = "internal: response_format temperature unsupported"
    server.rule = lambda hit: chat.answer({"error": {"message": words}}, 400)
    memory = tmp_path / "models.json"
    with pytest.raises(ProviderError):
        ask(open_model("openai:m", ModelSettings(base_url=server.url + "/v1", memory=memory)))
    assert not memory.exists()


GARBAGE: list[Any] = [
    b"",
    b"\xff\xfe",
    b"[]",
    b"null",
    b"{",
    b'{"schema_version": 1, "models": 3}',
    b'{"schema_version": 9, "models": {}}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("data", GARBAGE)
def test_a_damaged_memory_is_an_empty_one(tmp_path: Path, data: bytes) -> None:
    memory = Memory(tmp_path / "models.json")
    (tmp_path / "models.json").write_bytes(data)
    assert memory.recall("m", "s") == {}
    memory.keep("m", "s", {"images": False})
    assert memory.recall("m", "s") == {"images": False}


@pytest.mark.parametrize(
    "known",
    [
        {"format": 9, "dropped": 3, "images": "no", "limit_name": "x", "responses": 1},
        {"format": True, "dropped": [1, None, "temperature"], "images": None},
        {"format": "SCHEMA", "dropped": {"a": 1}},
    ],
)
def test_odd_values_in_the_memory_are_left_out(server: Any, chat: Any, tmp_path: Path, known: dict[str, Any]) -> None:
    server.will(chat.good())
    path = tmp_path / "models.json"
    Memory(path).keep("openai:m", f"{server.url}/v1", known)
    assert ask(open_model("openai:m", ModelSettings(base_url=server.url + "/v1", memory=path))).text


def test_old_memories_fade_and_those_of_the_future_are_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    for at in (time.time() - 40 * 86_400, time.time() + 86_400, "soon", None, True):
        value = {"schema_version": 1, "models": {"m at s": {"at": at, "known": {"images": False}}}}
        path.write_text(json.dumps(value), encoding="utf-8")
        assert Memory(path).recall("m", "s") == {}


def test_a_memory_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    Memory(tmp_path / "file" / "models.json").keep("m", "s", {})
    Memory(None).keep("m", "s", {})
    assert Memory(None).recall("m", "s") == {}
    assert os.listdir(tmp_path) == ["file"]


def test_effort_of_anthropic_goes_by_name_then_by_budget_then_not_at_all(server: Any, messages: Any) -> None:
    def rule(hit: Any) -> Any:
        if "effort" in hit.body.get("output_config", {}):
            return messages.answer({"error": {"message": "output_config.effort: Extra inputs are not permitted"}}, 400)
        if "thinking" in hit.body:
            return messages.answer({"error": {"message": "thinking is not supported by this model"}}, 400)
        return messages.good()

    server.rule = rule
    ask(open_model("anthropic:m", ModelSettings(base_url=server.url, effort="medium")))
    first, second, third = (hit.body for hit in server.hits)
    assert first["output_config"]["effort"] == "medium"
    assert first["output_config"]["format"]["type"] == "json_schema"
    assert second["thinking"]["budget_tokens"] < second["max_tokens"]
    assert "temperature" not in second, "thinking takes none"
    assert third["output_config"]["format"]["type"] == "json_schema"
    assert third["temperature"] == 0


def test_effort_of_chat_completions(server: Any, chat: Any) -> None:
    server.will(chat.answer({"error": {"message": "Unknown parameter: reasoning_effort"}}, 400), chat.good())
    ask(open_model("openai:m", ModelSettings(base_url=server.url + "/v1", effort="low")))
    assert [hit.body.get("reasoning_effort") for hit in server.hits] == ["low", None]
