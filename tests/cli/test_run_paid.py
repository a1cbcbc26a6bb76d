"""What was paid is kept: outages at a repair, limits between votes, and calls for embeddings."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

Judge = Any
Lab = Any
S, U = {"verdict": "SATISFIED"}, {"verdict": "UNSATISFIED"}
ANSWER = {"reason": "It is there.", "citations": [], "confidence": 0.8, "verdict": "SATISFIED"}
UNCLEAR = {"text": "hard to say"}


class Server:
    """Chats, makes embeddings, and counts; each answer of a chat takes its time."""

    def __init__(self) -> None:
        self.chats = self.embeds = 0
        self.tokens = 100
        self.turn = lambda number: (0.0, ANSWER)
        lock, owner = threading.Lock(), self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments: Any) -> None:
                """Silent."""

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                embeds = self.path.endswith("/embeddings")
                with lock:
                    owner.embeds += embeds
                    owner.chats += not embeds
                    number = owner.chats
                data = json.dumps(owner.embedded(asked) if embeds else owner.chatted(number)).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(data)))
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def chatted(self, number: int) -> dict[str, Any]:
        seconds, said = self.turn(number)
        time.sleep(seconds)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(said)}}
        usage = {"prompt_tokens": self.tokens - 10, "completion_tokens": 10, "total_tokens": self.tokens}
        return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}

    def embedded(self, asked: dict[str, Any]) -> dict[str, Any]:
        rows = [
            {"object": "embedding", "index": place, "embedding": [1.0, float(len(text) % 7), 0.5]}
            for place, text in enumerate(asked["input"])
        ]
        return {"object": "list", "model": "m", "data": rows, "usage": {"prompt_tokens": 7, "total_tokens": 7}}


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    thread = threading.Thread(target=found.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield found
    found.http.shutdown()
    found.http.server_close()
    thread.join(5)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def one(lab: Lab) -> Any:
    lab.add("01_A", [[], [], []])
    return lab


def run(judge: Judge, lab: Lab, out: Path, *more: object) -> Any:
    return judge("run", lab.tasks, "-w", lab.workspaces, "--out", out, *more)


def asked(judge: Judge, lab: Lab, out: Path, server: Server, *more: object) -> Any:
    return run(judge, lab, out, "-m", "openai:m", "--base-url", server.url, "--json", "-c", 1, *more)


def sums(lab: Lab, out: Path) -> int:
    return sum(line["usage"]["calls"] for line in lab.lines(out))


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 500}, {"status": 429}])
def test_an_outage_at_a_repair_is_one_of_the_provider(judge: Judge, one: Lab, tmp_path: Path, fault: Any) -> None:
    one.answer(("01_A", 1, [UNCLEAR, fault]))
    ran = run(judge, one, tmp_path / "out", "-m", one.model, "--json", "--max-retries", 0)
    assert ran.code == 3
    line = next(item for item in one.lines(tmp_path / "out") if item["requirement_id"] == 1)
    assert line["verdict"] == "ERROR" and "the repair failed" in line["error"]
    assert line["usage"]["calls"] == 1 and line["raw_answer"] == UNCLEAR["text"]
    one.write_script()
    assert run(judge, one, tmp_path / "out", "-m", one.model).code == 0


def test_an_unclear_repair_is_none_of_the_provider(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 1, [UNCLEAR, UNCLEAR]))
    assert run(judge, one, tmp_path / "out", "-m", one.model).code == 5


def test_an_outage_at_the_repairs_of_votes_is_no_verdict(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 1, [S, UNCLEAR, {"status": 503}, UNCLEAR, {"status": 503}]))
    ran = run(judge, one, tmp_path / "out", "-m", one.model, "--votes", 3, "--max-retries", 0, "-c", 1)
    lines = {item["requirement_id"]: item for item in one.lines(tmp_path / "out")}
    assert ran.code == 3 and lines[1]["verdict"] == "ERROR"


@pytest.mark.parametrize("cache", ["--cache", "--no-cache"])
def test_a_budget_that_ends_between_votes_loses_no_paid_call(
    judge: Judge, one: Lab, server: Server, tmp_path: Path, cache: str
) -> None:
    # The second requirement has one vote for and one against; for the third one there is no budget.
    server.tokens = 1_500
    server.turn = lambda number: (0.0, {**ANSWER, "verdict": "SATISFIED" if number % 3 else "UNSATISFIED"})
    out, votes = tmp_path / "out", ("--votes", 3, cache)
    ran = asked(judge, one, out, server, *votes, "--max-tokens", 6_500)
    assert ran.code == 4, ran.err
    assert sums(one, out) == server.chats == ran.json()["usage"]["calls"] == 4
    lines = one.lines(out)
    assert all(line["verdict"] != "UNSATISFIED" for line in lines)
    again = asked(judge, one, out, server, *votes, "--max-tokens", 100_000)
    assert again.code == 0 and len({line["requirement_id"] for line in one.lines(out)}) == 3
    assert sums(one, out) == server.chats
    unfinished = sum(line["usage"]["calls"] for line in lines if line["verdict"] == "ERROR")
    needed = sum(len(item["votes"]) for item in again.json()["tasks"][0]["verdicts"])
    assert server.chats == needed + (unfinished if cache == "--no-cache" else 0)


def test_time_that_is_over_between_votes_loses_no_paid_call(
    judge: Judge, one: Lab, server: Server, tmp_path: Path
) -> None:
    # The first vote for the second requirement is there at once, the next one takes longer than the grace.
    server.turn = lambda number: (
        30.0 if number == 4 else 0.0,
        {**ANSWER, "verdict": ("UNSATISFIED", S["verdict"])[number < 4]},
    )
    out, votes = tmp_path / "out", ("--votes", 3)
    ran = asked(judge, one, out, server, *votes, "--max-time", 1)
    assert ran.code == 5 and ran.json()["stopped"] == "the time for the run is over"
    assert sums(one, out) == 3 == ran.json()["usage"]["calls"]
    cut = [line for line in one.lines(out) if line["verdict"] == "ERROR"]
    assert len(cut) == 1 and cut[0]["usage"]["calls"] == 1 and "not finished" in cut[0]["error"]
    before, server.turn = server.chats, lambda number: (0.0, ANSWER)
    assert asked(judge, one, out, server, *votes, "--max-time", 60).code == 0
    assert server.chats - before == 3, "the vote that was paid comes from the disk"


def test_a_call_in_flight_when_the_time_is_over_may_end(judge: Judge, one: Lab, server: Server, tmp_path: Path) -> None:
    server.turn = lambda number: (1.5, ANSWER)
    ran = asked(judge, one, tmp_path / "out", server, "--max-time", 1)
    assert ran.code == 5 and server.chats == 1
    assert [line["verdict"] for line in one.lines(tmp_path / "out")] == ["SATISFIED"]


def test_embeddings_are_in_the_verdicts_and_in_the_ledger(
    judge: Judge, one: Lab, server: Server, tmp_path: Path
) -> None:
    for number in range(6):
        note = one.workspaces / "01_A" / f"note{number}.md"
        note.write_text(f"# Part {number}\n\nsome words on criterion {number}\n", encoding="utf-8")
    out = tmp_path / "out"
    ran = asked(judge, one, out, server, "--search", "embeddings", "--embeddings", "openai:tiny", "--modules", "locate")
    assert ran.code == 0, ran.err
    assert server.embeds > 0 and server.chats == 3
    found = {(item["purpose"], item["model"]): item for item in ran.json()["costs"]["purposes"]}
    embeds = found["embed", "openai:tiny"]
    assert embeds["calls"] == server.embeds and embeds["input_tokens"] == 7 * server.embeds
    assert embeds["cost"] is None, "an unknown price is not zero"
    assert found["judge", "openai:m"]["calls"] == 3
    assert sums(one, out) == server.embeds + 3 == ran.json()["usage"]["calls"]


def test_a_question_costs_what_its_embeddings_cost_too(
    judge: Judge, one: Lab, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        note = one.workspaces / "01_A" / f"note{number}.md"
        note.write_text(f"# Part {number}\n\nsome words on number {number}\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    given = ["--base-url", server.url, "--search", "embeddings", "--embeddings", "openai:tiny", "--modules", "locate"]
    ran = judge("ask", "Which words?", "-w", one.workspaces / "01_A", "-m", "openai:m", *given, "--json")
    assert ran.code == 0, ran.err
    assert server.embeds > 0 and server.chats == 1
    usage = ran.json()["usage"]
    assert usage["calls"] == server.embeds + 1
    assert usage["input_tokens"] == 7 * server.embeds + 90
