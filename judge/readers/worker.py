"""The reading process: parses risky files within limits on memory, time and files, and dies with its parent."""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from judge.readers.choose import READERS_BY_NAME
from judge.readers.perform import perform
from judge.readers.wire import LENGTH, READY, pack_document, unpack_request

_MEMORY = 3 << 30
_GRACE = 2.0


def main() -> None:
    """Answers requests on standard input until it ends."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):  # what a library prints must not get between the messages
        os.dup2(nothing, fd)
    _confine()
    answers.write(READY)
    answers.flush()
    while True:
        body = _message(requests)
        if body is None:
            return
        name, source, limits = unpack_request(body)
        # The parent kills a process that takes too long; when the parent is gone, this alarm does.
        signal.setitimer(signal.ITIMER_REAL, limits.max_seconds + _GRACE)
        message = pack_document(perform(READERS_BY_NAME[name], source, limits))
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(message)
        answers.flush()


def _message(stream: BinaryIO) -> bytes | None:
    head = stream.read(LENGTH)
    if len(head) < LENGTH:
        return None
    size = int.from_bytes(head, "big")
    body = stream.read(size)
    return body if len(body) == size else None


def _confine() -> None:
    for name in ("numpy", "lxml"):  # taken in by libraries that find them, slow to load, and needed by none
        sys.modules[name] = None  # type: ignore[assignment]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    bounds = (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
    )
    for kind, value in bounds:
        with suppress(ValueError, OSError):  # some systems do not know a limit, or have a lower one
            resource.setrlimit(kind, (value, value))
