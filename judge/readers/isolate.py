"""Reads risky files in a process of its own that is killed when it takes too long, and started again when it died."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

from judge.readers.document import Document, Limits, Reader, Source, State
from judge.readers.perform import failed, tidy
from judge.readers.wire import LENGTH, READY, pack_request, unpack_document

_START_SECONDS = 60.0
_GRACE = 1.0
_MAX_ANSWER = 256 * 1024 * 1024
_CODE = "import sys; sys.path.extend(sys.argv[1:]); from judge.readers.worker import main; main()"


class _TooLong(Exception):
    """The process did not answer in time."""


class Isolation:
    """One reading process, started when it is first needed and used by one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._finalizer: weakref.finalize[[subprocess.Popen[bytes]], Isolation] | None = None

    def read(self, reader: Reader, source: Source, limits: Limits) -> Document:
        """Reads a source in the process; never raises."""
        with self._lock:
            try:
                process = self._running()
                answer = _exchange(process, pack_request(reader.name, source, limits), limits.wall_seconds + _GRACE)
                return tidy(unpack_document(answer), limits)
            except _TooLong:
                self._stop()
                problem = f"reading it took longer than {limits.wall_seconds:g} s"
            except (OSError, ValueError, EOFError) as error:
                self._stop()
                problem = f"the process that read it broke down: {error or 'no answer'}"
        return tidy(failed(source, reader, State.UNREADABLE, problem), limits)

    def start(self) -> None:
        """Starts the process without waiting until it is ready: it gets so while others work."""
        with self._lock:
            if self._process is None:
                with suppress(OSError):  # the first read tries again, and says what is wrong
                    self._launch()

    def close(self) -> None:
        """Ends the process; a later read starts a new one."""
        with self._lock:
            self._stop()

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is None or process.poll() is not None:
            self._stop()
            process = self._launch()
        if not self._ready:
            if _receive(process, 1, time.monotonic() + _START_SECONDS) != READY:
                raise EOFError("it did not start")
            self._ready = True
        return process

    def _launch(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", _CODE, *_module_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._process = process
        self._ready = False
        self._finalizer = weakref.finalize(self, _end, process)
        return process

    def _stop(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._process = self._finalizer = None


def _module_path() -> list[str]:
    """Where the process finds this program and its libraries.

    The current folder may be the judged workspace, and PYTHONPATH may name it by an empty entry. So the process starts
    isolated from both, and is told the places that this one uses.
    """
    package = str(Path(__file__).resolve().parents[2])
    places = [item for item in sys.path if os.path.isabs(item)]
    try:
        here = os.getcwd()
    except FileNotFoundError:  # the current folder was removed: nothing can be taken from it
        return [package, *places]
    return [package, *(item for item in places if os.path.realpath(item) != here)]


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # bytes that the dead process did not take
                continue


def _exchange(process: subprocess.Popen[bytes], request: bytes, seconds: float) -> bytes:
    deadline = time.monotonic() + seconds
    _send(process, request, deadline)
    size = int.from_bytes(_receive(process, LENGTH, deadline), "big")
    if size > _MAX_ANSWER:
        raise ValueError("its answer is too long")
    return _receive(process, size, deadline)


def _send(process: subprocess.Popen[bytes], data: bytes, deadline: float) -> None:
    assert process.stdin is not None
    fd = process.stdin.fileno()
    os.set_blocking(fd, False)
    view = memoryview(data)
    while view:
        _wait(fd, selectors.EVENT_WRITE, deadline)
        view = view[os.write(fd, view[: 1 << 20]) :]


def _receive(process: subprocess.Popen[bytes], size: int, deadline: float) -> bytes:
    assert process.stdout is not None
    fd = process.stdout.fileno()
    blocks: list[bytes] = []
    left = size
    while left > 0:
        _wait(fd, selectors.EVENT_READ, deadline)
        block = os.read(fd, min(left, 1 << 20))
        if not block:
            raise EOFError("it ended")
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def _wait(fd: int, event: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(fd, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise _TooLong
