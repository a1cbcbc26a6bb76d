"""Answers one question after another: inputs come in, outputs go out, and nothing here knows what is right."""

from __future__ import annotations

import os
import sys
from _thread import _count as thread_count
from os import getpid, read, write
from typing import Any

from . import asking, load
from .audit import Watch
from .codec import EncodeError, decode, encode
from .encoding import type_name
from .limits import MAX_DEPTH
from .outcome import describe

_DEPTH = MAX_DEPTH + 16


def run(config: dict[str, Any]) -> None:
    """Loads the submission, says how that went, and answers until the pipe is closed; never returns.

    Args:
        config: Of the worker.
    """
    channel = _Channel(config["fds"]["req"], config["fds"]["rep"])
    watch = Watch(config["fds"]["ev"], config["scratch"], config["readable"])
    load.prepare(config, watch)
    module, reply = None, {"status": "returned", "missing": config["missing"]}
    try:
        module = load.load(config)
        if config["entry"]:
            found = load.find(module, config["entry"])
            if not callable(found):
                reply = {"status": "load", "detail": f"{config['entry']} cannot be called"}
    except AttributeError as error:
        own = f"the file has no {config['entry']}" if module is not None else ""
        reply = {"status": "load", "detail": own, **({} if own else describe(error, config["scratch"]))}
    except BaseException as error:  # noqa: BLE001 - foreign code may raise anything, also to stop us
        reply = {**describe(error, config["scratch"]), "status": "load"}
    asker = asking.Asker(module, config)
    while True:
        channel.leave_children()
        reply["threads"] = thread_count()
        channel.send(reply)
        reply = asker.answer(channel.receive(), channel)


class _Channel:
    """Frames of a length and that many bytes; every reply carries the nonce of its request."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._nonce = b""
        self._pid = getpid()
        self._stdout = sys.stdout

    def leave_children(self) -> None:
        """A copy of this process that the submission made must not answer."""
        if getpid() != self._pid:
            os._exit(0)

    def receive(self) -> Any:
        """The next request; ends the process when there is none."""
        request = decode(self._exactly(int.from_bytes(self._exactly(8), "big")), max_depth=_DEPTH)
        self._nonce = request["nonce"]
        return request

    def send(self, reply: dict[str, Any]) -> None:
        """Sends a reply, or why it cannot be sent."""
        try:
            raw = encode({**reply, "nonce": self._nonce}, max_depth=_DEPTH)
        except BaseException as error:  # noqa: BLE001 - even the type of a value may be foreign code
            text = str(error) if type(error) is EncodeError else type_name(type(error))
            what = f"the reply cannot be sent: {text}"
            raw = encode({"status": "output", "detail": what, "nonce": self._nonce})
        self._flush()
        data = memoryview(len(raw).to_bytes(8, "big") + raw)
        while data:
            data = data[write(self._outgoing, data) :]

    def _flush(self) -> None:
        try:
            self._stdout.flush()
        except (OSError, ValueError):
            return

    def _exactly(self, count: int) -> bytes:
        parts = []
        while count:
            part = read(self._incoming, min(count, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)
