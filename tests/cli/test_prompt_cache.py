"""What a prompt cache serves, against a server on the loopback interface that keeps beginnings of prompts."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from judge.tokens import count

ANSWER = {"reason": "It is there.", "citations": [], "confidence": 0.8, "verdict": "SATISFIED"}


class Server:
    """Keeps the prompts that were answered, and serves what a new one begins with alike from 1,024 tokens on."""

    def __init__(self) -> None:
        self.known: list[str] = []
        self.usages: list[tuple[int, int]] = []
        self.bodies: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments: Any) -> None:
                """Silent."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                data = json.dumps(owner.answer(body)).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        with self._lock:
            alike = max((count(_alike(prompt, other)) for other in self.known), default=0)
        whole, cached = count(prompt), 1024 + (alike - 1024) // 128 * 128 if alike >= 1024 else 0
        with self._lock:
            self.known.append(prompt)
            self.usages.append((whole, cached))
            self.bodies.append(body)
        details = {"cached_tokens": cached}
        usage = {"prompt_tokens": whole, "completion_tokens": 20, "total_tokens": whole + 20}
        message = {"role": "assistant", "content": json.dumps(ANSWER)}
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {**usage, "prompt_tokens_details": details},
        }


def _alike(one: str, other: str) -> str:
    length = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    thread = threading.Thread(target=found.http.serve_forever, daemon=True)
    thread.start()
    yield found
    found.http.shutdown()
    found.http.server_close()
    thread.join()


def test_what_requirements_share_is_served_from_the_cache_and_counted(
    judge: Any, lab: Any, server: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lab.add("01_A", [[] for _ in range(6)])
    source = lab.workspaces / "01_A" / "src" / "main.py"
    source.write_text("".join(f"value_{n} = compute({n})\n" for n in range(200)), encoding="utf-8")
    given = ("-m", "openai:gpt-4o-mini", "--base-url", server.url, "--out", tmp_path / "out", "--warm", "--api", "chat")
    ran = judge("run", lab.tasks, "-w", lab.workspaces, *given, "--json")
    assert ran.code == 0, ran.err
    usage, sent = ran.json()["usage"], server.usages
    assert usage["calls"] == len(sent) == 6 and sent[0][1] == 0
    assert all(cached >= 1024 and whole - cached < 200 for whole, cached in sent[1:]), sent
    assert usage["cache_read_tokens"] == sum(cached for _, cached in sent)
    assert usage["input_tokens"] == sum(whole - cached for whole, cached in sent)
    heads = {json.dumps(body["messages"][0]) for body in server.bodies}
    assert len(heads) == 1
    again = judge(
        "run", lab.tasks, "-w", lab.workspaces, *given[:4], "--api", "chat", "--out", tmp_path / "other", "--costs"
    )
    assert again.code == 0 and len(server.usages) == 6, "the answers are kept"
    assert "6 kept answers" in again.err and "from disk" in again.out
