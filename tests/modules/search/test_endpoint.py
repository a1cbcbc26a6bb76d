"""Embeddings from a server on the loopback: batches, secrets, faults, limits."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from judge.config import ModelSettings
from judge.errors import BudgetExceeded, ConfigError, ProviderError
from judge.models import Ledger
from judge.modules.base import Strategies
from judge.modules.search import Passage, open_search

TOPICS = ("cat", "engine", "loss")
Body = dict[str, Any]


def vectors(texts: list[str]) -> Body:
    data = [{"index": at, "embedding": [1.0 + text.count(t) * 9 for t in TOPICS]} for at, text in enumerate(texts)]
    return {"object": "list", "data": data[::-1], "usage": {"prompt_tokens": 7 * len(texts)}}


class Server:
    """Answers as its ``reply`` says: status and body for the texts of a request."""

    def __init__(self) -> None:
        self.seen: list[Body] = []
        self.reply: Callable[[list[str]], tuple[int, Any]] = lambda texts: (200, vectors(texts))
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.seen.append({"path": self.path, **body})
                status, value = outer.reply(body["input"])
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


def find(server: Server, query: str, texts: list[str], *, ledger: Ledger | None = None, **more: Any) -> list[int]:
    settings = ModelSettings(base_url=server.url, max_retries=more.pop("retries", 0), timeout=10, deadline=20)
    search = open_search(Strategies("embeddings", "openai:tiny", **more), settings, ledger=ledger)

    async def run() -> list[int]:
        index = await search.index([Passage(text) for text in texts])
        return [fit.position for fit in await index.rank(query)]

    return asyncio.run(run())


def test_the_nearest_text_comes_first_whatever_order_the_server_answers_in(server: Server) -> None:
    assert find(server, "a cat", ["engine", "cat cat", "loss"])[0] == 1
    assert {item["path"] for item in server.seen} == {"/v1/embeddings"}
    assert all(item["model"] == "tiny" and item["encoding_format"] == "float" for item in server.seen)


def test_many_texts_go_in_bounded_batches_and_each_once(server: Server) -> None:
    texts = [f"text {number} {'x' * 3_000}" for number in range(150)]
    find(server, "loss", texts)
    sizes = [len(item["input"]) for item in server.seen]
    assert sum(sizes) == 151 and max(sizes) <= 64
    assert max(sum(map(len, item["input"])) for item in server.seen) <= 66_000


def test_secrets_are_masked_before_they_leave_unless_they_may(server: Server) -> None:
    secret = "ghp_" + "a1B2" * 9
    find(server, f"token {secret}", [f"key = '{secret}'", "cat"])
    assert secret not in json.dumps(server.seen) and "redacted" in json.dumps(server.seen)
    server.seen.clear()
    find(server, "cat", [f"key = '{secret}'"], redact=False)
    assert secret in json.dumps(server.seen)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda texts: (401, {"error": {"message": "bad key"}}), "HTTP 401"),
        (lambda texts: (200, {"data": []}), "without an embedding for each text"),
        (lambda texts: (200, {"data": [{"index": 0, "embedding": "AAAA"} for _ in texts]}), "something else"),
        (lambda texts: (200, {"data": [{"index": 5, "embedding": [1.0]} for _ in texts]}), "belong to no text"),
        (lambda texts: (200, b"<html>hello</html>"), "HTML"),
        (lambda texts: (200, b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'), "something else"),
        (
            lambda texts: (200, {"data": [{"index": i, "embedding": [1.0] * (i + 1)} for i in range(len(texts))]}),
            "lengths",
        ),
    ],
)
def test_a_server_that_does_not_answer_usably_is_a_provider_error(server: Server, reply: Any, words: str) -> None:
    server.reply = reply
    with pytest.raises(ProviderError, match=words):
        find(server, "cat", ["cat"] if "NaN" in str(reply) or words == "something else" else ["cat", "dog"])


def test_a_passing_fault_is_tried_again(server: Server) -> None:
    server.reply = lambda texts: (503, {"error": "busy"}) if len(server.seen) == 1 else (200, vectors(texts))
    assert find(server, "cat", ["cat", "loss"], retries=2)[0] == 0


def test_nobody_there_is_a_provider_error(server: Server) -> None:
    server.http.shutdown()
    server.http.server_close()
    with pytest.raises(ProviderError, match="cannot connect"):
        find(server, "cat", ["cat"])


def test_calls_are_booked_and_limits_are_kept(server: Server) -> None:
    ledger = Ledger()
    find(server, "cat", ["cat", "dog"], ledger=ledger)
    usage = ledger.entries["embed", "openai:tiny"]
    assert usage.calls == 2 and usage.input_tokens == 21 and usage.cost is None
    server.seen.clear()
    with pytest.raises(BudgetExceeded):
        find(server, "cat", ["cat " * 500], ledger=Ledger(max_tokens=100))
    assert not server.seen


def test_specs_that_name_nothing_are_refused_at_once() -> None:
    for spec in ("", "tiny", "folder:", "anthropic:x", "openai-compatible:s"):
        with pytest.raises(ConfigError):
            open_search(Strategies("embeddings", spec), ModelSettings())
    with pytest.raises(ConfigError, match="no server 'nowhere'"):
        open_search(Strategies("embeddings", "openai-compatible:nowhere/x"), ModelSettings())
    with pytest.raises(ConfigError, match="unknown search 'magic'"):
        open_search(Strategies("magic"))
    with pytest.raises(ConfigError, match="price"):
        open_search(
            Strategies("embeddings", "openai:tiny"), ModelSettings(base_url="http://127.0.0.1:9/v1", max_cost=1.0)
        )
