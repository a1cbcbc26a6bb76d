"""``judge run --batch`` against the batch API of a server on the loopback interface."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from judge.models import batch

ANSWER = {"reason": "It is there.", "citations": [], "confidence": 0.8, "verdict": "SATISFIED"}


class Server:
    """Takes batches and answers them when it is told to."""

    def __init__(self) -> None:
        self.files: dict[str, list[dict[str, Any]]] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.done = False
        self.fails: set[int] = set()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments: Any) -> None:
                """Silent."""

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers["content-length"])))

            def do_GET(self) -> None:
                self._answer(b"")

            def _answer(self, body: bytes) -> None:
                data = owner.answer(self.path.partition("?")[0], body)
                self.send_response(200)
                self.send_header("content-length", str(len(data)))
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def answer(self, path: str, body: bytes) -> bytes:
        if path == "/v1/files":
            name = f"file-{len(self.files)}"
            self.files[name] = [json.loads(line) for line in body.splitlines() if line.startswith(b'{"custom_id"')]
            return json.dumps(
                {"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "f", "purpose": "batch"}
            ).encode()
        if path.endswith("/content"):
            name = path.split("/")[3].removeprefix("out-")
            return "\n".join(self.line(n, item) for n, item in enumerate(self.files[name])).encode()
        if path == "/v1/batches" and body:
            asked = json.loads(body)
            name = f"batch_{len(self.batches)}"
            self.batches[name] = {"file": asked["input_file_id"], "metadata": asked.get("metadata")}
            return json.dumps(self.batch(name)).encode()
        if path == "/v1/batches":
            listed = {"object": "list", "data": [self.batch(name) for name in self.batches], "has_more": False}
            return json.dumps(listed).encode()
        return json.dumps(self.batch(path.rpartition("/")[2])).encode()

    def batch(self, name: str) -> dict[str, Any]:
        known = self.batches[name]
        number = len(self.files[known["file"]])
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "created_at": 1,
            "completion_window": "24h",
            "input_file_id": known["file"],
            "metadata": known["metadata"],
            "status": "completed" if self.done else "in_progress",
            "request_counts": {"total": number, "completed": number, "failed": 0},
            **({"output_file_id": f"out-{known['file']}"} if self.done else {}),
        }

    def line(self, number: int, item: dict[str, Any]) -> str:
        if number in self.fails and len(self.batches) == 1:
            body: dict[str, Any] = {"error": {"message": "busy", "type": "server_error"}}
            return json.dumps({"custom_id": item["custom_id"], "response": {"status_code": 500, "body": body}})
        message = {"role": "assistant", "content": json.dumps(ANSWER)}
        usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
        body = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": usage,
        }
        return json.dumps(
            {"custom_id": item["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}
        )


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[Server]:

    monkeypatch.setattr(batch, "BatchPlan", partial(batch.BatchPlan, poll=0.05))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = Server()
    thread = threading.Thread(target=found.http.serve_forever, daemon=True)
    thread.start()
    yield found
    found.http.shutdown()
    found.http.server_close()
    thread.join()


def run(judge: Any, lab: Any, server: Server, out: Any, *more: object) -> Any:
    given = ("-m", "openai:gpt-4o-mini", "--base-url", server.url, "--api", "chat", "--batch", "--out", out)
    return judge("run", lab.tasks, "-w", lab.workspaces, *given, "--json", *more)


def test_all_requirements_go_into_one_batch(judge: Any, lab: Any, server: Server, tmp_path: Any) -> None:
    for name in ("01_A", "02_B", "03_C"):
        lab.add(name, [[] for _ in range(5)])
    server.done = True
    ran = run(judge, lab, server, tmp_path / "out", "--concurrency", 2)
    assert ran.code == 0, ran.err
    assert [len(lines) for lines in server.files.values()] == [15]
    assert ran.json()["usage"]["calls"] == 15 and ran.json()["totals"]["satisfied"] == 15


def test_a_run_that_ends_before_its_batch_goes_on_with_it(judge: Any, lab: Any, server: Server, tmp_path: Any) -> None:
    lab.add("01_A", [[], [0], []])
    ran = run(judge, lab, server, tmp_path / "out", "--max-time", 2)
    assert ran.code == 5 and ran.json()["totals"]["pending"] == 3, ran.err
    assert len(server.batches) == 1
    server.done = True
    ran = run(judge, lab, server, tmp_path / "out")
    assert ran.code == 0 and ran.json()["totals"]["satisfied"] == 3, ran.err
    assert len(server.batches) == 1, "nothing is paid twice"
    assert run(judge, lab, server, tmp_path / "out").code == 0 and len(server.batches) == 1


def test_what_fails_in_a_batch_goes_into_another_one(judge: Any, lab: Any, server: Server, tmp_path: Any) -> None:
    lab.add("01_A", [[], [], [], []])
    server.done, server.fails = True, {1, 2}
    ran = run(judge, lab, server, tmp_path / "out")
    assert ran.code == 0 and ran.json()["totals"]["satisfied"] == 4, ran.err
    assert [len(lines) for lines in server.files.values()] == [4, 2]
