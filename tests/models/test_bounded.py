"""Servers that send too much, or send the key back."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import ProviderError
from judge.models import Message, Reply, Request, Role, open_model

KEY = "sk-test-0a1B2c3D4e5F6g7H8i9J"
REQUEST = Request(messages=(Message(Role.USER, "x"),), schema=None, schema_name="", max_output_tokens=50)


def ask(server: Any, wire: Any) -> Reply:
    values: dict[str, Any] = {"base_url": server.url + wire.base, "max_retries": 3, "timeout": 20.0, "deadline": 40.0}
    settings = ModelSettings(**values, keys={"JUDGE_API_KEY": Secret(KEY)})

    async def go() -> Reply:
        model = open_model(f"{wire.provider}:m", settings)
        try:
            return await model.complete(REQUEST)
        finally:
            await model.close()

    return asyncio.run(go())


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def bomb(connection: socket.socket) -> None:
    body = gzip.compress(b" " * (100 << 20))
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    with contextlib.suppress(OSError):
        connection.sendall(head.encode() + body)


@pytest.mark.parametrize("raw", [endless, bomb])
def test_an_answer_without_end_is_cut_and_not_asked_for_again(server: Any, chat: Any, raw: Any) -> None:
    answer = chat.good()
    answer.raw = raw
    server.will(answer)
    with pytest.raises(ProviderError, match="more than 16 MB"):
        ask(server, chat)
    assert len(server.hits) == 1


def test_a_key_that_comes_back_goes_no_further(server: Any, wire: Any) -> None:
    server.will(wire.good(f"the key is {KEY}"))
    reply = ask(server, wire)
    assert KEY not in json.dumps([reply.text, reply.model]) and "the key is ****" in reply.text
