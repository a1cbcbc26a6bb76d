"""A real HTTP server on the loopback that misbehaves on purpose."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

VERDICT = {"reason": "It is there.", "citations": [], "confidence": 0.9, "verdict": "SATISFIED"}


def openai_body(text: Any = None, **changes: Any) -> dict[str, Any]:
    content = json.dumps(VERDICT) if text is None else text
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 60},
        },
    }
    return body | changes


def anthropic_body(text: Any = None, **changes: Any) -> dict[str, Any]:
    content = json.dumps(VERDICT) if text is None else text
    body = {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "served-model",
        "content": [{"type": "text", "text": content}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 40,
            "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 7,
            "output_tokens": 20,
        },
    }
    return body | changes


@dataclass
class Hit:
    """One request that arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float
    method: str = "POST"
    raw: bytes = b""


@dataclass
class Answer:
    """What the server does with one request."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: Callable[[socket.socket], None] | None = None
    delay: float = 0.0


class Server:
    """Gives its answers in turn; the last one is repeated. A rule may choose by request instead."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.rule: Callable[[Hit], Answer] | None = None
        self.hits: list[Hit] = []
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._open = True
        threading.Thread(target=self._accept, daemon=True).start()

    def will(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def close(self) -> None:
        self._open = False
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while self._open:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, ValueError):
            reader = connection.makefile("rb")
            while line := reader.readline():
                method, path = (word.decode() for word in line.split()[:2])
                headers: dict[str, str] = {}
                while line := reader.readline().strip():
                    name, _, value = line.decode("latin-1").partition(":")
                    headers[name.lower()] = value.strip()
                raw = reader.read(int(headers.get("content-length", 0)))
                body = json.loads(raw or b"{}") if "json" in headers.get("content-type", "json") else {}
                hit = Hit(path, headers, body, time.monotonic(), method, raw)
                with self._lock:
                    self.hits.append(hit)
                    if self.rule is not None:
                        answer = self.rule(hit)
                    else:
                        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                time.sleep(answer.delay)
                if answer.raw is not None:
                    answer.raw(connection)
                    return
                connection.sendall(response(answer))


def response(answer: Answer) -> bytes:
    data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
    headers = {"content-type": "application/json", "content-length": str(len(data))} | answer.headers
    head = f"HTTP/1.1 {answer.status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return head.encode() + b"\r\n" + data


def cut(connection: socket.socket) -> None:
    """Promises more than it sends."""
    whole = response(Answer(openai_body()))
    connection.sendall(whole[:-30])


def reset(connection: socket.socket) -> None:
    """Resets the connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def half_closed(connection: socket.socket) -> None:
    """Closes its half without an answer, and keeps the other open for a while."""
    connection.shutdown(socket.SHUT_WR)
    time.sleep(0.3)


def dripping(connection: socket.socket) -> None:
    """Sends a byte now and then, for ever: no single read times out."""
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
    with contextlib.suppress(OSError):
        for _ in range(300):
            connection.sendall(b" ")
            time.sleep(0.05)


def garbage(connection: socket.socket) -> None:
    """Speaks no HTTP."""
    connection.sendall(b"\x00\x01\x02 hello\r\n\r\n")


def short_chunks(connection: socket.socket) -> None:
    """Ends a chunked body well-formed, in the middle of the JSON."""
    half = json.dumps(openai_body()).encode()[:60]
    # It closes afterwards and says so: else whether the client still finds the old connection open is a race.
    head = (
        b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    connection.sendall(head)
    connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(half), half))


FAULTS = {"cut": cut, "reset": reset, "half_closed": half_closed, "garbage": garbage, "short_chunks": short_chunks}


@pytest.fixture
def server() -> Iterator[Server]:
    """A server for one test."""
    server = Server()
    yield server
    server.close()


class Wire:
    """How one provider's answers look, for tests that hold for both."""

    def __init__(self, provider: str) -> None:
        self.provider = provider
        self.body = openai_body if provider == "openai" else anthropic_body
        self.base = "/v1" if provider == "openai" else ""
        self.faults = FAULTS
        self.dripping = dripping
        self.answer = Answer

    def good(self, text: Any = None, **changes: Any) -> Answer:
        return Answer(self.body(text, **changes))


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> Wire:
    """Both providers in turn."""
    return Wire(request.param)


@pytest.fixture
def chat() -> Wire:
    """Chat Completions alone."""
    return Wire("openai")


@pytest.fixture
def messages() -> Wire:
    """The Messages API alone."""
    return Wire("anthropic")
