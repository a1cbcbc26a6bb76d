"""The reading process: parses risky files within limits on memory, time and files, and dies with its parent."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from judge.readers.perform import perform
from judge.readers.registry import reader_named
from judge.readers.wire import LENGTH, READY, pack_document, unpack_request

_MEMORY = 3 << 30
_GRACE = 2.0
_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000  # of the system call unshare
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_REFUSED = frozenset(
    """
    socket.connect socket.bind socket.getaddrinfo socket.gethostbyname socket.sendto
    subprocess.Popen os.system os.exec os.posix_spawn os.fork os.forkpty pty.spawn
    os.mkdir os.remove os.rename os.rmdir os.truncate os.link os.symlink os.chmod os.chown
    """.split()
)


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
        signal.setitimer(signal.ITIMER_REAL, limits.wall_seconds + _GRACE)
        message = pack_document(perform(reader_named(name), source, limits))
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


def _refuse(event: str, args: tuple[object, ...]) -> None:
    """Stops what no reader has to do, whatever a library thinks: speak to the network, start programs, write files."""
    flags = args[2] if event == "open" and len(args) > 2 else 0
    if event in _REFUSED or (isinstance(flags, int) and flags & _WRITING):
        raise PermissionError(f"{event} is not for a reading process")


def _leave_network() -> None:
    """Moves the process into a network of its own without any interface, where the system lets it.

    What refuses Python's own calls does not reach those of the libraries written in C.
    """
    with suppress(OSError, AttributeError):  # systems without this call
        unshare = ctypes.CDLL(None, use_errno=True).unshare
        if unshare(_NEW_NETWORK):
            unshare(_NEW_USER | _NEW_NETWORK)


def _confine() -> None:
    _leave_network()
    sys.addaudithook(_refuse)
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
