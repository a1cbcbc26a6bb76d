"""A model on the loopback that always answers, after a fixed time and within a rate: something to measure against.

Usage: python scripts/bench/model_server.py [--latency S] [--per-minute N] [--burst N] [--headers] [--retry-after S]

Speaks Chat Completions. Prints its address first; ``GET /stats`` gives counts, ``POST /reset`` forgets them. With
``--per-minute`` a bucket refills steadily and a request that finds it empty gets a 429.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field

VERDICT = {"reason": "It is there.", "citations": [], "confidence": 0.9, "verdict": "SATISFIED"}


@dataclass(slots=True)
class State:
    """What the server allows and what it saw."""

    latency: float
    per_minute: float
    burst: float
    headers: bool
    retry_after: float
    level: float = 0.0
    at: float = 0.0
    served: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    first: float = 0.0
    last: float = 0.0
    flying: int = 0
    most: int = 0

    def take(self, now: float) -> bool:
        """Whether one more request is allowed now."""
        if not self.per_minute:
            return True
        self.level = min(self.burst, self.level + (now - self.at) * self.per_minute / 60)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def told(self) -> dict[str, str]:
        """Headers about the rate."""
        if not (self.headers and self.per_minute):
            return {}
        missing = self.burst - self.level
        return {
            "x-ratelimit-limit-requests": f"{self.burst:.0f}",
            "x-ratelimit-remaining-requests": f"{int(self.level)}",
            "x-ratelimit-reset-requests": f"{missing * 60 / self.per_minute:.3f}s",
        }

    def stats(self) -> dict[str, float | int]:
        """Counts; the worst second of refusals tells a burst from single ones."""
        worst = max((sum(at <= other < at + 1 for other in self.refused) for at in self.refused), default=0)
        return {
            "served": len(self.served),
            "refused": len(self.refused),
            "refused_in_worst_second": worst,
            "seconds": self.last - self.first,
            "most_in_flight": self.most,
        }


async def _answer(state: State) -> tuple[int, dict[str, str], object]:
    now = time.monotonic()
    state.first = state.first or now
    allowed = state.take(now)
    state.flying += 1
    state.most = max(state.most, state.flying)
    try:
        if not allowed:
            state.refused.append(now)
            headers = state.told()
            if state.retry_after:
                headers["retry-after"] = f"{state.retry_after:g}"
            return 429, headers, {"error": {"message": "rate limit reached"}}
        await asyncio.sleep(state.latency)
    finally:
        state.flying -= 1
    state.last = time.monotonic()
    state.served.append(state.last)
    message = {"role": "assistant", "content": json.dumps(VERDICT)}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 50, "total_tokens": 1_050}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return 200, state.told(), body


async def _serve(state: State, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while line := await reader.readline():
            path, length = line.split()[1].decode(), 0
            while (header := await reader.readline()).strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            await reader.readexactly(length)
            if path == "/stats":
                status, headers, body = 200, {}, state.stats()
            elif path == "/reset":
                state.served.clear()
                state.refused.clear()
                state.first = state.last = 0.0
                state.most, state.level, state.at = 0, state.burst, time.monotonic()
                status, headers, body = 200, {}, {}
            else:
                status, headers, body = await _answer(state)
            data = json.dumps(body).encode()
            headers = {"content-type": "application/json", "content-length": str(len(data))} | headers
            head = f"HTTP/1.1 {status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(head.encode() + b"\r\n" + data)
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def _main(state: State) -> None:
    server = await asyncio.start_server(lambda r, w: _serve(state, r, w), "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds to an answer (default 0.2)")
    parser.add_argument("--per-minute", type=float, default=0, help="requests allowed in a minute; 0 for any number")
    parser.add_argument("--burst", type=float, default=1, help="requests allowed at once when none came for a while")
    parser.add_argument("--headers", action="store_true", help="tell the rate in x-ratelimit headers")
    parser.add_argument("--retry-after", type=float, default=0, help="seconds to wait told with a 429; 0 for none")
    options = parser.parse_args()
    chosen = State(options.latency, options.per_minute, options.burst, options.headers, options.retry_after)
    chosen.level, chosen.at = chosen.burst, time.monotonic()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main(chosen))
