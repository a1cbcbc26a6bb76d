"""Moves bytes between judge and one worker, and knows what came of them: never waits for the end of a pipe."""

from __future__ import annotations

import errno
import os
import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.score.sandbox.box import Box

TICK = 0.05
LINE = 300
_CHUNK = 1 << 16
_EVIDENCE = 200
_TAIL = 4096
_SOURCES = {"req": "outgoing", "in": "stdin"}


class Pump:
    """The pipes of one worker.

    Attributes:
        box: The process.
        outgoing: Bytes that wait to be sent to the worker.
        stdin: Bytes that wait to be sent to the standard input of a program.
        incoming: Bytes of replies.
        stdout: What was printed.
        printed: How much, since somebody set this to 0.
        stderr: The end of what was written there.
        evidence: Lines of evidence not yet handed out.
        started: Whether the sandbox is set up, and the worker confined.
        numbered: Whether the number of the worker process has been told.
        talks: Whether the process sends replies; a program does not.
        ended: How the process ended, as the supervisor says; empty while it runs.
    """

    def __init__(self, box: Box) -> None:
        """Moves nothing yet; the worker's code is the first thing that goes out."""
        self.box = box
        self.outgoing, self.stdin, self.incoming = bytearray(box.first), bytearray(), bytearray()
        self.stdout, self.stderr = bytearray(), bytearray()
        self.printed = 0
        self.evidence: list[str] = []
        self.ended = ""
        self.started = self.numbered = False
        self.talks = True
        self._lines: dict[str, bytearray] = {"ev": bytearray(), "stat": bytearray()}

    def move(self, seconds: float) -> bool:
        """Moves bytes in both directions, waiting for some; whether any came in.

        Args:
            seconds: To wait at most.
        """
        ends = self.box.ends
        poll = select.poll()
        names: dict[int, str] = {}
        for name in ("rep", "out", "err", "ev", "stat"):
            if name in ends:
                poll.register(ends[name], select.POLLIN)
                names[ends[name]] = name
        for name, buffer in (("req", self.outgoing), ("in", self.stdin)):
            if buffer and name in ends:
                poll.register(ends[name], select.POLLOUT)
                names[ends[name]] = name
        if not names:
            time.sleep(min(max(seconds, 0.0), TICK))
            return False
        moved = False
        for descriptor, _ in poll.poll(max(0.0, seconds) * 1000):
            name = names[descriptor]
            if name in _SOURCES:
                self._write(name, self.outgoing if name == "req" else self.stdin)
            else:
                moved = self._read(name) or moved
        return moved

    def _write(self, name: str, buffer: bytearray) -> None:
        try:
            count = os.write(self.box.ends[name], bytes(buffer[:_CHUNK]))
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            buffer.clear()
            self.box.close_end(name)
            return
        del buffer[:count]

    def _read(self, name: str) -> bool:
        try:
            data = os.read(self.box.ends[name], _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self.box.close_end(name)
            if name == "stat" or (name == "rep" and self.talks):
                self.ended = self.ended or "pipe closed"
            return False
        if name == "rep":
            self.incoming += data
        elif name == "out":
            self.printed += len(data)
            self.stdout += data
        elif name == "err":
            self.stderr += data
            del self.stderr[:-_TAIL]
        else:
            self._line(name, data)
        return True

    def _line(self, name: str, data: bytes) -> None:
        """Evidence and the supervisor's reports come as lines; a forger may send anything."""
        buffer = self._lines[name]
        buffer += data
        *lines, rest = bytes(buffer).split(b"\n")
        self._lines[name] = bytearray(rest[-LINE:])
        for raw in lines:
            line = raw[:LINE].decode("utf-8", "replace")
            if name == "ev" and not self.started:
                self.started = line == "ready"
            elif name == "ev":
                if len(self.evidence) < _EVIDENCE:
                    self.evidence.append(line)
            elif line.startswith("pid "):
                self.numbered = True
                self.box.found_worker(int(line[4:]))
            else:
                self.ended = line
